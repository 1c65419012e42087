/// Adds the filters of lists that members have saved.
enum Migration0091 {
    static let migration = SchemaMigration(
        identifier: "0091-saved-filters",
        statements: [
            """
            CREATE TABLE saved_filters (
                id \(ColumnType.text) PRIMARY KEY,
                list \(ColumnType.text) NOT NULL,
                owner \(ColumnType.text) NOT NULL,
                shared BOOLEAN NOT NULL,
                name \(ColumnType.text) NOT NULL,
                query \(ColumnType.text) NOT NULL,
                created_at \(ColumnType.time) NOT NULL,
                updated_at \(ColumnType.time) NOT NULL
            )
            """,
            "CREATE INDEX saved_filters_by_owner ON saved_filters (owner)",
            "CREATE INDEX saved_filters_shared ON saved_filters (shared) WHERE shared",
        ]
    )
}
