import CardModel
import CardStore
import Testing

/// Checks of event log and webhook.
enum EventsOutChecks {
    static let checks: [ConformanceCheck] = [
        follows, filters, farPositions, longLog, begins, rotates, claims, setUpAnew, expected, queue,
    ]

    private static let hook = Webhook(url: "https://example.com", secret: "whsec_1234567890", createdAt: noon)

    static let follows = ConformanceCheck(
        "Whoever follows the log gets every event once, in pages of any size"
    ) { stores in
        try await stores.withStore { store in
            for number in 1...7 {
                try await store.record([DeviceEvent(UInt64(number), .custom(name: "e\(number)"))])
            }
            var names: [String?] = []
            var position: Int64 = 0
            while true {
                let page = try await store.eventPage(after: position, EventFilter(), limit: 3)
                names += page.events.map { $0.details["name"]?.string }
                position = page.position
                if page.isLast { break }
            }
            #expect(names == (1...7).map { "e\($0)" })

            try await store.record([DeviceEvent(8, .custom(name: "e8"))])
            let news = try await store.eventPage(after: position, EventFilter(), limit: 3)
            #expect(news.events.map { $0.details["name"]?.string } == ["e8"])
        }
    }

    static let filters = ConformanceCheck(
        "A filter leaves what it names, and the position goes on beyond the rest",
        filterEvents
    )

