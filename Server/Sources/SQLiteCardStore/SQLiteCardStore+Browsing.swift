public import CardModel
public import CardStore
import Foundation
import GRDB

extension SQLiteCardStore {
    /// Reads campaigns, those last changed first.
    public func searchCampaigns(
        matching filter: CampaignFilter,
        after place: CampaignPlace?,
        limit: Int
    ) async throws -> [Campaign] {
        let query = CampaignQuery(filter, after: place, limit: PageLimit.clamp(limit))
        return try await read { try query.run($0) }
    }

    /// Counts the campaigns of each status.
    public func campaignCountsByStatus() async throws -> [Campaign.Status: Int] {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT status, count(*) AS number FROM campaigns INDEXED BY campaigns_by_status GROUP BY status"
            )
            let pairs = try rows.compactMap { row -> (Campaign.Status, Int)? in
                guard let text = try? row.text("status"), let status = Campaign.Status(rawValue: text) else {
                    return nil
                }
                return (status, try row.count("number"))
            }
            // Bytes that are a status are a group of their own.
            return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Reads the tags that campaigns have, by name.
    ///
    /// Steps from tag to tag: however many campaigns have one, it is one search.
    public func campaignTags(limit: Int) async throws -> [String] {
        try await read { database in
            try String.fetchAll(
                database,
                sql: """
                    WITH RECURSIVE steps (tag) AS (
                        SELECT min(tag) FROM campaign_tags
                        UNION ALL
                        SELECT (SELECT min(tag) FROM campaign_tags WHERE tag > steps.tag) FROM steps
                        WHERE steps.tag IS NOT NULL
                    )
                    SELECT tag FROM steps WHERE tag IS NOT NULL LIMIT ?
                    """,
                arguments: [PageLimit.clamp(limit)]
            )
        }
    }

    /// Sums up what was counted of campaigns over all days.
    public func campaignTotals(of campaigns: [CampaignID]) async throws -> [CampaignID: [VariantID: CampaignCounts]] {
        try await read { database in
            var totals: [CampaignID: [VariantID: CampaignCounts]] = [:]
            let statement = try database.cachedStatement(sql: Self.totalsSQL)
            for campaign in campaigns {
                let rows = try Row.fetchAll(statement, arguments: [campaign.rawValue])
                let pairs = try rows.map { row in
                    (VariantID(rawValue: try row.text("variant_id")), try CampaignCounts(row))
                }
                // Bytes that are an id are a group of their own.
                totals[campaign] = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
            }
            return totals
        }
    }

    private static let totalsSQL = """
        SELECT variant_id, sum(delivered) AS delivered, sum(recipients) AS recipients, sum(impressions) AS impressions,
            sum(unique_impressions) AS unique_impressions, sum(clicks) AS clicks, sum(unique_clicks) AS unique_clicks,
            sum(dismissals) AS dismissals, sum(decode_errors) AS decode_errors
        FROM counts WHERE campaign_id = ? GROUP BY variant_id
        """

    /// Sums up what was counted on each day.
    public func dayTotals(from first: Day) async throws -> [Day: CampaignCounts] {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT * FROM day_totals WHERE local_day >= ?",
                arguments: [first.number]
            )
            // safe: the key of the table
            return try Dictionary(uniqueKeysWithValues: rows.map { (try $0.day("local_day"), try CampaignCounts($0)) })
        }
    }

    /// Reads users whose id begins with a text, then those whose e-mail address does.
    public func listUsers(startingWith text: String, after place: UserID?, limit: Int) async throws -> [UserProfile] {
        let query = UserQuery(text, after: place, limit: PageLimit.clamp(limit))
        let ids = try await read { try query.run($0) }
        return try ids.compactMap { id in
            try readers.read { try $0.profile(of: UserID(rawValue: id)) }
        }
    }

    /// Reads users whose id, name or e-mail address has a text.
    public func searchUsers(
        matching text: String,
        after place: UserSearchPlace?,
        limit: Int
    ) async throws -> UserSearchPage {
        var page = UserSearchPages(text: text, limit: PageLimit.clamp(limit), after: place)
        page = try await longRead { [page] database in
            var page = page
            try page.addBeginning { try UserQuery(text, after: $0, limit: $1).run(database) }
            try page.addInside { try UserSearch(text: text, limit: $1).run(after: $0, database) }
            return page
        }
        let users = try page.ids.compactMap { id in
            try readers.read { try $0.profile(of: UserID(rawValue: id)) }
        }
        return UserSearchPage(users: users, next: page.next)
    }

    // MARK: Events

    /// Reads the log of events, the newest first.
    public func searchEvents(
        matching filter: EventLogFilter,
        before position: Int64?,
        limit: Int
    ) async throws -> EventLogPage {
        let query = EventQuery(filter, before: position, limit: PageLimit.clamp(limit))
        return try await read { try query.run($0) }
    }

    /// The position of the newest event, or 0.
    public func lastEventPosition() async throws -> Int64 {
        try await read { try Int64.fetchOne($0, sql: "SELECT max(position) FROM events") ?? 0 }
    }
}
