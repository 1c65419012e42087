import CardModel
import Statistics
import Testing

/// Compares what the limit keeps with the first of all cards in the feed's own order.
@Suite("The limit of cards and its model")
struct CardLimitModelTests {
    /// A card that was given, or that could be.
    private struct Card {
        let id: String
        let isPinned: Bool
        let priority: Int
        let since: UnixTime
        var isGiven = false

        func isBefore(_ other: Card) -> Bool {
            if isPinned != other.isPinned { return isPinned }
            if priority != other.priority { return priority > other.priority }
            return since > other.since
        }
    }

    private func campaign(_ card: Card) throws -> Campaign {
        var variant = Sample.variant("a")
        variant.card?.isPinned = card.isPinned
        variant.card?.priority = card.priority
        return try Sample.launched(card.id, at: card.isGiven ? 0 : card.since, variants: [variant])
    }

    private func cards(_ count: Int, _ random: inout SplitMix) -> [Card] {
        (1...count).shuffled(using: &random).enumerated().map { number, time in
            Card(
                id: "c\(number)",
                isPinned: Int.random(in: 0...3, using: &random) == 0,
                priority: Int.random(in: 0...2, using: &random),
                since: Double(time),
                isGiven: Bool.random(using: &random)
            )
        }
    }

    @Test("What stays and what comes are the first of all, and asking again changes nothing")
    func decisions() throws {
        var random = SplitMix(seed: 61)
        for _ in 0..<300 {
            let all = cards(Int.random(in: 1...12, using: &random), &random)
            let limit = Int.random(in: 1...8, using: &random)
            var user = Sample.user()
            for card in all.filter(\.isGiven).sorted(by: { $0.since < $1.since }) {
                var delivery = Delivery(
                    card: CardID(rawValue: "\(card.id)-card"),
                    campaign: CampaignID(rawValue: card.id),
                    ordinal: 0,
                    variant: VariantID(rawValue: "a"),
                    deliveredAt: card.since
                )
                delivery.isDismissed = Int.random(in: 0...4, using: &random) == 0
                user.deliveries.append(delivery)
            }
            let dismissed = Set(user.deliveries.filter(\.isDismissed).map(\.campaign.rawValue))
            let kept = Set(
                all.filter { !dismissed.contains($0.id) }.sorted { $0.isBefore($1) }.prefix(limit).map(\.id)
            )
            let catalog = Catalog(campaigns: try all.map(campaign), generation: 1, cardLimit: limit)
            let decision = FeedDecision(for: user, in: catalog, at: 100)
            let coming = all.filter { !$0.isGiven && kept.contains($0.id) }.sorted { $0.since < $1.since }
            #expect(decision.additions.map(\.campaign.rawValue) == coming.map(\.id))
            let leaving = all.filter { $0.isGiven && !kept.contains($0.id) && !dismissed.contains($0.id) }
            #expect(decision.endings.keys.map(\.rawValue).sorted() == leaving.map { "\($0.id)-card" }.sorted())
            #expect(decision.endings.values.allSatisfy { $0 == .limit })
            user.apply(decision, at: 100)
            #expect(FeedDecision(for: user, in: catalog, at: 100).isEmpty)
            #expect(FeedDecision(for: user, in: catalog, at: 1_000_000).isEmpty)
            let reply = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 100)
            #expect(Set(try reply.cards().map(\.id)) == Set(kept.map { "\($0)-card" }))
        }
    }
}
