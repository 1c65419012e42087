import GRDB

/// Adds the groups that test users are in, as a JSON array of names.
enum Migration0103: StoreMigration {
    static let identifier = "0103-test-groups"

    static func apply(to database: Database) throws {
        try database.execute(sql: "ALTER TABLE test_users ADD COLUMN group_names TEXT")
    }
}
