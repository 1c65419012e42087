import CardModel
import CardStore
import Simulation
import Testing

/// Checks of conversions that come in any order, and of the users that they are compared with.
enum ConversionOrderChecks {
    static let checks: [ConformanceCheck] = [allocations, days] + orders

    private static let orders: [ConformanceCheck] = (1...8).map { seed in
        ConformanceCheck("Whatever arrives first, what is counted is what happened in order of time (\(seed))") {
            try await anyOrder($0, seed: seed)
        }
    }

    private static func anyOrder(_ stores: any StoreFactory, seed: UInt64) async throws {
        var random = SeededRandom(seed: seed, "conversions")
        let opening: Campaign.Conversion.Opening = seed.isMultiple(of: 2) ? .impression : .delivery
        var events: [DeviceEvent] = []
        for number in 1...24 {
            let time = noon + 39_000 + Double(Int.random(in: 0...12_000, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                events.append(
                    .impression(UInt64(number), of: "card-\(Int.random(in: 1...2, using: &random))", at: time)
                )
            case 1: events.append(ConversionChecks.signup(UInt64(number), plan: "pro", at: time))
            case 2: events.append(DeviceEvent(UInt64(number), .sessionStart, at: time))
            default:
                let price = Amount(billionths: Int128.random(in: 1...5_000, using: &random) * 10_000_000)
                events.append(ConversionChecks.purchase(UInt64(number), price, at: time))
            }
        }
        var outcomes: [[String]] = []
        for order in [events.sorted { $0.at < $1.at }, events.shuffled(using: &random)] {
            try await stores.withStore { store in
                try await store.launch(ConversionChecks.campaign(from: opening))
                try await store.give("card-1", at: noon + 39_000)
                try await store.give("card-2", at: noon + 44_000)
                for event in order { try await store.record([event], at: noon + 60_000) }
                outcomes.append(try await ConversionChecks.counted(store))
            }
        }
        #expect(outcomes[0] == outcomes[1])
    }

    static let allocations = ConformanceCheck(
        "Users are counted by the weights that divided them, with their first card only"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            let even = VariantAllocation([VariantID(rawValue: "a"): 1, VariantID(rawValue: "control"): 1])
            let uneven = VariantAllocation([VariantID(rawValue: "a"): 9, VariantID(rawValue: "control"): 1])
            func give(
                _ user: String,
                _ variant: String,
                ordinal: Int = 0,
                by allocation: VariantAllocation
            ) async throws {
                let id = UserID(rawValue: user)
                let delivery = Delivery(
                    card: CardID(rawValue: "\(user)-\(ordinal)"),
                    campaign: CampaignID(rawValue: "sale"),
                    ordinal: ordinal,
                    variant: VariantID(rawValue: variant),
                    deliveredAt: noon
                )
                var change = FeedChange(
                    user: id,
                    version: try await store.userRevision(of: id)?.version ?? 0,
                    additions: [delivery],
                    endings: [:],
                    at: noon
                )
                change.allocations = [delivery.campaign: allocation]
                #expect(try await store.saveFeed(change) != nil)
            }
            try await give("u1", "a", by: even)
            try await give("u2", "control", by: even)
            try await give("u3", "a", by: even)
            try await give("u4", "a", by: uneven)
            try await give("u4", "a", ordinal: 1, by: uneven)

            let rows = try await ConversionChecks.report(store).allocations

            #expect(
                rows.map { "\($0.allocation.text) \($0.variant.rawValue) \($0.users)" } == [
                    "a:1,control:1 a 2", "a:1,control:1 control 1", "a:9,control:1 a 1",
                ]
            )
            #expect(rows.first?.allocation == even)
        }
    }

    static let days = ConformanceCheck(
        "Conversions count on the days on which they happened"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(ConversionChecks.campaign())
            let late = noon + 12 * 3_600 - 60
            try await store.give("card-1", at: late)

            try await store.record([
                ConversionChecks.signup(1, plan: "pro", at: late + 30), ConversionChecks.purchase(2, at: late + 90),
            ])

            let report = try await ConversionChecks.report(store)
            #expect(
                report.conversions.map { "\($0.conversion) \($0.day.utc)" }.sorted() == [
                    "bought 2026-11-22", "signup 2026-11-21",
                ]
            )
            #expect(report.amounts.map(\.day.utc.description) == ["2026-11-22"])
        }
    }
}
