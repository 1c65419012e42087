import GRDB

/// What lets a member in who has lost the phone: the hashes of the recovery codes that are left, one after the other.
enum Migration0024: StoreMigration {
    static let identifier = "0024-recovery-codes"

    static func apply(to database: Database) throws {
        try database.execute(sql: "ALTER TABLE members ADD COLUMN recovery_codes BLOB NOT NULL DEFAULT x''")
    }
}
