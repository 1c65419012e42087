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
}
