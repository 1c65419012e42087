import Foundation
import Statistics
import Testing

@testable import CardModel

@Suite("What conversions cost")
struct ConversionLoadTests {
    /// What this thread has had of the processor, so that it doesn't count what else the machine does.
    private func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test(
        "Impressions that come late for hundreds of cards are counted in one pass, whatever their number",
        .timeLimit(.minutes(20))
    )
    func recount() throws {
        var campaign = try Sample.launched("sale")
        campaign.content.conversions = (1...4).map { number in
            Campaign.Conversion(
                id: "paid-\(number)",
                goal: .event(EventCondition(.purchase(product: nil))),
                window: Double(number) * 1_000_000,
                opening: .impression
            )
        }
        var (store, recorder) = (NaiveEventStore(), Recorder())
        recorder.conversions = ConversionRules([campaign])
        for number in 0..<2_000 { store.give("card-\(number)", of: "sale", at: Double(number)) }
        store.log = (0..<2_000).map { number in
            let purchase = DeviceEvent.Purchase(productID: "p", currency: "USD", price: Amount(billionths: 1))
            return DeviceEvent(
                id: EventID(high: 2, low: UInt64(number)),
                kind: .purchase(purchase),
                at: Double(number) + 0.5
            )
        }
        let impressions = (0..<500).map { number in
            let card = CardID(rawValue: "card-\(number * 4)")
            return DeviceEvent(
                id: EventID(high: 1, low: UInt64(number)),
                kind: .impression(card),
                at: Double(number * 4)
            )
        }
        let start = threadSeconds()
        let writes = store.record(impressions, with: &recorder)
        #expect(threadSeconds() - start < 120)
        // Each of these cards was the last at one of the purchases.
        #expect(writes.conversions.count == 4 * 500)
        let counts = recorder.counts.conversions.values.reduce(into: ConversionCounts()) { $0 += $1 }
        #expect(counts.conversions == 4 * 500 && counts.uniqueConversions == 4)
    }

    @Test("The last card that had been given by a moment is found as by looking at all of them", arguments: 0..<50)
    func timeline(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let cards = (0..<Int.random(in: 0...12, using: &random)).map { number in
            ConvertibleCard(
                card: CardID(rawValue: "\(number)"),
                variant: VariantID(rawValue: "a"),
                deliveredAt: Double(Int.random(in: 0...8, using: &random)),
                firstViewedAt: nil
            )
        }
        let timeline = CardTimeline(cards)
        for half in -2...20 {
            let time = Double(half) / 2
            let last = cards.filter { $0.deliveredAt <= time }.max { $0.deliveredAt < $1.deliveredAt }
            #expect(timeline.last(givenBy: time).map { cards[$0] } == last)
        }
    }
}
