import CardModel
import CardStore
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: cards that are given at once", .timeLimit(.minutes(20)))
struct GivenCardTests {
    /// Three cards, of which each has something else to keep.
    private static let cards: [Delivery] = {
        let origins: [DeliveryOrigin?] = [
            nil,
            DeliveryOrigin(trigger: TriggerID(rawValue: "t-1"), properties: Array(#"{"a":"é\u0000"}"#.utf8)),
            DeliveryOrigin(trigger: nil, rendered: Array(#","type":"classic","title":"“Ω”""#.utf8)),
        ]
        return origins.enumerated().map { place, origin in
            Delivery(
                // By their ids they are in another order than they were given in.
                card: CardID(rawValue: "card-\(9 - place)"),
                campaign: CampaignID(rawValue: "campaign-\(place)"),
                ordinal: place,
                variant: VariantID(rawValue: "v\(place)"),
                deliveredAt: testTime + Double(place),
                origin: origin
            )
        }
    }()

    private static func change(_ cards: [Delivery], version: UserVersion = 0) -> FeedChange {
        let device = DeviceContext(locale: "en", timeZone: "UTC")
        return FeedChange(
            user: testUser,
            version: version,
            device: device,
            additions: cards,
            endings: [:],
            at: testTime
        )
    }

    @Test("Each comes back with what was kept of it, in the order in which it was given")
    func values() async throws {
        try await withStore { store in
            let version = try await store.saveFeed(Self.change(Self.cards))
            #expect(version == 1)
            let found = try await store.userState(of: testUser, including: [], dueBy: testTime)
            let expected = Self.cards.map { card in
                var card = card
                card.changedAt = 1
                return card
            }
            #expect(found?.deliveries == expected)
        }
    }

    @Test("They are written by one statement, however many they are", arguments: [1, 2, 3])
    func statements(count: Int) async throws {
        try await withStore { store in
            let change = Self.change(Array(Self.cards.prefix(count)))
            let writes = try await store.writer.write([testUser], isConfined: true) { session in
                let before = session.connection.writes
                _ = try session.save(change)
                return session.connection.writes - before
            }
            // The user, and the cards; the trigger that gave the second card waits no more.
            #expect(writes == (count > 1 ? 3 : 2))
        }
    }
}
