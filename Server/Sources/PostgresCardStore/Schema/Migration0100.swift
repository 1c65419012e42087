/// Adds links for a password that members have asked for, beside those that administrators make.
enum Migration0100 {
    static let migration = SchemaMigration(
        identifier: "0100-requested-links",
        statements: [
            "ALTER TABLE members ADD COLUMN requested_link_hash BYTEA",
            "ALTER TABLE members ADD COLUMN requested_link_expires_at \(ColumnType.time)",
        ]
    )
}
