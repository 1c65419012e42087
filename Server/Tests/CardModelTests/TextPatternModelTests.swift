import CardModel
import Statistics
import Testing

/// Compares expressions with the places that each of their parts can lead to, as sets.
@Suite("Text patterns and their model")
struct TextPatternModelTests {
    @Test(arguments: 0..<8)
    func `An expression matches wherever one of the ways through it leads`(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        for _ in 0..<250 {
            let expression = PatternTree.random(depth: 3, &random)
            let ignoresCase = Bool.random(using: &random)
            let source = (ignoresCase ? "(?i)" : "") + expression.source(&random)
            let pattern = try TextPattern(source)
            for _ in 0..<6 {
                let scalars = (0..<Int.random(in: 0...6, using: &random)).map { _ in PatternTree.letter(&random) }
                var text = String.UnicodeScalarView()
                text.append(contentsOf: scalars)
                let place = Places(text: scalars, ignoresCase: ignoresCase)
                let isFound = (0...scalars.count).contains { !place.after(expression, from: $0).isEmpty }
                #expect(pattern.matches(String(text)) == isFound, "\(source) in \(String(text))")
            }
        }
    }

    @Test(
        arguments: [
            "k", "K", "\u{212A}", "\u{DF}", "\u{1E9E}", "\u{3C9}", "\u{2126}", "\u{212B}", "\u{1C5}", "\u{130}",
            "\u{131}", "\u{17F}", "\u{3C2}", "\u{149}", "\u{FB01}", "\u{B5}", "\u{10400}",
        ]
    )
    func `Whatever case is ignored, a letter is itself and in its own class`(letter: String) throws {
        #expect(try TextPattern("(?i)^\(letter)$").matches(letter))
        #expect(try TextPattern("(?i)^[\(letter)]$").matches(letter))
        #expect(try TextPattern("(?i)^[\(letter)-\(letter)0-9]$").matches(letter))
        #expect(try !TextPattern("(?i)[^\(letter)]").matches(letter))
    }

    @Test(arguments: ["a{1001}", "a{10000000}", "a{1,10000000}", "a{99999999999999999999,}", "a{12345678,2}"])
    func `A count that is too large is refused, however many digits it has`(source: String) {
        #expect(throws: TextPattern.PatternError.self) { try TextPattern(source) }
    }

    @Test(
        arguments: [
            "\\x{}", "\\x{", "\\x{41", "\\x{4g}", "\\x{110000}", "\\x{FFFFFFFFFFFFFFFFF}", "\\xA",
            "\\x\u{FF21}\u{FF21}", "\\u004", "\\uD83D", "\\uD83D\\uDE00", "\\x{D800}", "[\\uDFFF]", "[a-\\uD800]",
        ]
    )
    func `An escape that names no scalar is refused`(source: String) {
        #expect(throws: TextPattern.PatternError.self) { try TextPattern(source) }
    }

    @Test(
        arguments: [
            ("^a{0000000000002}$", "aa"), ("^\\x{0000041}$", "A"), ("^\\x{1F600}$", "\u{1F600}"),
            ("^\\x{10ffff}$", "\u{10FFFF}"), ("^[\\x{1F600}-\\x{1F64F}]$", "\u{1F642}"), ("^\\u00e9$", "\u{E9}"),
            ("^a{,3}$", "a{,3}"), ("^a{3$", "a{3"), ("^a{3,b}$", "a{3,b}"),
        ]
    )
    func `An escape or a count of any spelling is what it says, and a brace that counts nothing itself`(
        source: String,
        text: String
    ) throws {
        #expect(try TextPattern(source).matches(text))
    }
}

