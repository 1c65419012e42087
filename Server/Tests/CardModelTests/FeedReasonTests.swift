import Testing

@testable import CardModel

@Suite("Why a user has no card")
struct FeedReasonTests {
    private static let aborted = TemplateFailure(.aborted, field: "title", reason: "no name", message: "It aborts.")
    private static let day = "1970-01-02T00:00:00Z"

    private static let reasons: [(WithheldReason, String, UnixTime?, String)] = [
        (.status(.draft), "draft", nil, "The campaign is a draft, so it gives nobody a card."),
        (.status(.paused), "paused", nil, "The campaign is paused, so it gives nobody a card."),
        (.status(.stopped), "stopped", nil, "The campaign is stopped, so it gives nobody a card."),
        (.notStarted(86_400), "outside_schedule", 86_400, "The schedule opens at \(day)."),
        (.ended(86_400), "outside_schedule", nil, "The schedule closed at \(day)."),
        (.notReeligible(until: nil), "not_reeligible", nil, "The user was given the card and is given no other."),
        (
            .notReeligible(until: 86_400), "not_reeligible", 86_400,
            "The user may be given the card again from \(day) on."
        ),
        (.notTriggered, "not_triggered", nil, "Nothing has triggered the campaign for the user."),
        (.triggerWaiting(until: 86_400), "trigger_waiting", 86_400, "The trigger is due at \(day)."),
        (.triggerOver(.delivered), "not_triggered", nil, "The trigger gave its card."),
        (
            .triggerOver(.expired), "trigger_expired", nil,
            "The trigger's time passed before the user was eligible."
        ),
        (
            .triggerOver(.notReeligible), "not_reeligible", nil,
            "The user had a card of the campaign when the trigger came, and not long enough ago."
        ),
        (.triggerOver(.removed), "removal_event", nil, "A removal event cancelled the trigger."),
        (.audience(until: nil), "audience", nil, "The user is not in the audience."),
        (.audience(until: 5), "audience", 5, "The user is not in the audience."),
        (
            .searchLimit(until: 5), "search_limit", 5,
            "Whether the user is in the audience took more work to find out than a sync has: "
                + "attributes or histories are too long, or regular expressions take too many steps."
        ),
        (.noVariant, "no_variant", nil, "Every variant has the weight 0."),
        (.wouldBeExpired, "expired", nil, "The card would have expired before it is given."),
        (
            .quietHours(until: 86_400), "quiet_hours", 86_400,
            "In quiet hours nobody gets a new card; they end at \(day)."
        ),
        (
            .frequencyCap(FrequencyCap(cards: 2, days: 7), until: 86_400), "frequency_capped", 86_400,
            "The user had 2 new cards in 7 days; the next may come at \(day)."
        ),
        (
            .frequencyCap(FrequencyCap(cards: 3, days: 2, tag: "promo"), until: 86_400), "frequency_capped", 86_400,
            "The user had 3 new promo cards in 2 days; the next may come at \(day)."
        ),
        (
            .frequencyCap(FrequencyCap(cards: 1, days: 1), until: 86_400), "frequency_capped", 86_400,
            "The user had 1 new card in 1 day; the next may come at \(day)."
        ),
        (
            .frequencyCap(FrequencyCap(cards: 1, days: 2, tag: "promo"), until: 86_400), "frequency_capped", 86_400,
            "The user had 1 new promo card in 2 days; the next may come at \(day)."
        ),
        (
            .frequencyCap(FrequencyCap(cards: 2, days: 1), until: 86_400), "frequency_capped", 86_400,
            "The user had 2 new cards in 1 day; the next may come at \(day)."
        ),
        (
            .cardLimit, "limit_reached", nil,
            "The user has as many cards as the limit allows, and all of them come before this one."
        ),
        (
            .tooManyCards, "too_many_cards", nil,
            "The user was given 2000 cards in all, and gets no other of a campaign that gave one."
        ),
        (.template(aborted), "template_aborted", nil, "The template (title) aborted: no name"),
    ]

    @Test("A reason has a code, a sentence, and the moment at which it may be over", arguments: reasons)
    func reason(_ reason: WithheldReason, code: String, recheckAt: UnixTime?, sentence: String) {
        #expect(reason.code == code)
        #expect(reason.recheckAt == recheckAt)
        #expect(reason.sentence == sentence)
    }

    @Test(
        "A template that withheld a card says how",
        arguments: [
            (TemplateFailure(.aborted, reason: "", message: ""), "The template aborted: without a reason"),
            (
                TemplateFailure(.failed, field: "url", reason: "url_forbidden", message: "No."),
                "The template (url) could not be rendered. No."
            ), (TemplateFailure(.failed, reason: "x", message: "No."), "The template could not be rendered. No."),
            (TemplateFailure(.tooLarge, field: "title", reason: "card_too_large", message: "Too much."), "Too much."),
        ] as [(TemplateFailure, String)]
    )
    func failure(_ failure: TemplateFailure, sentence: String) {
        #expect(failure.sentence == sentence)
        #expect(WithheldReason.template(failure).code == failure.code)
    }

    private func delivery(_ campaign: String, variant: String = "a", at time: UnixTime = 0) -> Delivery {
        Delivery(
            card: CardID(rawValue: "card"),
            campaign: CampaignID(rawValue: campaign),
            ordinal: 0,
            variant: VariantID(rawValue: variant),
            deliveredAt: time
        )
    }

