import CardModel
import CardStore
import Simulation
import Testing
import WireJSON

/// Checks of conversions.
enum ConversionChecks {
    static let checks: [ConformanceCheck] = [
        once, boundaries, beforeDelivery, fromImpression, movedWindow, exactAmounts, sameBatch, amounts,
        severalCards, severalCampaigns, changes, deletedUser,
    ]

    private static let window = 3_600.0

    /// A campaign whose conversions are `bought` (any purchase), `signup` (an event with a plan) and `opened`.
    static func campaign(
        _ id: String = "sale",
        from opening: Campaign.Conversion.Opening = .delivery
    ) throws -> Campaign {
        var campaign = Campaign.sample(id)
        let json: JSONValue = [
            "name": "Sale", "variants": [["id": "a", "control": true]],
            "conversions": [
                [
                    "id": "bought", "on": ["purchase": true], "window_seconds": .number(Self.window),
                    "from": .string(opening.rawValue),
                ],
                [
                    "id": "signup", "window_seconds": .number(Self.window), "from": .string(opening.rawValue),
                    "on": [
                        "event": "signup",
                        "properties": [["property": "plan", "comparison": "equals", "value": "pro"]],
                    ],
                ],
                [
                    "id": "opened", "on": ["session_start": true], "window_seconds": .number(Self.window),
                    "from": .string(opening.rawValue),
                ],
            ],
        ]
        campaign.content.conversions = try Campaign.Content(json: json).conversions
        return campaign
    }

    static func purchase(
        _ number: UInt64,
        _ price: Amount = 10,
        quantity: Int64 = 1,
        currency: String = "EUR",
        at time: UnixTime = noon + 60
    ) -> DeviceEvent {
        DeviceEvent(
            number,
            .purchase(.init(productID: "tea", currency: currency, price: price, quantity: quantity)),
            at: time
        )
    }

    static func signup(_ number: UInt64, plan: String?, at time: UnixTime = noon + 60) -> DeviceEvent {
        var event = DeviceEvent(number, .custom(name: "signup"), at: time)
        event.properties = plan.map { Array(#"{"plan":"\#($0)"}"#.utf8) }
        return event
    }

    static func report(_ store: any CardStore, _ id: String = "sale") async throws -> CampaignReport {
        try #require(try await store.campaignReport(of: CampaignID(rawValue: id)))
    }

    private static func counts(
        _ store: any CardStore,
        _ conversion: String,
        variant: String = "a",
        of campaign: String = "sale"
    ) async throws -> [Int64] {
        let counts = try await report(store, campaign).conversions(conversion, of: VariantID(rawValue: variant))
        return [counts.conversions, counts.uniqueConversions]
    }

    static let once = ConformanceCheck(
        "A conversion counts once per card, however often it happens and is sent"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(campaign())
            try await store.give("card-1")

            try await store.record([signup(1, plan: "pro"), signup(1, plan: "pro"), signup(2, plan: "pro")])
            try await store.record([signup(1, plan: "pro"), signup(3, plan: "free"), signup(4, plan: nil)])

            #expect(try await counts(store, "signup") == [1, 1])
            #expect(try await counts(store, "bought") == [0, 0])
        }
    }

    static let boundaries = ConformanceCheck(
        "The window opens with the card and closes just before its end, by the time at which things happened"
    ) { stores in
        let moments: [(Double, Int64)] = [(-0.001, 0), (0, 1), (Self.window - 0.001, 1), (Self.window, 0)]
        for (offset, expected) in moments {
            try await stores.withStore { store in
                try await store.launch(campaign())
                try await store.give("card-1")
                // It arrives a day late, which changes nothing.
                try await store.record([signup(1, plan: "pro", at: noon + offset)], at: noon + 86_400)
                #expect(try await counts(store, "signup") == [expected, expected], "\(offset)")
            }
        }
    }

    static let beforeDelivery = ConformanceCheck(
        "What happened before the card was given is no conversion"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(campaign())
            try await store.record([signup(1, plan: "pro", at: noon - 1), purchase(2, at: noon - 1)])
            try await store.give("card-1")

            #expect(try await counts(store, "signup") == [0, 0])
            #expect(try await report(store).amounts.isEmpty)
        }
    }

