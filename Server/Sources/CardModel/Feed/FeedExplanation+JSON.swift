import OrderedCollections
public import WireJSON

extension CampaignExplanation {
    /// The explanation as the API shows it.
    public var json: JSONValue {
        var members: JSONObject = [
            "campaign_id": .string(campaign.id.rawValue), "name": .string(campaign.content.name), "code": .string(code),
            "message": .string(sentence), "gives_card": .bool(gives),
            "variant_id": variant.map { .string($0.id.rawValue) } ?? .null,
            "reason": reason.map(json) ?? .null, "cards": .array(cards.map(\.json)),
        ]
        members["audience"] = audience.json
        return .object(members)
    }

    private func json(_ reason: WithheldReason) -> JSONValue {
        var members: JSONObject = [
            "code": .string(reason.code), "message": .string(sentence(reason)),
            "until": reason.recheckAt.map(JSONValue.number) ?? .null,
        ]
        switch reason {
        case .audience: members["clauses"] = .array(audience.reasons.map(\.json))
        case .template(let failure):
            members["field"] = .string(failure.field)
            members["detail"] = .string(failure.reason)
        case .frequencyCap(let cap, _): members["cap"] = cap.json
        default: break
        }
        return .object(members)
    }

    /// The explanation in a sentence.
    public var sentence: String {
        let isControl = variant?.isControl == true || cards.first?.isControl == true
        if code == "control", isControl { return "The user is in the control, which sees nothing and is counted." }
        if gives { return "The next sync gives the user the card." }
        if code == "decode_error" { return "The card is in the feed, but the app could not read it: \(decodeError)" }
        if let reason, reason.code == code { return sentence(reason) }
        return cards.first { $0.status.code == code }?.sentence ?? ""
    }

    private var decodeError: String { cards.compactMap(\.decodeError).first ?? "" }

    private func sentence(_ reason: WithheldReason) -> String {
        guard case .audience = reason, let clause = audience.reasons.first else { return reason.sentence }
        let found = clause.found.map { $0.isNull ? "nothing" : $0.text } ?? "nothing"
        let verdict = clause.matches ? "holds, and so leaves the user out" : "does not hold"
        return "The user is not in the audience: “\(clause.summary)” \(verdict); found: \(found)."
    }
}

extension CampaignExplanation.Card {
    fileprivate var json: JSONValue {
        [
            "card_id": .string(delivery.card.rawValue), "variant_id": .string(delivery.variant.rawValue),
            "delivered_at": .number(delivery.deliveredAt), "code": .string(status.code),
            "message": .string(sentence), "decode_error": decodeError.map(JSONValue.string) ?? .null,
        ]
    }

    fileprivate var sentence: String {
        switch status {
        case .shown: "The card is in the feed."
        case .kept:
            "The card stays as it was: whether the user is in the audience took more work to find out than a sync has."
        case .dismissed: "The user dismissed the card."
        case .taken(.limit): "The user had more cards than the limit, and this was the last of the feed."
        case .taken(.removalEvent): "The user did something after which the campaign takes its cards away."
        case .withheld(let failure): failure.sentence
        case .expired(let time): "The card expired at \(Timestamp.text(of: time))."
        case .withdrawn: "The campaign took its cards back."
        case .outsideAudience: "The card leaves with the audience, and the user is not in it."
        }
    }
}

extension TemplateFailure {
    /// The failure in a sentence.
    public var sentence: String {
        let place = field.isEmpty ? "" : " (\(field))"
        return switch kind {
        case .aborted: "The template\(place) aborted: \(reason.isEmpty ? "without a reason" : reason)"
        case .failed: "The template\(place) could not be rendered. \(message)"
        case .tooLarge: message
        }
    }
}

extension WithheldReason {
    /// The reason in a sentence.
    public var sentence: String {
        switch self {
        case .status(.draft): "The campaign is a draft, so it gives nobody a card."
        case .status(let status): "The campaign is \(status.rawValue), so it gives nobody a card."
        case .notStarted(let time): "The schedule opens at \(Timestamp.text(of: time))."
        case .ended(let time): "The schedule closed at \(Timestamp.text(of: time))."
        case .notReeligible(nil): "The user was given the card and is given no other."
        case .notReeligible(let time?): "The user may be given the card again from \(Timestamp.text(of: time)) on."
        case .notTriggered: "Nothing has triggered the campaign for the user."
        case .triggerWaiting(let time): "The trigger is due at \(Timestamp.text(of: time))."
        case .triggerOver(let outcome): outcome.sentence
        case .audience: "The user is not in the audience."
        case .searchLimit:
            "Whether the user is in the audience took more work to find out than a sync has: "
                + "attributes or histories are too long, or regular expressions take too many steps."
        case .noVariant: "Every variant has the weight 0."
        case .tooManyCards:
            "The user was given \(FeedDecision.cardsOfUser) cards in all, "
                + "and gets no other of a campaign that gave one."
        case .wouldBeExpired: "The card would have expired before it is given."
        case .quietHours(let time): "In quiet hours nobody gets a new card; they end at \(Timestamp.text(of: time))."
        case .frequencyCap(let cap, let time): cap.sentence(until: time)
        case .cardLimit: "The user has as many cards as the limit allows, and all of them come before this one."
        case .template(let failure): failure.sentence
        }
    }
}

extension FrequencyCap {
    /// Returns the sentence that says that a user has had as many cards as the cap allows.
    fileprivate func sentence(until time: UnixTime) -> String {
        let (kind, next) = (tag.map { "\($0) " } ?? "", Timestamp.text(of: time))
        return switch (cards, days) {
        case (1, 1): "The user had 1 new \(kind)card in 1 day; the next may come at \(next)."
        case (1, _): "The user had 1 new \(kind)card in \(days) days; the next may come at \(next)."
        case (_, 1): "The user had \(cards) new \(kind)cards in 1 day; the next may come at \(next)."
        default: "The user had \(cards) new \(kind)cards in \(days) days; the next may come at \(next)."
        }
    }
}

extension Trigger.TriggerOutcome {
    fileprivate var sentence: String {
        switch self {
        case .delivered: "The trigger gave its card."
        case .expired: "The trigger's time passed before the user was eligible."
        case .notReeligible: "The user had a card of the campaign when the trigger came, and not long enough ago."
        case .removed: "A removal event cancelled the trigger."
        }
    }
}
