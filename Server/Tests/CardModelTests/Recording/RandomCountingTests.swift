import Statistics
import Testing
import WireJSON

@testable import CardModel

@Suite("Counting while everything changes")
struct RandomCountingTests {
    @Test(
        "Whatever is edited, archived and joined, the counts are those of the users, and none is below zero",
        arguments: 0..<400
    )
    func invariant(seed: Int) throws {
        var world = try CountingWorld(seed: UInt64(seed))
        for _ in 0..<40 {
            world.step()
            world.check()
        }
    }

    @Test("A purchase that wasn't counted isn't taken off when the window moves")
    func uncounted() throws {
        var world = try CountingWorld(seed: 0)
        world.store.give("card", of: "sale", at: 0)
        let view = DeviceEvent(id: EventID(high: 1, low: 1), kind: .impression(CardID(rawValue: "card")), at: 300)
        world.record([view])
        world.recorder.conversions = .none
        world.record([world.purchase(2, 1_000, at: 590)])
        world.recorder.conversions = world.rules
        world.record([world.purchase(3, 10, at: 400), world.purchase(4, 10, at: 410)])
        #expect(world.total() == 20)
        let earlier = DeviceEvent(id: EventID(high: 1, low: 5), kind: .impression(CardID(rawValue: "card")), at: 200)
        world.record([earlier])
        #expect(world.total() == 20)
        world.check()
    }

    @Test("Beyond the limit the oldest purchases are final, and neither go nor count again")
    func bound() throws {
        var world = try CountingWorld(seed: 0)
        world.store.give("card", of: "sale", at: 0)
        let card = CardID(rawValue: "card")
        world.record([DeviceEvent(id: EventID(high: 1, low: 1), kind: .impression(card), at: 300)])
        for number in 0..<UInt64(CountedPurchases.limit + 20) {
            world.record([world.purchase(number + 2, 1, at: 300 + Double(number) * 2)])
        }
        let place = ConversionPlace(campaign: CampaignID(rawValue: "sale"), conversion: "paid")
        let spending = try #require(world.store.spending[place]?["USD"])
        #expect(spending.counted.purchases.count == CountedPurchases.limit && spending.counted.finalUntil == 338)
        #expect(spending.purchases == 120 && spending.firstAt == 300)
        // The window is from 210 to 510 by now, and 15 of the purchases are behind it.
        world.record([DeviceEvent(id: EventID(high: 1, low: 500), kind: .impression(card), at: 210)])
        #expect(world.total() == 105)
        #expect(world.recorder.counts.amounts.values.reduce(0) { $0 + $1.buyers } == 1)
    }

    @Test("Of rows that listed nothing, nothing is taken off")
    func unlisted() throws {
        var world = try CountingWorld(seed: 0)
        world.store.give("card", of: "sale", at: 0)
        let card = CardID(rawValue: "card")
        world.record([DeviceEvent(id: EventID(high: 1, low: 1), kind: .impression(card), at: 300)])
        let place = ConversionPlace(campaign: CampaignID(rawValue: "sale"), conversion: "paid")
        world.record([world.purchase(2, 5, at: 590)])
        world.store.spending[place] = [
            "USD": Spending(amount: 5, purchases: 1, firstAt: 590, counted: .unlisted)
        ]
        world.record([DeviceEvent(id: EventID(high: 1, low: 3), kind: .impression(card), at: 200)])
        world.record([world.purchase(4, 7, at: 250)])
        #expect(world.total() == 12 && world.store.spending[place]?["USD"]?.counted == .unlisted)
        #expect(world.recorder.counts.amounts.values.reduce(0) { $0 + $1.buyers } == 1)
    }
}

/// Two users who may become one, a campaign that is edited and archived, and what is left of its counts.
private struct CountingWorld {
    struct Cell: Hashable {
        let conversion: String
        let variant: VariantID
        let day: CountingDay
        var currency = ""
    }

    var random: SplitMix
    var recorder = Recorder()
    /// The users: the guest, who may be merged into the other one.
    var stores = [NaiveEventStore(), NaiveEventStore()]
    /// What stays counted although no user has it any more.
    var left: [Cell: AmountCounts] = [:]
    var leftConversions: [Cell: ConversionCounts] = [:]
    var variants: [CardID: VariantID] = [:]
    var campaign: Campaign
    var rules: ConversionRules
    var number: UInt64 = 0

    var store: NaiveEventStore {
        get { stores[0] }
        set { stores[0] = newValue }
    }

