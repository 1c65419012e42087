import Testing
import WireJSON

@testable import CardModel

@Suite("Previews and test cards")
struct CardPreviewTests {
    private static let user: UserProfile = {
        var user = UserProfile(id: UserID(rawValue: "ann"), createdAt: 0)
        user.standard[.firstName] = "Ann"
        user.standard[.language] = "de"
        return user
    }()

    private static let card: CardTemplate = {
        var card = CardTemplate(layout: .classic)
        card.title = "Hi {{${first_name}}}"
        card.description = "{{api_trigger_properties.${price}}}"
        card.url = "app://home"
        card.platformURLs = [.ios: "ios://home"]
        return card
    }()

    private func render(
        _ card: CardTemplate = card,
        campaign: Campaign? = nil,
        properties: JSONValue? = ["price": "5"],
        platform: CardTemplate.Platform? = nil,
        zone: String = "UTC"
    ) throws -> JSONValue {
        let preview = CardPreview(
            card: card,
            campaign: campaign,
            properties: properties?.bytes,
            platform: platform,
            engine: TemplateEngine()
        )
        return try JSONValue(parsing: preview.render(for: Self.user, timeZone: zone, at: 1_000))
    }

    private func variant(_ card: CardTemplate?) -> Campaign.Variant {
        Campaign.Variant(id: VariantID(rawValue: "b"), name: "B", card: card)
    }

    private func testCard(_ card: CardTemplate, language: String? = nil, zone: String = "UTC") throws -> TestCard {
        let campaign = Sample.campaign("sale", variants: [variant(card)])
        let preview = CardPreview(
            testing: campaign.content.variants[0],
            language: language,
            of: campaign,
            properties: nil,
            engine: TemplateEngine()
        )
        return try preview.testCard(
            CardID(rawValue: "t"),
            language: language,
            for: Self.user,
            timeZone: zone,
            at: 1_000
        )
    }

    private func members(_ test: TestCard) throws -> JSONValue {
        try JSONValue(parsing: Array(#"{"id":"""#.utf8) + test.members + Array("}".utf8))
    }

    @Test("A preview is the card as the user gets it, with nothing viewed or clicked")
    func preview() throws {
        let shown = try render()
        #expect(shown["title"] == "Hi Ann" && shown["description"] == "5" && shown["url"] == "app://home")
        #expect(shown["id"] == "preview" && shown["campaign_id"] == "preview" && shown["variant_id"] == "a")
        #expect(shown["test"] == false && shown["type"] == "classic" && shown["created_at"]?.double == 1_000)
        #expect(shown["viewed"] == false && shown["clicked"] == false && shown["dismissed"] == false)
        #expect(shown["expires_at"] == .null)
        #expect(try render(platform: .ios)["url"] == "ios://home" && render(platform: .web)["url"] == "app://home")
        #expect(try render(properties: nil)["description"] == nil, "A text that is empty is left out.")
        #expect(try render(campaign: Sample.campaign("sale"))["campaign_id"] == "sale")
    }

    @Test("A preview is in the user's language, where the card has it")
    func languages() throws {
        var (card, german) = (Self.card, CardTemplate.Translation())
        german.title = "Hallo {{${first_name}}}"
        card.translations = ["de": german]
        let shown = try render(card)
        #expect(shown["title"] == "Hallo Ann" && shown["language"] == "de" && shown["description"] == "5")
        card.translations = ["fr": german]
        #expect(try render(card)["title"] == "Hi Ann")
    }

    @Test("A local expiry is by the clock of the user or else of the workspace")
    func expiry() throws {
        var card = Self.card
        let noon = try #require(LocalTime("2027-01-31T12:00:00"))
        card.expiry = .atLocal(noon)
        #expect(try render(card)["expires_at"]?.double == noon.seconds)
        #expect(try render(card, zone: "Asia/Tokyo")["expires_at"]?.double == noon.seconds - 32_400)
        card.expiry = .afterDelivery(seconds: 60)
        #expect(try render(card)["expires_at"]?.double == 1_060)
    }

    @Test("A template that fails or aborts is no preview")
    func failures() {
        var card = Self.card
        card.title = "{% abort_message('not now') %}"
        let aborted = #expect(throws: TemplateFailure.self) { try render(card) }
        #expect(aborted?.kind == .aborted && aborted?.field == "title")
        card.title = "{% if %}"
        #expect(throws: TemplateFailure.self) { try render(card) }
        card.title = "Hi"
        card.url = "{{ 'javascript' }}:alert(1)"
        let forbidden = #expect(throws: TemplateFailure.self) { try render(card) }
        #expect(forbidden?.reason == "url_forbidden" && forbidden?.field == "url")
        card.url = "{{ 'x' }}" + String(repeating: "y", count: Settings().cardSizeLimit)
        let large = #expect(throws: TemplateFailure.self) { try render(card) }
        #expect(large?.kind == .tooLarge)
    }

    @Test("A test card says that it is one, and lasts a day at most")
    func testCards() throws {
        var card = Self.card
        card.isPinned = true
        card.priority = 7
        let test = try testCard(card)
        #expect(test.campaign.rawValue == "sale" && test.variant.rawValue == "b" && test.card.rawValue == "t")
        #expect(test.sentAt == 1_000 && test.expiresAt == 1_000 + TestCard.lifetime && test.language == nil)
        #expect(test.isPinned && test.priority == 7 && test.changedAt == 0 && test.isShown(at: 1_000))
        let shown = try members(test)
        #expect(shown["test"] == true && shown["title"] == "Hi Ann" && shown["campaign_id"] == "sale")
        for (expiry, end) in [
            (.at(2_000), 2_000), (.at(1e9), 87_400), (.afterDelivery(seconds: 5), 1_005),
            (.afterDelivery(seconds: 86_401), 87_400),
        ] as [(CardTemplate.CardExpiry, UnixTime)] {
            card.expiry = expiry
            #expect(try testCard(card).expiresAt == end)
        }
    }

    @Test("A test card is in the language that is asked for, whatever the user's")
    func testLanguages() throws {
        var (card, french, german) = (Self.card, CardTemplate.Translation(), CardTemplate.Translation())
        french.title = "Bonjour"
        german.title = "Hallo"
        card.translations = ["fr": french, "de": german]
        let asked = try testCard(card, language: "fr")
        #expect(try members(asked)["title"] == "Bonjour" && asked.language == "fr")
        #expect(try members(asked)["language"] == "fr")
        // Without one it is the user's, and one that the card lacks is the card's own.
        #expect(try members(testCard(card))["title"] == "Hallo")
        #expect(try members(testCard(card, language: "es"))["title"] == "Hi Ann")
    }
}
