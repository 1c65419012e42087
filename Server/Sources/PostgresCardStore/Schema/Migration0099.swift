/// Adds what the contents of campaigns name, so that what is used is found without reading them.
enum Migration0099 {
    static let migration = SchemaMigration(
        identifier: "0099-content-names",
        statements: [
            """
            CREATE TABLE content_names (
                kind \(ColumnType.text) NOT NULL,
                name \(ColumnType.text) NOT NULL,
                campaign_id \(ColumnType.text) NOT NULL,
                version BIGINT NOT NULL,
                is_present BOOLEAN NOT NULL,
                is_launched BOOLEAN NOT NULL,
                PRIMARY KEY (kind, name, campaign_id, version),
                FOREIGN KEY (campaign_id, version) REFERENCES campaign_versions (campaign_id, version)
                    ON DELETE CASCADE
            )
            """,
            "CREATE INDEX content_names_by_campaign ON content_names (campaign_id, version)",
        ],
        fill: ContentNameRow.fill
    )
}
