import CardModel
import CardStore
import Testing
import WireJSON

/// Checks of events.
enum EventChecks {
    static let checks: [ConformanceCheck] = [
        counts, countsOnce, idsBelongToUsers, rejectsUnknownCards, raisesVersionOnce, uniqueCountsAreOfTheCampaign,
        dismissesOnce, keepsDetails, makesUser, sessionStart, attributes, contentErrors, contentErrorTexts, manyEvents,
        concurrentBatches,
    ]

    static let counts = ConformanceCheck(
        "Impressions, clicks and dismissals come back as counts"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")

            let outcome = try await store.record([.impression(1), .impression(2), .click(3), .dismissal(4)])

            #expect(outcome.receipt == EventReceipt(accepted: 4))
            let counts = try await store.counts()
            #expect(counts.delivered == 1)
            #expect((counts.impressions, counts.uniqueImpressions) == (2, 1))
            #expect((counts.clicks, counts.uniqueClicks) == (1, 1))
            #expect(counts.dismissals == 1)
        }
    }

    static let countsOnce = ConformanceCheck(
        "An event counts once per user and id, within a batch, between batches and after reopening"
    ) { stores in
        try await stores.withPlace { place in
            let first = try await place.open()
            try await first.launch(.sample())
            try await first.give("card-1")
            let twice = try await first.record([.impression(1), .impression(1)])
            #expect(twice.receipt == EventReceipt(accepted: 1, duplicate: 1))
            try await first.close()

            let second = try await place.open()
            let again = try await second.record([.impression(1), .impression(2)])

            #expect(again.receipt == EventReceipt(accepted: 1, duplicate: 1))
            #expect(try await second.counts().impressions == 2)
            try await second.close()
        }
    }

    static let idsBelongToUsers = ConformanceCheck(
        "The same event id of two users is two events"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            let other = UserID(rawValue: "user-2")
            try await store.give("card-1")
            try await store.give("card-2", to: other)

            try await store.record([.impression(1)])
            let outcome = try await store.record([.impression(1, of: "card-2")], of: other)

            #expect(outcome.receipt.accepted == 1)
            #expect(try await store.counts().uniqueImpressions == 2)
        }
    }

    static let rejectsUnknownCards = ConformanceCheck(
        "An event about a card that the user was not given is rejected and the others are kept"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.give("card-2", to: UserID(rawValue: "user-2"))

            let outcome = try await store.record([.impression(1, of: "card-2"), .impression(2), .click(3, of: "none")])

            #expect(outcome.receipt.accepted == 1)
            #expect(outcome.receipt.rejected.map(\.code) == [.cardUnknown, .cardUnknown])
            #expect(outcome.receipt.rejected.first?.id == DeviceEvent.impression(1).id.description)
            #expect(try await store.userEvents(of: someone, limit: 10).map(\.id.low) == [2])
            #expect(try await store.counts().clicks == 0)
        }
    }

    static let raisesVersionOnce = ConformanceCheck(
        "A batch raises the user's version once, and only where a card's flags or the history change"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            let given = try #require(try await store.give("card-1"))

            let news = try await store.record([.impression(1), .click(2), .dismissal(3)])
            let repetition = try await store.record([.impression(4), .click(5)])

            #expect((news.versionBefore, news.versionAfter) == (given, given + 1))
            #expect((repetition.versionBefore, repetition.versionAfter) == (given + 1, given + 1))
            let state = try #require(try await store.userState(of: someone))
            #expect(state.version == given + 1)
            let card = try #require(state.deliveries.first)
            #expect(card.isViewed && card.isClicked && card.isDismissed)
            #expect(card.changedAt == given + 1)
            let session = try await store.record([DeviceEvent(6, .sessionStart)])
            let duplicate = try await store.record([DeviceEvent(6, .sessionStart)])
            #expect((session.versionAfter, duplicate.versionAfter) == (given + 2, given + 2))
        }
    }

    static let uniqueCountsAreOfTheCampaign = ConformanceCheck(
        "Unique counts take a user once per campaign, whichever of its cards they saw"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.give("card-2", ordinal: 1)

            try await store.record([.impression(1), .impression(2, of: "card-2"), .click(3, of: "card-2"), .click(4)])

            let counts = try await store.counts()
            #expect((counts.impressions, counts.uniqueImpressions) == (2, 1))
            #expect((counts.clicks, counts.uniqueClicks) == (2, 1))
        }
    }

    static let dismissesOnce = ConformanceCheck(
        "A card that two devices dismiss is dismissed once, and both events are kept"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")

            let first = try await store.record([.dismissal(1)])
            let second = try await store.record([.dismissal(2)])

            #expect((first.receipt.accepted, second.receipt.accepted) == (1, 1))
            #expect(try await store.counts().dismissals == 1)
            #expect(try await store.userEvents(of: someone, limit: 10).count == 2)
        }
    }

    static let keepsDetails = ConformanceCheck(
        "Events keep what they say, the newest first"
    ) { stores in
        try await stores.withStore { store in
            var custom = DeviceEvent(1, .custom(name: "Größe \"\u{1F600}\""))
            custom.properties = Array(#"{"n":1,"s":["a",null]}"#.utf8)
            let purchase = DeviceEvent(
                2,
                .purchase(.init(productID: "sku", currency: "JPY", price: 1980.5, quantity: 2)),
                at: noon + 0.25
            )

            try await store.record([custom, purchase], at: noon + 1)

            let events = try await store.userEvents(of: someone, limit: 10)
            #expect(events.map(\.type) == ["purchase", "custom"])
            #expect(events.first?.at == noon + 0.25)
            #expect(events.first?.receivedAt == noon + 1)
            #expect(
                events.first?.details
                    == ["product_id": "sku", "currency": "JPY", "price": 1980.5, "quantity": 2]
            )
            #expect(
                events.last?.details
                    == ["name": "Größe \"\u{1F600}\"", "properties": ["n": 1, "s": ["a", .null]]]
            )
            #expect(try await store.userEvents(of: someone, limit: 1).map(\.type) == ["purchase"])
        }
    }

    static let makesUser = ConformanceCheck(
        "Events of a user that nobody knows make the user"
    ) { stores in
        try await stores.withStore { store in
            let outcome = try await store.record([DeviceEvent(1, .custom(name: "opened"))])

            #expect((outcome.versionBefore, outcome.versionAfter) == (0, 1))
            #expect(try await store.userRevision(of: someone)?.version == 1)
            #expect(try await store.give("card-1") != nil)
        }
    }

    static let sessionStart = ConformanceCheck(
        "Events don't say when the user was last seen: audiences ask for the sync before"
    ) { stores in
        try await stores.withStore { store in
            try await store.recordDevice(DeviceContext(), of: someone, at: noon)
            try await store.record([DeviceEvent(1, .sessionStart, at: noon + 60)], at: noon + 60)
            #expect(try await store.userState(of: someone)?.profile.lastSeenAt == noon)
        }
    }

    static let attributes = ConformanceCheck(
        "What an app says of its user is done once, in order, and is news"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            let before = try #require(try await store.userRevision(of: someone)).version
            let named = DeviceEvent(
                1,
                .attributes(AttributeChanges(custom: ["plan": .set("pro")], standard: [.firstName: "Ann"]))
            )
            let counted = DeviceEvent(2, .attributes(AttributeChanges(custom: ["visits": .increment(by: 2)])))

            let first = try await store.record([named, counted, .impression(3)])
            let again = try await store.record([named, counted])

            #expect(first.receipt == EventReceipt(accepted: 3))
            #expect(first.bringsNews)
            #expect(first.versionAfter > before)
            #expect(again.receipt == EventReceipt(duplicate: 2))
            #expect(!again.bringsNews)
            let profile = try #require(try await store.userState(of: someone)?.profile)
            #expect(profile.custom["plan"] == "pro")
            #expect(profile.custom["visits"] == 2)
            #expect(profile.standard[.firstName] == "Ann")
            #expect(try await store.counts().impressions == 1)

            let removed = DeviceEvent(4, .attributes(AttributeChanges(custom: ["plan": .set(.null)])))
            let unchanged = DeviceEvent(5, .attributes(AttributeChanges(standard: [.firstName: "Ann"])))
            try await store.record([removed])
            #expect(try await store.userState(of: someone)?.profile.custom["plan"] == nil)
            #expect(try await !store.record([unchanged]).bringsNews)
        }
    }

    static let contentErrors = ConformanceCheck(
        "Extras that do not decode are counted by what was wrong, up to a bound"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            func problem(_ number: UInt64, field: String?) -> DeviceEvent {
                let problem = DeviceEvent.ContentError(
                    card: CardID(rawValue: "card-1"),
                    classType: "coupon",
                    field: field,
                    message: "not a number: \(number)"
                )
                return DeviceEvent(number, .contentError(problem), at: noon + Double(number))
            }

            try await store.record([
                problem(1, field: "discount"), problem(2, field: "discount"), problem(3, field: nil),
            ])

            var report = try #require(try await store.campaignReport(of: CampaignID(rawValue: "sale")))
            #expect(report.totals.decodeErrors == 3)
            #expect(report.problems.map(\.count) == [2, 1])
            #expect(report.problems.map(\.field) == ["discount", nil])
            #expect(report.problems.first?.message == "not a number: 2")
            #expect(report.problems.first?.lastAt == noon + 2)

            try await store.record((10..<400).map { problem($0, field: "field-\($0)") })

            report = try #require(try await store.campaignReport(of: CampaignID(rawValue: "sale")))
            #expect(report.totals.decodeErrors == 393)
            #expect(report.problems.count == 100)
        }
    }

    static let contentErrorTexts = ConformanceCheck(
        "What an app wrote about extras goes with the newest event that it is from, and with its user"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            func problem(_ number: UInt64, _ field: String) -> DeviceEvent {
                let problem = DeviceEvent.ContentError(
                    card: CardID(rawValue: "card-1"),
                    classType: "coupon",
                    field: field,
                    message: "marker \(number)"
                )
                return DeviceEvent(number, .contentError(problem), at: noon + Double(number))
            }
            func messages() async throws -> [String: String] {
                let report = try await store.campaignReport(of: CampaignID(rawValue: "sale"))
                let problems = report?.problems ?? []
                return Dictionary(uniqueKeysWithValues: problems.map { ($0.field ?? "", $0.message) })
            }
            // One that arrives late isn't the newest.
            try await store.record([problem(5, "a"), problem(3, "a"), problem(9, "b")])
            #expect(try await messages() == ["a": "marker 5", "b": "marker 9"])
            _ = try await store.pruneEvents(before: noon + 6)
            #expect(try await messages() == ["a": "", "b": "marker 9"])
            try await store.record([problem(7, "a")])
            #expect(try await messages() == ["a": "marker 7", "b": "marker 9"])

            _ = try await store.deleteUser(someone, at: noon + 20, by: command)
            #expect(try await messages() == ["a": "", "b": ""])
        }
    }

    static let manyEvents = ConformanceCheck(
        "10,000 events that arrive in batches, some of them again, count once each"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")

            for batch in 0..<20 {
                let start = UInt64(max(0, batch * 500 - 50))
                try await store.record((start..<UInt64(batch * 500 + 500)).map { .impression($0) })
            }

            #expect(try await store.counts().impressions == 10_000)
        }
    }

    static let concurrentBatches = ConformanceCheck(
        "Batches from many tasks at once lose nothing and double nothing"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            let users = (0..<8).map { UserID(rawValue: "user-\($0)") }
            for user in users { try await store.give("card-\(user.rawValue)", to: user) }

            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, user) in users.enumerated() {
                    for start in stride(from: UInt64(0), to: 100, by: 10) {
                        // Each event is sent twice, from two tasks.
                        for _ in 0..<2 {
                            group.addTask {
                                let events = (start..<start + 10).map {
                                    DeviceEvent.impression($0, of: "card-\(users[index].rawValue)")
                                }
                                try await store.record(events, of: user)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }

            let counts = try await store.counts()
            #expect((counts.impressions, counts.uniqueImpressions) == (800, 8))
        }
    }
}