    init(seed: UInt64) throws {
        random = SplitMix(seed: seed)
        campaign = try Sample.launched("sale")
        campaign.content.conversions = [
            Campaign.Conversion(
                id: "paid",
                goal: .event(EventCondition(.purchase(product: nil))),
                window: 300,
                opening: .impression
            ),
            Campaign.Conversion(id: "back", goal: .sessionStart, window: 400, opening: .impression),
        ]
        rules = ConversionRules([campaign])
        recorder.conversions = rules
    }

    // MARK: What happens

    mutating func record(_ events: [DeviceEvent], by user: Int = 0) {
        _ = stores[user].record(events, with: &recorder)
    }

    mutating func step() {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: edit()
        case 1: recorder.conversions = .none
        case 2, 3: recorder.conversions = rules
        case 4:
            recorder.calendar.follow(zone: ["UTC", "Asia/Tokyo", "America/Lima"].randomElement(using: &random) ?? "")
        case 5 where stores.count > 1 && number > 40: merge()
        case 6, 7: give()
        default:
            let user = Int.random(in: 0..<stores.count, using: &random)
            record((0..<Int.random(in: 1..<5, using: &random)).map { _ in event(of: user) }, by: user)
        }
    }

    private mutating func edit() {
        let goals: [Campaign.Conversion.Goal] = [
            .event(EventCondition(.purchase(product: nil))), .event(EventCondition(.purchase(product: "p"))),
            .event(EventCondition(.event("buy"))), .sessionStart,
        ]
        for index in campaign.content.conversions.indices {
            campaign.content.conversions[index].window = Double(Int.random(in: 50..<600, using: &random))
            campaign.content.conversions[index].opening =
                Int.random(in: 0..<4, using: &random) == 0 ? .delivery : .impression
            if Bool.random(using: &random) {
                campaign.content.conversions[index].goal = goals.randomElement(using: &random) ?? .sessionStart
            }
        }
        rules = ConversionRules([campaign])
        recorder.conversions = rules
    }

    private mutating func give() {
        let user = Int.random(in: 0..<stores.count, using: &random)
        number += 1
        let (id, variant) = ("card-\(number)", Bool.random(using: &random) ? "a" : "b")
        guard variants.count < 4 else { return }
        stores[user].give(id, of: "sale", variant: variant, at: Double(Int.random(in: 85_700..<86_900, using: &random)))
        variants[CardID(rawValue: id)] = VariantID(rawValue: variant)
    }

    private mutating func event(of user: Int) -> DeviceEvent {
        number += 1
        let time = 85_800 + Double(Int.random(in: 0..<1_200, using: &random)) + Double(number) / 1_024
        let cards = stores[user].cards.keys.sorted()
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return DeviceEvent(id: EventID(high: 1, low: number), kind: .sessionStart, at: time)
        case 1: return DeviceEvent(id: EventID(high: 1, low: number), kind: .custom(name: "buy"), at: time)
        case 2, 3:
            guard let card = cards.randomElement(using: &random) else { fallthrough }
            return DeviceEvent(id: EventID(high: 1, low: number), kind: .impression(card), at: time)
        default:
            let price = Amount(billionths: Int128(Int.random(in: 1..<200, using: &random)) * 500_000_000)
            return purchase(number, price, at: time, currency: Bool.random(using: &random) ? "USD" : "JPY")
        }
    }

    func purchase(_ number: UInt64, _ price: Amount, at time: UnixTime, currency: String = "USD") -> DeviceEvent {
        let purchase = DeviceEvent.Purchase(productID: number % 2 == 0 ? "p" : "q", currency: currency, price: price)
        return DeviceEvent(id: EventID(high: 1, low: number), kind: .purchase(purchase), at: time)
    }

    // MARK: Merging

    private mutating func merge() {
        let (guest, ann) = (stores[0], stores[1])
        let decision = recorder.merge(
            MergeState(user: account(guest), identity: account(ann)),
            into: UserID(rawValue: "ann"),
            at: 10_000
        )
        guard case .accepted(let writes) = decision else { return }
        let isCardLost = !ann.cards.isEmpty
        var merged = ann
        for row in writes.conversions { merged.conversions[row.place, default: [:]][row.card] = row.counted }
        for row in writes.spending { merged.spending[row.place, default: [:]][row.currency] = row.spending }
        if !isCardLost {
            merged.cards = guest.cards
            merged.delivered = guest.delivered
        }
        let known = Set(ann.log.map(\.id))
        merged.log += guest.log.filter { !known.contains($0.id) }
        // What was counted of cards that are gone stays.
        for (place, times) in guest.conversions where isCardLost {
            for (cell, counts) in conversionCells(place, times) { leftConversions[cell, default: .init()] += counts }
        }
        for (place, spent) in guest.spending where isCardLost {
            for (currency, spending) in spent {
                for (cell, counts) in cells(place, currency, spending) { left[cell, default: .init()] += counts }
            }
        }
        stores = [merged]
    }

    private func account(_ store: NaiveEventStore) -> MergeState.Account {
        var account = MergeState.Account(store.profile, version: store.version)
        account.histories = store.histories
        account.campaigns = store.cards.isEmpty ? [] : [campaign.id]
        account.conversions = store.conversions.filter { !$0.value.isEmpty }
        for (place, spent) in store.spending {
            for (currency, row) in spent { account.spending[SpendingPlace(place: place, currency: currency)] = row }
        }
        return account
    }

    // MARK: What follows

    private func cell(_ place: ConversionPlace, _ card: CardID, _ counted: CountedConversion) -> Cell {
        Cell(
            conversion: place.conversion,
            variant: variants[card] ?? VariantID(rawValue: "a"),
            day: CountingDay(utc: Day(of: counted.at), local: counted.localDay ?? Day(of: counted.at))
        )
    }

    private func first(of place: ConversionPlace, _ times: [CardID: CountedConversion]) -> Cell? {
        let first = times.min { ($0.value.at, $0.key) < ($1.value.at, $1.key) }
        return first.map { cell(place, $0.key, $0.value) }
    }

    private func conversionCells(
        _ place: ConversionPlace,
        _ times: [CardID: CountedConversion]
    ) -> [Cell: ConversionCounts] {
        var cells: [Cell: ConversionCounts] = [:]
        for (card, counted) in times { cells[cell(place, card, counted), default: .init()].conversions += 1 }
        if let first = first(of: place, times) { cells[first, default: .init()].uniqueConversions += 1 }
        return cells
    }

    private func cells(_ place: ConversionPlace, _ currency: ByteString, _ spending: Spending) -> [Cell: AmountCounts] {
        var cells: [Cell: AmountCounts] = [:]
        func cell(_ purchase: CountedPurchases.CountedPurchase) -> Cell {
            Cell(
                conversion: place.conversion,
                variant: purchase.variant,
                day: purchase.day,
                currency: currency.text
            )
        }
        for purchase in spending.counted.purchases {
            cells[cell(purchase), default: .init()] += AmountCounts(purchases: 1, amount: purchase.amount)
        }
        if let first = spending.first { cells[cell(first), default: .init()].buyers += 1 }
        #expect(spending.purchases == Int64(spending.counted.purchases.count))
        #expect(spending.amount == spending.counted.purchases.reduce(Amount.zero) { $0 + $1.amount })
        #expect(spending.firstAt == spending.first?.at ?? 0)
        return cells
    }

    func total() -> Amount { recorder.counts.amounts.values.reduce(.zero) { $0 + $1.amount } }

    func check() {
        var conversions = leftConversions
        var amounts = left
        for store in stores {
            for (place, times) in store.conversions {
                for (cell, counts) in conversionCells(place, times) { conversions[cell, default: .init()] += counts }
            }
            for (place, spent) in store.spending {
                for (currency, spending) in spent {
                    for (cell, counts) in cells(place, currency, spending) { amounts[cell, default: .init()] += counts }
                }
            }
        }
        var counted: [Cell: ConversionCounts] = [:]
        for (key, counts) in recorder.counts.conversions {
            #expect(counts.conversions >= 0 && counts.uniqueConversions >= 0)
            counted[Cell(conversion: key.conversion, variant: key.variant, day: key.day)] = counts
        }
        #expect(
            counted.filter { $0.value != ConversionCounts() } == conversions.filter { $0.value != ConversionCounts() }
        )
        var spent: [Cell: AmountCounts] = [:]
        for (key, var counts) in recorder.counts.amounts {
            #expect(counts.purchases >= 0 && counts.buyers >= 0 && counts.amount >= 0)
            counts.squares = 0
            let name = key.conversion
            spent[Cell(conversion: name.conversion, variant: name.variant, day: name.day, currency: key.currency)] =
                counts
        }
        #expect(spent.filter { $0.value != AmountCounts() } == amounts.filter { $0.value != AmountCounts() })
    }
}
