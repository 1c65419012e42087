/// Adds what keeps the names of users' histories the same in another database; see the decision 114.
enum Migration0119 {
    static let migration = SchemaMigration(
        identifier: "0119-placement-history",
        statements: ["ALTER TABLE placement ADD COLUMN history BIGINT NOT NULL DEFAULT 0"]
    )
}
