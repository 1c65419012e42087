import CardModel
import CardStore
import WireJSON

/// Looks at many users, reading no more of each than audiences ask for.
struct UserScan: ReachScan {
    /// The number of users that are read at a time where little is read of each.
    private static let batchSize = 5_000
    /// The number of users that are read at a time where their attributes or histories are: of each there can be a
    /// hundred kilobytes.
    private static let largeBatchSize = 200

    private let connection: PostgresConnection
    private let question: AudienceQuestion
    private let now: UnixTime
    private let workspaceZone: String
    private let columns: String
    private let batchSize: Int

    init(
        on connection: PostgresConnection,
        asking question: AudienceQuestion,
        at now: UnixTime,
        workspaceZone: String
    ) {
        self.connection = connection
        self.question = question
        self.now = now
        self.workspaceZone = workspaceZone
        columns = Self.columns(question.needs)
        batchSize = Self.batchSize(question.needs)
    }

    /// The columns that an audience asks for: attributes are long, and only read where it asks for some.
    static func columns(_ needs: AudienceNeeds) -> String {
        let own = [
            "id", "created_at", "first_seen_at", "last_seen_at", "locale", "time_zone", "app_version", "sample_rank",
        ]
        return (own + (needs.custom.isEmpty ? [] : ["custom"]) + (needs.standard ? ["standard"] : []))
            .joined(separator: ", ")
    }

    /// Returns the number of users that are read at a time: some megabytes, whatever is kept of each.
    static func batchSize(_ needs: AudienceNeeds) -> Int {
        let isShort = needs.custom.isEmpty && !needs.standard && needs.parts.isEmpty
        return isShort ? batchSize : largeBatchSize
    }

    func countAll() throws -> (found: Int64, asked: Int64) {
        try count { last in
            try connection.rows(
                "SELECT \(columns) FROM users WHERE id > $1 ORDER BY id LIMIT $2",
                [try last?.text("id") ?? "", batchSize]
            )
        }
    }

    func countSample(below rank: Int64) throws -> (found: Int64, asked: Int64) {
        try count { last in
            try connection.rows(
                """
                SELECT \(columns) FROM users WHERE (sample_rank, id) > ($1, $2) AND sample_rank < $3
                ORDER BY sample_rank, id LIMIT $4
                """,
                [try last?.integer("sample_rank") ?? -1, try last?.text("id") ?? "", rank, batchSize]
            )
        }
    }

    func count(among candidates: Set<UserID>) throws -> Int64 {
        let ids = candidates.map(\.rawValue).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var found: Int64 = 0
        for start in stride(from: 0, to: ids.count, by: batchSize) {
            let piece = Array(ids[start...].prefix(batchSize))
            let rows = try connection.rows("SELECT \(columns) FROM users WHERE id = ANY ($1)", [piece])
            found += try count(rows)
        }
        return found
    }

    private func count(
        _ nextBatch: (_ last: PostgresRow?) throws -> [PostgresRow]
    ) throws -> (found: Int64, asked: Int64) {
        var (found, asked): (Int64, Int64) = (0, 0)
        var last: PostgresRow?
        while true {
            let rows = try nextBatch(last)
            found += try count(rows)
            asked += Int64(rows.count)
            guard rows.count == batchSize else { return (found, asked) }
            last = rows.last
        }
    }

    private func count(_ rows: [PostgresRow]) throws -> Int64 {
        let others = try OtherTables(of: rows.map { try $0.text("id") }, question.needs, on: connection)
        return try rows.reduce(into: 0) { found, row in
            // One that can't be read keeps nobody from the others.
            guard let profile = try? profile(row) else { return }
            var facts = UserFacts(UserState(profile: profile), at: now, workspaceZone: workspaceZone)
            others.add(to: &facts)
            if try question.means(facts) { found += 1 }
        }
    }

