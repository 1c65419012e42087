import GRDB

/// Adds what the contents of campaigns name, so that what is used is found without reading them.
enum Migration0099: StoreMigration {
    static let identifier = "0099-content-names"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE content_names (
                    kind TEXT NOT NULL,
                    name TEXT NOT NULL,
                    campaign_id TEXT NOT NULL,
                    version INTEGER NOT NULL,
                    is_present INTEGER NOT NULL,
                    is_launched INTEGER NOT NULL,
                    PRIMARY KEY (kind, name, campaign_id, version),
                    FOREIGN KEY (campaign_id, version) REFERENCES campaign_versions (campaign_id, version)
                        ON DELETE CASCADE
                ) WITHOUT ROWID;
                CREATE INDEX content_names_by_campaign ON content_names (campaign_id, version);
                """
        )
        try ContentNameRow.fill(database)
    }
}
