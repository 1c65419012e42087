import CardModel
import CardStore
import GRDB

/// Counts the users that an audience means, at one moment of the database.
///
/// It runs beside the readers and writers of devices and holds neither up.
struct ReachCount {
    /// How many users are asked.
    struct Limits {
        /// Up to so many users all are: that takes well under a second.
        var exact: Int64 = 100_000
        /// So many are of more: the truth is then within half a per cent of all users, 95 times in 100.
        var sample: Int64 = 50_000
    }

    private let audience: AudienceMatcher
    private let scan: UserScan
    private let total: Int64

    init(_ audience: AudienceMatcher, at now: UnixTime, in database: Database) throws {
        guard let connection = database.sqliteConnection else { throw StoreError.closed }
        self.audience = audience
        total = try StoreRow.userCount(database)
        let zone = try StoreRow.settings(database).timeZone
        scan = UserScan(on: connection, asking: audience, at: now, workspaceZone: zone)
    }

    func run(exactly isExact: Bool, limits: Limits = Limits()) throws -> AudienceReach {
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
        // The shares of all ranks and of all users are alike.
        // safe: there are users, or all are counted
        let ranks = min(SampleRank.kept, Int64(Double(SampleRank.count) * Double(limits.sample) / Double(total)))
        let (found, asked) = try scan.countSample(below: ranks)
        return AudienceReach(found: found, asked: asked, total: total, isExact: false)
    }
}
