/// Adds the groups that test users are in, as a JSON array of names.
enum Migration0103 {
    static let migration = SchemaMigration(
        identifier: "0103-test-groups",
        statements: ["ALTER TABLE test_users ADD COLUMN group_names \(ColumnType.text)"]
    )
}
