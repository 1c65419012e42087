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

    /// Notes when a card was first seen, and counts what had arrived before the impression and is now within a window.
    func noteFirstView(of card: inout CardOfBatch, at time: UnixTime, by user: UserID) throws {
        let former = card.firstViewedAt ?? .greatestFiniteMagnitude
        guard time < former else { return }
        card.firstViewedAt = time
        card.isTouched = true
        let rules = try currentConversionRules()
        guard rules.countsFromImpression(card.campaign) else { return }
        // The rest of the batch may be conversions, so this cannot wait for its end.
        try touch(card, of: user)
        // From the former opening on, events were looked at when they arrived.
        for event in try loggedEvents(of: user, from: time, until: former) {
            for match in rules.matches(event, afterImpressionOf: card.campaign) { try convert(event, of: user, match) }
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
        let key = GroupChanges.ConversionKey(
            campaign: match.campaign,
            variant: card.variant,
            day: try day(of: event.at),
            conversion: match.conversion.id
        )
        let isFirst = try !hasConverted(user, to: key)
        if try insertConversion(of: card.card, by: user, to: key, at: event.at) {
            changes.conversions[key, default: ConversionCounts()].conversions += 1
            if isFirst { changes.conversions[key, default: ConversionCounts()].uniqueConversions += 1 }
        }
        guard case .purchase(let purchase) = event.kind else { return }
        try count(purchase, of: user, to: key)
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

    /// Whether any of the user's cards of the campaign has that conversion.
    private func hasConverted(_ user: UserID, to key: GroupChanges.ConversionKey) throws -> Bool {
        try statements.conversion.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, key.campaign.rawValue)
            statement.bind(3, key.conversion)
            return try statement.step()
        }
    }

    /// Keeps a conversion of a card, or returns `false` where the card has it.
    private func insertConversion(
        of card: CardID,
        by user: UserID,
        to key: GroupChanges.ConversionKey,
        at time: UnixTime
    ) throws -> Bool {
        try statements.insertConversion.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, key.campaign.rawValue)
            statement.bind(3, key.conversion)
            statement.bind(4, card.rawValue)
            statement.bind(5, time)
            return try statement.run() > 0
        }
    }

    private func count(
        _ purchase: DeviceEvent.Purchase,
        of user: UserID,
        to key: GroupChanges.ConversionKey
    ) throws {
        let amount = purchase.price * Double(purchase.quantity)
        func bind(_ statement: PreparedStatement) {
            statement.bind(1, user.rawValue)
            statement.bind(2, key.campaign.rawValue)
            statement.bind(3, key.conversion)
            statement.bind(4, purchase.currency)
        }
        let before: Double? = try statements.spending.use { statement in
            bind(statement)
            return try statement.step() ? statement.double(0) : nil
        }
        try statements.addSpending.use { statement in
            bind(statement)
            statement.bind(5, amount)
            try statement.run()
        }
        let spent = before ?? 0
        let amountKey = GroupChanges.AmountKey(conversion: key, currency: purchase.currency)
        changes.amounts[amountKey, default: AmountCounts()] += AmountCounts(
            purchases: 1,
            buyers: before == nil ? 1 : 0,
            amount: amount,
            // What (spent + amount)² is more than spent², without the digits that subtracting would lose.
            squares: amount * (2 * spent + amount)
        )
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
        for (key, counts) in changes.conversions {
            try statements.addConversions.use { statement in
                bind(statement, key)
                statement.bind(6, counts.conversions)
                statement.bind(7, counts.uniqueConversions)
                try statement.run()
            }
        }
        for (key, counts) in changes.amounts {
            try statements.addAmounts.use { statement in
                bind(statement, key.conversion)
                statement.bind(6, key.currency)
                statement.bind(7, counts.purchases)
                statement.bind(8, counts.buyers)
                statement.bind(9, counts.amount)
                statement.bind(10, counts.squares)
                try statement.run()
            }
        }
        for (key, users) in changes.divided {
            try statements.addDivision.use { statement in
                statement.bind(1, key.campaign.rawValue)
                statement.bind(2, key.weights)
                statement.bind(3, key.variant.rawValue)
                statement.bind(4, users)
                try statement.run()
            }
        }
    }

    private func bind(_ statement: PreparedStatement, _ key: GroupChanges.ConversionKey) {
        statement.bind(1, key.campaign.rawValue)
        statement.bind(2, Int64(key.day.utc.number))
        statement.bind(3, Int64(key.day.local.number))
        statement.bind(4, key.variant.rawValue)
        statement.bind(5, key.conversion)
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

extension GroupChanges {
    struct ConversionKey: Hashable, Sendable {
        let campaign: CampaignID
        let variant: VariantID
        let day: CountingDay
        let conversion: String
    }

    struct AmountKey: Hashable, Sendable {
        let conversion: ConversionKey
        let currency: String
    }

    struct DivisionKey: Hashable, Sendable {
        let campaign: CampaignID
        let weights: String
        let variant: VariantID
    }

    /// Notes that a user was given their first card of a campaign whose users are divided so.
    mutating func divide(_ delivery: Delivery, by division: Division) {
        let key = DivisionKey(campaign: delivery.campaign, weights: division.text, variant: delivery.variant)
        divided[key, default: 0] += 1
    }
}

extension DeviceEvent {
    /// Restores what conversions ask of an event from the log, or returns `nil` where it is about a card.
    ///
    /// Its id is of no use any more and is not restored.
    fileprivate init?(logged type: String, at time: UnixTime, _ details: JSONValue) {
        let kind: Kind
        switch type {
        case "custom": kind = .custom(name: details["name"]?.string ?? "")
        case "session_start": kind = .sessionStart
        case "purchase":
            kind = .purchase(
                Purchase(
                    productID: details["product_id"]?.string ?? "",
                    currency: details["currency"]?.string ?? "",
                    price: details["price"]?.double ?? 0,
                    quantity: details["quantity"]?.integer ?? 1
                )
            )
        default: return nil
        }
        self.init(id: EventID(high: 0, low: 0), kind: kind, at: time, properties: details["properties"]?.bytes)
    }
}
