/// The lines of a template, which are laid out for those who read it.
///
/// A line that is indented, or that begins with a closing tag, continues the line before it: its break and its
/// indentation are no part of the page. Within a tag, and between two words, they are one space.
struct TemplateLines {
    private var page: [UInt8] = []
    private var place = Place.text

    private enum Place: Equatable {
        case text
        case tag
        /// In an attribute's value, up to this byte.
        case value(UInt8)
    }

    /// Returns a template as it is filled in.
    static func joined(_ template: String) -> String {
        var lines = TemplateLines()
        for (index, line) in template.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            lines.append(line, isFirst: index == 0)
        }
        return String(decoding: lines.page, as: UTF8.self)
    }

    private mutating func append(_ line: Substring.UTF8View, isFirst: Bool) {
        let content = line.drop { $0 == UInt8(ascii: " ") }
        if !isFirst {
            let continues =
                content.count < line.count || content.starts(with: "</".utf8) || content.starts(with: "{{/".utf8)
            if content.isEmpty || !continues {
                page.append(UInt8(ascii: "\n"))
            } else if needsSpace(before: content) {
                page.append(UInt8(ascii: " "))
            }
        }
        read(content)
    }

    private func needsSpace(before content: Substring.UTF8View) -> Bool {
        func begins(with texts: String...) -> Bool { texts.contains { content.starts(with: $0.utf8) } }
        guard place == .text else { return !begins(with: ">", "/>", "{{#", "{{^", "{{/") }
        return page.last.map { !">}\n".utf8.contains($0) } ?? false && !begins(with: "<", "{{")
    }

    /// Adds what is in a line, and finds out where its end is: in a tag, in a value of one, or in neither.
    private mutating func read(_ content: Substring.UTF8View) {
        var rest = content
        while let byte = rest.first {
            let length = rest.starts(with: "{{".utf8) ? Self.lengthOfField(rest) : 1
            if length == 1 { enter(byte, before: rest.dropFirst().first) }
            page.append(contentsOf: rest.prefix(length))
            rest = rest.dropFirst(length)
        }
    }

    private mutating func enter(_ byte: UInt8, before next: UInt8?) {
        switch (place, byte) {
        case (.text, UInt8(ascii: "<")):
            let isLetter = next.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) } ?? false
            if isLetter || next == UInt8(ascii: "/") || next == UInt8(ascii: "!") { place = .tag }
        case (.tag, UInt8(ascii: ">")): place = .text
        case (.tag, UInt8(ascii: "\"")), (.tag, UInt8(ascii: "'")): place = .value(byte)
        case (.value(let quote), _) where byte == quote: place = .tag
        default: break
        }
    }

    /// The length of what stands in braces, up to the end of the line where they aren't closed.
    private static func lengthOfField(_ text: Substring.UTF8View) -> Int {
        var length = 2
        var rest = text.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "}}".utf8) {
            rest = rest.dropFirst()
            length += 1
        }
        return length + min(2, rest.count)
    }
}
