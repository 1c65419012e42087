/// A text of a template that people read, between two tags or in an attribute, such as `Copied to {{name}}`.
///
/// Names of fields in braces, and `b` and `code` around words, belong to it: a sentence has them where its language
/// wants. A colon between two fields is one, since languages write it differently.
struct TemplateSegment: Equatable {
    /// The text without the space around it.
    let key: String

    /// The tags of a text: what stands in braces, and tags of words.
    var tags: [String] { pieces.filter(\.isTag).map(\.text) }

    /// The text with each run of words changed, and its tags as they are.
    func marked(_ mark: (String) -> String) -> String {
        pieces.map { $0.isTag || !$0.text.contains(where: \.isLetter) ? $0.text : mark($0.text) }.joined()
    }

    private var pieces: [(text: String, isTag: Bool)] {
        TemplateText.tokens(key).map { token in
            switch token {
            case .text(let text): (text, false)
            case .field(let text), .section(let text), .tag(let text): (text, true)
            }
        }
    }
}

/// A template as its tags and the texts between them.
struct TemplateText {
    enum Token {
        case text(String)
        /// `{{name}}`: a value within a text.
        case field(String)
        /// `{{#name}}` and everything else in braces, which ends a text.
        case section(String)
        /// `<p class="muted">`.
        case tag(String)
    }

    /// The attributes that people read or hear.
    private static let attributes: Set<String> = [
        "alt", "aria-label", "data-confirm", "data-label", "placeholder", "title",
    ]
    /// The tags within a sentence.
    private static let ofWords: Set<String> = ["<b>", "</b>", "<code>", "</code>"]
    /// A space that a translation takes away where it begins or ends with it.
    private static let joiner: Character = "\u{2060}"

    let text: String

    /// Every text that people read.
    var segments: [TemplateSegment] {
        var found: [TemplateSegment] = []
        _ = translated {
            found.append($0)
            return nil
        }
        return found
    }

    /// The template with its texts replaced; those for which there is `nil` stay.
    func translated(_ translation: (TemplateSegment) -> String?) -> String {
        var result = ""
        var run = ""
        func end() {
            result += Self.replaced(run, translation)
            run = ""
        }
        for token in Self.tokens(text) {
            switch token {
            case .text(let text), .field(let text): run += text
            case .tag(let tag) where Self.ofWords.contains(tag): run += tag
            case .tag(let tag):
                end()
                result += Self.tag(tag, translation)
            case .section(let section):
                end()
                result += section
            }
        }
        end()
        return result
    }

    /// A text with what a catalog has for it.
    private static func replaced(_ run: String, _ translation: (TemplateSegment) -> String?) -> String {
        let start = run.firstIndex { !$0.isWhitespace } ?? run.endIndex
        let end = run.lastIndex { !$0.isWhitespace }.map(run.index(after:)) ?? run.endIndex
        let key = String(run[start..<max(start, end)])
        let words = tokens(key).contains {
            if case .text(let text) = $0 { text.contains { $0.isLetter || $0 == ":" } } else { false }
        }
        guard words, var new = translation(TemplateSegment(key: key)) else { return run }
        let joinsBefore = new.first == joiner
        if joinsBefore { new.removeFirst() }
        let joinsAfter = new.last == joiner
        if joinsAfter { new.removeLast() }
        return (joinsBefore ? "" : run[..<start]) + new + (joinsAfter ? "" : run[end...])
    }

    /// A tag with the attributes that people read replaced.
    private static func tag(_ tag: String, _ translation: (TemplateSegment) -> String?) -> String {
        var result = ""
        var rest = tag[...]
        while let open = rest.firstRange(of: "=\""), let close = rest[open.upperBound...].firstIndex(of: "\"") {
            let name = rest[..<open.lowerBound].split { $0 == " " || $0 == "}" }.last.map(String.init)
            // safe: it was looked for from there on
            let value = String(rest[open.upperBound..<close])
            result += rest[..<open.upperBound]
            result += name.map(attributes.contains) == true ? TemplateText(text: value).translated(translation) : value
            rest = rest[close...].dropFirst()
            result += "\""
        }
        return result + rest
    }

    /// The pieces of a template.
    static func tokens(_ text: String) -> [Token] {
        var tokens: [Token] = []
        var rest = text[...]
        while let first = rest.firstIndex(where: { $0 == "<" || $0 == "{" }) {
            guard let token = token(rest[first...]) else { break }
            if first > rest.startIndex { tokens.append(.text(String(rest[..<first]))) }
            tokens.append(token.token)
            rest = rest[token.end...]
        }
        if !rest.isEmpty { tokens.append(.text(String(rest))) }
        return tokens
    }

    /// Returns the token in braces, or the tag, at the start of a text.
    private static func token(_ rest: Substring) -> (token: Token, end: String.Index)? {
        // Where other marks take the place of braces, up to where braces are marks again.
        if rest.hasPrefix("{{="), let end = rest.firstRange(of: "={{ }}=")?.upperBound,
            let close = rest[end...].firstIndex(of: ">")
        {
            let next = rest.index(after: close)
            return (.field(String(rest[..<next])), next)
        }
        if rest.hasPrefix("{{") {
            let mark = rest.hasPrefix("{{{") ? "}}}" : "}}"
            guard let end = rest.firstRange(of: mark)?.upperBound else { return nil }
            let text = String(rest[..<end])
            let isField = text.dropFirst(2).first.map { $0.isLetter || $0 == "." } ?? false
            return (isField ? .field(text) : .section(text), end)
        }
        // A tag ends at the first `>` that stands in no braces and no quotes.
        var isQuoted = false
        var depth = 0
        for index in rest.indices {
            switch rest[index] {
            case "\"" where depth == 0: isQuoted.toggle()
            case "{": depth += 1
            case "}": depth -= 1
            case ">" where !isQuoted && depth == 0:
                let end = rest.index(after: index)
                return (.tag(String(rest[..<end])), end)
            default: break
            }
        }
        return nil
    }
}
