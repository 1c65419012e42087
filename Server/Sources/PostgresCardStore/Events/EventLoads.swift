import CardModel
import CardStore

/// The rows that a batch of events depends on as far as its events say so: more than is needed where some are known
/// already.
///
/// It is read in one go, for all batches of a group, so that most need nothing more.
struct EventLoads {
    /// The ids of the events that are in the log.
    private(set) var known: Set<EventID> = []
    /// The cards that events are about.
    private(set) var cards: [RecordedCard] = []
    /// All cards of the user, of the campaigns of those.
    private(set) var campaigns: [CampaignID: [CampaignCard]] = [:]
    /// The records of the user's history that events add to; those that aren't stored are missing.
    private(set) var histories: [HistoryKey: HistorySummary] = [:]
    /// The keys of the records that were asked for.
    private let keys: Set<HistoryKey>

    /// Returns what is to be read for a batch.
    ///
    /// - Parameters:
    ///   - batch: The batch.
    ///   - isSharded: Whether the user may have come from another database.
    /// - Returns: The statements.
    static func queries(for batch: EventBatch, isSharded: Bool) -> [PostgresQuery] {
        let user = batch.user.rawValue
        let known = isSharded ? SQL.knownEventsOfShard : SQL.knownEvents
        var queries = [PostgresQuery(known, [user, batch.events.map(\.id.bytes)])]
        let cards = EventCards(batch.events).ids.map(\.rawValue)
        if !cards.isEmpty { queries.append(PostgresQuery(SQL.cards, [user, cards])) }
        let keys = Array(keys(of: batch))
        if !keys.isEmpty { queries.append(.histories(keys, of: batch.user)) }
        return queries
    }

    private static func keys(of batch: EventBatch) -> Set<HistoryKey> {
        Set(batch.events.compactMap { HistoryKey($0.kind) })
    }

    /// Reads the rows of ``queries(for:isSharded:)``.
    init(_ rows: [[PostgresRow]], of batch: EventBatch) throws {
        var rest = rows.makeIterator()
        keys = Self.keys(of: batch)
        known = try Set((rest.next() ?? []).compactMap { EventID(bytes: try $0.bytes("id")) })
        if batch.events.contains(where: { $0.kind.card != nil }) {
            for row in rest.next() ?? [] { try add(row) }
        }
        if !keys.isEmpty { try PostgresQuery.read(rest.next() ?? [], into: &histories) }
    }

    private mutating func add(_ row: PostgresRow) throws {
        let card = try row.recordedCard()
        if try row.flag("is_named") { cards.append(card) }
        campaigns[card.campaign, default: []].append(try row.campaignCard())
    }

    /// Whether a record of the history was asked for.
    func covers(_ key: HistoryKey) -> Bool { keys.contains(key) }
}

extension PostgresQuery {
    /// Reads some records of a user's history.
    static func histories(_ keys: [HistoryKey], of user: UserID) -> PostgresQuery {
        let parts = keys.map { Int64($0.part.rawValue) }
        return PostgresQuery(
            SQL.namedHistories,
            [user.rawValue, parts, keys.map(\.name), keys.map(\.currency)]
        )
    }

    /// Reads the rows of ``histories(_:of:)``.
    static func read(_ rows: [PostgresRow], into histories: inout [HistoryKey: HistorySummary]) throws {
        for row in rows {
            let (key, summary) = try row.history()
            histories[key] = summary
        }
    }
}

extension PostgresRow {
    /// Reads a card that events are about.
    fileprivate func recordedCard() throws -> RecordedCard {
        RecordedCard(
            id: CardID(rawValue: try text("card_id")),
            campaign: CampaignID(rawValue: try text("campaign_id")),
            variant: VariantID(rawValue: try text("variant_id")),
            marks: CardMarks(
                isViewed: try flag("viewed"),
                isClicked: try flag("clicked"),
                isDismissed: try flag("dismissed"),
                viewedAt: try optionalDouble("viewed_at"),
                clickedAt: try optionalDouble("clicked_at"),
                dismissedAt: try optionalDouble("dismissed_at")
            ),
            firstViewedAt: try optionalDouble("first_viewed_at")
        )
    }

    /// Reads a card as one of its campaign's.
    func campaignCard() throws -> CampaignCard {
        CampaignCard(
            ConvertibleCard(
                card: CardID(rawValue: try text("card_id")),
                variant: VariantID(rawValue: try text("variant_id")),
                deliveredAt: try double("delivered_at"),
                firstViewedAt: try optionalDouble("first_viewed_at")
            ),
            isViewed: try flag("viewed"),
            isClicked: try flag("clicked"),
            end: try optionalText("ended").flatMap(Delivery.End.init)
        )
    }
}
