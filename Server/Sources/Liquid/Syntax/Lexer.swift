/// A word or sign of an expression.
struct Lexeme {
    enum LexemeKind: Equatable {
        case identifier
        case attribute
        case string
        case integer
        case decimal
        case comparison
        case dotdot
        /// A single sign; its byte tells which.
        case sign(UInt8)
        case end
    }

    let kind: LexemeKind
    /// The text; of strings and attributes, what is inside.
    let range: Range<Int>
    let start: Int
}

/// Cuts an expression into lexemes.
struct Lexer {
    let source: [UInt8]
    let isDialect: Bool
    // bounded: a place in the source
    private var place: Int
    // bounded: the end of a region of the source
    private let end: Int

    init(source: [UInt8], region: Range<Int>, isDialect: Bool) {
        self.source = source
        self.isDialect = isDialect
        place = region.lowerBound
        end = region.upperBound
    }

    /// All lexemes, the last one being the end.
    mutating func lexemes() throws(SyntaxError) -> [Lexeme] {
        var lexemes: [Lexeme] = []
        repeat {
            lexemes.append(try next())
        } while lexemes.last?.kind != .end
        return lexemes
    }

    private mutating func next() throws(SyntaxError) -> Lexeme {
        while place < end, source[place].isLiquidSpace { place += 1 }
        let start = place
        // safe: nothing at the end
        guard place < end else { return Lexeme(kind: .end, range: end..<end, start: end) }
        let byte = source[place]
        if byte.isLetter || byte == UInt8(ascii: "_") { return identifier() }
        if byte.isDigit || (byte == UInt8(ascii: "-") && place + 1 < end && source[place + 1].isDigit) {
            return number()
        }
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return try string(quote: byte)
        case UInt8(ascii: "$") where isDialect: return try attribute()
        case UInt8(ascii: "."):
            let isRange = place + 1 < end && source[place + 1] == byte
            place += isRange ? 2 : 1
            return Lexeme(kind: isRange ? .dotdot : .sign(byte), range: start..<place, start: start)
        case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"): return comparison(byte)
        case UInt8(ascii: "|"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "["), UInt8(ascii: "]"):
            place += 1
            return Lexeme(kind: .sign(byte), range: start..<place, start: start)
        default:
            let sign = Unicode.Scalar(byte)
            throw SyntaxError("\(sign.isASCII ? "'\(sign)'" : "This character") has no meaning here.", at: start)
        }
    }

    private mutating func identifier() -> Lexeme {
        let start = place
        while place < end, source[place].isWord || source[place] == UInt8(ascii: "-") { place += 1 }
        if place < end, source[place] == UInt8(ascii: "?") { place += 1 }
        return Lexeme(kind: .identifier, range: start..<place, start: start)
    }

    private mutating func number() -> Lexeme {
        let start = place
        place += 1
        while place < end, source[place].isDigit { place += 1 }
        guard place + 1 < end, source[place] == UInt8(ascii: "."), source[place + 1].isDigit else {
            return Lexeme(kind: .integer, range: start..<place, start: start)
        }
        place += 1
        while place < end, source[place].isDigit { place += 1 }
        return Lexeme(kind: .decimal, range: start..<place, start: start)
    }

    private mutating func string(quote: UInt8) throws(SyntaxError) -> Lexeme {
        let start = place
        place += 1
        while place < end, source[place] != quote { place += 1 }
        guard place < end else { throw SyntaxError("This text lacks its closing quote.", at: start) }
        place += 1
        return Lexeme(kind: .string, range: start + 1..<place - 1, start: start)
    }

    private mutating func attribute() throws(SyntaxError) -> Lexeme {
        let start = place
        guard place + 1 < end, source[place + 1] == UInt8(ascii: "{") else {
            throw SyntaxError("'$' needs a name in braces, as in ${first_name}.", at: start)
        }
        place += 2
        while place < end, source[place] != UInt8(ascii: "}") { place += 1 }
        guard place < end else { throw SyntaxError("'${' lacks its '}'.", at: start) }
        place += 1
        var range = start + 2..<place - 1
        // safe: a place in the source
        while let first = range.first, source[first].isLiquidSpace { range = range.dropFirst() }
        // safe: a place in the source
        while let last = range.last, source[last].isLiquidSpace { range = range.dropLast() }
        guard !range.isEmpty else { throw SyntaxError("'${}' lacks a name.", at: start) }
        return Lexeme(kind: .attribute, range: range, start: start)
    }

    private mutating func comparison(_ byte: UInt8) -> Lexeme {
        let start = place
        place += 1
        if place < end {
            let next = source[place]
            let isPair = next == UInt8(ascii: "=") || (byte == UInt8(ascii: "<") && next == UInt8(ascii: ">"))
            if isPair { place += 1 }
        }
        return Lexeme(kind: .comparison, range: start..<place, start: start)
    }
}
