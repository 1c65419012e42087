/// A text, an output or a tag as it stands in the source.
struct Token {
    enum TokenKind {
        case text
        case output
        case tag
    }

    let kind: TokenKind
    /// The text, or what stands between the delimiters, after the name of a tag.
    // bounded: a region of the source
    let content: Range<Int>
    let name: String
    /// The place of the first delimiter.
    // bounded: a place in the source
    let start: Int
}

/// Cuts a template into tokens, trimming white space where a delimiter asks for it.
struct Scanner {
    let source: [UInt8]
    let isDialect: Bool
    /// Whether the region is the inside of a `liquid` tag, in which each line is a tag.
    let isLines: Bool
    // bounded: a place in the source
    private(set) var place: Int
    // bounded: the end of a region of the source
    private let end: Int
    private var trimsNext = false

    init(source: [UInt8], region: Range<Int>, isDialect: Bool, isLines: Bool = false) {
        self.source = source
        self.isDialect = isDialect
        self.isLines = isLines
        place = region.lowerBound
        end = region.upperBound
    }

    mutating func next() throws(SyntaxError) -> Token? {
        if isLines { return nextLine() }
        skipTrimmed()
        guard place < end else { return nil }
        let opening = nextOpening(from: place)
        if opening == place { return try markup() }
        let start = place
        place = opening
        var stop = opening
        if opening + 2 < end, source[opening + 2] == UInt8(ascii: "-") {
            while stop > start, source[stop - 1].isLiquidSpace { stop -= 1 }
        }
        return Token(kind: .text, content: start..<stop, name: "", start: start)
    }

    private mutating func skipTrimmed() {
        guard trimsNext else { return }
        trimsNext = false
        while place < end, source[place].isLiquidSpace { place += 1 }
    }

    private func nextOpening(from start: Int) -> Int {
        var place = start
        while place + 1 < end {
            if source[place] == UInt8(ascii: "{") {
                let next = source[place + 1]
                if next == UInt8(ascii: "{") || next == UInt8(ascii: "%") { return place }
            }
            place += 1
        }
        return end
    }

    // safe: two signs begin it and two end it
    private mutating func markup() throws(SyntaxError) -> Token {
        let start = place
        let isTag = source[start + 1] == UInt8(ascii: "%")
        guard let close = closing(from: start + 2, isTag: isTag) else {
            let message = isTag ? "This tag lacks '%}'." : "This output lacks '}}'."
            throw SyntaxError(message, at: start, isFinal: true)
        }
        place = close + 2
        var content = start + 2..<close
        if let first = content.first, source[first] == UInt8(ascii: "-") { content = content.dropFirst() }
        if let last = content.last, source[last] == UInt8(ascii: "-") {
            content = content.dropLast()
            trimsNext = true
        } else {
            trimsNext = close == start + 3 && source[start + 2] == UInt8(ascii: "-")
        }
        return isTag ? tag(in: content, start: start) : Token(kind: .output, content: content, name: "", start: start)
    }

    private func closing(from start: Int, isTag: Bool) -> Int? {
        let first = UInt8(ascii: isTag ? "%" : "}")
        var place = start
        while place + 1 < end {
            if isDialect, source[place] == UInt8(ascii: "$"), source[place + 1] == UInt8(ascii: "{") {
                while place < end, source[place] != UInt8(ascii: "}") { place += 1 }
            } else if source[place] == first, source[place + 1] == UInt8(ascii: "}") {
                return place
            }
            place += 1
        }
        return nil
    }

    private func tag(in content: Range<Int>, start: Int) -> Token {
        var first = content.lowerBound
        while first < content.upperBound, source[first].isLiquidSpace { first += 1 }
        var last = first
        if last < content.upperBound, source[last] == UInt8(ascii: "#") {
            last += 1
        } else {
            while last < content.upperBound, source[last].isWord { last += 1 }
        }
        let name = String(bytes: source[first..<last])
        // safe: looked for within the content
        return Token(kind: .tag, content: last..<content.upperBound, name: name, start: isLines ? first : start)
    }

