package import CardModel

/// Asks many users whether an audience means them, for no more of the processor than that is worth.
///
/// A regular expression may cost a thousand times what other conditions do, and an audience has hundreds.
package final class AudienceQuestion {
    /// What a count may cost whatever it asks, and what each user that was asked may cost beside it: ten times what a
    /// large audience does.
    private static let (allowance, allowancePerUser) = (Duration.seconds(10), Duration.microseconds(100))
    /// After how many users the clock is looked at.
    private static let stride = 16

    private let audience: AudienceMatcher
    private let clock: () -> Duration
    private let start: Duration
    private var asked = 0

    /// Prepares to ask.
    ///
    /// - Parameters:
    ///   - audience: The audience.
    ///   - clock: The processor time of the calling thread.
    package init(_ audience: AudienceMatcher, clock: @escaping () -> Duration = ThreadClock.now) {
        self.audience = audience
        self.clock = clock
        start = clock()
    }

    /// Returns whether the audience means a user.
    ///
    /// - Throws: `StoreError.limitReached` where asking has cost too much so far.
    package func means(_ user: UserFacts) throws(StoreError) -> Bool {
        asked += 1
        if asked.isMultiple(of: Self.stride) {
            // safe: microseconds for each user of a database
            guard clock() - start <= Self.allowance + Self.allowancePerUser * asked else { throw Self.costly }
        }
        return audience.matches(user)
    }

    private static let costly = StoreError(
        .limitReached,
        "Counting this audience takes too long. Are its regular expressions simple enough? Texts compare faster."
    )
}
