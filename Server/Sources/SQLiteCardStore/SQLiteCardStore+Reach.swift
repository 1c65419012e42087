public import CardModel
import CardStore
import GRDB

extension SQLiteCardStore {
    /// Counts the users in an audience.
    public func audienceReach(
        of audience: AudienceMatcher,
        at now: UnixTime,
        exactly isExact: Bool
    ) async throws -> AudienceReach {
        try await longRead { try ReachCount(audience, at: now, in: $0).run(exactly: isExact) }
    }

    /// Counts the users that several audiences have in common.
    public func audienceOverlap(of audiences: [AudienceMatcher], at now: UnixTime) async throws -> AudienceOverlap {
        try await longRead { try OverlapCount(audiences, at: now, in: $0).run() }
    }
}