    private static func filterEvents(_ stores: any StoreFactory) async throws {
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.record([
                .impression(1), .click(2), DeviceEvent(3, .sessionStart), .impression(4, at: noon + 60),
                DeviceEvent(5, .custom(name: "last"), at: noon + 120),
            ])
            func types(_ change: (inout EventFilter) -> Void) async throws -> [String] {
                var filter = EventFilter()
                change(&filter)
                let page = try await store.eventPage(after: 0, filter, limit: 100)
                #expect(page.isLast)
                let end = try await store.userEvents(of: someone, limit: 1).first?.position
                #expect(page.position == end)
                return page.events.map(\.type)
            }
            #expect(try await types { $0.types = ["click", "custom"] } == ["click", "custom"])
            #expect(
                try await types { $0.campaign = CampaignID(rawValue: "sale") } == ["impression", "click", "impression"]
            )
            #expect(try await types { $0.from = noon + 60 } == ["impression", "custom"])
            #expect(try await types { $0.until = noon + 60 } == ["impression", "click", "session_start"])
        }
    }

    static let farPositions = ConformanceCheck(
        "A position beyond every event is the end of the log, with a filter too"
    ) { stores in
        try await stores.withStore { store in
            try await store.record([DeviceEvent(1, .sessionStart)])
            let positions: [Int64] = [.max, .max - 1, .max - 20_000, 2]
            for position in positions {
                for types in [[], ["click"]] as [Set<String>] {
                    var filter = EventFilter()
                    filter.types = types
                    let page = try await store.eventPage(after: position, filter, limit: 10)
                    #expect(page == EventPage(events: [], position: position, isLast: true))
                }
            }
        }
    }

    static let longLog = ConformanceCheck(
        "Whoever asks for little gets it from a long log, and gets to its end"
    ) { stores in
        try await stores.withStore { store in
            let rare: Set<UInt64> = [1, 12_345, 45_000]
            for start in stride(from: UInt64(1), through: 45_000, by: 5_000) {
                let events = (start..<start + 5_000).map { number in
                    DeviceEvent(number, rare.contains(number) ? .custom(name: "e\(number)") : .sessionStart)
                }
                try await store.record(events)
            }
            var filter = EventFilter()
            filter.types = ["custom"]
            var (names, position): ([String?], Int64) = ([], 0)
            while true {
                let page = try await store.eventPage(after: position, filter, limit: 2)
                #expect(page.isLast || page.position > position)
                names += page.events.map { $0.details["name"]?.string }
                position = page.position
                if page.isLast { break }
            }
            #expect(names == ["e1", "e12345", "e45000"])
            #expect(position == (try await store.lastEventPosition()))
        }
    }

    static let expected = ConformanceCheck(
        "A webhook is saved in place of the one that was read, or not at all"
    ) { stores in
        try await stores.withStore { store in
            func save(_ webhook: Webhook?, _ expected: Webhook?) async throws {
                try await store.saveWebhook(webhook, inPlaceOf: .exactly(expected), after: 7, at: noon, by: command)
            }
            try await save(Self.hook, nil)
            await #expect(throws: StoreError.webhookChanged) { try await save(Self.hook, nil) }
            let other = Webhook(url: Self.hook.url, secret: Self.hook.secret, types: ["click"], createdAt: noon + 1)
            try await save(other, Self.hook)
            await #expect(throws: StoreError.webhookChanged) { try await save(Self.hook, Self.hook) }
            #expect(try await store.webhookState()?.webhook == other)
            #expect(try await store.setWebhookSecret("whsec_another_one", at: noon, by: command))
            await #expect(throws: StoreError.webhookChanged) { try await save(nil, other) }
            var rotated = other
            rotated.secret = "whsec_another_one"
            try await save(nil, rotated)
            #expect(try await store.webhookState() == nil)
            await #expect(throws: StoreError.webhookChanged) { try await save(Self.hook, rotated) }
            let saves = try await store.latestAuditEntries(limit: 10).map(\.action)
            #expect(saves == ["webhook.delete", "webhook.rotate", "webhook.save", "webhook.save"])
        }
    }

    static let begins = ConformanceCheck(
        "A webhook begins at the end of the log, or where it is told to"
    ) { stores in
        try await stores.withStore { store in
            try await store.record([DeviceEvent(1, .sessionStart)])
            let end = try #require(try await store.userEvents(of: someone, limit: 1).first?.position)
            try await store.saveWebhook(Self.hook, after: nil, at: noon, by: command)
            #expect(try await store.webhookState()?.progress.position == end)

            try await store.saveWebhook(Self.hook, after: 0, at: noon, by: command)
            #expect(
                try await store.webhookState()
                    == WebhookState(webhook: Self.hook, progress: WebhookProgress(position: 0))
            )

            try await store.saveWebhook(nil, after: nil, at: noon, by: command)
            #expect(try await store.webhookState() == nil)
            #expect(
                try await store.latestAuditEntries(limit: 10).map(\.action) == [
                    "webhook.delete", "webhook.save", "webhook.save",
                ]
            )
        }
    }

    static let rotates = ConformanceCheck(
        "The webhook's secret is replaced without losing its place"
    ) { stores in
        try await stores.withStore { store in
            #expect(try await !store.setWebhookSecret("whsec_new", at: noon, by: command))
            try await store.saveWebhook(Self.hook, after: 7, at: noon, by: command)
            #expect(try await store.setWebhookSecret("whsec_new", at: noon, by: command))
            let state = try #require(try await store.webhookState())
            #expect(state.webhook.secret == "whsec_new")
            #expect(state.webhook.url == Self.hook.url)
            #expect(state.progress.position == 7)
            #expect(try await store.latestAuditEntries(limit: 1).map(\.action) == ["webhook.rotate"])
        }
    }

    static let claims = ConformanceCheck(
        "One worker at a time has the webhook, until its claim runs out"
    ) { stores in
        try await stores.withPlace { place in
            let first = try await place.open()
            let second = try await place.open()
            try await first.saveWebhook(Self.hook, after: 0, at: noon, by: command)
            var progress = WebhookProgress(position: 5)
            progress.fail("HTTP 503", retryAfter: nil, chance: 0.5, at: noon)

            #expect(try await first.claimWebhook(for: "a", seconds: 600) != nil)
            #expect(try await second.claimWebhook(for: "b", seconds: 600) == nil)
            #expect(try await second.saveWebhookProgress(progress, of: Self.hook, by: "b") == false)
            // It gives the claim back by having it for no time.
            #expect(try await first.claimWebhook(for: "a", seconds: 0) != nil)
            #expect(try await second.claimWebhook(for: "b", seconds: 600) != nil)
            #expect(try await first.saveWebhookProgress(progress, of: Self.hook, by: "a") == false)
            #expect(try await second.saveWebhookProgress(progress, of: Self.hook, by: "b"))
            #expect(try await first.webhookState()?.progress == progress)
            try await first.close()
            try await second.close()
        }
    }

    static let queue = ConformanceCheck(
        "A webhook's queue says since when its oldest event or notice waits, and how often it failed in a row"
    ) { stores in
        try await stores.withStore { store in
            try await store.record([DeviceEvent(1, .sessionStart)], at: noon)
            #expect(try await store.webhookQueue() == nil)
            try await store.saveWebhook(Self.hook, after: nil, at: noon, by: command)
            #expect(try await store.webhookQueue() == WebhookQueue())
            try await store.record([DeviceEvent(2, .sessionStart)], at: noon + 10)
            try await store.record([DeviceEvent(3, .sessionStart)], at: noon + 20)
            #expect(try await store.webhookQueue() == WebhookQueue(failures: 0, oldestAt: noon + 10))

            _ = try await store.claimWebhook(for: "a", seconds: 600)
            var progress = try #require(try await store.webhookState()?.progress)
            for _ in 0..<3 { progress.fail("HTTP 503", retryAfter: nil, chance: 0.5, at: noon + 30) }
            #expect(try await store.saveWebhookProgress(progress, of: Self.hook, by: "a"))
            #expect(try await store.webhookQueue() == WebhookQueue(failures: 3, oldestAt: noon + 10))

            progress.advance(to: try await store.lastEventPosition(), sent: true, at: noon + 40)
            #expect(try await store.saveWebhookProgress(progress, of: Self.hook, by: "a"))
            #expect(try await store.webhookQueue() == WebhookQueue())
            #expect(try await store.deleteUser(someone, at: noon + 50, by: command))
            #expect(try await store.webhookQueue() == WebhookQueue(failures: 0, oldestAt: noon + 50))
        }
    }

    static let setUpAnew = ConformanceCheck(
        "The progress of a webhook that was set up again is not kept"
    ) { stores in
        try await stores.withStore { store in
            try await store.saveWebhook(Self.hook, after: 0, at: noon, by: command)
            _ = try await store.claimWebhook(for: "a", seconds: 600)
            let other = Webhook(url: "https://example.org", secret: "whsec_1234567890", createdAt: noon + 1)
            try await store.saveWebhook(other, after: 0, at: noon + 1, by: command)
            #expect(try await !store.saveWebhookProgress(WebhookProgress(position: 9), of: Self.hook, by: "a"))
            #expect(try await store.webhookState()?.progress.position == 0)
        }
    }
}
