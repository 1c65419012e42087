/// A regular expression that takes time in proportion to the text, whatever it says.
///
/// It runs on the path of every sync, so no expression may be able to stall it: there is no backtracking. All but what
/// needs it is understood: classes, groups, alternatives, counted and lazy repetition, `^ $ \A \z \b`, `\d \w \s`,
/// `(?i)`. Look-around, back-references, possessive repetition and `\p{…}` are refused.
///
/// An expression matches a text of which some part matches; `.` is anything but a line feed, `^` and `$` are the ends
/// of the text, and letters are compared by Unicode scalar.
public struct TextPattern: Sendable {
    /// Says why an expression is not understood.
    public struct PatternError: Error, Sendable, Hashable {
        /// The message that says what to do.
        public let message: String
    }

    /// The maximum length of an expression, in bytes.
    public static let maximumLength = 1_000
    /// The maximum number of steps of an expression once its counted repetitions are written out.
    static let maximumSteps = 2_000
    /// The maximum number of times that one text leads to a step: a text of 4,000 scalars and an expression of 250
    /// steps at the worst.
    static let workLimit = 1_000_000

    /// The expression as it was written.
    public let source: String
    private let steps: [PatternStep]
    private let sets: [ScalarSet]
    private let ignoresCase: Bool
    private let isAnchored: Bool

    /// Compiles an expression.
    public init(_ source: String) throws(PatternError) {
        guard source.utf8.count <= Self.maximumLength else {
            throw PatternError(message: "A regular expression of at most \(Self.maximumLength) bytes is expected.")
        }
        var parser = PatternParser(source)
        let node = try parser.parse()
        var compiler = PatternCompiler(ignoresCase: parser.ignoresCase)
        try compiler.emit(node)
        compiler.steps.append(.match)
        self.source = source
        steps = compiler.steps
        sets = compiler.sets
        ignoresCase = parser.ignoresCase
        isAnchored = steps.first == .start
    }

    /// Whether some part of the text matches; not where finding out takes more work than is allowed.
    public func matches(_ text: String) -> Bool {
        var work = Self.workLimit
        return matches(text, within: &work) ?? false
    }

    /// Whether some part of the text matches, or `nil` where finding out takes more work than there is.
    ///
    /// `work` is how many steps there may be, also for other texts; those of this one are taken off.
    func matches(_ text: String, within work: inout Int) -> Bool? {
        let allowance = max(0, min(work, Self.workLimit))
        var left = allowance
        // safe: no more is left than was allowed, and no more allowed than there is
        defer { work -= allowance - left }
        var text = text
        return text.withUTF8 { utf8 in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: steps.count * 4) { memory in
                var run = PatternRun(memory: memory, count: steps.count, work: left)
                defer { left = max(0, run.work) }
                return run.matches(utf8, steps: steps, sets: sets, ignoresCase: ignoresCase, isAnchored: isAnchored)
            }
        }
    }
}

/// One step of a compiled expression.
enum PatternStep: Sendable, Equatable {
    case scalar(UInt32)
    case anyButLineFeed
    case set(Int)
    case start
    case end
    case wordBoundary(Bool)
    case jump(Int)
    case split(Int, Int)
    case match
}

enum CaseFolding {
    /// The lower case of a scalar, where that is one scalar.
    static func fold(_ value: UInt32) -> UInt32 {
        if value < 0x80 { return (0x41...0x5A).contains(value) ? value | 0x20 : value }
        guard let scalar = Unicode.Scalar(value) else { return value }
        let mapping = scalar.properties.lowercaseMapping.unicodeScalars
        guard let first = mapping.first, mapping.count == 1 else { return value }
        return first.value
    }

    /// The upper case of a scalar, where that is one scalar.
    static func unfold(_ value: UInt32) -> UInt32 {
        if value < 0x80 { return (0x61...0x7A).contains(value) ? value & ~0x20 : value }
        guard let scalar = Unicode.Scalar(value) else { return value }
        let mapping = scalar.properties.uppercaseMapping.unicodeScalars
        guard let first = mapping.first, mapping.count == 1 else { return value }
        return first.value
    }
}
