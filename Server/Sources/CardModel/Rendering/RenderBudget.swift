import Liquid

/// What rendering the cards of a feed may cost together, in units of ``LiquidLimits/work``.
///
/// A unit is about a nanosecond, and five at most. Not `Sendable`: whoever decides or replies owns it.
public final class RenderBudget {
    /// What all texts of one card may cost together.
    private static let card = 8_000_000

    private static let momentWork = 1_000_000

    private let work: Int
    private var left: Int
    private let leastPerCard: Int

    /// Whether cards may have failed that would not have with more.
    public private(set) var isSpent = false

    private init(work: Int, leastPerCard: Int) {
        self.work = work
        left = work
        self.leastPerCard = leastPerCard
    }

    /// What a feed may cost where it keeps nobody else waiting.
    ///
    /// Cards that cost little are rendered even when others have used it up.
    public static var feed: RenderBudget { RenderBudget(work: 32_000_000, leastPerCard: 50_000) }

    /// What may be done in between the work for others; enough for any number of ordinary cards.
    public static var moment: RenderBudget { RenderBudget(work: momentWork, leastPerCard: 0) }

    /// Whether more has been spent than a ``moment`` has.
    public var isCostly: Bool { work - left >= Self.momentWork }

    /// What the texts of the next card may cost.
    func allowance() -> LiquidBudget {
        LiquidBudget(work: min(Self.card, max(left, leastPerCard)))
    }

    /// Counts what a card has cost.
    func settle(_ allowance: LiquidBudget) {
        left -= allowance.spent
        if left <= 0 { isSpent = true }
    }
}
