import CardModel
import CardStore
import WireJSON

extension WriteSession {
    /// Loads the cards that events are about, as far as the user has them, test cards among them.
    func loadCards(of batch: EventBatch, into state: inout RecordingState) throws {
        var unknown: Set<CardID> = []
        for id in state.cards.ids {
            let card = try card(id, of: batch.user)
            state.cards[id] = card
            if card == nil { unknown.insert(id) }
        }
        guard !unknown.isEmpty else { return }
        for test in try TestCardRow.all(of: batch.user, in: database) where unknown.contains(test.card) {
            state.testCards[test.card] = test
        }
    }

    /// Loads what the new events of a batch depend on.
    func load(_ plan: RecordingPlan, of batch: EventBatch, into state: inout RecordingState) throws {
        let user = batch.user
        for key in plan.histories where state.histories[key] == nil {
            state.histories[key] = HistoryRecord(try history(key, of: user))
        }
        if state.lacksHistory { state.historyCount = try historyCount(of: user) }
        if plan.needsProfile { state.profile = try profile(of: user)?.profile }
        for campaign in plan.campaigns { state.campaigns[campaign] = try cards(of: user, in: campaign) }
        for place in plan.conversions { state.conversions[place] = try conversions(at: place, of: user) }
        for place in plan.spending { state.spending[place] = try spending(at: place, of: user) }
        if plan.needsWaitingCount { state.waitingLoad = try waitingLoad(of: user) }
        if let times = plan.log { state.logged = try loggedEvents(of: user, in: times) }
        for campaign in plan.waiting {
            state.waiting[campaign] = try waitingTriggers(of: user, in: campaign, at: batch.receivedAt)
        }
    }

    // MARK: Cards

    private func card(_ id: CardID, of user: UserID) throws -> RecordedCard? {
        try statements.card.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, id.rawValue)
            guard try statement.step() else { return nil }
            return RecordedCard(
                id: id,
                campaign: CampaignID(rawValue: statement.text(0)),
                variant: VariantID(rawValue: statement.text(1)),
                marks: CardMarks(
                    isViewed: statement.bool(2),
                    isClicked: statement.bool(3),
                    isDismissed: statement.bool(4),
                    viewedAt: statement.optionalDouble(5),
                    clickedAt: statement.optionalDouble(6),
                    dismissedAt: statement.optionalDouble(7)
                ),
                firstViewedAt: statement.optionalDouble(8)
            )
        }
    }

    private func cards(of user: UserID, in campaign: CampaignID) throws -> [CampaignCard] {
        try statements.campaignCards.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, campaign.rawValue)
            var cards: [CampaignCard] = []
            while try statement.step() {
                let convertible = ConvertibleCard(
                    card: CardID(rawValue: statement.text(0)),
                    variant: VariantID(rawValue: statement.text(1)),
                    deliveredAt: statement.double(2),
                    firstViewedAt: statement.optionalDouble(3)
                )
                cards.append(
                    CampaignCard(
                        convertible,
                        isViewed: statement.bool(4),
                        isClicked: statement.bool(5),
                        end: statement.optionalText(6).flatMap(Delivery.End.init)
                    )
                )
            }
            return cards
        }
    }

    // MARK: History

    private func history(_ key: HistoryKey, of user: UserID) throws -> HistorySummary? {
        try statements.history.use { statement in
            statement.bind(key, of: user)
            guard try statement.step() else { return nil }
            return try statement.historySummary(of: key.part, from: 0)
        }
    }

    private func historyCount(of user: UserID) throws -> Int {
        try statements.countHistory.use { statement in
            statement.bind(1, user.rawValue)
            return try statement.step() ? Int(clamping: statement.integer(0)) : 0
        }
    }

    // MARK: Conversions

    /// Returns the times at which the user's cards converted.
    private func conversions(at place: ConversionPlace, of user: UserID) throws -> [CardID: CountedConversion] {
        try statements.conversions.use { statement in
            statement.bind(place, of: user)
            var times: [CardID: CountedConversion] = [:]
            while try statement.step() {
                times[CardID(rawValue: statement.text(0))] = CountedConversion(
                    at: statement.double(1),
                    localDay: statement.isNull(2) ? nil : Int32(exactly: statement.integer(2)).map(Day.init(number:))
                )
            }
            return times
        }
    }

    /// Returns the amounts that the user spent, by currency.
    private func spending(at place: ConversionPlace, of user: UserID) throws -> [ByteString: Spending] {
        try statements.spending.use { statement in
            statement.bind(place, of: user)
            var spending: [ByteString: Spending] = [:]
            while try statement.step() {
                spending[ByteString(statement.text(0))] = Spending(
                    amount: try statement.amount(1),
                    purchases: statement.integer(2),
                    firstAt: statement.double(3),
                    counted: try CountedPurchases(stored: statement.optionalText(4))
                )
            }
            return spending
        }
    }

    /// The custom events, purchases and session starts of a user that happened in that time, of the newest by their
    /// ids.
    private func loggedEvents(of user: UserID, in times: Range<UnixTime>) throws -> [DeviceEvent] {
        var newest = NewestEvents()
        for log in try [user] + formerIDs(of: user) { try add(eventsInLogOf: log, in: times, to: &newest) }
        return newest.events
    }

    private func add(
        eventsInLogOf log: UserID,
        in times: Range<UnixTime>,
        to newest: inout NewestEvents
    ) throws {
        try statements.loggedEvents.use { statement in
            statement.bind(1, log.rawValue)
            var bytes = 0
            while try statement.step() {
                let details = statement.optionalText(3)
                bytes += details?.utf8.count ?? 0
                guard bytes <= RecordingState.loggedBytes else { break }
                guard let id = statement.withBlob(0, EventID.init(bytes:)) else { continue }
                let event = times.contains(statement.double(2)) ? statement.loggedEvent(details) : nil
                newest.add(id, event, bytes: details?.utf8.count ?? 0)
            }
        }
    }

    // MARK: Triggers

    private func waitingLoad(of user: UserID) throws -> Trigger.TriggerLoad {
        try statements.waitingCount.use { statement in
            statement.bind(1, user.rawValue)
            return try statement.triggerLoad()
        }
    }

    private func waitingTriggers(
        of user: UserID,
        in campaign: CampaignID,
        at now: UnixTime
    ) throws -> WaitingTriggers {
        func elements(_ statement: PreparedStatement) throws -> [WaitingTriggers.Element] {
            statement.bind(1, user.rawValue)
            statement.bind(2, campaign.rawValue)
            var elements: [WaitingTriggers.Element] = []
            while try statement.step() {
                let due = PlannedTime(statement.double(2), isLocal: statement.bool(3))
                let id = TriggerID(rawValue: statement.text(0))
                elements.append(.init(id: id, at: statement.double(1), due: due, until: statement.double(4)))
            }
            return elements
        }
        return WaitingTriggers(
            own: try statements.waitingTriggers.use(elements),
            broadcasts: try statements.openBroadcasts.use { statement in
                statement.bind(3, now)
                return try elements(statement)
            }
        )
    }
}

extension PreparedStatement {
    /// Binds the first three parameters.
    func bind(_ place: ConversionPlace, of user: UserID) {
        bind(1, user.rawValue)
        bind(2, place.campaign.rawValue)
        bind(3, place.conversion)
    }
}
