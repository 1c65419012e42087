import GRDB

/// Every version of a campaign.
///
/// A version whose content is that of the one before it has none of its own. Of campaigns that were there before, the
/// present version is the first one known; who made it is in the audit log.
enum Migration0019: StoreMigration {
    static let identifier = "0019-campaign-versions"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE campaign_versions (
                    campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
                    version INTEGER NOT NULL,
                    at REAL NOT NULL,
                    actor TEXT NOT NULL,
                    action TEXT NOT NULL,
                    status TEXT NOT NULL,
                    withdrawn INTEGER NOT NULL,
                    launched_at REAL,
                    changed TEXT NOT NULL,
                    restores INTEGER,
                    content TEXT,
                    PRIMARY KEY (campaign_id, version)
                ) WITHOUT ROWID;

                INSERT INTO campaign_versions
                SELECT c.id, c.version, c.updated_at, coalesce(a.actor, 'command'),
                    coalesce(a.action, 'campaign.update'), c.status, c.withdrawn, c.launched_at, '', NULL, c.content
                FROM campaigns c
                LEFT JOIN (
                    SELECT subject, max(position) AS position FROM audit
                    WHERE action LIKE 'campaign.%' AND action <> 'campaign.broadcast' GROUP BY subject
                ) latest ON latest.subject = c.id
                LEFT JOIN audit a ON a.position = latest.position;
                """
        )
    }
}
