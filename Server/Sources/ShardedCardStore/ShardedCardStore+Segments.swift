public import CardModel
import CardStore
import PostgresCardStore

// A sample has the users whose places in the order of `SampleRank` are below one that follows from the number of all
// users. Every database is asked for those of its users, so that together they are the sample that one database would
// have drawn, however different the databases are. Since they have ranges of places, most of it is in few of them.

extension ShardedCardStore {
    /// Counts the users in an audience, in all databases.
    public func audienceReach(
        of audience: AudienceMatcher,
        at now: UnixTime,
        exactly isExact: Bool
    ) async throws -> AudienceReach {
        let workspace = try await reachedWorkspace()
        let total = workspace.users
        if audience.audience == .everyone {
            return AudienceReach(found: total, asked: total, total: total, isExact: true)
        }
        let parts = try await onAll {
            try await $0.audienceReach(of: audience, at: now, exactly: isExact, in: workspace)
        }
        // Users who are named are asked for everywhere, and each of them is one.
        let named = audience.candidates.map { Int64($0.count) }
        return AudienceReach(
            found: parts.map(\.found).reduce(0, +),
            asked: named ?? parts.map(\.asked).reduce(0, +),
            total: total,
            isExact: parts.allSatisfy(\.isExact)
        )
    }

    /// Counts the users that several audiences have in common, in all databases.
    public func audienceOverlap(of audiences: [AudienceMatcher], at now: UnixTime) async throws -> AudienceOverlap {
        let workspace = try await reachedWorkspace()
        let parts = try await onAll { try await $0.audienceOverlap(of: audiences, at: now, in: workspace) }
        let users = parts.reduce(into: [UInt32: Int64]()) { sums, part in
            sums.merge(part.users, uniquingKeysWith: +)
        }
        return AudienceOverlap(
            users: users,
            asked: parts.map(\.asked).reduce(0, +),
            total: workspace.users,
            isExact: parts.allSatisfy(\.isExact)
        )
    }

    private func reachedWorkspace() async throws -> ReachedWorkspace {
        async let settings = home.storedSettings()
        let users = try await userCount()
        return ReachedWorkspace(users: users, timeZone: try await settings.timeZone)
    }
}
