package import CardModel

/// Asks many users whether an audience means them, or which of several do, for no more of the processor than that is
/// worth.
///
/// A regular expression may cost a thousand times what other conditions do, and an audience has hundreds.
package final class AudienceQuestion {
    /// The cost that asking can have whatever it asks, and that of each user that was asked beside it.
    private struct Budget {
        let allowance: Duration
        let allowancePerUser: Duration
    }

    /// Ten times what a large audience costs.
    private static let countBudget = Budget(allowance: .seconds(10), allowancePerUser: .microseconds(100))
    /// A member waits for the page that shows an overlap.
    private static let overlapBudget = Budget(allowance: .seconds(1), allowancePerUser: .microseconds(20))
    /// The number of users after which the clock is looked at.
    private static let stride = 16

    /// The needs of the question: what it reads of a user.
    package let needs: AudienceNeeds
    private let audiences: [AudienceMatcher]
    private let tallies: Bool
    private let budget: Budget
    private let clock: () -> Duration
    private let start: Duration
    private var asked = 0
    /// The number of users that were meant by which audiences so far, one bit each; only where several are compared.
    package private(set) var users: [UInt32: Int64] = [:]

    /// Prepares to ask about one audience.
    ///
    /// - Parameters:
    ///   - audience: The audience.
    ///   - clock: The processor time of the calling thread.
    package init(_ audience: AudienceMatcher, clock: @escaping () -> Duration = ThreadClock.now) {
        audiences = [audience]
        tallies = false
        needs = audience.needs
        budget = Self.countBudget
        self.clock = clock
        start = clock()
    }

    /// Prepares to ask which of several audiences mean each user.
    ///
    /// - Parameters:
    ///   - audiences: The audiences; those beyond ``CardModel/AudienceOverlap/limit`` aren't asked about.
    ///   - clock: The processor time of the calling thread.
    package init(overlapOf audiences: [AudienceMatcher], clock: @escaping () -> Duration = ThreadClock.now) {
        self.audiences = Array(audiences.prefix(AudienceOverlap.limit))
        tallies = true
        needs = AudienceNeeds(ofAll: self.audiences.map(\.needs))
        budget = Self.overlapBudget
        self.clock = clock
        start = clock()
    }

    /// Returns whether the audience, or one of several, means a user.
    ///
    /// - Throws: `StoreError.limitReached` where asking has cost too much so far.
    package func means(_ user: UserFacts) throws(StoreError) -> Bool {
        asked += 1
        if asked.isMultiple(of: Self.stride) {
            let allowed = budget.allowance + budget.allowancePerUser * asked
            guard clock() - start <= allowed else { throw Self.costly }
        }
        guard tallies else { return audiences.contains { $0.matches(user) } }
        var bits: UInt32 = 0
        // safe: places below 32
        for (place, audience) in audiences.enumerated() where audience.matches(user) { bits |= 1 << UInt32(place) }
        guard bits != 0 else { return false }
        // safe: counts users
        users[bits, default: 0] += 1
        return true
    }

    private static let costly = StoreError(
        .limitReached,
        "Counting this audience takes too long. Are its regular expressions simple enough? Texts compare faster."
    )
}
