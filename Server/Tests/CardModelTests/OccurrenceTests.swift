import Statistics
import Testing
import WireJSON

@testable import CardModel

@Suite("How often and when users did something")
struct OccurrenceTests {
    @Test("The count, the first and the last are of all, whatever their order", arguments: 0..<20)
    func all(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let times = (0..<Int.random(in: 1...300, using: &random)).map { _ in
            Double(Int.random(in: 0...1_000, using: &random)) / 4
        }
        var occurrences = Occurrences(at: times[0])
        for time in times.dropFirst() { occurrences.add(time, now: 1_000) }
        #expect(occurrences.count == Int64(times.count))
        #expect(occurrences.first == times.min() && occurrences.last == times.max())
        #expect(occurrences.recent == Array(times.sorted().suffix(Occurrences.recentLimit)))
    }

    @Test("Amounts stay beside their times, and the sum is of all", arguments: 0..<20)
    func amounts(seed: Int) {
        var random = SplitMix(seed: UInt64(100 + seed))
        // Times are apart, so that each amount has one place.
        let times = (0..<Int.random(in: 1...150, using: &random)).map(Double.init).shuffled(using: &random)
        func amount(_ time: UnixTime) -> Amount { Amount(billionths: Int128(time) + 1) }
        var record = PurchaseRecord(of: amount(times[0]), at: times[0])
        for time in times.dropFirst() { record.add(amount(time), at: time, now: 1_000) }
        #expect(record.revenue == times.reduce(Amount.zero) { $0 + amount($1) })
        #expect(record.recentAmounts == record.occurrences.recent.map(amount))
        #expect(record.recentAmounts.count == min(times.count, Occurrences.recentLimit))
    }

    @Test("Times are kept by milliseconds, and the first and the last as they were told")
    func milliseconds() {
        var occurrences = Occurrences(at: 1.000_4)
        #expect(occurrences.recent == [1] && occurrences.first == 1.000_4)
        occurrences.add(1.000_6, now: 10)
        #expect(occurrences.recent == [1, 1.001] && occurrences.last == 1.000_6)
    }

    @Test("What two did is as if one had done it, in whatever way it is divided", arguments: 0..<20)
    func merging(seed: Int) {
        var random = SplitMix(seed: UInt64(200 + seed))
        let times = (0..<Int.random(in: 2...250, using: &random)).map(Double.init).shuffled(using: &random)
        func amount(_ time: UnixTime) -> Amount { Amount(billionths: Int128(time) * 7) }
        func record(_ times: ArraySlice<UnixTime>) -> PurchaseRecord {
            var record = PurchaseRecord(of: amount(times[times.startIndex]), at: times[times.startIndex])
            for time in times.dropFirst() { record.add(amount(time), at: time, now: 1_000) }
            return record
        }
        let split = Int.random(in: 1..<times.count, using: &random)
        var (one, two) = (record(times[..<split]), record(times[split...]))
        let whole = record(times[...])
        let other = one
        one.merge(two, at: 1_000)
        two.merge(other, at: 1_000)
        #expect(one == whole && two == whole)
    }

    @Test("A history adds what users do and nothing of cards, and its revenue is by currency")
    func histories() {
        var history = UserHistory()
        #expect(history.isEmpty && history.revenue.isEmpty)
        func event(_ kind: DeviceEvent.EventKind, at time: UnixTime = 5) -> DeviceEvent {
            DeviceEvent(id: EventID(high: 0, low: 0), kind: kind, at: time)
        }
        func purchase(_ product: String, _ currency: String, _ price: Amount) -> DeviceEvent.EventKind {
            .purchase(DeviceEvent.Purchase(productID: product, currency: currency, price: price))
        }
        let card = CardID(rawValue: "c")
        let others: [DeviceEvent.EventKind] = [
            .impression(card), .click(card), .dismissal(card), .attributes(AttributeChanges()),
        ]
        for kind in others { history.add(event(kind)) }
        #expect(history.isEmpty)
        let purchases = [
            purchase("cup", "EUR", 5), purchase("cup", "EUR", 2), purchase("mug", "EUR", 1), purchase("cup", "USD", 9),
        ]
        for kind in purchases { history.add(event(kind)) }
        #expect(history.revenue == ["EUR": 8, "USD": 9] && history.purchases.count == 3)
        history.add(event(.custom(name: "caf\u{E9}")))
        history.add(event(.custom(name: "cafe\u{301}")))
        history.add(event(.custom(name: "caf\u{E9}"), at: 9))
        #expect(history.events.count == 2 && history.events["caf\u{E9}"]?.count == 2)
        history.add(event(.sessionStart))
        history.add(event(.sessionStart, at: 1))
        #expect(history.sessions == Occurrences(count: 2, first: 1, last: 5, recent: [1, 5]))
    }
}
