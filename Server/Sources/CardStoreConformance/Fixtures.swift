import CardModel
import CardStore
import Testing

/// A moment in November 2026, at noon in UTC.
package let noon: UnixTime = 1_795_262_400
/// A user.
package let someone = UserID(rawValue: "user-1")
/// The command, which does what no person and no key does.
package let command = Actor.command

extension Campaign {
    /// A campaign with the variants `a` and `control`.
    package static func sample(_ id: String = "sale", title: String = "Sale") -> Campaign {
        var card = CardTemplate(layout: .classic)
        card.title = title
        card.description = "Today only"
        return Campaign(
            id: CampaignID(rawValue: id),
            content: Content(
                name: title,
                variants: [
                    Variant(id: VariantID(rawValue: "a"), name: "A", card: card),
                    Variant(id: VariantID(rawValue: "control"), name: "Control", card: nil),
                ]
            ),
            createdAt: noon
        )
    }
}

extension CardStore {
    /// Creates and launches a campaign, and returns it as kept.
    @discardableResult
    package func launch(_ campaign: Campaign) async throws -> Campaign {
        try await insertCampaign(campaign, by: command)
        return try await updateCampaign(
            campaign.applying(.launch, at: noon),
            from: campaign.version,
            action: "campaign.launch",
            by: command
        )
    }

    /// Gives a user a card of a campaign and returns the user's new version.
    @discardableResult
    package func give(
        _ card: String,
        of campaign: String = "sale",
        variant: String = "a",
        ordinal: Int = 0,
        to user: UserID = someone,
        at time: UnixTime = noon
    ) async throws -> UserVersion? {
        let version = try await userRevision(of: user)?.version ?? 0
        let delivery = Delivery(
            card: CardID(rawValue: card),
            campaign: CampaignID(rawValue: campaign),
            ordinal: ordinal,
            variant: VariantID(rawValue: variant),
            deliveredAt: time
        )
        return try await saveFeed(
            FeedChange(user: user, version: version, additions: [delivery], endings: [:], at: time)
        )
    }

    @discardableResult
    package func record(
        _ events: [DeviceEvent],
        of user: UserID = someone,
        at time: UnixTime = noon
    ) async throws -> EventOutcome {
        try await recordEvents(EventBatch(user: user, events: events, receivedAt: time))
    }

    /// The sum of a variant's counts over all days.
    package func counts(of campaign: String = "sale", variant: String = "a") async throws -> CampaignCounts {
        try await campaignReport(of: CampaignID(rawValue: campaign))?.counts(of: VariantID(rawValue: variant))
            ?? CampaignCounts()
    }
}

extension DeviceEvent {
    /// Creates an event with a number for an id.
    package init(_ number: UInt64, _ kind: EventKind, at time: UnixTime = noon) {
        self.init(id: EventID(high: 0x0190_B2F0_5F3E_7CC1, low: number), kind: kind, at: time)
    }

    package static func impression(
        _ number: UInt64,
        of card: String = "card-1",
        at time: UnixTime = noon
    ) -> DeviceEvent {
        DeviceEvent(number, .impression(CardID(rawValue: card)), at: time)
    }

    package static func click(_ number: UInt64, of card: String = "card-1") -> DeviceEvent {
        DeviceEvent(number, .click(CardID(rawValue: card)))
    }

    package static func dismissal(_ number: UInt64, of card: String = "card-1") -> DeviceEvent {
        DeviceEvent(number, .dismissal(CardID(rawValue: card)))
    }
}

/// Expects that a call throws an error of the store with that code.
package func expectFailure(
    _ code: StoreError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Any
) async {
    let error = await #expect(throws: StoreError.self, sourceLocation: sourceLocation) { _ = try await body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}