    static let fromImpression = ConformanceCheck(
        "A window from the first impression counts what arrived before the impression did, and nothing without one"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(campaign(from: .impression))
            try await store.give("card-1")
            try await store.record([signup(1, plan: "pro", at: noon + 50), purchase(2, 10, at: noon + 200)])
            #expect(try await counts(store, "signup") == [0, 0])

            // One device tells of an impression after the signup, and another then of one before it.
            try await store.record([.impression(3, at: noon + 100)])
            #expect(try await counts(store, "signup") == [0, 0])
            #expect(try await counts(store, "bought") == [1, 1])
            try await store.record([.impression(4, at: noon + 10), purchase(5, 5, at: noon + 300)])

            #expect(try await counts(store, "signup") == [1, 1])
            #expect(try await counts(store, "bought") == [1, 1])
            let spent = try await report(store).amounts("bought", of: VariantID(rawValue: "a"))
            #expect(spent["EUR"]?.amount == 15)
        }
    }

    static let movedWindow = ConformanceCheck(
        "An earlier impression that arrives late moves the window, and takes out what is behind its end"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(campaign(from: .impression))
            try await store.give("card-1")
            try await store.record([
                .impression(1, at: noon + 3_000), signup(2, plan: "pro", at: noon + 5_000),
                purchase(3, 10, at: noon + 5_000), purchase(4, 7, at: noon + 4_000),
            ])
            #expect(try await counts(store, "signup") == [1, 1])
            #expect(try await report(store).amounts("bought", of: VariantID(rawValue: "a"))["EUR"]?.amount == 17)

            try await store.record([.impression(5, at: noon + 500)])
            #expect(try await counts(store, "signup") == [0, 0])
            #expect(try await counts(store, "bought") == [1, 1])
            let spent = try await report(store).amounts("bought", of: VariantID(rawValue: "a"))["EUR"]
            #expect(spent?.amount == 7 && spent?.purchases == 1 && spent?.buyers == 1 && spent?.squares == 49)

            try await store.record([.impression(6, at: noon + 1)])
            #expect(try await counts(store, "bought") == [0, 0])
            let none = try await report(store).amounts("bought", of: VariantID(rawValue: "a"))["EUR"]
            #expect((none?.amount ?? 0, none?.purchases ?? 0, none?.buyers ?? 0, none?.squares ?? 0) == (0, 0, 0, 0))
        }
    }

    static let exactAmounts = ConformanceCheck(
        "Amounts are exact, in sums, by day, and where one is taken back"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(campaign(from: .impression))
            try await store.give("card-1")
            try await store.record([.impression(1, at: noon + 3_000)])
            for number in 0..<10 { try await store.record([purchase(10 + UInt64(number), 0.1, at: noon + 4_000)]) }
            let large = try #require(Amount(exactly: "999999999999.999999999"))
            try await store.record([purchase(30, large, quantity: 100, currency: "JPY", at: noon + 5_000)])
            try await store.record([purchase(31, 0.000000001, currency: "JPY", at: noon + 4_000)])
            let amounts = try await report(store).amounts("bought", of: VariantID(rawValue: "a"))
            #expect(amounts["EUR"]?.amount == 1)
            #expect(amounts["JPY"]?.amount.description == "99999999999999.999999901")
            let record = try #require(try await store.userRecords(of: [.id(someone)]).first?.first)
            #expect(record.revenue == ["EUR": 1, "JPY": large * 100 + 0.000000001])

            // An earlier impression takes the large one out of the window.
            try await store.record([.impression(32, at: noon + 500)])
            let rest = try await report(store).amounts("bought", of: VariantID(rawValue: "a"))
            #expect(rest["EUR"]?.amount == 1)
            #expect(rest["JPY"]?.amount == 0.000000001)
        }
    }

    /// All that a report says of conversions, as text.
    static func counted(_ store: any CardStore) async throws -> [String] {
        let report = try await report(store)
        return report.conversions.map {
            "\($0.conversion) \($0.variant) \($0.day.utc) \($0.counts.conversions) \($0.counts.uniqueConversions)"
        }
            + report.amounts.map {
                "\($0.conversion) \($0.currency) \($0.day.utc) \($0.counts.purchases) \($0.counts.buyers) "
                    + "\($0.counts.amount)"
            }
    }

    static let sameBatch = ConformanceCheck(
        "An impression and what follows it in the same batch is a conversion"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(campaign(from: .impression))
            try await store.give("card-1")

            try await store.record([
                .impression(1, at: noon + 1), signup(2, plan: "pro", at: noon + 2),
                DeviceEvent(3, .sessionStart, at: noon + 3), DeviceEvent(4, .sessionStart, at: noon),
            ])

            #expect(try await counts(store, "signup") == [1, 1])
            #expect(try await counts(store, "opened") == [1, 1])
        }
    }

    static let amounts = ConformanceCheck(
        "Every purchase in the window adds its amount, by currency, with what the variance needs"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(campaign())
            let other = UserID(rawValue: "user-2")
            try await store.give("card-1")
            try await store.give("card-2", to: other)

            try await store.record([purchase(1, 2.5, quantity: 4), purchase(2, 20), purchase(3, 900, currency: "JPY")])
            try await store.record([purchase(1, 2.5, quantity: 4), purchase(4, 7, at: noon + Self.window)])
            try await store.record([purchase(1, 5)], of: other)

            let amounts = try await report(store).amounts("bought", of: VariantID(rawValue: "a"))
            #expect(amounts["EUR"] == AmountCounts(purchases: 3, buyers: 2, amount: 35, squares: 30 * 30 + 25))
            #expect(amounts["JPY"] == AmountCounts(purchases: 1, buyers: 1, amount: 900, squares: 810_000))
            #expect(try await counts(store, "bought") == [2, 2])
        }
    }

    static let severalCards = ConformanceCheck(
        "Of several cards of a campaign the last one given converts, and the user counts once"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(campaign())
            try await store.give("card-1")
            try await store.record([signup(1, plan: "pro", at: noon + 10)])
            try await store.give("card-2", ordinal: 1, at: noon + 100)

            // Late, but done before the second card was given: the first card has it already.
            try await store.record([signup(2, plan: "pro", at: noon + 50)])
            #expect(try await counts(store, "signup") == [1, 1])
            try await store.record([signup(3, plan: "pro", at: noon + 100), signup(4, plan: "pro", at: noon + 101)])

            #expect(try await counts(store, "signup") == [2, 1])
            let counts = try await report(store).counts(of: VariantID(rawValue: "a"))
            #expect((counts.delivered, counts.recipients) == (2, 1))
        }
    }

    static let severalCampaigns = ConformanceCheck(
        "One event converts in every campaign that asks for it, each by its own cards and variants"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(campaign("one"))
            try await store.launch(campaign("two"))
            try await store.launch(campaign("three"))
            try await store.give("card-1", of: "one")
            try await store.give("card-2", of: "two", variant: "control")

            try await store.record([signup(1, plan: "pro")])

            #expect(try await counts(store, "signup", of: "one") == [1, 1])
            #expect(try await counts(store, "signup", variant: "control", of: "two") == [1, 1])
            #expect(try await counts(store, "signup", of: "three") == [0, 0])
        }
    }

    static let changes = ConformanceCheck(
        "A changed campaign counts by its new conversions from the next event on, until it is archived"
    ) { stores in
        try await stores.withPlace { place in
            let (store, other) = (try await place.open(), try await place.open())
            var kept = try await store.launch(.sample())
            try await store.give("card-1")
            try await store.record([signup(1, plan: "pro")])
            #expect(try await report(store).conversions.isEmpty)

            // Another process changes the campaign, and this one counts by it at once.
            let content = try campaign().content
            kept = try await other.updateCampaign(
                kept.updating(content, at: noon),
                from: kept.version,
                action: "campaign.update",
                by: command
            )
            try await store.record([signup(2, plan: "pro")])
            #expect(try await counts(store, "signup") == [1, 1])

            for transition in [Campaign.Transition.stop(withdraw: false), .archive] {
                try await store.record([DeviceEvent(transition == .archive ? 4 : 3, .sessionStart, at: noon + 1)])
                kept = try await other.updateCampaign(
                    kept.applying(transition, at: noon),
                    from: kept.version,
                    action: "campaign.\(transition.name)",
                    by: command
                )
            }
            try await store.record([purchase(5)])
            #expect(try await counts(store, "opened") == [1, 1])
            #expect(try await counts(store, "bought") == [0, 0])
            try await store.close()
            try await other.close()
        }
    }

    static let deletedUser = ConformanceCheck(
        "A deleted user's conversions stay counted, and a new user of the id starts from zero"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(campaign())
            try await store.give("card-1")
            try await store.record([purchase(1)])
            #expect(try await store.deleteUser(someone, at: 0, by: .command))
            #expect(try await counts(store, "bought") == [1, 1])

            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            try await store.give("card-2")
            try await store.record([purchase(1)])

            #expect(try await counts(store, "bought") == [2, 2])
            #expect(try await report(store).amounts("bought", of: VariantID(rawValue: "a"))["EUR"]?.squares == 200)
        }
    }
}
