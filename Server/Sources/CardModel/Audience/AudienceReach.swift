/// The number of users in an audience, exactly or by a sample.
public struct AudienceReach: Sendable, Hashable {
    /// The confidence of an estimate's bounds, in standard deviations: 95 in 100 times.
    private static let deviations = 1.959_964

    /// The number of all users.
    public let total: Int64
    /// The number of users that were asked.
    public let asked: Int64
    /// The number of those asked that are in the audience.
    public let found: Int64

    /// Whether every user was asked, or everybody who can be meant.
    public let isExact: Bool

    /// Says what was found.
    ///
    /// - Parameters:
    ///   - found: How many of the asked are meant.
    ///   - asked: How many were asked.
    ///   - total: How many users there are.
    ///   - isExact: Whether nobody who was not asked can be meant.
    public init(found: Int64, asked: Int64, total: Int64, isExact: Bool) {
        self.found = found
        self.asked = asked
        self.total = total
        self.isExact = isExact
    }

    /// The number of users in the audience, or the best guess.
    public var users: Int64 {
        if isExact { return found }
        guard asked > 0 else { return 0 }
        return Int64(saturating: (Double(found) / Double(asked) * Double(total)).rounded())
    }

    /// The numbers between which the truth lies, 95 in 100 times.
    ///
    /// Wilson's score interval, which is right for rare audiences too: where nobody of the sample is meant, someone
    /// else may be. It is narrowed for a sample that is a good part of all.
    public var bounds: ClosedRange<Int64> {
        // safe: one number
        if isExact { return found...found }
        guard asked > 0 else { return 0...total }
        let (n, all) = (Double(asked), Double(total))
        let share = Double(found) / n
        // The finite population correction, as if the sample were larger.
        let size = asked >= total ? .infinity : n * max(all - 1, 1) / max(all - n, 1)
        let squared = Self.deviations * Self.deviations
        let center = (share + squared / (2 * size)) / (1 + squared / size)
        let spread =
            Self.deviations / (1 + squared / size)
            * (share * (1 - share) / size + squared / (4 * size * size)).squareRoot()
        let low = Int64(saturating: ((center - spread) * all).rounded(.down))
        let high = Int64(saturating: ((center + spread) * all).rounded(.up))
        // Those who were found are meant, and those who were asked and not found are not.
        // safe: of those who were asked some were found, and of all some were asked
        let highest = total - (asked - found)
        let lowest = min(max(low, found), highest)
        return lowest...max(lowest, min(max(high, users, found), highest))
    }

    // safe: both are counts of users
    /// The distance that the truth can have from ``users``; 0 where it is exact.
    public var margin: Int64 { max(users - bounds.lowerBound, bounds.upperBound - users) }
}
