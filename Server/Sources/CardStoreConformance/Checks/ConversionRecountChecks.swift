import CardModel
import CardStore
import Testing

/// Checks of purchases that a moving window takes off and adds: each only where it had been counted, or had not.
enum ConversionRecountChecks {
    static let checks: [ConformanceCheck] = [
        edited, archived, joined, bothHaveCards, zone, bounded, bytes, batch,
    ]

    private static let guest = UserID(rawValue: "unidentified-9")

    /// The conversions, unique conversions, purchases, buyers and amount, after checking that nothing is below zero.
    private static func counted(_ store: any CardStore) async throws -> String {
        let report = try await ConversionChecks.report(store)
        #expect(report.conversions.allSatisfy { $0.counts.conversions >= 0 && $0.counts.uniqueConversions >= 0 })
        for counts in report.amounts.map(\.counts) {
            #expect(counts.purchases >= 0 && counts.buyers >= 0 && counts.amount >= 0 && counts.squares >= 0)
        }
        let conversions = report.conversions("bought", of: VariantID(rawValue: "a"))
        let spent = report.amounts("bought", of: VariantID(rawValue: "a"))["EUR"] ?? AmountCounts()
        return
            "\(conversions.conversions) \(conversions.uniqueConversions) \(spent.purchases) "
            + "\(spent.buyers) \(spent.amount)"
    }

    private static func apply(
        _ transition: Campaign.Transition,
        to campaign: Campaign,
        in store: any CardStore
    ) async throws -> Campaign {
        try await store.updateCampaign(
            campaign.applying(transition, at: noon),
            from: campaign.version,
            action: "campaign.\(transition.name)",
            by: command
        )
    }

    private static func update(_ campaign: Campaign, to content: Campaign.Content, in store: any CardStore) async throws
    {
        _ = try await store.updateCampaign(
            campaign.updating(content, at: noon),
            from: campaign.version,
            action: "campaign.update",
            by: command
        )
    }

    static let edited = ConformanceCheck(
        "What was bought before there was a conversion is not taken off when the window moves"
    ) { stores in
        try await stores.withStore { store in
            let content = try ConversionChecks.campaign(from: .impression).content
            let campaign = try await store.launch(.sample())
            try await store.give("card-1")
            try await store.record([
                .impression(1, at: noon + 600), ConversionChecks.purchase(2, 1_000, at: noon + 3_900),
            ])
            try await update(campaign, to: content, in: store)
            try await store.record([
                ConversionChecks.purchase(3, at: noon + 700), ConversionChecks.purchase(4, at: noon + 710),
            ])
            #expect(try await counted(store) == "1 1 2 1 20")
            try await store.record([.impression(5, at: noon + 10)])
            #expect(try await counted(store) == "1 1 2 1 20")
        }
    }

    static let archived = ConformanceCheck(
        "What was bought while the campaign was archived is not taken off, and counts where the window takes it in"
    ) { stores in
        try await stores.withStore { store in
            var campaign = try await store.launch(ConversionChecks.campaign(from: .impression))
            try await store.give("card-1")
            try await store.record([.impression(1, at: noon + 600)])
            for transition in [Campaign.Transition.stop(withdraw: false), .archive] {
                campaign = try await apply(transition, to: campaign, in: store)
            }
            try await store.record([
                ConversionChecks.purchase(2, 1_000, at: noon + 3_900), ConversionChecks.purchase(3, 5, at: noon + 50),
            ])
            campaign = try await apply(.restore, to: campaign, in: store)
            try await store.record([ConversionChecks.purchase(4, at: noon + 700)])
            #expect(try await counted(store) == "1 1 1 1 10")
            try await store.record([.impression(5, at: noon + 10)])
            #expect(try await counted(store) == "1 1 2 1 15")
        }
    }

