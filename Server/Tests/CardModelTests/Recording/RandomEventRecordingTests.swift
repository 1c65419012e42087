import Statistics
import Testing
import WireJSON

@testable import CardModel

@Suite("Recording random events")
struct RandomEventRecordingTests {
    @Test("However events are cut into batches, what is kept is what follows from all of them", arguments: 0..<150)
    func recounts(seed: Int) throws {
        var world = try EventWorld(seed: UInt64(seed))
        for _ in 0..<12 { world.step() }
        world.checkMarks()
        world.checkCounts()
        world.checkHistory()
        world.checkConversions()
    }
}

/// A user, some cards, random events about them, and all that was accepted.
private struct EventWorld {
    var random: SplitMix
    var recorder = Recorder()
    var store = NaiveEventStore()
    var sent: [DeviceEvent] = []
    let campaign: Campaign
    let nameLimit = 4

    init(seed: UInt64) throws {
        random = SplitMix(seed: seed)
        var campaign = try Sample.launched("sale")
        campaign.content.conversions = [
            Campaign.Conversion(
                id: "seen",
                goal: .event(EventCondition(.event("buy"))),
                window: 300,
                opening: .impression
            ),
            Campaign.Conversion(
                id: "paid",
                goal: .event(EventCondition(.purchase(product: nil))),
                window: 300,
                opening: .impression
            ),
            Campaign.Conversion(id: "back", goal: .sessionStart, window: 200, opening: .delivery),
        ]
        self.campaign = campaign
        recorder.conversions = ConversionRules([campaign])
        recorder.limits.eventNames = nameLimit
        for index in 0..<3 {
            store.give("card-\(index)", of: "sale", variant: "v\(index % 2)", at: Double(index) * 300)
        }
        store.give("other", of: "news", at: 0)
    }

    // MARK: What happens

    mutating func step() {
        var events = (0..<Int.random(in: 1..<8, using: &random)).map { _ in event() }
        if let old = sent.randomElement(using: &random) { events.append(old) }
        sent += events
        let before = store.version
        let writes = store.record(events, with: &recorder)
        let receipt = writes.outcome.receipt
        #expect(receipt.accepted + receipt.duplicate + receipt.rejected.count == events.count)
        #expect(writes.outcome.versionBefore == before && store.version - before <= 1)
    }

    private mutating func event() -> DeviceEvent {
        let card = CardID(
            rawValue: ["card-0", "card-1", "card-2", "other", "unknown"].randomElement(using: &random) ?? ""
        )
        let kinds: [DeviceEvent.EventKind] = [
            .impression(card), .impression(card), .impression(card), .click(card), .dismissal(card), .sessionStart,
            .custom(name: "buy"), .custom(name: "buy"),
            .custom(name: ByteString("name-\(Int.random(in: 0..<5, using: &random))")), .purchase(purchase()),
            .purchase(purchase()),
        ]
        return DeviceEvent(
            id: EventID(high: random.next(), low: random.next()),
            kind: kinds.randomElement(using: &random) ?? .sessionStart,
            // Each at its own time, so that no order among equal times matters.
            at: Double(Int.random(in: 0..<1_200, using: &random)) + Double(sent.count) / 1_024
                + Double(Int.random(in: 0..<1_000, using: &random)) / 1_048_576
        )
    }

    private mutating func purchase() -> DeviceEvent.Purchase {
        DeviceEvent.Purchase(
            productID: "p",
            currency: Bool.random(using: &random) ? "USD" : "JPY",
            price: Amount(billionths: Int128(Int.random(in: 1..<200, using: &random)) * 500_000_000)
        )
    }

    // MARK: What follows

    private func events(_ id: CardID, _ matches: (DeviceEvent.EventKind) -> Bool) -> [UnixTime] {
        store.log.filter { $0.kind.card == id && matches($0.kind) }.map(\.at)
    }

    private func isImpression(_ kind: DeviceEvent.EventKind) -> Bool { kind.name == "impression" }
    private func isClick(_ kind: DeviceEvent.EventKind) -> Bool { kind.name == "click" }
    private func isDismissal(_ kind: DeviceEvent.EventKind) -> Bool { kind.name == "dismissal" }

