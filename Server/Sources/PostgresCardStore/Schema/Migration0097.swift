/// Adds where the bytes of a picture are in a bucket; `NULL` where they are in the database.
enum Migration0097 {
    static let migration = SchemaMigration(
        identifier: "0097-bucket",
        statements: ["ALTER TABLE media ADD COLUMN bucket_folder \(ColumnType.text)"]
    )
}
