package import CardModel

/// Counts the users in an audience, at one moment of a database.
package struct ReachCount<Scan: ReachScan> {
    private let audience: AudienceMatcher
    private let scan: Scan
    private let total: Int64

    /// Prepares to count.
    ///
    /// - Parameters:
    ///   - audience: The audience.
    ///   - total: The number of users.
    ///   - scan: What looks at users.
    package init(_ audience: AudienceMatcher, among total: Int64, by scan: Scan) {
        self.audience = audience
        self.total = total
        self.scan = scan
    }

    /// Counts exactly, or by a sample where there are many users.
    package func run(exactly isExact: Bool, limits: ReachLimits = ReachLimits()) throws -> AudienceReach {
        if audience.audience == .everyone {
            return AudienceReach(found: total, asked: total, total: total, isExact: true)
        }
        if let candidates = audience.candidates {
            let found = try scan.count(among: candidates)
            return AudienceReach(found: found, asked: Int64(candidates.count), total: total, isExact: true)
        }
        guard !isExact, total > limits.exact else {
            let (found, asked) = try scan.countAll()
            return AudienceReach(found: found, asked: asked, total: total, isExact: true)
        }
        let (found, asked) = try scan.countSample(below: limits.ranks(of: total))
        return AudienceReach(found: found, asked: asked, total: total, isExact: false)
    }
}

/// The maximum number of users that are looked at to count those in an audience.
package struct ReachLimits: Sendable {
    /// Up to so many users all are: that takes well under a second.
    package var exact: Int64
    /// So many are of more: the truth is then within half a per cent of all users, 95 times in 100.
    package var sample: Int64

    /// Creates limits.
    package init(exact: Int64 = 100_000, sample: Int64 = 50_000) {
        self.exact = exact
        self.sample = sample
    }

    /// The limits of a comparison of audiences, whose page a member waits for.
    ///
    /// The truth is then within one per cent of all users, 95 times in 100.
    package static let overlap = ReachLimits(exact: 20_000, sample: 10_000)

    /// Below which rank the users of a sample are; the shares of all ranks and of all users are alike.
    func ranks(of total: Int64) -> Int64 {
        let share = Double(sample) / Double(max(1, total))
        // safe: a share of at most 1
        return min(SampleRank.kept, Int64(Double(SampleRank.count) * min(1, share)))
    }
}

/// Looks at users of a database, at one moment, to count those in an audience.
package protocol ReachScan {
    /// Looks at all users.
    func countAll() throws -> (found: Int64, asked: Int64)
    /// Looks at the users whose ``SampleRank`` is below a rank.
    func countSample(below rank: Int64) throws -> (found: Int64, asked: Int64)
    /// Looks at some users, and counts those in the audience.
    func count(among candidates: Set<UserID>) throws -> Int64
}
