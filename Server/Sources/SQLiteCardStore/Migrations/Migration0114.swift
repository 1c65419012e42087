import GRDB

/// Adds the times of campaigns beside their ids, so that those that name something are put in order without reading
/// their contents.
enum Migration0114: StoreMigration {
    static let identifier = "0114-campaign-times"

    static func apply(to database: Database) throws {
        try database.execute(sql: "CREATE INDEX campaigns_by_id ON campaigns (id, updated_at)")
    }
}
