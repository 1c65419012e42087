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
            by: UserScan(on: connection, asking: audience, at: now, workspaceZone: zone)
        )
    }
}
