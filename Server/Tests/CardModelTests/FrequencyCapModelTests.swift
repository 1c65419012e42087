import CardModel
import Statistics
import Testing

/// Compares what caps let through with a count of all that was given.
@Suite("Frequency caps and their model")
struct FrequencyCapModelTests {
    private static let day = 86_400.0

    /// A campaign with what matters to caps.
    private struct Offer {
        let id: String
        let tags: [String]
        let priority: Int
        let isControl: Bool
        let isExempt: Bool

        /// The priority of the card; a control group has none.
        var rank: Int { isControl ? 0 : priority }

        func concerns(_ cap: FrequencyCap) -> Bool {
            guard let tag = cap.tag else { return !isExempt }
            return !isExempt && tags.contains { Array($0.utf8) == Array(tag.utf8) }
        }

        func launched(at time: UnixTime, delivery: Campaign.DeliveryMode) throws -> Campaign {
            var variant = Sample.variant("a")
            variant.card?.priority = priority
            if isControl { variant.card = nil }
            let rules = Campaign.Rules(ignoresFrequencyCaps: isExempt)
            return try Sample.launched(id, at: time, delivery: delivery, variants: [variant], rules: rules, tags: tags)
        }
    }

    private func offer(_ id: String, _ random: inout SplitMix) -> Offer {
        Offer(
            id: id,
            tags: ["promo", "news", "caf\u{E9}"].filter { _ in Bool.random(using: &random) },
            priority: Int.random(in: 0...2, using: &random),
            isControl: Int.random(in: 0...5, using: &random) == 0,
            isExempt: Int.random(in: 0...5, using: &random) == 0
        )
    }

    private func caps(_ random: inout SplitMix) -> [FrequencyCap] {
        // The last looks like a tag of campaigns, and is none.
        let tags = [nil, "promo", "news", "caf\u{E9}", "cafe\u{301}"]
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in
            FrequencyCap(
                cards: Int.random(in: 1...3, using: &random),
                days: Int.random(in: 1...3, using: &random),
                tag: tags[Int.random(in: 0...4, using: &random)]
            )
        }
    }

    private func catalog(_ campaigns: [Campaign], _ caps: [FrequencyCap]) -> Catalog {
        var settings = Settings()
        settings.frequencyCaps = caps
        return Catalog(campaigns: campaigns, generation: 1, settings: settings)
    }

    @Test("A card is given where each cap that concerns it has room, the most important first")
    func decisions() throws {
        var random = SplitMix(seed: 51)
        let open = Campaign.DeliveryMode.scheduled(start: nil, end: nil)
        for _ in 0..<200 {
            let now = 20 * Self.day
            var campaigns: [Campaign] = []
            var user = Sample.user()
            var past: [(offer: Offer, at: UnixTime)] = []
            for number in 0..<Int.random(in: 0...6, using: &random) {
                let offer = offer("old\(number)", &random)
                campaigns.append(try offer.launched(at: 0, delivery: open).applying(.stop(withdraw: false), at: 1))
                // Of whole days, so that some are at the very end of a cap's days.
                past.append((offer, now - Double(Int.random(in: 0...4, using: &random)) * Self.day))
            }
            for (number, given) in past.sorted(by: { $0.at < $1.at }).enumerated() {
                user.deliveries.append(
                    Delivery(
                        card: CardID(rawValue: "card\(number)"),
                        campaign: CampaignID(rawValue: given.offer.id),
                        ordinal: 0,
                        variant: VariantID(rawValue: "a"),
                        deliveredAt: given.at
                    )
                )
            }
            var offers: [Offer] = []
            for number in 0..<Int.random(in: 1...6, using: &random) { offers.append(offer("new\(number)", &random)) }
            for (number, offer) in offers.enumerated() {
                campaigns.append(try offer.launched(at: Double(number), delivery: open))
            }
            let caps = caps(&random)
            var given: [String] = []
            var counted = past.filter { !$0.offer.isControl }
            for offer in offers.enumerated().sorted(by: {
                ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset)
            }).map(\.element) {
                let isFull = caps.contains { cap in
                    let earlier = counted.filter { $0.offer.concerns(cap) && $0.at > now - Double(cap.days) * Self.day }
                    return offer.concerns(cap) && earlier.count >= cap.cards
                }
                guard !isFull else { continue }
                given.append(offer.id)
                if !offer.isControl { counted.append((offer, now)) }
            }
            let decision = FeedDecision(for: user, in: catalog(campaigns, caps), at: now)
            #expect(decision.additions.map(\.campaign.rawValue) == given.sorted())
        }
    }

    @Test("No days ever have more than a cap allows, and every card comes at the moment that was foretold")
    func simulations() throws {
        var random = SplitMix(seed: 52)
        for _ in 0..<8 {
            var offers: [Offer] = []
            for number in 0..<10 { offers.append(offer("c\(number)", &random)) }
            let caps = caps(&random)
            var campaigns: [Campaign] = []
            for offer in offers {
                let start = Double(Int.random(in: 0...40, using: &random)) * 7_200
                campaigns.append(try offer.launched(at: 0, delivery: .scheduled(start: start, end: nil)))
            }
            let catalog = catalog(campaigns, caps)
            // One device asks when it is told to, another every two hours.
            var (follower, regular) = (Sample.user(), Sample.user())
            var next: UnixTime? = 0
            for _ in 0..<1_000 {
                guard let now = next else { break }
                let decision = FeedDecision(for: follower, in: catalog, at: now)
                follower.apply(decision, at: now)
                next = decision.recheckAt
                if let next { #expect(next > now) }
            }
            for poll in 0..<600 {
                let now = Double(poll) * 7_200
                regular.apply(FeedDecision(for: regular, in: catalog, at: now), at: now)
            }
            #expect(follower.deliveries.count == offers.count)
            #expect(times(follower) == times(regular))
            let byID = Dictionary(uniqueKeysWithValues: offers.map { ($0.id, $0) })
            for cap in caps {
                let given = follower.deliveries.filter { delivery in
                    guard let offer = byID[delivery.campaign.rawValue] else { return false }
                    return offer.concerns(cap) && !offer.isControl
                }
                for last in given {
                    let start = last.deliveredAt - Double(cap.days) * Self.day
                    let within = given.filter { $0.deliveredAt > start && $0.deliveredAt <= last.deliveredAt }
                    #expect(within.count <= cap.cards)
                }
            }
        }
    }

    private func times(_ user: UserState) -> [String: UnixTime] {
        Dictionary(uniqueKeysWithValues: user.deliveries.map { ($0.campaign.rawValue, $0.deliveredAt) })
    }
}
