/// A part of an expression, before it is made into steps.
indirect enum PatternNode {
    case empty
    case step(PatternStep)
    case set(ScalarSet)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    case repetition(PatternNode, minimum: Int, maximum: Int?)
}

/// Reads an expression.
struct PatternParser {
    private static let maximumDepth = 50
    private static let maximumCount = 1_000

    private let text: [Unicode.Scalar]
    private var index = 0
    private var depth = 0
    private(set) var ignoresCase = false

    init(_ source: String) { text = Array(source.unicodeScalars) }

    mutating func parse() throws(TextPattern.PatternError) -> PatternNode {
        if skip("(?i)") { ignoresCase = true }
        let node = try alternatives()
        guard index == text.count else { throw problem("A group is closed that was not opened") }
        return node
    }

    private mutating func alternatives() throws(TextPattern.PatternError) -> PatternNode {
        var branches = [try sequence()]
        while skip("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence() throws(TextPattern.PatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let next = peek, next != "|", next != ")" {
            parts.append(try repetition(of: try atom()))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    // MARK: Repetition

    private mutating func repetition(of atom: PatternNode) throws(TextPattern.PatternError) -> PatternNode {
        var node = atom
        if skip("*") {
            node = .repetition(atom, minimum: 0, maximum: nil)
        } else if skip("+") {
            node = .repetition(atom, minimum: 1, maximum: nil)
        } else if skip("?") {
            node = .repetition(atom, minimum: 0, maximum: 1)
        } else if let (minimum, maximum) = try count() {
            node = .repetition(atom, minimum: minimum, maximum: maximum)
        } else {
            return atom
        }
        // Whether a repetition is lazy makes no difference to whether there is a match.
        _ = skip("?")
        let isRepeated = try count() != nil
        if isRepeated || peek.map("*+?".unicodeScalars.contains) ?? false {
            throw problem("Repetitions of repetitions and possessive ones are not understood")
        }
        return node
    }

    /// Reads `{m}`, `{m,}` or `{m,n}`; a brace that begins none of them stands for itself.
    private mutating func count() throws(TextPattern.PatternError) -> (Int, Int?)? {
        let start = index
        guard skip("{"), let minimum = number() else {
            index = start
            return nil
        }
        var maximum: Int? = minimum
        if skip(",") { maximum = number() }
        guard skip("}") else {
            index = start
            return nil
        }
        guard minimum <= Self.maximumCount, (maximum ?? minimum) <= Self.maximumCount else {
            throw problem("At most \(Self.maximumCount) repetitions can be counted")
        }
        guard minimum <= maximum ?? minimum else { throw problem("The counts of a repetition are the wrong way round") }
        return (minimum, maximum)
    }

    // safe: it stays at a million and more, and the characters are digits
    /// Reads all digits of a number; of one beyond a million, it is only known that it is one.
    private mutating func number() -> Int? {
        var value: Int?
        while let next = peek, ("0"..."9").contains(next) {
            if (value ?? 0) < 1_000_000 { value = (value ?? 0) * 10 + Int(next.value - 0x30) }
            index += 1
        }
        return value
    }

    // MARK: Atoms

    private mutating func atom() throws(TextPattern.PatternError) -> PatternNode {
        guard let next = take() else { return .empty }
        switch next {
        case "(": return try group()
        case "[": return .set(try set())
        case ".": return .step(.anyButLineFeed)
        case "^": return .step(.start)
        case "$": return .step(.end)
        case "\\": return try escape()
        case "*", "+", "?": throw problem("There is nothing to repeat")
        default: return .step(.scalar(next.value))
        }
    }

    private mutating func group() throws(TextPattern.PatternError) -> PatternNode {
        if skip("?") {
            if skip("<"), let next = peek, next != "=", next != "!" {
                while let next = take(), next != ">" {}
            } else if !skip(":") {
                throw problem("Look-around and flags inside an expression are not understood; (?i) goes first")
            }
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw problem("Groups nest at most \(Self.maximumDepth) deep") }
        let node = try alternatives()
        guard skip(")") else { throw problem("A group is not closed") }
        return node
    }

    private mutating func escape() throws(TextPattern.PatternError) -> PatternNode {
        if let set = classEscape() { return .set(set) }
        if skip("b") { return .step(.wordBoundary(true)) }
        if skip("B") { return .step(.wordBoundary(false)) }
        if skip("A") { return .step(.start) }
        if skip("z") || skip("Z") { return .step(.end) }
        return .step(.scalar(try scalarEscape()))
    }

    private mutating func classEscape() -> ScalarSet? {
        for (name, set) in [("d", ScalarSet.digits), ("w", .word), ("s", .space)] {
            if skip(name) { return set }
            if skip(name.uppercased()) { return set.inverted }
        }
        return nil
    }

    private mutating func scalarEscape() throws(TextPattern.PatternError) -> UInt32 {
        guard let next = take() else { throw problem("A backslash ends the expression") }
        switch next {
        case "t": return 0x09
        case "n": return 0x0A
        case "v": return 0x0B
        case "f": return 0x0C
        case "r": return 0x0D
        case "x": return try checked(skip("{") ? hexadecimalInBraces() : hexadecimal(digits: 2))
        case "u": return try checked(hexadecimal(digits: 4))
        default:
            let isName = next.isASCII && (next.properties.isAlphabetic || ("0"..."9").contains(next))
            if isName { throw problem("\\\(next) is not understood") }
            return next.value
        }
    }

    private mutating func hexadecimal(digits: Int) throws(TextPattern.PatternError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits { value = value << 4 | (try digit(take())) }
        return value
    }

    private mutating func hexadecimalInBraces() throws(TextPattern.PatternError) -> UInt32 {
        var value = try digit(take())
        while !skip("}") {
            value = value << 4 | (try digit(take()))
            guard value <= 0x10_FFFF else { throw problem("There is no such scalar") }
        }
        return value
    }

    /// Half of a surrogate pair stands in no text, so that an expression with one would never match.
    private func checked(_ value: UInt32) throws(TextPattern.PatternError) -> UInt32 {
        guard Unicode.Scalar(value) != nil else {
            throw problem("There is no such scalar; one beyond FFFF is written as \\x{1F600}")
        }
        return value
    }

    // safe: a hexadecimal digit is below 16
    private func digit(_ scalar: Unicode.Scalar?) throws(TextPattern.PatternError) -> UInt32 {
        guard let scalar, scalar.isASCII, let value = Character(scalar).hexDigitValue else {
            throw problem("A hexadecimal digit is expected")
        }
        return UInt32(value)
    }

    // MARK: Classes

    private mutating func set() throws(TextPattern.PatternError) -> ScalarSet {
        let isNegated = skip("^")
        var ranges: [ClosedRange<UInt32>] = []
        var isFirst = true
        while let next = take() {
            if next == "]", !isFirst { return ScalarSet(ranges: ranges, isNegated: isNegated) }
            isFirst = false
            if next == "[", peek == ":" { throw problem("Named classes are not understood") }
            if next == "\\", let named = classEscape() {
                ranges += named.members
                continue
            }
            let first = next == "\\" ? try memberEscape() : next.value
            // safe: an upper bound that is less is refused
            ranges.append(first...(try upperBound(from: first)))
        }
        throw problem("A class is not closed")
    }

    /// In a class, `\b` is the backspace.
    private mutating func memberEscape() throws(TextPattern.PatternError) -> UInt32 {
        skip("b") ? 0x08 : try scalarEscape()
    }

    private mutating func upperBound(from first: UInt32) throws(TextPattern.PatternError) -> UInt32 {
        guard peek == "-", index + 1 < text.count, text[index + 1] != "]" else { return first }
        index += 1
        guard let next = take() else { return first }
        if next == "\\", classEscape() != nil { throw problem("A class cannot end a range") }
        let last = next == "\\" ? try memberEscape() : next.value
        guard first <= last else { throw problem("A range is the wrong way round") }
        return last
    }

    // MARK: Text

    private var peek: Unicode.Scalar? { index < text.count ? text[index] : nil }

    private mutating func take() -> Unicode.Scalar? {
        guard let next = peek else { return nil }
        index += 1
        return next
    }

    // safe: the index is no further than the end
    private mutating func skip(_ word: String) -> Bool {
        let scalars = word.unicodeScalars
        guard text[index...].starts(with: scalars) else { return false }
        index += scalars.count
        return true
    }

    private func problem(_ message: String) -> TextPattern.PatternError {
        TextPattern.PatternError(message: "\(message) (at character \(index)).")
    }
}
