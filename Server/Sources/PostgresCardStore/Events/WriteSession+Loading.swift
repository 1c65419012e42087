import CardModel
import CardStore
import WireJSON

extension WriteSession {
    /// Loads the cards that events are about, as far as the user has them, test cards among them.
    func loadCards(of batch: EventBatch, into state: inout RecordingState) throws {
        let ids = state.cards.ids
        guard !ids.isEmpty else { return }
        for row in try connection.rows(SQL.card, [batch.user.rawValue, ids.map(\.rawValue).sorted()]) {
            let card = try row.recordedCard()
            state.cards[card.id] = card
        }
        let unknown = Set(ids.filter { state.cards[$0] == nil })
        guard !unknown.isEmpty else { return }
        for row in try connection.rows(SQL.testCards, [batch.user.rawValue]) {
            let test = try TestCard(row)
            if unknown.contains(test.card) { state.testCards[test.card] = test }
        }
    }

    /// Loads what the new events of a batch depend on.
    func load(_ plan: RecordingPlan, of batch: EventBatch, into state: inout RecordingState) throws {
        let user = batch.user
        for key in plan.histories where state.histories[key] == nil {
            state.histories[key] = HistoryRecord(try history(key, of: user))
        }
        if state.lacksHistory {
            let row = try connection.row(SQL.countHistory, [user.rawValue])
            state.historyCount = Int(clamping: try row?.integer("count") ?? 0)
        }
        if plan.needsProfile { state.profile = try profile(of: user)?.profile }
        for campaign in plan.campaigns { state.campaigns[campaign] = try cards(of: user, in: campaign) }
        for place in plan.conversions { state.conversions[place] = try conversions(at: place, of: user) }
        for place in plan.spending { state.spending[place] = try spending(at: place, of: user) }
        if let times = plan.log { state.logged = try loggedEvents(of: user, in: times) }
        for campaign in plan.waiting {
            state.waiting[campaign] = try waitingTriggers(of: user, in: campaign, at: batch.receivedAt)
        }
    }

    private func cards(of user: UserID, in campaign: CampaignID) throws -> [CampaignCard] {
        try connection.rows(SQL.campaignCards, [user.rawValue, campaign.rawValue]).map { row in
            CampaignCard(
                ConvertibleCard(
                    card: CardID(rawValue: try row.text("card_id")),
                    variant: VariantID(rawValue: try row.text("variant_id")),
                    deliveredAt: try row.double("delivered_at"),
                    firstViewedAt: try row.optionalDouble("first_viewed_at")
                ),
                isViewed: try row.flag("viewed"),
                isClicked: try row.flag("clicked"),
                end: try row.optionalText("ended").flatMap(Delivery.End.init)
            )
        }
    }

    private func history(_ key: HistoryKey, of user: UserID) throws -> HistorySummary? {
        try connection.row(SQL.history, [user.rawValue, Int64(key.part.rawValue), key.name, key.currency])?
            .history().1
    }

    // MARK: Conversions

    /// When each of the user's cards converted.
    private func conversions(at place: ConversionPlace, of user: UserID) throws -> [CardID: CountedConversion] {
        var times: [CardID: CountedConversion] = [:]
        for row in try connection.rows(SQL.conversions, place.values(of: user)) {
            times[CardID(rawValue: try row.text("card_id"))] = try CountedConversion(row)
        }
        return times
    }

    /// What the user spent, by currency.
    private func spending(at place: ConversionPlace, of user: UserID) throws -> [ByteString: Spending] {
        var spending: [ByteString: Spending] = [:]
        for row in try connection.rows(SQL.spending, place.values(of: user)) {
            spending[ByteString(try row.text("currency"))] = try Spending(row)
        }
        return spending
    }

    /// The custom events, purchases and session starts of a user that happened in that time, of the newest by their ids.
    private func loggedEvents(of user: UserID, in times: Range<UnixTime>) throws -> [DeviceEvent] {
        var events = try connection.rows(SQL.loggedEvents, [user.rawValue, times.lowerBound, times.upperBound])
            .compactMap { try $0.loggedEvent() }
        for case let entry? in pending.events
        where entry.user == user && times.contains(entry.event.at) && entry.event.kind.isLoggedHistory {
            events.append(entry.event)
        }
        return events
    }

    // MARK: Triggers

    private func waitingTriggers(
        of user: UserID,
        in campaign: CampaignID,
        at now: UnixTime
    ) throws -> WaitingTriggers {
        let key: [any PostgresEncodable] = [user.rawValue, campaign.rawValue]
        return WaitingTriggers(
            own: try connection.rows(SQL.waitingTriggers, key).map(WaitingTriggers.Element.init),
            broadcasts: try connection.rows(SQL.openBroadcasts, key + [now]).map(WaitingTriggers.Element.init)
        )
    }
}

extension ConversionPlace {
    /// The first three parameters of statements about a user's conversions.
    func values(of user: UserID) -> [any PostgresEncodable] { [user.rawValue, campaign.rawValue, conversion] }
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

extension DeviceEvent.Kind {
    /// Whether a user's history has such events.
    fileprivate var isLoggedHistory: Bool { HistoryKey(self) != nil }
}

extension PostgresRow {
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

    /// Reads an event of the log, or returns `nil` where conversions don't depend on such an event.
    func loggedEvent() throws -> DeviceEvent? {
        guard let id = EventID(bytes: try bytes("id")) else { return nil }
        let details = try optionalText("details").flatMap { try? JSONValue(parsing: $0) }
        return DeviceEvent(id, logged: try text("type"), at: try double("at"), details ?? .null)
    }
}
