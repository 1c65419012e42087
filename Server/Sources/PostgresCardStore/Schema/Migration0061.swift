/// Lists which purchases were counted, so that none is taken off that was not, and on which days conversions were.
enum Migration0061 {
    static let migration = SchemaMigration(
        identifier: "0061-counted-purchases",
        statements: [
            "ALTER TABLE spending ADD COLUMN counted \(ColumnType.text)",
            "ALTER TABLE conversions ADD COLUMN local_day BIGINT",
        ]
    )
}
