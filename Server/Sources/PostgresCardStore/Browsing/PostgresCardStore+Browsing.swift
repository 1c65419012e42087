public import CardModel
public import CardStore

extension PostgresCardStore {
    /// Reads campaigns, those last changed first.
    public func searchCampaigns(
        matching filter: CampaignFilter,
        after place: CampaignPlace?,
        limit: Int
    ) async throws -> [Campaign] {
        let query = CampaignQuery(filter: filter, place: place, limit: PageLimit.clamp(limit))
        guard filter.text != nil else { return try await read { try query.run($0) } }
        // One statement finds the names, and another one reads what was found: both of one moment.
        return try await snapshot { try query.run($0) }
    }

    /// Counts the campaigns of each status.
    public func campaignCountsByStatus() async throws -> [Campaign.Status: Int] {
        try await read { connection in
            let rows = try connection.rows("SELECT status, count(*) AS number FROM campaigns GROUP BY status")
            return try rows.reduce(into: [:]) { counts, row in
                if let status = Campaign.Status(rawValue: try row.text("status")) {
                    counts[status] = try row.count("number")
                }
            }
        }
    }

    /// Reads the tags that campaigns have, by name.
    ///
    /// Steps from tag to tag: however many campaigns have one, it is one search.
    public func campaignTags(limit: Int) async throws -> [String] {
        try await read { connection in
            try connection.rows(
                """
                WITH RECURSIVE steps (tag) AS (
                    (SELECT tag FROM campaign_tags ORDER BY tag LIMIT 1)
                    UNION ALL
                    SELECT (SELECT t.tag FROM campaign_tags t WHERE t.tag > steps.tag ORDER BY t.tag LIMIT 1)
                    FROM steps WHERE steps.tag IS NOT NULL
                )
                SELECT tag FROM steps WHERE tag IS NOT NULL LIMIT $1
                """,
                [PageLimit.clamp(limit)]
            ).map { try $0.text("tag") }
        }
    }

    /// Sums up what was counted of campaigns over all days.
    public func campaignTotals(of campaigns: [CampaignID]) async throws -> [CampaignID: [VariantID: CampaignCounts]] {
        try await reportPool.read { connection in
            let rows = try connection.rows(
                """
                SELECT campaign_id, variant_id, \(ReportRow.sums) FROM counts WHERE campaign_id = ANY ($1)
                GROUP BY campaign_id, variant_id
                """,
                [campaigns.map(\.rawValue)]
            )
            var totals = Dictionary(campaigns.map { ($0, [VariantID: CampaignCounts]()) }) { first, _ in first }
            for row in rows {
                let campaign = CampaignID(rawValue: try row.text("campaign_id"))
                totals[campaign]?[VariantID(rawValue: try row.text("variant_id"))] = try CampaignCounts(row)
            }
            return totals
        }
    }

    /// Sums up what was counted on each day.
    public func dayTotals(from first: Day) async throws -> [Day: CampaignCounts] {
        try await read { connection in
            let rows = try connection.rows(
                "SELECT local_day, \(ReportRow.sums) FROM day_totals WHERE local_day >= $1 GROUP BY local_day",
                [Int64(first.number)]
            )
            return try rows.reduce(into: [:]) { $0[try $1.day("local_day")] = try CampaignCounts($1) }
        }
    }

    /// Reads users whose id begins with a text, then those whose e-mail address does.
    public func listUsers(startingWith text: String, after place: UserID?, limit: Int) async throws -> [UserProfile] {
        let query = UserQuery(text: text, place: place, limit: PageLimit.clamp(limit))
        return try await snapshot { try UserProfile.read(query.run($0), from: $0) }
    }

    /// Reads users whose id, name or e-mail address has a text.
    public func searchUsers(
        matching text: String,
        after place: UserSearchPlace?,
        limit: Int
    ) async throws -> UserSearchPage {
        let limit = PageLimit.clamp(limit)
        return try await longSnapshot { connection in
            var page = UserSearchPages(text: text, limit: limit, after: place)
            try page.addBeginning { try UserQuery(text: text, place: $0, limit: $1).run(connection) }
            try page.addInside { try UserSearch(text: text, limit: $1).run(after: $0, connection) }
            return UserSearchPage(users: try UserProfile.read(page.ids, from: connection), next: page.next)
        }
    }

    // MARK: Events

    /// Reads the log of events, the newest first.
    public func searchEvents(
        matching filter: EventLogFilter,
        before position: Int64?,
        limit: Int
    ) async throws -> EventLogPage {
        let query = EventQuery(filter: filter, position: position, limit: PageLimit.clamp(limit))
        return try await reportSnapshot { try query.run($0) }
    }

    /// The position of the newest event, or 0.
    public func lastEventPosition() async throws -> Int64 {
        try await read { try EventLog.newest($0) }
    }

    /// Reads the log of events from after a position on.
    public func eventPage(after position: Int64, _ filter: EventFilter, limit: Int) async throws -> EventPage {
        let limit = PageLimit.clamp(limit)
        return try await reportSnapshot { connection in
            let last = try EventLog.end(connection)
            let range = EventLogRange(
                after: position,
                filter,
                first: try EventLog.start(after: position, connection) ?? last,
                last: last
            )
            let rows = try EventLog.fetch(
                after: range.start,
                through: range.searchedTo,
                filter,
                limit: limit,
                in: connection
            )
            return range.page(of: rows, limit: limit)
        }
    }
}
