import CardModel
import CardStore
import Testing

/// Checks of pruning.
enum PruningChecks {
    static let checks: [ConformanceCheck] = [
        prunes, joinedHistories, pieces, webhook, triggers,
    ]

    static let prunes = ConformanceCheck(
        "Events that happened and arrived before the moment are forgotten, and what they counted stays"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.record([.impression(1, at: noon - 10), .impression(2, at: noon + 200)], at: noon)
            // It happened long ago and arrived only now, so its sender might not know yet that it did.
            try await store.record([.impression(3, at: noon - 500)], at: noon + 100)
            try await store.record([.impression(4, at: noon + 200)], at: noon + 200)

            #expect(try await store.pruneEvents(before: noon + 50) == 1)
            #expect(try await store.userEvents(of: someone, limit: 10).map(\.id.low).sorted() == [2, 3, 4])
            #expect(try await store.pruneEvents(before: noon + 150) == 1)
            #expect(try await store.pruneEvents(before: noon + 150) == 0)

            #expect(try await store.counts().impressions == 4)
            #expect(try await store.userState(of: someone)?.deliveries.map(\.isViewed) == [true])
            // A position is never given out again.
            let last = try #require(try await store.userEvents(of: someone, limit: 1).first?.position)
            #expect(try await store.pruneEvents(before: noon + 1_000) == 2)
            try await store.record([.impression(5)])
            #expect(try #require(try await store.userEvents(of: someone, limit: 1).first?.position) > last)
        }
    }

    static let joinedHistories = ConformanceCheck(
        "What was pruned stays in the history of users who are joined"
    ) { stores in
        try await stores.withStore { store in
            let guest = UserID(rawValue: "unidentified-1")
            let tea = DeviceEvent.Purchase(productID: "tea", currency: "USD", price: 0.1)
            // The event that both have counts once.
            let guests = [
                DeviceEvent(1, .custom(name: "cart"), at: noon), DeviceEvent(2, .custom(name: "cart"), at: noon + 60),
                DeviceEvent(3, .purchase(tea), at: noon + 1), DeviceEvent(9, .purchase(tea), at: noon + 300),
                DeviceEvent(4, .sessionStart, at: noon + 2),
            ]
            let own = [
                DeviceEvent(5, .custom(name: "cart"), at: noon + 30), DeviceEvent(6, .purchase(tea), at: noon + 3),
                DeviceEvent(9, .purchase(tea), at: noon + 300), DeviceEvent(7, .custom(name: "seen"), at: noon),
            ]
            _ = try await store.recordEvents(EventBatch(user: guest, events: guests, receivedAt: noon + 60))
            _ = try await store.recordEvents(EventBatch(user: someone, events: own, receivedAt: noon + 60))
            #expect(try await store.pruneEvents(before: noon + 100) == 7)

            let outcome = try await store.identifyUsers(
                [Identification(user: .id(guest), identity: someone)],
                at: noon + 400
            )
            #expect(outcome == [.done])

            let history = try #require(try await store.userState(of: someone, including: .all)?.history)
            #expect(history.events["cart"] == Occurrences([noon, noon + 30, noon + 60]))
            #expect(history.events["seen"]?.count == 1)
            #expect(history.sessions?.count == 1)
            let purchases = try #require(history.purchases[.init(id: "tea", currency: "USD")])
            #expect(purchases.occurrences == Occurrences([noon + 1, noon + 3, noon + 300]))
            #expect(purchases.revenue == 0.3)
            #expect(purchases.recentAmounts == [0.1, 0.1, 0.1])
        }
    }

    static let pieces = ConformanceCheck(
        "Many pieces are pruned one after another"
    ) { stores in
        try await stores.withStore { store in
            for batch in 0..<24 {
                let first = UInt64(batch * 500)
                try await store.record((first..<first + 500).map { DeviceEvent($0, .sessionStart) })
            }
            #expect(try await store.pruneEvents(before: noon) == 0)
            #expect(try await store.pruneEvents(before: noon + 1) == 12_000)
            #expect(try await store.userEvents(of: someone, limit: 1).isEmpty)
        }
    }

    static let webhook = ConformanceCheck(
        "What the webhook has not sent yet stays"
    ) { stores in
        try await stores.withStore { store in
            try await store.record([DeviceEvent(1, .sessionStart), DeviceEvent(2, .sessionStart)])
            let sent = try #require(try await store.userEvents(of: someone, limit: 10).last?.position)
            let webhook = Webhook(url: "https://example.com", secret: "secret", types: [], createdAt: noon)
            try await store.saveWebhook(webhook, after: sent, at: noon, by: command)

            #expect(try await store.pruneEvents(before: noon + 1) == 1)

            #expect(try await store.userEvents(of: someone, limit: 10).map(\.id.low) == [2])
        }
    }

    static let triggers = ConformanceCheck(
        "Triggers that were used or ran out before the moment are forgotten, and the cards that they gave stay"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            func trigger(_ id: String, until: UnixTime) -> Trigger {
                let campaign = CampaignID(rawValue: "sale")
                return Trigger(id: TriggerID(rawValue: id), campaign: campaign, at: noon, due: .at(noon), until: until)
            }
            for (id, until) in [("used", noon + 500), ("over", noon + 5), ("waiting", noon + 500)] {
                let recipient = TriggerSend.Recipient(someone)
                _ = try await store.sendTriggers(TriggerSend(trigger(id, until: until), to: [recipient]))
            }
            let delivery = Delivery(
                card: CardID(rawValue: "card-1"),
                campaign: CampaignID(rawValue: "sale"),
                ordinal: 0,
                variant: VariantID(rawValue: "a"),
                deliveredAt: noon,
                origin: DeliveryOrigin(trigger: TriggerID(rawValue: "used"), properties: nil)
            )
            let version = try #require(try await store.userRevision(of: someone)).version
            _ = try await store.saveFeed(
                FeedChange(user: someone, version: version, additions: [delivery], endings: [:], at: noon)
            )
            let old = Broadcast(trigger("old", until: noon + 5), to: .everyone)
            let alive = Broadcast(trigger("alive", until: noon + 500), to: .everyone)
            for broadcast in [old, alive] { #expect(try await store.insertBroadcast(broadcast, by: command)) }

            #expect(try await store.pruneTriggers(before: noon) == 0)
            #expect(try await store.pruneTriggers(before: noon + 10) == 3)

            #expect(try await store.userState(of: someone)?.triggers.map(\.id.rawValue) == ["waiting"])
            #expect(try await store.userState(of: someone)?.deliveries.count == 1)
            #expect(try await store.pruneTriggers(before: noon + 10) == 0)
            // What is known is not taken for new, what was forgotten is.
            #expect(try await !store.insertBroadcast(alive, by: command))
            #expect(try await store.insertBroadcast(old, by: command))
        }
    }
}

extension Occurrences {
    /// Creates what happened at these times, the oldest first.
    fileprivate init(_ times: [UnixTime]) {
        self.init(count: Int64(times.count), first: times[0], last: times[times.count - 1], recent: times)
    }
}
