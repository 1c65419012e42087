import Statistics
import Testing
import WireJSON

@testable import CardModel

@Suite("Purchases that are counted for a conversion")
struct CountedPurchasesTests {
    private func purchase(
        _ number: Int,
        at time: UnixTime,
        _ amount: Amount = 1,
        card: String = "one"
    )
        -> CountedPurchases.CountedPurchase
    {
        CountedPurchases.CountedPurchase(
            id: EventID(high: 1, low: UInt64(number)),
            at: time,
            day: CountingDay(utc: Day(of: time), local: Day(of: time)),
            amount: amount,
            card: CardID(rawValue: card),
            variant: VariantID(rawValue: "a")
        )
    }

    private func event(_ number: Int, at time: UnixTime) -> DeviceEvent {
        DeviceEvent(id: EventID(high: 1, low: UInt64(number)), kind: .sessionStart, at: time)
    }

    @Test("A purchase is in the list until it is taken out, unless its time is final")
    func adding() {
        var counted = CountedPurchases.none
        counted.add(purchase(1, at: 10))
        counted.add(purchase(2, at: 5))
        #expect(counted.contains(EventID(high: 1, low: 1)) && counted.isComplete)
        #expect(counted.mayContain(event(2, at: 5)) && !counted.mayContain(event(3, at: 5)))
        counted.remove(purchase(1, at: 10))
        #expect(!counted.contains(EventID(high: 1, low: 1)) && counted.purchases.count == 1)
        var final = CountedPurchases(finalUntil: 10)
        final.add(purchase(1, at: 10))
        #expect(final.purchases.isEmpty && !final.isComplete)
        final.add(purchase(2, at: 10.001))
        #expect(final.purchases.map(\.at) == [10.001])
        // What is final may have been counted.
        #expect(final.mayContain(event(9, at: 10)) && !final.mayContain(event(9, at: 10.001)))
    }

    @Test("What nobody listed may hold anything, and takes nothing in")
    func unlisted() {
        var counted = CountedPurchases.unlisted
        counted.add(purchase(1, at: 1e12))
        #expect(counted.purchases.isEmpty && counted.mayContain(event(1, at: 1e15)) && !counted.isComplete)
        counted.unite(CountedPurchases([purchase(2, at: 1)]))
        #expect(counted == .unlisted)
        var known = CountedPurchases([purchase(2, at: 1)])
        known.unite(.unlisted)
        #expect(known == .unlisted)
    }

    @Test("A hundred are listed, and of more the oldest are final, all of one moment together")
    func trimming() {
        var counted = CountedPurchases((0..<100).map { purchase($0, at: Double($0)) })
        let whole = counted
        counted.trim()
        #expect(counted == whole)
        counted.add(purchase(100, at: 50.5))
        counted.trim()
        #expect(counted.finalUntil == 0 && counted.purchases.count == 100)
        #expect(!counted.contains(EventID(high: 1, low: 0)) && counted.contains(EventID(high: 1, low: 1)))
        // Ten at one moment, of which one is too much, are final together.
        var together = CountedPurchases((0..<101).map { purchase($0, at: $0 < 10 ? 5 : Double($0)) })
        together.trim()
        #expect(together.finalUntil == 5 && together.purchases.count == 91)
    }

    @Test("Another user's purchases are known by their ids and are nobody's here")
    func uniting() {
        func other(_ number: Int, at time: UnixTime) -> CountedPurchases.Other {
            CountedPurchases.Other(id: event(number, at: time).id, at: time)
        }
        var own = CountedPurchases([purchase(1, at: 10)], others: [other(2, at: 8)])
        own.unite(CountedPurchases([purchase(3, at: 9)], others: [other(4, at: 3)]))
        #expect(own.purchases.map(\.id.low) == [1])
        #expect(own.others.map(\.id.low) == [2, 3, 4])
        own.unite(CountedPurchases([purchase(5, at: 4)], finalUntil: 8))
        #expect(own.finalUntil == 8 && own.purchases.map(\.id.low) == [1] && own.others.map(\.id.low) == [3])
    }

    @Test("Merged users bring nothing that is final already, however many of them there are")
    func merges() {
        // What is final is later than all that merged users bring.
        var counted = CountedPurchases((0..<100).map { purchase($0, at: 1_000 + Double($0)) }, finalUntil: 500)
        for user in 1...5 {
            counted.unite(CountedPurchases((0..<100).map { purchase(user * 1_000 + $0, at: Double($0)) }))
        }
        #expect(counted.others.isEmpty && counted.purchases.count == 100 && counted.finalUntil == 500)
        // Lists that were kept with such purchases lose them as soon as they are too long.
        let others = (0..<50).map { CountedPurchases.Other(id: event(5_000 + $0, at: 5).id, at: 5) }
        var kept = CountedPurchases((0..<100).map { purchase($0, at: 10 + Double($0)) }, others: others, finalUntil: 6)
        kept.trim()
        #expect(kept.others.isEmpty && kept.purchases.count == 100 && kept.finalUntil == 6)
    }