    private func status(_ delivery: Delivery, _ campaign: Campaign, at now: UnixTime = 50) -> CardStatus {
        var user = Sample.user()
        user.deliveries = [delivery]
        return Catalog(campaigns: [campaign], generation: 1).status(of: delivery, of: user, at: now)
    }

    @Test("A card is in the feed until the moment at which it expires")
    func expiry() throws {
        let forever = try Sample.launched("c")
        #expect(status(delivery("c"), forever) == .shown(until: nil))
        let soon = try Sample.launched("c", variants: [Sample.variant("a", expiry: .at(50))])
        #expect(status(delivery("c"), soon, at: 49.9) == .shown(until: 50))
        #expect(status(delivery("c"), soon, at: 50) == .expired(50))
        let after = try Sample.launched("c", variants: [Sample.variant("a", expiry: .afterDelivery(seconds: 30))])
        #expect(status(delivery("c", at: 20), after, at: 49) == .shown(until: 50))
        #expect(status(delivery("c", at: 20), after, at: 51) == .expired(50))
    }

    @Test("A card of a campaign that was withdrawn, or of a variant that isn't there, is withdrawn")
    func withdrawn() throws {
        let campaign = try Sample.launched("c")
        #expect(status(delivery("other"), campaign) == .withdrawn)
        #expect(status(delivery("c", variant: "b"), campaign) == .withdrawn)
        #expect(status(delivery("c"), try campaign.applying(.stop(withdraw: true), at: 1)) == .withdrawn)
        #expect(status(delivery("c"), try campaign.applying(.stop(withdraw: false), at: 1)) == .shown(until: nil))
        #expect(status(delivery("c"), Sample.campaign("c")) == .withdrawn)
    }

    @Test("Being withdrawn comes before being dismissed, that before an end, and that before the expiry")
    func order() throws {
        let campaign = try Sample.launched("c", variants: [Sample.variant("a", expiry: .at(10))])
        var delivery = delivery("c")
        #expect(status(delivery, campaign).code == "expired")
        delivery.end = .limit
        #expect(status(delivery, campaign) == .taken(.limit) && status(delivery, campaign).code == "limit_reached")
        delivery.end = .removalEvent
        #expect(status(delivery, campaign).code == "removal_event")
        delivery.isDismissed = true
        #expect(status(delivery, campaign) == .dismissed && status(delivery, campaign).code == "dismissed")
        #expect(status(delivery, try campaign.applying(.stop(withdraw: true), at: 1)).code == "withdrawn")
    }

    @Test("A card that follows its audience is in the feed until the audience or the expiry ends")
    func audience() throws {
        let seen = AttributeClause(.system(.lastSeenAt), .lessThanDaysAgo, 1)
        let rules = Campaign.Rules(followsAudience: true)
        func campaign(_ expiry: CardTemplate.CardExpiry) throws -> Campaign {
            try Sample.launched(
                "c",
                audience: .attribute(seen),
                variants: [Sample.variant("a", expiry: expiry)],
                rules: rules
            )
        }
        var user = Sample.user()
        user.profile.lastSeenAt = 100
        user.deliveries = [delivery("c")]
        func status(_ expiry: CardTemplate.CardExpiry, at now: UnixTime) throws -> CardStatus {
            let catalog = Catalog(campaigns: [try campaign(expiry)], generation: 1)
            return catalog.status(of: user.deliveries[0], of: user, at: now)
        }
        #expect(try status(.never, at: 200) == .shown(until: 86_500))
        #expect(try status(.at(300), at: 200) == .shown(until: 300))
        #expect(try status(.at(90_000), at: 200) == .shown(until: 86_500))
        #expect(try status(.never, at: 86_500) == .outsideAudience(until: nil))
        #expect(try status(.never, at: 86_500).code == "audience")
        // Before the user was last seen, as a clock that is set back has it.
        #expect(try status(.never, at: 99) == .outsideAudience(until: 100))
        // The expiry comes first where both are over.
        #expect(try status(.at(300), at: 90_000) == .expired(300))
    }

    @Test("A card whose template aborts is withheld, and one that is frozen is shown as it was")
    func template() throws {
        var variant = Sample.variant("a")
        variant.card?.title = "{% abort_message('later') %}"
        let campaign = try Sample.launched("c", variants: [variant])
        let status = status(delivery("c"), campaign)
        guard case .withheld(let failure) = status else {
            Issue.record("\(status)")
            return
        }
        #expect(failure.kind == .aborted && failure.field == "title" && failure.reason == "later")
        #expect(status.code == "template_aborted" && !status.isShown)
        var frozen = delivery("c")
        frozen.origin = DeliveryOrigin(trigger: nil, rendered: Array(#","type":"classic""#.utf8))
        #expect(self.status(frozen, campaign) == .shown(until: nil))
        frozen.origin = DeliveryOrigin(trigger: nil, rendered: [0xFF])
        guard case .withheld(let damage) = self.status(frozen, campaign) else {
            Issue.record("A card that can't be read was shown.")
            return
        }
        #expect(damage.isDamage && damage.code == "template_failed")
    }
}
