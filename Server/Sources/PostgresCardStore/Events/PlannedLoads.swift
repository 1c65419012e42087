import CardModel
import CardStore
import WireJSON

/// The rows that a plan names beside those that its batch's events name themselves; read in one go.
struct PlannedLoads {
    private let histories: [HistoryKey]
    private let needsProfile: Bool
    private let campaigns: [CampaignID]
    private let conversions: [ConversionPlace]
    private let spending: [ConversionPlace]
    private let waiting: [CampaignID]
    private let needsWaitingCount: Bool
    private let needsHistoryCount: Bool
    private let log: Range<UnixTime>?
    private let user: UserID
    private let time: UnixTime
    private let isSharded: Bool

    /// Finds what is missing; `isSharded` says whether the user may have come from another database.
    init(_ plan: RecordingPlan, beside loads: EventLoads, of batch: EventBatch, isSharded: Bool) {
        self.isSharded = isSharded
        histories = Array(Set(plan.histories.filter { !loads.covers($0) }))
        needsProfile = plan.needsProfile
        campaigns = plan.campaigns.filter { loads.campaigns[$0] == nil }
        (conversions, spending) = (Array(plan.conversions), Array(plan.spending))
        waiting = Array(plan.waiting)
        needsWaitingCount = plan.needsWaitingCount
        needsHistoryCount = plan.histories.contains { $0.part != .sessions && loads.histories[$0] == nil }
        log = plan.log
        (user, time) = (batch.user, batch.receivedAt)
    }

    /// The statements, in the order in which ``read(_:into:)`` takes their rows.
    var queries: [PostgresQuery] {
        var queries = histories.isEmpty ? [] : [PostgresQuery.histories(histories, of: user)]
        if needsProfile { queries.append(PostgresQuery(SQL.user, [user.rawValue])) }
        queries += campaigns.map { PostgresQuery(SQL.campaignCards, [user.rawValue, $0.rawValue]) }
        queries += conversions.map { PostgresQuery(SQL.conversions, $0.values(of: user)) }
        queries += spending.map { PostgresQuery(SQL.spending, $0.values(of: user)) }
        for campaign in waiting {
            let key: [any PostgresEncodable] = [user.rawValue, campaign.rawValue]
            queries.append(PostgresQuery(SQL.waitingTriggers, key))
            queries.append(PostgresQuery(SQL.openBroadcasts, key + [time]))
        }
        if needsWaitingCount { queries.append(PostgresQuery(SQL.waitingCount, [user.rawValue])) }
        if needsHistoryCount { queries.append(PostgresQuery(SQL.countHistory, [user.rawValue])) }
        if let log {
            let sql = isSharded ? SQL.loggedEventsOfShard : SQL.loggedEvents
            queries.append(PostgresQuery(sql, [user.rawValue, log.lowerBound, log.upperBound]))
        }
        return queries
    }

    /// Reads the rows of ``queries``.
    func read(_ rows: [[PostgresRow]], into state: inout RecordingState) throws {
        var rest = rows.makeIterator()
        func next() -> [PostgresRow] { rest.next() ?? [] }
        if !histories.isEmpty {
            var found: [HistoryKey: HistorySummary] = [:]
            try PostgresQuery.read(next(), into: &found)
            for key in histories { state.histories[key] = HistoryRecord(found[key]) }
        }
        if needsProfile { state.profile = try next().first?.profile(of: user) }
        for campaign in campaigns { state.campaigns[campaign] = try next().map { try $0.campaignCard() } }
        for place in conversions { state.conversions[place] = try Self.conversions(next()) }
        for place in spending { state.spending[place] = try Self.spending(next()) }
        for campaign in waiting {
            let own = try next().map(WaitingTriggers.Element.init)
            state.waiting[campaign] = WaitingTriggers(
                own: own,
                broadcasts: try next().map(WaitingTriggers.Element.init)
            )
        }
        if needsWaitingCount { state.waitingLoad = try next().first?.triggerLoad() ?? Trigger.TriggerLoad() }
        if needsHistoryCount { state.historyCount = try Self.count(next()) }
        if log != nil { state.logged = try next().compactMap { try $0.loggedEvent() } }
    }

    /// The number in the only row.
    private static func count(_ rows: [PostgresRow]) throws -> Int {
        Int(clamping: try rows.first?.integer("count") ?? 0)
    }

    /// Returns the times at which the user's cards converted.
    private static func conversions(_ rows: [PostgresRow]) throws -> [CardID: CountedConversion] {
        var times: [CardID: CountedConversion] = [:]
        for row in rows { times[CardID(rawValue: try row.text("card_id"))] = try CountedConversion(row) }
        return times
    }

    /// Returns the amounts that the user spent, by currency.
    private static func spending(_ rows: [PostgresRow]) throws -> [ByteString: Spending] {
        var spending: [ByteString: Spending] = [:]
        for row in rows { spending[ByteString(try row.text("currency"))] = try Spending(row) }
        return spending
    }
}

extension WaitingTriggers.Element {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            id: TriggerID(rawValue: try row.text("trigger_id")),
            at: try row.double("at"),
            due: PlannedTime(try row.double("due_at"), isLocal: try row.flag("due_locally")),
            until: try row.double("until")
        )
    }
}
