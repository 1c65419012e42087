import Testing
import WireJSON

@testable import CardModel

@Suite("What a campaign's explanation says in short")
struct CampaignExplanationTests {
    private static let control = Campaign.Variant(id: VariantID(rawValue: "control"), card: nil)
    private static let plan = AttributeClause(.custom("plan"), .equals, "gold")

    private func card(
        _ status: CardStatus,
        decodeError: String? = nil,
        isControl: Bool = false
    )
        -> CampaignExplanation.Card
    {
        let delivery = Delivery(
            card: CardID(rawValue: "card"),
            campaign: CampaignID(rawValue: "c"),
            ordinal: 0,
            variant: VariantID(rawValue: "a"),
            deliveredAt: 7
        )
        return CampaignExplanation.Card(
            delivery: delivery,
            status: status,
            decodeError: decodeError,
            isControl: isControl
        )
    }

    private func explanation(
        gives: Bool = false,
        _ cards: [CampaignExplanation.Card] = [],
        _ reason: WithheldReason? = nil,
        audience: Audience = .everyone,
        user: UserProfile = Sample.user().profile,
        variant: Campaign.Variant? = Sample.variant("a")
    ) -> CampaignExplanation {
        CampaignExplanation(
            campaign: Sample.campaign("c", audience: audience),
            gives: gives,
            cards: cards,
            reason: reason,
            audience: AudienceMatcher(audience).explanation(of: Sample.facts(user)),
            variant: variant
        )
    }

    @Test("A card that comes, or is there, is shown, and a control is no card")
    func shown() {
        #expect(explanation(gives: true).code == "shown")
        #expect(explanation(gives: true).sentence == "The next sync gives the user the card.")
        #expect(explanation(gives: true, variant: Self.control).code == "control")
        #expect(explanation([card(.shown(until: 5))]).code == "shown")
        #expect(explanation([card(.shown(until: nil))]).sentence == "The card is in the feed.")
        let kept = explanation([card(.kept(until: nil))])
        #expect(kept.code == "shown" && kept.sentence.hasPrefix("The card stays as it was: "))
        let control = explanation([card(.shown(until: nil), decodeError: "x", isControl: true)])
        #expect(control.code == "control")
        #expect(control.sentence == "The user is in the control, which sees nothing and is counted.")
    }

    @Test("A card that the app couldn't read is said to be in the feed, with what the app said")
    func decodeError() {
        let explanation = explanation([card(.dismissed), card(.shown(until: nil), decodeError: "no price")])
        #expect(explanation.code == "decode_error")
        #expect(explanation.sentence == "The card is in the feed, but the app could not read it: no price")
        // It counts only of the card that is shown.
        let gone = self.explanation([card(.dismissed, decodeError: "no price")], .notReeligible(until: nil))
        #expect(gone.code == "dismissed")
    }

    @Test(
        "Where the user was given a card, what became of the last says more than that there is no other",
        arguments: [
            (.dismissed, "dismissed", "The user dismissed the card."),
            (.expired(0), "expired", "The card expired at 1970-01-01T00:00:00Z."),
            (.withdrawn, "withdrawn", "The campaign took its cards back."),
            (
                .taken(.limit), "limit_reached",
                "The user had more cards than the limit, and this was the last of the feed."
            ),
            (
                .taken(.removalEvent), "removal_event",
                "The user did something after which the campaign takes its cards away."
            ),
            (
                .outsideAudience(until: nil), "audience",
                "The card leaves with the audience, and the user is not in it."
            ),
        ] as [(CardStatus, String, String)]
    )
    func gone(status: CardStatus, code: String, sentence: String) {
        for reason in [WithheldReason.notReeligible(until: nil), .notReeligible(until: 9), .status(.stopped)] {
            let explanation = explanation([card(status), card(.dismissed)], reason)
            #expect(explanation.code == code && explanation.sentence == sentence)
        }
        // Any other reason is what keeps a further card.
        let capped = WithheldReason.frequencyCap(FrequencyCap(cards: 1, days: 1), until: 0)
        #expect(explanation([card(status)], capped).code == "frequency_capped")
        #expect(explanation([card(status)]).code == code)
    }

    @Test("Without a card the reason is told, and without a reason nothing triggered it")
    func reasons() {
        #expect(explanation([], .status(.draft)).code == "draft")
        #expect(explanation([], .notReeligible(until: 5)).code == "not_reeligible")
        #expect(explanation([], .notStarted(0)).sentence == "The schedule opens at 1970-01-01T00:00:00Z.")
        #expect(explanation().code == "not_triggered" && explanation().sentence.isEmpty)
    }

    @Test("The filter that leaves a user out is named with what the user has")
    func audience() {
        let without = explanation([], .audience(until: nil), audience: .attribute(Self.plan))
        #expect(
            without.sentence
                == "The user is not in the audience: “plan is gold” does not hold; found: nothing."
        )
        var user = Sample.user().profile
        user.custom["plan"] = "gold"
        let excluded = explanation([], .audience(until: 8), audience: .none([.attribute(Self.plan)]), user: user)
        #expect(
            excluded.sentence
                == #"The user is not in the audience: “plan is gold” holds, and so leaves the user out; found: "gold"."#
        )
        user.custom["plan"] = .null
        let null = explanation([], .audience(until: nil), audience: .attribute(Self.plan), user: user)
        #expect(null.sentence.hasSuffix("does not hold; found: nothing."))
    }

    @Test("As JSON it has the cards, the reason with what belongs to it, and each clause of the audience")
    func json() {
        let explanation = explanation(
            [card(.expired(5), decodeError: "x")],
            .audience(until: 8),
            audience: .attribute(Self.plan)
        )
        let json = explanation.json
        #expect(json["campaign_id"] == "c" && json["name"] == "c" && json["code"] == "audience")
        #expect(json["gives_card"] == false && json["variant_id"] == "a")
        #expect(json["reason"]?["code"] == "audience" && json["reason"]?["until"]?.double == 8)
        #expect(json["reason"]?["message"] == json["message"])
        #expect(json["reason"]?["clauses"]?.array?.map { $0["path"] } == ["audience"])
        #expect(json["audience"]?["condition"] == "attribute" && json["audience"]?["matches"] == false)
        let card = json["cards"]?.array?.first
        #expect(card?["card_id"] == "card" && card?["variant_id"] == "a" && card?["delivered_at"]?.double == 7)
        #expect(card?["code"] == "expired" && card?["decode_error"] == "x")
        #expect(card?["message"] == "The card expired at 1970-01-01T00:00:05Z.")
    }

    @Test("A template's reason has its field, a cap's the cap, and others nothing more")
    func jsonOfReasons() {
        func reason(_ reason: WithheldReason) -> JSONValue? { explanation([], reason, variant: nil).json["reason"] }
        let failure = TemplateFailure(.failed, field: "url", reason: "url_forbidden", message: "m")
        let template = reason(.template(failure))
        #expect(template?["field"] == "url" && template?["detail"] == "url_forbidden")
        #expect(template?["until"] == .null && template?["cap"] == nil)
        let cap = reason(.frequencyCap(FrequencyCap(cards: 2, days: 3, tag: "promo"), until: 60))
        #expect(cap?["cap"] == ["cards": 2, "days": 3, "tag": "promo"] && cap?["until"]?.double == 60)
        let waiting = reason(.triggerWaiting(until: 5))?.object
        #expect(waiting?.keys == ["code", "message", "until"])
        let none = explanation(variant: nil).json
        #expect(none["reason"] == .null && none["variant_id"] == .null && none["cards"] == [])
    }
}
