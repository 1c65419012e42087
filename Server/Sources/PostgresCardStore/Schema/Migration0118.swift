/// Adds which folders in the bucket no picture has, so that their objects are removed also after a kill.
enum Migration0118 {
    static let migration = SchemaMigration(
        identifier: "0118-bucket-folders",
        statements: [
            """
            CREATE TABLE bucket_folders (
                folder \(ColumnType.text) PRIMARY KEY,
                media_id \(ColumnType.text) NOT NULL,
                noted_at \(ColumnType.time) NOT NULL,
                is_claimed BOOLEAN NOT NULL
            )
            """,
            "CREATE INDEX bucket_folders_by_time ON bucket_folders (noted_at)",
        ]
    )
}
