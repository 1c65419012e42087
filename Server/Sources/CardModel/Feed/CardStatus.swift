/// Whether a card that a user was given is in their feed, and why not.
public enum CardStatus: Sendable, Hashable {
    /// It is there, at least until that time where its user does nothing.
    case shown(until: UnixTime?)
    /// It is as it was: the campaign's cards leave with the audience, and it took too much work to ask whether the user
    /// is in it.
    case kept(until: UnixTime?)
    /// The user has dismissed it.
    case dismissed
    /// It was taken away for good.
    case taken(Delivery.End)
    /// Its template, as it is by now, keeps it from the user.
    case withheld(TemplateFailure)
    /// It left by itself at that time.
    case expired(UnixTime)
    /// The campaign took its cards back, or has no such variant any more.
    case withdrawn
    /// The campaign's cards leave with the audience, and the user is not in it, at least until that time.
    case outsideAudience(until: UnixTime?)

    /// Whether it is there, as far as is known.
    var isShown: Bool { stay != nil }

    /// The time until which it is there where its user does nothing, and whether that is known; `nil` where it isn't.
    var stay: (until: UnixTime?, isKnown: Bool)? {
        switch self {
        case .shown(let until): (until: until, isKnown: true)
        case .kept(let until): (until: until, isKnown: false)
        case .dismissed, .taken, .withheld, .expired, .withdrawn, .outsideAudience: nil
        }
    }

    /// The status as a word that stays the same.
    public var code: String {
        switch self {
        case .shown, .kept: "shown"
        case .dismissed: "dismissed"
        case .taken(.limit): "limit_reached"
        case .taken(.removalEvent): "removal_event"
        case .withheld(let failure): failure.code
        case .expired: "expired"
        case .withdrawn: "withdrawn"
        case .outsideAudience: "audience"
        }
    }
}

extension Catalog {
    /// Whether a card that was given is in the user's feed at that moment.
    public func status(of delivery: Delivery, of user: UserState, at now: UnixTime) -> CardStatus {
        status(of: delivery, for: CardViewer(user, in: self, at: now))
    }

    func status(of delivery: Delivery, for viewer: CardViewer) -> CardStatus {
        guard let entry = entries[delivery.campaign], let card = entry.liveCard(of: delivery.variant) else {
            return .withdrawn
        }
        let status = entry.status(of: delivery, card, for: viewer)
        guard status.isShown, card.isTemplate else { return status }
        do {
            _ = try card.members(of: delivery.origin, for: viewer)
            return status
        } catch {
            return .withheld(error)
        }
    }

    /// Whether a card takes up room in the feed; one that its template withholds does too.
    func isShown(_ delivery: Delivery, for viewer: CardViewer) -> Bool {
        guard let entry = entries[delivery.campaign], let card = entry.liveCard(of: delivery.variant) else {
            return false
        }
        return entry.status(of: delivery, card, for: viewer).isShown
    }
}

extension Catalog.Entry {
    /// The card of a variant that was given, or `nil` where the campaign took it back.
    func liveCard(of variant: VariantID) -> CatalogCard? {
        campaign.isWithdrawn ? nil : card(of: variant)
    }

    /// Whether the card is there as far as its template does not matter.
    func status(of delivery: borrowing Delivery, _ card: CatalogCard, for viewer: CardViewer) -> CardStatus {
        if delivery.isDismissed { return .dismissed }
        if let end = delivery.end { return .taken(end) }
        let expiry = card.place(of: delivery, for: viewer).expiresAt
        if let expiry, expiry <= viewer.now { return .expired(expiry) }
        guard campaign.content.rules.followsAudience else { return .shown(until: expiry) }
        let refusals = viewer.facts.patterns.refusals
        let answer = audience.answer(of: viewer.facts)
        let until = [expiry, answer.until].compactMap(\.self).min()
        if answer.matches { return .shown(until: until) }
        return viewer.facts.patterns.refusals == refusals ? .outsideAudience(until: answer.until) : .kept(until: until)
    }
}