    private mutating func nextLine() -> Token? {
        while place < end {
            let start = place
            while place < end, source[place] != 0x0A { place += 1 }
            var stop = place
            place += 1
            while stop > start, source[stop - 1].isLiquidSpace { stop -= 1 }
            let line = tag(in: start..<stop, start: start)
            if stop > line.start { return line }
        }
        return nil
    }

    /// Takes everything up to an end tag, unread, and returns its region.
    mutating func verbatim(
        until endName: String,
        refusing name: String? = nil,
        from start: Int
    ) throws(SyntaxError)
        -> Range<Int>
    {
        let begin = place
        var cursor = place
        while let opening = tagOpening(from: cursor) {
            if let close = bareTag(endName, at: opening) {
                place = close.end
                trimsNext = close.trims
                // safe: looked for from there on
                return begin..<opening
            }
            if let name, bareTag(name, at: opening) != nil {
                throw SyntaxError("'\(name)' does not nest.", at: opening)
            }
            cursor = opening + 2
        }
        // All that follows belongs to it, so there is nothing to go on with.
        throw SyntaxError("This tag lacks '\(endName)'.", code: .unclosedBlock, at: start, isFinal: true)
    }

    private func tagOpening(from start: Int) -> Int? {
        var place = start
        while place + 1 < end {
            if source[place] == UInt8(ascii: "{"), source[place + 1] == UInt8(ascii: "%") { return place }
            place += 1
        }
        return nil
    }

    /// The end of `{%- name -%}` when it stands at a place.
    private func bareTag(_ name: String, at opening: Int) -> (end: Int, trims: Bool)? {
        var place = opening + 2
        if place < end, source[place] == UInt8(ascii: "-") { place += 1 }
        while place < end, source[place].isLiquidSpace { place += 1 }
        guard source.matches(name.bytes, at: place) else { return nil }
        place += name.utf8.count
        guard place < end, !source[place].isWord else { return nil }
        while place < end, source[place].isLiquidSpace { place += 1 }
        let trims = place < end && source[place] == UInt8(ascii: "-")
        if trims { place += 1 }
        guard source.matches([UInt8(ascii: "%"), UInt8(ascii: "}")], at: place) else { return nil }
        return (place + 2, trims)
    }

    /// Moves past the end of a comment that has begun; comments nest, and raw text hides their end.
    mutating func skipComment(from start: Int) throws(SyntaxError) {
        var depth = 1
        while depth > 0 {
            let token: Token?
            if isLines {
                token = nextLine()
            } else if let opening = tagOpening(from: place) {
                place = opening
                token = try markup()
            } else {
                token = nil
            }
            guard let token else {
                throw SyntaxError("This tag lacks 'endcomment'.", code: .unclosedBlock, at: start, isFinal: true)
            }
            switch token.name {
            case "comment": depth += 1
            case "endcomment": depth -= 1
            case "raw" where !isLines: _ = try verbatim(until: "endraw", from: token.start)
            default: break
            }
        }
    }
}

/// A failure to compile, still at a byte of the source.
struct SyntaxError: Error {
    let code: LiquidError.Code
    let message: String
    let offset: Int
    /// Whether there is no use in reading on after it.
    let isFinal: Bool

    init(_ message: String, code: LiquidError.Code = .syntax, at offset: Int, isFinal: Bool = false) {
        self.message = message
        self.code = code
        self.offset = offset
        self.isFinal = isFinal
    }
}

extension String {
    /// The number of scalars of the source that a message quotes.
    private static let quoteLimit = 60

    /// The text for a message, its beginning where it is long.
    var quoted: String {
        guard utf8.count > Self.quoteLimit else { return self }
        let head = unicodeScalars.prefix(Self.quoteLimit)
        return head.endIndex == unicodeScalars.endIndex ? self : String(head) + "…"
    }
}
