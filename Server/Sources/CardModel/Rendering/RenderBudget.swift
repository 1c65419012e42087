import Liquid

/// A limit on the work of rendering the cards of a feed together, in units of ``LiquidLimits/work``.
///
/// A unit is about a nanosecond, and five at most. Not `Sendable`: whoever decides or replies owns it.
public final class RenderBudget {
    /// The work of all texts of one card together.
    private static let card = 8_000_000

    private static let momentWork = 1_000_000

    private let work: Int
    private var left: Int
    private let leastPerCard: Int
    /// Measures how long rendering takes.
    let elapsed: @Sendable () -> Duration

    /// Whether cards may have failed that would not have with more.
    public private(set) var isSpent = false

    private init(work: Int, leastPerCard: Int, elapsed: @escaping @Sendable () -> Duration) {
        self.work = work
        left = work
        self.leastPerCard = leastPerCard
        self.elapsed = elapsed
    }

    /// The work of a feed that keeps no other user waiting.
    ///
    /// Cards that cost little are rendered even when others have used it up. The time of a text is that of its thread,
    /// so a busy machine withholds no card.
    public static var feed: RenderBudget {
        RenderBudget(work: 32_000_000, leastPerCard: 50_000, elapsed: ThreadClock.now)
    }

    /// The work that can be done in between the work for others; enough for any number of ordinary cards.
    ///
    /// It is so little work that it needs no limit of time.
    public static var moment: RenderBudget {
        RenderBudget(work: momentWork, leastPerCard: 0, elapsed: { .zero })
    }

    /// Whether more has been spent than a ``moment`` has.
    public var isCostly: Bool {
        work - left >= Self.momentWork
    }

    /// Returns the work for the texts of the next card.
    func allowance() -> LiquidBudget {
        LiquidBudget(work: min(Self.card, max(left, leastPerCard)))
    }

    /// Counts what a card has cost.
    func settle(_ allowance: LiquidBudget) {
        left -= allowance.spent
        if left <= 0 { isSpent = true }
    }
}
