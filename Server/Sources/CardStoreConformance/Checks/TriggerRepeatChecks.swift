import CardModel
import CardStore
import Testing

/// Checks of sends that repeat others, and of triggers without end.
enum TriggerRepeatChecks {
    static let checks: [ConformanceCheck] = [afterBroadcast, bounded, originOfGoneCards]

    private static let campaign = CampaignID(rawValue: "sale")
    private static let guest = UserID(rawValue: "unidentified-1")

    private static func trigger(_ id: String) -> Trigger {
        Trigger(id: TriggerID(rawValue: id), campaign: campaign, at: noon, due: .at(noon), until: noon + 3_600)
    }

    private static func recipient(_ user: UserID) -> TriggerSend.Recipient { TriggerSend.Recipient(user) }

    static let afterBroadcast = ConformanceCheck(
        "A send to a user who was given a card by a broadcast of its id is a repeated one"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.updateUsers([UserUpdate(id: someone), UserUpdate(id: guest)], at: noon)
            #expect(try await store.insertBroadcast(Broadcast(trigger("all")), by: command))
            let delivery = Delivery(
                card: CardID(rawValue: "card-1"),
                campaign: campaign,
                ordinal: 0,
                variant: VariantID(rawValue: "a"),
                deliveredAt: noon,
                origin: DeliveryOrigin(trigger: trigger("all").id)
            )
            let version = try #require(try await store.userRevision(of: someone)).version
            let change = FeedChange(user: someone, version: version, additions: [delivery], endings: [:], at: noon)
            #expect(try await store.saveFeed(change) != nil)
            let send = TriggerSend(trigger("all"), to: [recipient(someone), recipient(guest)])
            let receipt = try await store.sendTriggers(send)
            #expect([receipt.accepted, receipt.duplicate] == [1, 1])
            #expect(try await store.userState(of: someone)?.triggers.isEmpty == true)
        }
    }

    private static func change(
        _ additions: [Delivery],
        _ endings: [CardID: Delivery.End],
        in store: any CardStore
    ) async throws {
        let version = try await store.userRevision(of: someone)?.version ?? 0
        let change = FeedChange(
            user: someone,
            version: version,
            additions: additions,
            endings: endings,
            at: noon
        )
        #expect(try await store.saveFeed(change) != nil)
    }

    private static func origins(in store: any CardStore) async throws -> [DeliveryOrigin?] {
        try await store.userState(of: someone)?.deliveries.map(\.origin) ?? []
    }

    static let originOfGoneCards = ConformanceCheck(
        "What was kept of a card is read until the card ends or is dismissed; what it was given for, always"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            let cards = (1...3).map { CardID(rawValue: "card-\($0)") }
            let additions = cards.enumerated().map { place, card in
                let origin = DeliveryOrigin(
                    trigger: TriggerID(rawValue: "t\(place)"),
                    properties: Array("{}".utf8),
                    rendered: Array("x".utf8)
                )
                return Delivery(
                    card: card,
                    campaign: campaign,
                    ordinal: place,
                    variant: VariantID(rawValue: "a"),
                    deliveredAt: noon,
                    origin: origin
                )
            }
            try await change(additions, [:], in: store)
            #expect(try await origins(in: store) == additions.map(\.origin))
            try await change([], [cards[0]: .limit], in: store)
            try await store.record([.dismissal(1, of: "card-2")])
            #expect(
                try await origins(in: store) == [
                    DeliveryOrigin(trigger: TriggerID(rawValue: "t0")),
                    DeliveryOrigin(trigger: TriggerID(rawValue: "t1")), additions[2].origin,
                ]
            )
        }
    }

    static let bounded = ConformanceCheck(
        "However often a user does what triggers a card, a bounded number of triggers waits"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            let rules = EventRules([try TriggerChecks.other()])
            for start in stride(from: UInt64(1), to: 1_201, by: 400) {
                let events = (start..<start + 400).map { DeviceEvent($0, .custom(name: "bought")) }
                let batch = EventBatch(user: someone, events: events, receivedAt: noon, rules: rules)
                #expect(try await store.recordEvents(batch).receipt.accepted == 400)
            }
            #expect(try await store.userState(of: someone)?.triggers.count == Trigger.waitingLimit)
        }
    }
}
