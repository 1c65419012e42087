import CardModel
import CardStore
import Testing

/// A moment in November 2026, at noon in UTC.
let noon: UnixTime = 1_795_262_400
let someone = UserID(rawValue: "user-1")
let command = Actor.command

extension Campaign {
    /// A campaign with the variants `a` and `control`.
    static func sample(_ id: String = "sale", title: String = "Sale") -> Campaign {
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
    /// Backs the store up, which has to be one that can.
    func makeBackup(at path: String) async throws { try await #require(self as? any BackupStore).backUp(to: path) }

    /// Creates and launches a campaign, and returns it as kept.
    @discardableResult
    func launch(_ campaign: Campaign) async throws -> Campaign {
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
    func give(
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
    func record(
        _ events: [DeviceEvent],
        of user: UserID = someone,
        at time: UnixTime = noon
    ) async throws -> EventOutcome {
        try await recordEvents(EventBatch(user: user, events: events, receivedAt: time))
    }

    /// The sum of a variant's counts over all days.
    func counts(of campaign: String = "sale", variant: String = "a") async throws -> CampaignCounts {
        try await campaignReport(of: CampaignID(rawValue: campaign))?.counts(of: VariantID(rawValue: variant))
            ?? CampaignCounts()
    }
}

extension DeviceEvent {
    /// Makes an event with a number for an id.
    init(_ number: UInt64, _ kind: Kind, at time: UnixTime = noon) {
        self.init(id: EventID(high: 0x0190_B2F0_5F3E_7CC1, low: number), kind: kind, at: time)
    }

    static func impression(_ number: UInt64, of card: String = "card-1", at time: UnixTime = noon) -> DeviceEvent {
        DeviceEvent(number, .impression(CardID(rawValue: card)), at: time)
    }

    static func click(_ number: UInt64, of card: String = "card-1") -> DeviceEvent {
        DeviceEvent(number, .click(CardID(rawValue: card)))
    }

    static func dismissal(_ number: UInt64, of card: String = "card-1") -> DeviceEvent {
        DeviceEvent(number, .dismissal(CardID(rawValue: card)))
    }
}

/// Expects that a call throws an error of the store with that code.
func expectFailure(
    _ code: StoreError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Any
) async {
    let error = await #expect(throws: StoreError.self, sourceLocation: sourceLocation) { _ = try await body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}