    func checkMarks() {
        for card in store.cards.values {
            let (views, clicks) = (events(card.id, isImpression), events(card.id, isClick))
            let dismissals = events(card.id, isDismissal)
            #expect(
                card.marks
                    == CardMarks(
                        isViewed: !views.isEmpty,
                        isClicked: !clicks.isEmpty,
                        isDismissed: !dismissals.isEmpty,
                        viewedAt: views.max(),
                        clickedAt: clicks.max(),
                        dismissedAt: dismissals.max()
                    )
            )
            #expect(card.firstViewedAt == views.min())
        }
    }

    func checkCounts() {
        for id in ["sale", "news"].map(CampaignID.init(rawValue:)) {
            let cards = store.cards.values.filter { $0.campaign == id }
            let counts = recorder.counts.variants.filter { $0.key.campaign == id }.values
                .reduce(into: CampaignCounts()) { $0 += $1 }
            var expected = CampaignCounts()
            for card in cards {
                expected.impressions += Int64(events(card.id, isImpression).count)
                expected.clicks += Int64(events(card.id, isClick).count)
                expected.dismissals += card.marks.isDismissed ? 1 : 0
            }
            expected.uniqueImpressions = expected.impressions > 0 ? 1 : 0
            expected.uniqueClicks = expected.clicks > 0 ? 1 : 0
            #expect(counts == expected)
        }
    }

    func checkHistory() {
        var history = UserHistory()
        for event in store.log { history.add(event) }
        #expect(history.events.count + history.purchases.count <= nameLimit)
        var kept = UserHistory()
        for (key, summary) in store.histories { kept.add(key, summary) }
        #expect(kept == history)
    }

    func checkConversions() {
        let cards = (store.delivered[campaign.id] ?? []).map { card in
            var card = card
            card.firstViewedAt = store.cards[card.card]?.firstViewedAt
            return card
        }
        for conversion in campaign.content.conversions {
            var times: [CardID: UnixTime] = [:]
            var spent: [ByteString: [(at: UnixTime, amount: Amount)]] = [:]
            for event in store.log
            where recorder.conversions.matches(event).contains(where: { $0.conversion == conversion }) {
                let given = cards.filter { $0.deliveredAt <= event.at }
                guard let card = given.max(by: { $0.deliveredAt < $1.deliveredAt }),
                    conversion.covers(event.at, of: card)
                else { continue }
                times[card.card] = min(times[card.card] ?? .infinity, event.at)
                guard case .purchase(let purchase) = event.kind else { continue }
                spent[ByteString(purchase.currency), default: []].append((event.at, purchase.amount))
            }
            check(conversion, times)
            check(conversion, spent)
        }
    }

    private func check(_ conversion: Campaign.Conversion, _ times: [CardID: UnixTime]) {
        let place = ConversionPlace(campaign: campaign.id, conversion: conversion.id)
        #expect((store.conversions[place] ?? [:]).mapValues(\.at) == times)
        let counts = recorder.counts.conversions.filter { $0.key.conversion == conversion.id }.values
            .reduce(into: ConversionCounts()) { $0 += $1 }
        #expect(counts.conversions == Int64(times.count) && counts.uniqueConversions == (times.isEmpty ? 0 : 1))
    }

    private func check(_ conversion: Campaign.Conversion, _ spent: [ByteString: [(at: UnixTime, amount: Amount)]]) {
        let place = ConversionPlace(campaign: campaign.id, conversion: conversion.id)
        #expect(store.spending[place]?.count ?? 0 == spent.count)
        for (currency, purchases) in spent {
            let amount = purchases.reduce(Amount.zero) { $0 + $1.amount }
            let spending = store.spending[place]?[currency]
            #expect(spending?.amount == amount && spending?.purchases == Int64(purchases.count))
            let counts = recorder.counts.amounts
                .filter { $0.key.conversion.conversion == conversion.id && $0.key.currency == currency.text }.values
                .reduce(into: AmountCounts()) { $0 += $1 }
            #expect(counts.purchases == Int64(purchases.count) && counts.buyers == 1 && counts.amount == amount)
            #expect(abs(counts.squares - amount.double * amount.double) < 0.001)
        }
    }
}

extension UserHistory {
    fileprivate mutating func add(_ key: HistoryKey, _ summary: HistorySummary) {
        switch summary {
        case .purchases(let record): purchases[Product(id: key.name, currency: key.currency)] = record
        case .occurrences(let occurrences) where key.part == .sessions: sessions = occurrences
        case .occurrences(let occurrences): events[ByteString(key.name)] = occurrences
        }
    }
}
