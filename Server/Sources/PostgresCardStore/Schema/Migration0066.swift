/// Remembers which history positions of the log were given out in; see ``LogPositions``.
enum Migration0066 {
    static let migration = SchemaMigration(
        identifier: "0066-log-history",
        statements: ["ALTER TABLE store ADD COLUMN history BIGINT"]
    )
}