    @Test(
        "Whatever is added, taken out and united, the lists stay within the limit and are later than what is final",
        arguments: 0..<20
    )
    func sequences(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var counted = CountedPurchases.none
        var last = -Double.infinity
        for number in 0..<600 {
            let time = Double(Int.random(in: 0...200, using: &random))
            switch Int.random(in: 0...9, using: &random) {
            case 0: if let some = counted.purchases.randomElement(using: &random) { counted.remove(some) }
            case 1: counted.unite(CountedPurchases([purchase(10_000 + number, at: time)]))
            default: counted.add(purchase(number, at: time))
            }
            counted.trim()
            #expect(counted.purchases.count + counted.others.count <= CountedPurchases.limit)
            #expect(counted.finalUntil >= last)
            last = counted.finalUntil
            #expect(counted.purchases.allSatisfy { $0.at > last } && counted.others.allSatisfy { $0.at > last })
        }
    }

    @Test("What was spent is the sum of what came and didn't go, and begins with the first", arguments: 0..<20)
    func spending(seed: Int) {
        var random = SplitMix(seed: UInt64(100 + seed))
        var spending = Spending.none
        var model: [CountedPurchases.CountedPurchase] = []
        for number in 0..<80 {
            if Int.random(in: 0...2, using: &random) == 0, let some = model.randomElement(using: &random) {
                spending.remove(some)
                model.removeAll { $0.id == some.id }
            } else {
                let cents = Int128(Int.random(in: -500...500, using: &random)) * 10_000_000
                let time = Double(Int.random(in: 1...50, using: &random)) + Double(number) / 1_000
                let new = purchase(number, at: time, Amount(billionths: cents))
                spending.add(new)
                model.append(new)
            }
            #expect(spending.amount == model.reduce(Amount.zero) { $0 + $1.amount })
            #expect(spending.purchases == Int64(model.count))
            #expect(spending.firstAt == model.map(\.at).min() ?? 0)
            #expect(spending.first?.id == model.min { $0.at < $1.at }?.id)
            #expect(spending.isEmpty == model.isEmpty)
        }
    }

    @Test("Where purchases are missing from the list, nobody says which was the first")
    func incomplete() {
        var spending = Spending(amount: 7, purchases: 3, firstAt: 4, counted: CountedPurchases(finalUntil: 10))
        spending.add(purchase(1, at: 20, 2))
        #expect(spending.amount == 9 && spending.purchases == 4 && spending.firstAt == 4 && spending.first == nil)
        spending.remove(purchase(1, at: 20, 2))
        #expect(spending.amount == 7 && spending.purchases == 3 && spending.firstAt == 4)
    }
}

@Suite("Marks of a card")
struct CardMarksTests {
    private let id = CardID(rawValue: "card")

    @Test("A mark is new once, whatever else was marked")
    func once() {
        for kinds in [
            [DeviceEvent.EventKind.impression(id), .click(id), .dismissal(id)],
            [.dismissal(id), .click(id), .impression(id)],
        ] {
            var marks = CardMarks()
            for kind in kinds {
                let (isNew, isNewAgain) = (marks.add(kind), marks.add(kind))
                #expect(isNew && !isNewAgain)
            }
            #expect(marks == CardMarks(isViewed: true, isClicked: true, isDismissed: true))
        }
    }

    @Test(
        "The time of a mark is the latest that was told, in whatever order",
        arguments: [[1, 2, 3], [3, 1, 2], [2, 2, 3, 3]]
    )
    func times(times: [UnixTime]) {
        for kind in [DeviceEvent.EventKind.impression(id), .click(id), .dismissal(id)] {
            var marks = CardMarks()
            var latest = -Double.infinity
            for time in times {
                let isLater = marks.add(kind, at: time)
                #expect(isLater == (time > latest))
                latest = max(latest, time)
            }
            let found = [marks.viewedAt, marks.clickedAt, marks.dismissedAt].compactMap(\.self)
            #expect(found == [3])
            #expect(!marks.isViewed && !marks.isClicked && !marks.isDismissed, "A time alone is no mark.")
        }
    }

    @Test("What isn't about a card marks nothing")
    func others() {
        var marks = CardMarks()
        let problem = DeviceEvent.ContentError(card: id, classType: nil, field: nil, message: "m")
        let kinds: [DeviceEvent.EventKind] = [
            .custom(name: "x"), .sessionStart, .contentError(problem), .attributes(AttributeChanges()),
            .purchase(DeviceEvent.Purchase(productID: "p", currency: "EUR", price: 1)),
        ]
        for kind in kinds {
            let (isNew, isLater) = (marks.add(kind), marks.add(kind, at: 5))
            #expect(!isNew && !isLater)
        }
        #expect(marks == CardMarks())
    }

    @Test("Counts of events go where they belong, and a dismissal counts once")
    func counts() {
        var counts = CampaignCounts()
        counts.count(.impression(id), isNew: true, isFirst: true)
        counts.count(.impression(id), isNew: false, isFirst: false)
        counts.count(.click(id), isNew: true, isFirst: false)
        counts.count(.dismissal(id), isNew: true, isFirst: true)
        counts.count(.dismissal(id), isNew: false, isFirst: false)
        let problem = DeviceEvent.ContentError(card: id, classType: nil, field: nil, message: "m")
        counts.count(.contentError(problem), isNew: false, isFirst: false)
        counts.count(.sessionStart, isNew: true, isFirst: true)
        var expected = CampaignCounts()
        (expected.impressions, expected.uniqueImpressions, expected.clicks) = (2, 1, 1)
        (expected.dismissals, expected.decodeErrors) = (1, 1)
        #expect(counts == expected)
    }
}