    private func profile(_ row: PostgresRow) throws -> UserProfile {
        var profile = UserProfile(id: UserID(rawValue: try row.text("id")), createdAt: try row.double("created_at"))
        profile.firstSeenAt = try row.optionalDouble("first_seen_at")
        profile.lastSeenAt = try row.optionalDouble("last_seen_at")
        profile.device = DeviceContext(
            locale: try row.optionalText("locale"),
            timeZone: try row.optionalText("time_zone"),
            appVersion: try row.optionalText("app_version")
        )
        if !question.needs.custom.isEmpty, let custom = try row.optionalBytes("custom") {
            profile.custom = try StoredAttributes.custom(custom, named: question.needs.custom)
        }
        if question.needs.standard, let standard = try row.optionalText("standard") {
            profile.standard = try StoredAttributes.standard(JSONValue(parsing: standard))
        }
        return profile
    }
}

/// The values that are known of some users beside their own rows.
private struct OtherTables {
    private var histories: [UserID: UserHistory] = [:]
    private var deliveries: [UserID: [Delivery]] = [:]

    /// Reads what is needed and no more.
    init(of users: [String], _ needs: AudienceNeeds, on connection: PostgresConnection) throws {
        guard !users.isEmpty else { return }
        if !needs.parts.isDisjoint(with: .all) { try readHistories(of: users, needs, on: connection) }
        if needs.parts.contains(.contacts) { try readDeliveries(of: users, needs, on: connection) }
    }

    private mutating func readHistories(
        of users: [String],
        _ needs: AudienceNeeds,
        on connection: PostgresConnection
    ) throws {
        let parts = (0..<8).map { Int64(1) << $0 }.filter { Int64(needs.parts.rawValue) & $0 != 0 }
        let rows = try connection.rows(
            """
            SELECT * FROM histories WHERE user_id = ANY ($1) AND part = ANY ($2) AND (part <> $3 OR name = ANY ($4))
            """,
            [
                users, parts, Int64(UserHistory.Parts.events.rawValue),
                needs.events.sorted().map(\.text),
            ]
        )
        for row in rows {
            guard let (key, summary) = try? HistorySummary.stored(row) else { continue }
            histories[UserID(rawValue: try row.text("user_id")), default: UserHistory()].take(key, summary)
        }
    }

    private mutating func readDeliveries(
        of users: [String],
        _ needs: AudienceNeeds,
        on connection: PostgresConnection
    ) throws {
        let rows = try connection.rows(
            """
            SELECT user_id, campaign_id, variant_id, delivered_at, viewed, clicked, dismissed, viewed_at, clicked_at,
                dismissed_at
            FROM deliveries WHERE user_id = ANY ($1) AND campaign_id = ANY ($2)
            """,
            [users, needs.campaigns.sorted().map(\.rawValue)]
        )
        for row in rows {
            deliveries[UserID(rawValue: try row.text("user_id")), default: []].append(try Delivery(contact: row))
        }
    }

    func add(to facts: inout UserFacts) {
        let user = facts.profile.id
        if let history = histories[user] { facts.history = history }
        if let deliveries = deliveries[user] { facts.deliveries = deliveries }
    }
}

extension HistorySummary {
    /// Restores a summary, with what it is of, from its row.
    static func stored(_ row: PostgresRow) throws -> (key: HistoryKey, summary: HistorySummary) {
        let part = UserHistory.Parts(rawValue: UInt8(truncatingIfNeeded: try row.integer("part")))
        let summary = try row.withBytes("recent") { recent in
            try HistorySummary(
                of: part,
                count: try row.integer("count"),
                first: try row.double("first_at"),
                last: try row.double("last_at"),
                recent: recent,
                revenue: { try row.amount("revenue") }
            )
        }
        guard let summary else { throw StoreError.unreadable("a user's history") }
        return (HistoryKey(part, name: try row.text("name"), currency: try row.text("currency")), summary)
    }
}

extension Delivery {
    /// Restores what audiences ask of a card.
    fileprivate init(contact row: PostgresRow) throws {
        self.init(
            card: CardID(rawValue: ""),
            campaign: CampaignID(rawValue: try row.text("campaign_id")),
            ordinal: 0,
            variant: VariantID(rawValue: try row.text("variant_id")),
            deliveredAt: try row.double("delivered_at")
        )
        isViewed = try row.flag("viewed")
        isClicked = try row.flag("clicked")
        isDismissed = try row.flag("dismissed")
        lastViewedAt = try row.optionalDouble("viewed_at")
        lastClickedAt = try row.optionalDouble("clicked_at")
        dismissedAt = try row.optionalDouble("dismissed_at")
    }
}
