import CardModel
import CardStore

/// A request for approval as a row holds it.
enum ApprovalRow {
    static func find(_ id: String, in connection: PostgresConnection) throws -> Approval? {
        try connection.row("SELECT * FROM approvals WHERE id = $1", [id]).map(Approval.init)
    }

    /// Reads a request, and keeps other nodes from changing it until the commit.
    static func lock(_ id: String, in connection: PostgresConnection) throws -> Approval? {
        try connection.row("SELECT * FROM approvals WHERE id = $1 FOR NO KEY UPDATE", [id]).map(Approval.init)
    }

    static func list(
        of campaign: CampaignID,
        limit: Int,
        offset: Int,
        in connection: PostgresConnection
    ) throws -> [Approval] {
        try connection.rows(
            "SELECT * FROM approvals WHERE campaign_id = $1 ORDER BY requested_at DESC, id DESC LIMIT $2 OFFSET $3",
            [campaign.rawValue, limit, offset]
        ).map(Approval.init)
    }

    /// Reads the requests that wait for a campaign as it is.
    static func pending(limit: Int, offset: Int, in connection: PostgresConnection) throws -> [Approval] {
        try connection.rows(
            """
            SELECT a.* FROM approvals AS a JOIN campaigns AS c ON c.id = a.campaign_id AND c.version = a.version
            WHERE a.status = 'pending' ORDER BY a.requested_at, a.id LIMIT $1 OFFSET $2
            """,
            [limit, offset]
        ).map(Approval.init)
    }

    /// Returns which of some campaigns have a request that waits for them as they are.
    static func awaited(among campaigns: [CampaignID], in connection: PostgresConnection) throws -> Set<CampaignID> {
        let rows = try connection.rows(
            """
            SELECT a.campaign_id FROM approvals AS a JOIN campaigns AS c ON c.id = a.campaign_id AND
                c.version = a.version
            WHERE a.status = 'pending' AND a.campaign_id = ANY ($1)
            """,
            [campaigns.map(\.rawValue)]
        )
        return Set(try rows.map { CampaignID(rawValue: try $0.text("campaign_id")) })
    }

    /// Reads the request of a campaign that waits, be it outdated or not, and keeps other nodes from changing it.
    static func lockPending(of campaign: CampaignID, in connection: PostgresConnection) throws -> Approval? {
        try connection.row(
            "SELECT * FROM approvals WHERE campaign_id = $1 AND status = 'pending' FOR NO KEY UPDATE",
            [campaign.rawValue]
        ).map(Approval.init)
    }

    static func insert(_ approval: Approval, into connection: PostgresConnection) throws {
        try connection.execute(
            """
            INSERT INTO approvals
                (id, campaign_id, version, content, requester, requester_kind, requested_at, status, comments)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                approval.id, approval.campaign.rawValue, approval.version, approval.storedContent, approval.requester,
                approval.requesterKind, approval.requestedAt, approval.status.rawValue, approval.storedComments,
            ]
        )
        try connection.execute(
            """
            DELETE FROM approvals WHERE id IN (
                SELECT id FROM approvals WHERE campaign_id = $1 AND status <> 'pending'
                ORDER BY requested_at DESC, id DESC OFFSET $2
            )
            """,
            [approval.campaign.rawValue, Approval.kept - 1]
        )
    }

    static func update(_ approval: Approval, in connection: PostgresConnection) throws {
        try connection.execute(
            "UPDATE approvals SET status = $1, decider = $2, decided_at = $3, comments = $4 WHERE id = $5",
            [approval.status.rawValue, approval.decider, approval.decidedAt, approval.storedComments, approval.id]
        )
    }
}
