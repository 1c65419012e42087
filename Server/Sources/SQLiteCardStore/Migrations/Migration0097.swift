import GRDB

/// Adds where the bytes of a picture are in a bucket; `NULL` where they are beside the database.
enum Migration0097: StoreMigration {
    static let identifier = "0097-bucket"

    static func apply(to database: Database) throws {
        try database.execute(sql: "ALTER TABLE media ADD COLUMN bucket_folder TEXT")
    }
}
