import CardModel
import CardStore
import GRDB
import WireJSON

extension WriteSession {
    /// Counts the conversions that an event is, which was just added to the log.
    func convert(_ event: DeviceEvent, of user: UserID) throws {
        guard event.kind.card == nil else { return }
        for match in try currentConversionRules().matches(event) { try convert(event, of: user, match) }
    }

    /// Notes when a card was first seen, and counts again what an impression that came late puts into or out of a window.
    func noteFirstView(of card: inout CardOfBatch, at time: UnixTime, by user: UserID) throws {
        let former = card.firstViewedAt
        guard time < former ?? .greatestFiniteMagnitude else { return }
        card.firstViewedAt = time
        card.isTouched = true
        let rules = try currentConversionRules()
        let matches = rules.openedByImpression(of: card.campaign)
        guard !matches.isEmpty else { return }
        let cards = try convertibleCards(of: user, in: card.campaign)
        // The rest of the batch may be conversions, so this cannot wait for its end.
        try touch(card, of: user)
        guard let known = cards.first(where: { $0.card == card.id }) else { return }
        let longest = matches.map(\.conversion.window).max() ?? 0
        let events = try loggedEvents(of: user, from: time, until: (former ?? time) + longest)
        for match in matches {
            let recount = ConversionRecount(
                of: match.conversion,
                by: known,
                seenAt: time,
                among: cards,
                events: events.filter { rules.matches($0).contains(match) }
            )
            try apply(recount, to: known, among: cards, of: user, match)
        }
    }

    private func apply(
        _ recount: ConversionRecount,
        to card: ConvertibleCard,
        among cards: [ConvertibleCard],
        of user: UserID,
        _ match: ConversionRules.Match
    ) throws {
        let place = ConversionPlace(user: user, campaign: match.campaign, conversion: match.conversion.id)
        try setConversion(of: card, to: recount.convertedAt, among: cards, at: place)
        for event in recount.removed {
            guard case .purchase(let purchase) = event.kind else { continue }
            let rest = recount.counted.first { $0.purchase?.currency == purchase.currency }?.at
            try forget(purchase, at: event.at, of: card, firstOfRest: rest, at: place)
        }
        for event in recount.added {
            if case .purchase(let purchase) = event.kind { try count(purchase, at: event.at, of: card, at: place) }
        }
    }

    /// The conversions of the campaigns as they are in this transaction.
    private func currentConversionRules() throws -> ConversionRules {
        guard changes.readsConversionRules else { return conversionRules.rules }
        changes.readsConversionRules = false
        let generation = try statements.generation.use { try $0.step() ? $0.integer(0) : 0 }
        if generation != conversionRules.generation {
            let known = KnownCampaigns(conversionRules.campaigns)
            let campaigns = try known.fetch(SQL.convertingCampaigns, from: database)
            conversionRules = KnownConversionRules(generation: generation, campaigns: campaigns)
        }
        return conversionRules.rules
    }

    private func convert(_ event: DeviceEvent, of user: UserID, _ match: ConversionRules.Match) throws {
        let cards = try convertibleCards(of: user, in: match.campaign)
        guard let card = match.conversion.card(for: event.at, among: cards) else { return }
        let place = ConversionPlace(user: user, campaign: match.campaign, conversion: match.conversion.id)
        let known = try conversions(at: place)[card.card]
        if event.at < known ?? .infinity { try setConversion(of: card, to: event.at, among: cards, at: place) }
        if case .purchase(let purchase) = event.kind { try count(purchase, at: event.at, of: card, at: place) }
    }

    /// Sets when a card converted, or that it did not, and counts the difference.
    ///
    /// A user's unique conversion is the first of all cards.
    private func setConversion(
        of card: ConvertibleCard,
        to time: UnixTime?,
        among cards: [ConvertibleCard],
        at place: ConversionPlace
    ) throws {
        let before = try conversions(at: place)
        guard before[card.card] != time else { return }
        var after = before
        after[card.card] = time
        func key(_ card: CardID, _ time: UnixTime) throws -> RecordedCounts.ConversionKey {
            let variant = cards.first { $0.card == card }?.variant
            return try self.key(place, variant ?? VariantID(rawValue: ""), at: time)
        }
        for (times, change) in [(before, -1), (after, 1)] as [([CardID: UnixTime], Int64)] {
            if let time = times[card.card] {
                // safe: one up or down
                recorder.counts.conversions[try key(card.card, time), default: ConversionCounts()].conversions +=
                    change
            }
            if let first = times.min(by: { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }) {
                // safe: one up or down
                recorder.counts.conversions[try key(first.key, first.value), default: ConversionCounts()]
                    .uniqueConversions += change
            }
        }
        try write(time, of: card.card, at: place)
    }

    func key(
        _ place: ConversionPlace,
        _ variant: VariantID,
        at time: UnixTime
    ) throws -> RecordedCounts.ConversionKey {
        RecordedCounts.ConversionKey(
            campaign: place.campaign,
            variant: variant,
            day: try day(of: time),
            conversion: place.conversion
        )
    }

    // MARK: Rows

