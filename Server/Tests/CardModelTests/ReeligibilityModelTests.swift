import CardModel
import Statistics
import Testing

/// Compares when scheduled cards come again with the rule as it is documented, hour by hour.
@Suite("Cards that come again, and their model")
struct ReeligibilityModelTests {
    private static let hour = 3_600.0

    /// A campaign, and what decides when its card comes again.
    private struct Rule {
        let id: String
        /// The seconds after the last card, or `nil` where no other is given.
        let wait: Double?
        /// The seconds for which a card is there, or `nil` for ever.
        let lifetime: Double?
        let start: UnixTime
        let end: UnixTime

        func isDue(after last: Delivery?, at now: UnixTime) -> Bool {
            guard start <= now, now < end else { return false }
            guard let last else { return true }
            guard let wait else { return false }
            let hasExpired = lifetime.map { last.deliveredAt + $0 <= now } ?? false
            let isGone = last.isDismissed || last.end == .removalEvent || hasExpired
            return isGone && now >= last.deliveredAt + wait
        }

        func launched() throws -> Campaign {
            let expiry = lifetime.map { CardTemplate.CardExpiry.afterDelivery(seconds: $0) } ?? .never
            var reeligibility = Campaign.Rules.Reeligibility.never
            if let wait { reeligibility = .after(seconds: wait) }
            return try Sample.launched(
                id,
                delivery: .scheduled(start: start, end: end),
                variants: [Sample.variant("a", expiry: expiry)],
                rules: Campaign.Rules(reeligibility: reeligibility)
            )
        }
    }

    private func rule(_ number: Int, _ random: inout SplitMix) -> Rule {
        let waits: [Double?] = [nil, 0, 1, 3, 24, 24.5]
        let lifetimes: [Double?] = [nil, 1, 2, 5, 24, 30]
        return Rule(
            id: "c\(number)",
            wait: waits[Int.random(in: 0..<6, using: &random)].map { $0 * Self.hour },
            lifetime: lifetimes[Int.random(in: 0..<6, using: &random)].map { $0 * Self.hour },
            start: Double(Int.random(in: 0...20, using: &random)) * Self.hour,
            end: Double(Int.random(in: 60...300, using: &random)) * Self.hour
        )
    }

    @Test(arguments: 0..<40)
    func `A card comes again once the last one is gone and its time is over, at the moment that is foretold`(
        seed: Int
    ) throws {
        var random = SplitMix(seed: UInt64(seed))
        var rules: [Rule] = []
        for number in 0..<4 { rules.append(rule(number, &random)) }
        let catalog = Catalog(campaigns: try rules.map { try $0.launched() }, generation: 1)
        var user = Sample.user()
        // Until then nothing comes, unless the user does something.
        var quietUntil: UnixTime? = 0
        for step in 0..<400 {
            // Half hours, so that some things happen between those at which others end.
            let now = Double(step) * Self.hour / 2
            if Int.random(in: 0..<12, using: &random) == 0, lose(oneOf: &user, &random) { quietUntil = now }
            var due: [String] = []
            for rule in rules {
                let last = user.deliveries.last { $0.campaign.rawValue == rule.id }
                if rule.isDue(after: last, at: now) { due.append(rule.id) }
            }
            let decision = FeedDecision(for: user, in: catalog, at: now)
            #expect(decision.additions.map(\.campaign.rawValue).sorted() == due.sorted(), "\(rules) at \(now)")
            #expect(due.isEmpty || quietUntil.map { $0 <= now } ?? false, "\(due) at \(now)")
            for addition in decision.additions {
                let before = user.deliveries.count { $0.campaign == addition.campaign }
                #expect(addition.ordinal == before)
            }
            user.apply(decision, at: now)
            #expect(FeedDecision(for: user, in: catalog, at: now).isEmpty)
            // One that comes again at once can be dismissed at once.
            if let next = decision.recheckAt { #expect(next > now || rules.contains { $0.wait == 0 }) }
            quietUntil = decision.recheckAt
        }
    }

    /// Dismisses a card, or takes it away as an event does, and returns whether there was one.
    private func lose(oneOf user: inout UserState, _ random: inout SplitMix) -> Bool {
        let there = user.deliveries.indices.filter { index in
            !user.deliveries[index].isDismissed && user.deliveries[index].end == nil
        }
        guard let index = there.randomElement(using: &random) else { return false }
        if Bool.random(using: &random) {
            user.deliveries[index].isDismissed = true
        } else {
            user.deliveries[index].end = .removalEvent
        }
        user.version += 1
        return true
    }
}