/// An expression as a tree.
private indirect enum PatternTree {
    case nothing
    case letter(Unicode.Scalar)
    case anything
    case members([Unicode.Scalar], isNegated: Bool)
    case word(Bool)
    case start
    case end
    case boundary(Bool)
    case sequence([PatternTree])
    case either([PatternTree])
    case repetition(PatternTree, Int, Int?)

    private static let letters: [Unicode.Scalar] = ["a", "a", "b", "A", "B", "\u{E9}", "\u{C9}", "_", " ", "\n"]

    static func letter(_ random: inout SplitMix) -> Unicode.Scalar {
        letters.randomElement(using: &random) ?? "a"
    }

    static func random(depth: Int, _ random: inout SplitMix) -> PatternTree {
        func parts(_ counts: ClosedRange<Int>) -> [PatternTree] {
            (0..<Int.random(in: counts, using: &random)).map { _ in PatternTree.random(depth: depth - 1, &random) }
        }
        switch Int.random(in: 0..<(depth == 0 ? 8 : 14), using: &random) {
        case 0: return .nothing
        case 1: return .anything
        case 2: return .members((0...2).map { _ in letter(&random) }, isNegated: Bool.random(using: &random))
        case 3: return .word(Bool.random(using: &random))
        case 4: return Bool.random(using: &random) ? .start : .end
        case 5: return .boundary(Bool.random(using: &random))
        case 6, 7: return .letter(letter(&random))
        case 8, 9, 10: return .sequence(parts(1...3))
        case 11: return .either(parts(2...3))
        default:
            let minimum = Int.random(in: 0...2, using: &random)
            let maximum = Bool.random(using: &random) ? nil : Int.random(in: max(minimum, 1)...2, using: &random)
            return .repetition(PatternTree.random(depth: depth - 1, &random), minimum, maximum)
        }
    }

    /// The expression as it is written, in one of the ways in which it can be.
    func source(_ random: inout SplitMix) -> String {
        switch self {
        case .nothing: return "(?:)"
        case .letter(let scalar): return String(Character(scalar))
        case .anything: return "."
        case .members(let scalars, let isNegated):
            return "[" + (isNegated ? "^" : "") + scalars.map { String(Character($0)) }.joined() + "]"
        case .word(let isOne): return isOne ? "\\w" : "\\W"
        case .start: return "^"
        case .end: return "$"
        case .boundary(let isOne): return isOne ? "\\b" : "\\B"
        case .sequence(let parts): return parts.map { $0.source(&random) }.joined()
        case .either(let branches):
            let opening = ["(", "(?:", "(?<name>"].randomElement(using: &random) ?? "("
            return opening + branches.map { $0.source(&random) }.joined(separator: "|") + ")"
        case .repetition(let part, let minimum, let maximum):
            let count = Self.count(minimum, maximum, &random)
            return "(\(part.source(&random)))" + count + (Bool.random(using: &random) ? "?" : "")
        }
    }

    private static func count(_ minimum: Int, _ maximum: Int?, _ random: inout SplitMix) -> String {
        let long = maximum.map { "{\(minimum),\($0)}" } ?? "{\(minimum),}"
        let short =
            switch (minimum, maximum) {
            case (0, nil): "*"
            case (1, nil): "+"
            case (0, 1?): "?"
            default: minimum == maximum ? "{\(minimum)}" : long
            }
        return Bool.random(using: &random) ? short : long
    }
}

/// The places in a text to which expressions lead.
private struct Places {
    let text: [Unicode.Scalar]
    let ignoresCase: Bool

    func after(_ expression: PatternTree, from place: Int) -> Set<Int> {
        switch expression {
        case .nothing: return [place]
        case .letter(let scalar): return one(from: place) { isSame($0, scalar) }
        case .anything: return one(from: place) { $0 != "\n" }
        case .members(let scalars, let isNegated):
            return one(from: place) { found in scalars.contains { isSame(found, $0) } != isNegated }
        case .word(let isOne): return one(from: place) { isWord($0) == isOne }
        case .start: return place == 0 ? [place] : []
        case .end: return place == text.count ? [place] : []
        case .boundary(let isOne):
            let before = place > 0 && isWord(text[place - 1])
            let behind = place < text.count && isWord(text[place])
            return (before != behind) == isOne ? [place] : []
        case .sequence(let parts):
            return parts.reduce([place]) { places, part in union(of: places) { after(part, from: $0) } }
        case .either(let branches): return union(of: branches) { after($0, from: place) }
        case .repetition(let part, let minimum, let maximum):
            var (reached, front): (Set<Int>, Set<Int>) = (minimum == 0 ? [place] : [], [place])
            // As many times more as there are places lead everywhere.
            for count in 1...(maximum ?? minimum + text.count + 1) {
                front = union(of: front) { after(part, from: $0) }
                if count >= minimum { reached.formUnion(front) }
            }
            return reached
        }
    }

    private func one(from place: Int, _ isMeant: (Unicode.Scalar) -> Bool) -> Set<Int> {
        place < text.count && isMeant(text[place]) ? [place + 1] : []
    }

    private func union<Element>(of elements: some Sequence<Element>, _ places: (Element) -> Set<Int>) -> Set<Int> {
        elements.reduce(into: []) { $0.formUnion(places($1)) }
    }

    private func isSame(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
        ignoresCase ? left.properties.lowercaseMapping == right.properties.lowercaseMapping : left == right
    }

    private func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }
}
