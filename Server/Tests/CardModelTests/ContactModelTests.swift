import CardModel
import Statistics
import Testing

/// Compares audiences of what users had to do with a campaign with a look at each of its cards.
@Suite("Contacts with a campaign and their model")
struct ContactModelTests {
    private static let day = 86_400.0
    private static let now = 100 * day

    private func time(_ random: inout SplitMix) -> UnixTime {
        // Up to ten days ago, or a day ahead, which devices can say; of half days, so that some are at a limit.
        Self.now - Double(Int.random(in: -2...20, using: &random)) * Self.day / 2
    }

    private func delivery(_ number: Int, _ random: inout SplitMix) -> Delivery {
        var delivery = Delivery(
            card: CardID(rawValue: "card\(number)"),
            campaign: CampaignID(rawValue: Bool.random(using: &random) ? "c" : "other"),
            ordinal: number,
            variant: VariantID(rawValue: ["a", "b", "control"][Int.random(in: 0...2, using: &random)]),
            deliveredAt: time(&random)
        )
        delivery.isViewed = Bool.random(using: &random)
        delivery.isClicked = Bool.random(using: &random)
        delivery.isDismissed = Bool.random(using: &random)
        if Bool.random(using: &random) { delivery.lastViewedAt = time(&random) }
        if Bool.random(using: &random) { delivery.lastClickedAt = time(&random) }
        if Bool.random(using: &random) { delivery.dismissedAt = time(&random) }
        if Bool.random(using: &random) { delivery.end = .limit }
        return delivery
    }

    /// The time of a contact with one card; of what happened before times were kept, that of the delivery.
    private func moment(_ contact: ContactClause.Contact, _ delivery: Delivery) -> UnixTime? {
        switch contact {
        case .received: delivery.deliveredAt
        case .viewed: delivery.isViewed ? delivery.lastViewedAt ?? delivery.deliveredAt : nil
        case .clicked: delivery.isClicked ? delivery.lastClickedAt ?? delivery.deliveredAt : nil
        case .dismissed: delivery.isDismissed ? delivery.dismissedAt ?? delivery.deliveredAt : nil
        }
    }

    @Test(
        "Who had the contact at all, and whose last one lies within the days",
        arguments: ContactClause.Contact.allCases
    )
    func contacts(contact: ContactClause.Contact) {
        var random = SplitMix(seed: 121)
        let campaign = CampaignID(rawValue: "c")
        let choices: [Set<String>] = [[], ["a"], ["a", "b"], ["control"], ["gone"]]
        for _ in 0..<300 {
            var user = Sample.user()
            for number in 0..<Int.random(in: 0...5, using: &random) {
                user.deliveries.append(delivery(number, &random))
            }
            let names = choices[Int.random(in: 0...4, using: &random)]
            let variants = Set(names.map { VariantID(rawValue: $0) })
            let mine = user.deliveries.filter {
                $0.campaign == campaign && (variants.isEmpty || variants.contains($0.variant))
            }
            let last = mine.compactMap { moment(contact, $0) }.max()
            let facts = UserFacts(user, at: Self.now)
            let ever = ContactClause(contact, campaign, variants: variants)
            #expect(AudienceMatcher(.contact(ever)).matches(facts) == (last != nil))
            for days in [0.0, 0.5, 1, 3, 10] {
                let clause = ContactClause(contact, campaign, variants: variants, within: .days(days))
                let isWithin = last.map { $0 <= Self.now && Self.now - $0 < days * Self.day } ?? false
                #expect(AudienceMatcher(.contact(clause)).matches(facts) == isWithin)
            }
            for days in [1, 2, 5] {
                let clause = ContactClause(contact, campaign, variants: variants, within: .calendarDays(days))
                // Now is midnight in UTC, at which the day begins.
                let start = Self.now - Double(days - 1) * Self.day
                let isWithin = last.map { (start...Self.now).contains($0) } ?? false
                #expect(AudienceMatcher(.contact(clause)).matches(facts) == isWithin)
            }
        }
    }
}
