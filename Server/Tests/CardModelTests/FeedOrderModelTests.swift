import CardModel
import Statistics
import Testing

/// Compares what a device is told with a filter and a sort of all that the user was given.
@Suite("The feed and its model")
struct FeedOrderModelTests {
    /// A card that a user was given, and what keeps it in the feed.
    private struct Card {
        let id: String
        let isPinned: Bool
        let priority: Int
        let deliveredAt: UnixTime
        let expiry: CardTemplate.CardExpiry
        let isDismissed: Bool
        let end: Delivery.End?
        let isWithdrawn: Bool

        var expiresAt: UnixTime? {
            switch expiry {
            case .never: nil
            case .at(let time): time
            case .afterDelivery(let seconds): deliveredAt + seconds
            // The user's clock is five hours and a half ahead.
            case .atLocal(let time): time.seconds - 19_800
            }
        }

        func isShown(at now: UnixTime) -> Bool {
            !isDismissed && end == nil && !isWithdrawn && expiresAt.map { $0 > now } ?? true
        }

        func isBefore(_ other: Card) -> Bool {
            if isPinned != other.isPinned { return isPinned }
            if priority != other.priority { return priority > other.priority }
            if deliveredAt != other.deliveredAt { return deliveredAt > other.deliveredAt }
            return id < other.id
        }
    }

    private func card(_ number: Int, _ random: inout SplitMix) -> Card {
        let time = Double(Int.random(in: 1...60, using: &random)) * 3_600
        let expiries: [CardTemplate.CardExpiry] = [
            .never, .at(time), .afterDelivery(seconds: time / 2), .atLocal(LocalTime(seconds: time + 19_800)),
        ]
        let ends: [Delivery.End?] = [nil, nil, nil, nil, .limit, .removalEvent]
        return Card(
            id: "card\(number)",
            isPinned: Int.random(in: 0...3, using: &random) == 0,
            priority: Int.random(in: -1...1, using: &random),
            deliveredAt: Double(Int.random(in: 0...4, using: &random)) * 3_600,
            expiry: expiries[Int.random(in: 0...3, using: &random)],
            isDismissed: Int.random(in: 0...5, using: &random) == 0,
            end: ends[Int.random(in: 0...5, using: &random)],
            isWithdrawn: Int.random(in: 0...7, using: &random) == 0
        )
    }

    private func campaign(_ card: Card) throws -> Campaign {
        var variant = Sample.variant("a", expiry: card.expiry)
        variant.card?.isPinned = card.isPinned
        variant.card?.priority = card.priority
        let campaign = try Sample.launched("\(card.id)-campaign", variants: [variant])
        return try card.isWithdrawn ? campaign.applying(.stop(withdraw: true), at: 1) : campaign
    }

    private func user(_ cards: [Card]) -> UserState {
        var user = Sample.user()
        user.profile.device.timeZone = "Asia/Kolkata"
        user.version = 1
        for card in cards.sorted(by: { $0.deliveredAt < $1.deliveredAt }) {
            var delivery = Delivery(
                card: CardID(rawValue: card.id),
                campaign: CampaignID(rawValue: "\(card.id)-campaign"),
                ordinal: 0,
                variant: VariantID(rawValue: "a"),
                deliveredAt: card.deliveredAt
            )
            delivery.isDismissed = card.isDismissed
            delivery.end = card.end
            user.deliveries.append(delivery)
        }
        return user
    }

    @Test("A device is told the cards that are there, in their order")
    func replies() throws {
        var random = SplitMix(seed: 111)
        for _ in 0..<150 {
            var cards: [Card] = []
            for number in 0..<Int.random(in: 0...9, using: &random) { cards.append(card(number, &random)) }
            let user = user(cards)
            let catalog = Catalog(campaigns: try cards.map(campaign), generation: 1)
            for hour in [5, 20, 40, 61] {
                let now = Double(hour) * 3_600
                let shown = cards.filter { $0.isShown(at: now) }.sorted { $0.isBefore($1) }
                let reply = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: now)
                let told = try reply.cards()
                #expect(told.map(\.id) == shown.map(\.id))
                #expect(told.map(\.expiresAt) == shown.map(\.expiresAt))
                #expect(reply.replaces && reply.removed.isEmpty)
            }
        }
    }

    @Test("A device that asks again is told which cards have left, and nothing of those that stay")
    func departures() throws {
        var random = SplitMix(seed: 112)
        for _ in 0..<100 {
            var cards: [Card] = []
            for number in 0..<Int.random(in: 1...9, using: &random) { cards.append(card(number, &random)) }
            let user = user(cards)
            let catalog = Catalog(campaigns: try cards.map(campaign), generation: 1)
            var cursor = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 5 * 3_600).cursor
            var known = Set(cards.filter { $0.isShown(at: 5 * 3_600) }.map(\.id))
            for hour in stride(from: 10, through: 70, by: 10) {
                let now = Double(hour) * 3_600
                let reply = FeedReply(for: user, in: catalog, since: cursor, epoch: 1, at: now)
                let shown = Set(cards.filter { $0.isShown(at: now) }.map(\.id))
                let removed = Set(reply.removed.map(\.rawValue))
                #expect(removed.intersection(known) == known.subtracting(shown))
                #expect(removed.isDisjoint(with: shown))
                let sent = Set(try reply.cards().map(\.id))
                #expect(!reply.replaces && sent.isSubset(of: shown))
                (known, cursor) = (shown, reply.cursor)
            }
        }
    }
}
