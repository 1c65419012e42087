/// Adds requests for approval, and lets a notice for the webhook be about a campaign.
enum Migration0067 {
    static let migration = SchemaMigration(
        identifier: "0067-approvals",
        statements: [
            """
            CREATE TABLE approvals (
                id \(ColumnType.text) PRIMARY KEY,
                campaign_id \(ColumnType.text) NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
                version BIGINT NOT NULL,
                content \(ColumnType.text),
                requester \(ColumnType.text) NOT NULL,
                requester_kind \(ColumnType.text) NOT NULL,
                requested_at \(ColumnType.time) NOT NULL,
                status \(ColumnType.text) NOT NULL,
                decider \(ColumnType.text),
                decided_at \(ColumnType.time),
                comments \(ColumnType.text) NOT NULL
            )
            """,
            "CREATE INDEX approvals_by_campaign ON approvals (campaign_id, requested_at DESC, id DESC)",
            "CREATE UNIQUE INDEX approvals_pending ON approvals (campaign_id) WHERE status = 'pending'",
            "ALTER TABLE webhook_notices RENAME COLUMN user_id TO subject",
        ]
    )
}
