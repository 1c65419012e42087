import CardModel
import CardStore
import GRDB
import WireJSON

/// A request for approval as a row keeps it.
enum ApprovalRow {
    static func find(_ id: String, in database: Database) throws -> Approval? {
        try Row.fetchOne(database, sql: "SELECT * FROM approvals WHERE id = ?", arguments: [id]).map(Approval.init)
    }

    static func list(of campaign: CampaignID, limit: Int, offset: Int, in database: Database) throws -> [Approval] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM approvals WHERE campaign_id = ? ORDER BY requested_at DESC, id DESC LIMIT ? OFFSET ?
                """,
            arguments: [campaign.rawValue, limit, offset]
        ).map(Approval.init)
    }

    /// Reads the requests that wait for a campaign as it is.
    static func pending(limit: Int, offset: Int, in database: Database) throws -> [Approval] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT a.* FROM approvals AS a JOIN campaigns AS c ON c.id = a.campaign_id AND c.version = a.version
                WHERE a.status = 'pending' ORDER BY a.requested_at, a.id LIMIT ? OFFSET ?
                """,
            arguments: [limit, offset]
        ).map(Approval.init)
    }

    /// Returns which of some campaigns have a request that waits for them as they are.
    static func awaited(among campaigns: [CampaignID], in database: Database) throws -> Set<CampaignID> {
        let ids = JSONValue.array(campaigns.map { .string($0.rawValue) }).text
        let found = try String.fetchAll(
            database,
            sql: """
                SELECT a.campaign_id FROM approvals AS a JOIN campaigns AS c ON c.id = a.campaign_id AND
                    c.version = a.version
                WHERE a.status = 'pending' AND a.campaign_id IN (SELECT value FROM json_each(?))
                """,
            arguments: [ids]
        )
        return Set(found.map(CampaignID.init(rawValue:)))
    }

    /// Reads the request of a campaign that waits, be it outdated or not.
    static func pending(of campaign: CampaignID, in database: Database) throws -> Approval? {
        try Row.fetchOne(
            database,
            sql: "SELECT * FROM approvals WHERE campaign_id = ? AND status = 'pending'",
            arguments: [campaign.rawValue]
        ).map(Approval.init)
    }

    static func insert(_ approval: Approval, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO approvals
                    (id, campaign_id, version, content, requester, requester_kind, requested_at, status, comments)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                approval.id, approval.campaign.rawValue, approval.version, approval.storedContent, approval.requester,
                approval.requesterKind, approval.requestedAt, approval.status.rawValue, approval.storedComments,
            ]
        )
        try database.execute(
            sql: """
                DELETE FROM approvals WHERE id IN (
                    SELECT id FROM approvals WHERE campaign_id = ? AND status <> 'pending'
                    ORDER BY requested_at DESC, id DESC LIMIT -1 OFFSET ?
                )
                """,
            arguments: [approval.campaign.rawValue, Approval.kept - 1]
        )
    }

    static func update(_ approval: Approval, in database: Database) throws {
        try database.execute(
            sql: "UPDATE approvals SET status = ?, decider = ?, decided_at = ?, comments = ? WHERE id = ?",
            arguments: [
                approval.status.rawValue, approval.decider, approval.decidedAt, approval.storedComments, approval.id,
            ]
        )
    }
}
