/// Keeps the pictures of the media library with their bytes, which all nodes share.
enum Migration0060 {
    static let migration = SchemaMigration(
        identifier: "0060-media",
        statements: [
            """
            CREATE TABLE media (
                id \(ColumnType.text) PRIMARY KEY,
                name \(ColumnType.text) NOT NULL,
                alt \(ColumnType.text) NOT NULL,
                format \(ColumnType.text) NOT NULL,
                width BIGINT NOT NULL,
                height BIGINT NOT NULL,
                frames BIGINT NOT NULL,
                widths \(ColumnType.text) NOT NULL,
                bytes BIGINT NOT NULL,
                created_at \(ColumnType.time) NOT NULL,
                created_by \(ColumnType.text) NOT NULL
            );
            CREATE INDEX media_by_time ON media (created_at, id);

            CREATE TABLE media_files (
                media_id \(ColumnType.text) NOT NULL REFERENCES media (id) ON DELETE CASCADE,
                width BIGINT NOT NULL,
                bytes BYTEA NOT NULL,
                PRIMARY KEY (media_id, width)
            );
            ALTER TABLE media_files ALTER COLUMN bytes SET STORAGE EXTERNAL
            """
        ]
    )
}
