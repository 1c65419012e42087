import CardModel
import CardStore
import GRDB

extension ReachCount<UserScan> {
    /// Prepares to count at the moment that a database shows, beside the readers and writers of devices.
    init(_ audience: AudienceMatcher, at now: UnixTime, in database: Database) throws {
        guard let connection = database.sqliteConnection else { throw StoreError.closed }
        let zone = try StoreRow.settings(database).timeZone
        self.init(
            audience,
            among: try StoreRow.userCount(database),
            by: UserScan(on: connection, asking: AudienceQuestion(audience), at: now, workspaceZone: zone)
        )
    }
}

extension OverlapCount<UserScan> {
    /// Prepares to count at the moment that a database shows, beside the readers and writers of devices.
    init(_ audiences: [AudienceMatcher], at now: UnixTime, in database: Database) throws {
        guard let connection = database.sqliteConnection else { throw StoreError.closed }
        let zone = try StoreRow.settings(database).timeZone
        let question = AudienceQuestion(overlapOf: audiences)
        self.init(
            question,
            among: try StoreRow.userCount(database),
            by: UserScan(on: connection, asking: question, at: now, workspaceZone: zone)
        )
    }
}