    private func convertibleCards(of user: UserID, in campaign: CampaignID) throws -> [ConvertibleCard] {
        try statements.convertibleCards.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, campaign.rawValue)
            var cards: [ConvertibleCard] = []
            while try statement.step() {
                cards.append(
                    ConvertibleCard(
                        card: CardID(rawValue: statement.text(0)),
                        variant: VariantID(rawValue: statement.text(1)),
                        deliveredAt: statement.double(2),
                        firstViewedAt: statement.optionalDouble(3)
                    )
                )
            }
            return cards
        }
    }

    /// When each of the user's cards converted.
    private func conversions(at place: ConversionPlace) throws -> [CardID: UnixTime] {
        try statements.conversions.use { statement in
            statement.bind(place)
            var times: [CardID: UnixTime] = [:]
            while try statement.step() { times[CardID(rawValue: statement.text(0))] = statement.double(1) }
            return times
        }
    }

    private func write(_ time: UnixTime?, of card: CardID, at place: ConversionPlace) throws {
        let statement = time == nil ? statements.deleteConversion : statements.setConversion
        try statement.use { statement in
            statement.bind(place)
            statement.bind(4, card.rawValue)
            if let time { statement.bind(5, time) }
            try statement.run()
        }
    }

    /// The custom events, purchases and session starts of a user that happened in that time, in its order.
    private func loggedEvents(of user: UserID, from start: UnixTime, until end: UnixTime) throws -> [DeviceEvent] {
        try statements.loggedEvents.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, start)
            statement.bind(3, end)
            var events: [DeviceEvent] = []
            while try statement.step() {
                let details = statement.optionalText(2).flatMap { try? JSONValue(parsing: $0) }
                if let event = DeviceEvent(logged: statement.text(0), at: statement.double(1), details ?? .null) {
                    events.append(event)
                }
            }
            return events.sorted { $0.at < $1.at }
        }
    }

    /// Lets the conversions of cards that were moved to another user go with them.
    func moveConversions(_ names: StatementArguments) throws {
        for table in ["conversions", "spending"] {
            try database.execute(
                sql: """
                    UPDATE OR IGNORE \(table) SET user_id = :new
                    WHERE user_id = :old
                        AND campaign_id NOT IN (SELECT campaign_id FROM \(table) WHERE user_id = :new)
                    """,
                arguments: names
            )
        }
    }

    // MARK: The end of a group

    func flushConversions() throws {
        for (key, counts) in recorder.counts.conversions {
            try statements.addConversions.use { statement in
                bind(statement, key)
                statement.bind(6, counts.conversions)
                statement.bind(7, counts.uniqueConversions)
                try statement.run()
            }
        }
        for (key, counts) in recorder.counts.amounts {
            let amount = try countedAmount(of: key) + counts.amount
            try statements.addAmounts.use { statement in
                bind(statement, key.conversion)
                statement.bind(6, key.currency)
                statement.bind(7, counts.purchases)
                statement.bind(8, counts.buyers)
                statement.bind(9, amount)
                statement.bind(10, counts.squares)
                try statement.run()
            }
        }
        for (key, users) in recorder.counts.divisions {
            try statements.addDivision.use { statement in
                statement.bind(1, key.campaign.rawValue)
                statement.bind(2, key.weights)
                statement.bind(3, key.variant.rawValue)
                statement.bind(4, users)
                try statement.run()
            }
        }
    }

    /// What was counted before: the database adds in binary fractions and 64 bits, so amounts are added here.
    private func countedAmount(of key: RecordedCounts.AmountKey) throws -> Amount {
        try statements.countedAmount.use { statement in
            bind(statement, key.conversion)
            statement.bind(6, key.currency)
            return try statement.step() ? try statement.amount(0) : .zero
        }
    }

    private func bind(_ statement: PreparedStatement, _ key: RecordedCounts.ConversionKey) {
        statement.bind(1, key.campaign.rawValue)
        statement.bind(2, Int64(key.day.utc.number))
        statement.bind(3, Int64(key.day.local.number))
        statement.bind(4, key.variant.rawValue)
        statement.bind(5, key.conversion)
    }
}

/// One conversion of a campaign, of one user.
struct ConversionPlace {
    let user: UserID
    let campaign: CampaignID
    let conversion: String
}

extension PreparedStatement {
    /// Binds the first three parameters.
    func bind(_ place: ConversionPlace) {
        bind(1, place.user.rawValue)
        bind(2, place.campaign.rawValue)
        bind(3, place.conversion)
    }
}

/// The campaigns' conversions, kept for as long as the catalog stays at its generation.
struct KnownConversionRules {
    let generation: CatalogGeneration
    /// Those that have any.
    let campaigns: [Campaign]
    let rules: ConversionRules

    init(generation: CatalogGeneration = -1, campaigns: [Campaign] = []) {
        self.generation = generation
        self.campaigns = campaigns
        rules = campaigns.isEmpty ? .none : ConversionRules(campaigns)
    }
}

extension DeviceEvent {
    /// What was bought, or `nil` where it is no purchase.
    fileprivate var purchase: Purchase? {
        if case .purchase(let purchase) = kind { purchase } else { nil }
    }

    /// Restores what conversions ask of an event from the log, or returns `nil` where it is about a card.
    ///
    /// Its id is of no use any more and is not restored.
    fileprivate init?(logged type: String, at time: UnixTime, _ details: JSONValue) {
        let kind: Kind
        switch type {
        case "custom": kind = .custom(name: ByteString(details["name"]?.string ?? ""))
        case "session_start": kind = .sessionStart
        case "purchase":
            kind = .purchase(
                Purchase(
                    productID: details["product_id"]?.string ?? "",
                    currency: details["currency"]?.string ?? "",
                    price: details["price"]?.roundedDecimal ?? 0,
                    quantity: details["quantity"]?.integer ?? 1
                )
            )
        default: return nil
        }
        self.init(id: EventID(high: 0, low: 0), kind: kind, at: time, properties: details["properties"]?.bytes)
    }
}
