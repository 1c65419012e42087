/// A limit on what several renders cost together, such as those of a whole feed.
///
/// Not `Sendable`: whoever renders owns it.
public final class LiquidBudget {
    /// The work that is left, in units of ``LiquidLimits/work``; without any, renders fail at once.
    public private(set) var work: Int
    /// The work that was done.
    public private(set) var spent = 0

    /// Creates a budget.
    public init(work: Int) {
        self.work = max(0, work)
    }

    /// Counts work, also such as was done elsewhere.
    public func take(_ units: Int) {
        let units = min(work, max(0, units))
        work -= units
        spent += units
    }
}

/// Counts what one render costs, and ends it where that is too much.
///
/// Everything asks here before it works or takes memory, and in proportion to that: whatever a template says, it cannot
/// do much between two questions.
final class RenderMeter {
    let limits: LiquidLimits
    private let elapsed: @Sendable () -> Duration
    private let deadline: Duration
    private let budget: LiquidBudget?
    private let allowance: Int
    /// The units of work that are left.
    private var left: Int
    /// The clock is read when no more than this is left: reading it costs more than most steps do.
    private var nextReading: Int
    /// The bytes that values have taken.
    private(set) var memory = 0
    /// The failure of something that could not throw.
    private(set) var failure: LiquidError?

    private static let unitsPerReading = 50_000

    // safe: limits are not negative
    init(limits: LiquidLimits, budget: LiquidBudget?, elapsed: @escaping @Sendable () -> Duration) {
        self.limits = limits
        self.budget = budget
        self.elapsed = elapsed
        deadline = elapsed() + limits.duration
        allowance = min(limits.work, budget?.work ?? .max)
        left = allowance
        nextReading = max(0, allowance - Self.unitsPerReading)
    }

    /// The units that were spent.
    // safe: neither is negative
    var spent: Int { allowance - max(left, 0) }

    /// Hands over to the budget what was spent.
    func settle() {
        budget?.take(spent)
    }

    /// Counts work that is about to be done.
    @inline(__always)
    func spend(_ units: Int) throws(LiquidError) {
        // Units come from sizes of what is in memory, times a few.
        left &-= units
        if left < nextReading { try look() }
    }

    @inline(never)
    private func look() throws(LiquidError) {
        guard left >= 0 else {
            throw LiquidError(.workLimit, "Rendering takes more work than a template may cause.")
        }
        // safe: not negative
        nextReading = max(0, left - Self.unitsPerReading)
        guard elapsed() > deadline else { return }
        throw LiquidError(.timeLimit, "Rendering takes longer than \(limits.duration).")
    }

    /// Ends the render as soon as something can throw.
    func fail(_ error: LiquidError) {
        failure = failure ?? error
    }

    /// The number of bytes that values can still take.
    // safe: charged up to the limit, and a value beyond it
    var room: Int { limits.memoryBytes - memory }

    /// Fails where values could not take so many bytes more.
    func reserve(_ bytes: Int) throws(LiquidError) {
        if bytes > room { throw full }
    }

    /// Counts bytes that values take.
    func charge(_ bytes: Int) throws(LiquidError) {
        memory &+= bytes
        if memory > limits.memoryBytes { throw full }
    }

    /// Counts bytes no longer.
    func release(_ bytes: Int) {
        // safe: what was charged
        memory -= bytes
    }

    var full: LiquidError {
        LiquidError(.memoryLimit, "The values take more than \(limits.memoryBytes) bytes.")
    }
}

/// Units of work, in which a byte that is copied or compared is about one.
///
/// What a unit takes differs between kinds of work, by some five times; it is 5 ns at most on the machine on which
/// these were measured.
enum Work {
    /// A tag, an output or a text.
    static let node = 32
    /// A literal or variable, and each step of a path.
    static let expression = 8
    /// A turn of a loop.
    static let turn = 32
    /// A filter, beside what its values cost.
    static let filter = 48
    /// An element of a list that is copied.
    static let element = 6
    /// A decimal number that is read or written.
    static let number = 24
    /// A property that the data is asked for.
    static let lookup = 64
    /// A date that is read, or a part of one that is written.
    static let date = 800
    static let datePart = 160
    /// A template that is rendered by itself, beside its names.
    static let partial = 400
}