    static let joined = ConformanceCheck(
        "What the identity bought before a joining is not taken off the guest's card, and each purchase counts once"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(ConversionChecks.campaign(from: .impression))
            try await store.give("card-1", to: guest)
            try await store.record([.impression(1, at: noon + 600)], of: guest)
            try await store.record([ConversionChecks.purchase(2, 1_000, at: noon + 4_100)])
            try await store.record([ConversionChecks.purchase(3, at: noon + 700)], of: guest)
            #expect(
                try await store.identifyUsers([Identification(user: .id(guest), identity: someone)], at: noon) == [
                    .done
                ]
            )
            #expect(try await counted(store) == "1 1 1 1 10")
            try await store.record([.impression(4, at: noon + 300)])
            #expect(try await counted(store) == "1 1 1 1 10")
            try await store.record([ConversionChecks.purchase(5, 3, at: noon + 400)])
            #expect(try await counted(store) == "1 1 2 1 13")
        }
    }

    /// Records a purchase and then other events, and checks what an earlier impression counts.
    private static func check(
        _ expected: String,
        after events: Int,
        properties: Int,
        _ stores: any StoreFactory
    ) async throws {
        try await stores.withStore { store in
            try await store.launch(ConversionChecks.campaign(from: .impression))
            try await store.give("card-1")
            try await store.record([.impression(1, at: noon + 600), ConversionChecks.purchase(2, at: noon + 50)])
            let text = Array(#"{"p":"\#(String(repeating: "x", count: properties))"}"#.utf8)
            var number: UInt64 = 10
            for start in stride(from: 0, to: events, by: 500) {
                let batch = (start..<min(events, start + 500)).map { _ in
                    // safe: counts
                    number += 1
                    var event = DeviceEvent(number, .custom(name: "other"))
                    event.properties = text
                    return event
                }
                try await store.record(batch)
            }
            try await store.record([.impression(3, at: noon + 10)])
            #expect(try await counted(store) == expected)
        }
    }

    static let bounded = ConformanceCheck(
        "However much a user has done, the newest 2,000 events count again for an earlier impression"
    ) { stores in
        let limit = RecordingState.loggedLimit
        // The purchase and the first impression are events of the log as well.
        // safe: a constant
        try await check("1 1 1 1 10", after: limit - 2, properties: 0, stores)
        try await check("0 0 0 0 0", after: limit, properties: 0, stores)
    }

    static let bytes = ConformanceCheck(
        "However long a user's events are, 1 MiB of them counts again for an earlier impression"
    ) { stores in
        try await check("1 1 1 1 10", after: 60, properties: 16_000, stores)
        try await check("0 0 0 0 0", after: 70, properties: 16_000, stores)
    }

    static let batch = ConformanceCheck(
        "Impressions of one batch, each earlier than the one before, count as the earliest alone"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(ConversionChecks.campaign(from: .impression))
            try await store.give("card-1")
            try await store.record([
                .impression(1, at: noon + 3_000), ConversionChecks.purchase(2, 1_000, at: noon + 5_000),
                ConversionChecks.purchase(3, at: noon + 300),
            ])
            #expect(try await counted(store) == "1 1 1 1 1000")
            try await store.record([
                .impression(4, at: noon + 2_000), ConversionChecks.purchase(5, 7, at: noon + 5_500),
                .impression(6, at: noon + 1_000), ConversionChecks.purchase(7, 5, at: noon + 200),
                .impression(8, at: noon + 100),
            ])
            #expect(try await counted(store) == "1 1 2 1 15")
        }
    }

    static let bothHaveCards = ConformanceCheck(
        "Where both had a card, what was counted of the guest's stays, and isn't counted again for the identity's"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(ConversionChecks.campaign(from: .impression))
            try await store.give("card-1", to: guest)
            try await store.give("card-2")
            try await store.record(
                [.impression(1, at: noon + 100), ConversionChecks.purchase(2, 7, at: noon + 200)],
                of: guest
            )
            _ = try await store.identifyUsers([Identification(user: .id(guest), identity: someone)], at: noon)
            #expect(try await counted(store) == "1 1 1 1 7")
            try await store.record([.impression(3, of: "card-2", at: noon + 150)])
            #expect(try await counted(store) == "1 1 1 1 7")
            try await store.record([ConversionChecks.purchase(4, 5, at: noon + 300)])
            #expect(try await counted(store) == "2 2 2 2 12")
        }
    }

    static let zone = ConformanceCheck(
        "What is taken off is taken off the day on which it was counted, also after the time zone was edited"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(ConversionChecks.campaign(from: .impression))
            try await store.give("card-1")
            try await store.record([
                .impression(1, at: noon + 600), ConversionChecks.purchase(2, at: noon + 4_100),
                DeviceEvent(3, .sessionStart, at: noon + 4_100),
            ])
            var settings = try await store.settings()
            settings.timeZone = "Pacific/Kiritimati"
            try await store.saveSettings(settings, at: noon, by: command)
            try await store.record([.impression(4, at: noon + 10)])
            #expect(try await counted(store) == "0 0 0 0 0")
            #expect(try await ConversionChecks.report(store).conversions.isEmpty)
        }
    }
}
