import GRDB

/// Adds requests for approval, and lets a notice for the webhook be about a campaign.
enum Migration0067: StoreMigration {
    static let identifier = "0067-approvals"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE approvals (
                    id TEXT PRIMARY KEY NOT NULL,
                    campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
                    version INTEGER NOT NULL,
                    content TEXT,
                    requester TEXT NOT NULL,
                    requester_kind TEXT NOT NULL,
                    requested_at REAL NOT NULL,
                    status TEXT NOT NULL,
                    decider TEXT,
                    decided_at REAL,
                    comments TEXT NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX approvals_by_campaign ON approvals (campaign_id, requested_at DESC, id DESC);
                CREATE UNIQUE INDEX approvals_pending ON approvals (campaign_id) WHERE status = 'pending';
                ALTER TABLE webhook_notices RENAME COLUMN user_id TO subject;
                """
        )
    }
}
