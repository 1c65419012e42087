import Testing
import WireJSON

@testable import CardModel

@Suite("What a campaign is checked for before its launch")
struct CampaignSizeTests {
    private func codes(_ campaign: Campaign, at now: UnixTime = 100) -> [String] {
        campaign.content.checks(types: [], at: now).map(\.code)
    }

    @Test("A card is as large as it may be, and not a byte more, and templates are measured when they are rendered")
    func sizes() throws {
        // "Title" and "Text" have nine bytes.
        var content = Sample.campaign("c", variants: [Sample.variant("a"), Sample.variant("b")]).content
        try content.checkSizes(limit: 9)
        content.variants[1].card?.title = "Titles"
        do throws(ModelError) {
            try content.checkSizes(limit: 9)
            Issue.record("A card that is too large was taken.")
        } catch {
            #expect(error.code == .cardTooLarge && error.path == "variants[1].card")
            #expect(error.message.contains("take 10 bytes; 9 are possible"))
        }
        content.variants[1].card?.title = "{{ 'a template' }}"
        try content.checkSizes(limit: 9)
        content.variants[1].card = nil
        try content.checkSizes(limit: 9)
    }

    @Test("An end that has passed for everyone is an error, by the clock that is last where it is local")
    func schedules() throws {
        func scheduled(_ delivery: Campaign.DeliveryMode) -> Campaign { Sample.campaign("c", delivery: delivery) }
        #expect(codes(scheduled(.scheduled(start: nil, end: 100))) == ["schedule_over"])
        #expect(codes(scheduled(.scheduled(start: nil, end: 100.5))).isEmpty)
        #expect(codes(scheduled(.apiTriggered(Campaign.APIDelivery(end: 99)))) == ["schedule_over"])
        let local = Campaign.DeliveryMode.scheduledLocally(start: nil, end: LocalTime(seconds: 1_000_000))
        #expect(codes(scheduled(local), at: 1_000_000 + 43_199).isEmpty)
        #expect(codes(scheduled(local), at: 1_000_000 + 43_200) == ["schedule_over"])
    }

    @Test("A picture without a text, a control without a conversion and different places are warnings")
    func warnings() {
        var campaign = Sample.campaign("c", variants: [Sample.variant("a"), Sample.variant("b")])
        #expect(codes(campaign).isEmpty)
        campaign.content.variants[1].card?.image = "https://a/b.png"
        #expect(campaign.content.checks(types: [], at: 0).map(\.path) == ["variants[1].card.image_alt"])
        campaign.content.variants[1].card?.imageAlt = ""
        #expect(codes(campaign).isEmpty)
        campaign.content.variants[1].card?.priority = 1
        #expect(codes(campaign) == ["variants_in_different_places"])
        campaign.content.variants[0].card?.priority = 1
        campaign.content.variants[0].card?.isPinned = true
        #expect(codes(campaign) == ["variants_in_different_places"])
        // A variant that nobody gets any more is seen in no place.
        campaign.content.variants[0].weight = 0
        #expect(codes(campaign).isEmpty)
        campaign.content.variants.append(Campaign.Variant(id: VariantID(rawValue: "control"), card: nil))
        #expect(codes(campaign) == ["control_without_conversion"])
        campaign.content.conversions = [Campaign.Conversion(id: "x", goal: .sessionStart)]
        #expect(codes(campaign).isEmpty)
    }

    @Test("Errors come before warnings, each in the order in which they are looked for")
    func order() {
        var campaign = Sample.campaign("c", delivery: .scheduled(start: nil, end: 5))
        campaign.content.audience = .attribute(AttributeClause(.custom("plan"), .equals, " "))
        campaign.content.variants[0].card?.image = "https://a/b.png"
        campaign.content.variants[0].card?.extras = ["class_type": "Offer"]
        let type = ContentSchema(classType: "Offer", fields: [ContentSchema.SchemaField(name: "price", kind: .decimal)])
        let checks = campaign.content.checks(types: [type], at: 100)
        let expected = ["schedule_over", "content_field_missing", "audience_value_blank", "image_without_text"]
        #expect(checks.map(\.code) == expected)
        #expect(checks.map(\.severity) == [.error, .error, .warning, .warning])
        #expect(checks[1].json["path"] == "variants[0].card.extras.price" && checks[1].json["severity"] == "error")
    }

    @Test("The fields that an edit changes are named, also those that one of both lacks")
    func fields() {
        let content = Sample.campaign("c").content
        #expect(content.fields(differentFrom: content).isEmpty)
        var other = content
        other.name = "Other"
        other.variants[0].weight = 2
        other.salt = "s"
        other.conversions = [Campaign.Conversion(id: "x", goal: .sessionStart)]
        #expect(Set(content.fields(differentFrom: other)) == ["name", "variants", "salt", "conversions"])
        #expect(Set(other.fields(differentFrom: content)) == ["name", "variants", "salt", "conversions"])
    }

    @Test("First cards are counted by the weights under which they were given, and those of one variant by none")
    func allocations() throws {
        func delivery(_ campaign: String, ordinal: Int = 0) -> Delivery {
            Delivery(
                card: CardID(rawValue: "card"),
                campaign: CampaignID(rawValue: campaign),
                ordinal: ordinal,
                variant: VariantID(rawValue: "a"),
                deliveredAt: 0
            )
        }
        let split = [Sample.variant("a", weight: 3), Sample.variant("b", weight: 0), Sample.variant("c", weight: 1)]
        let campaigns = [try Sample.launched("one"), try Sample.launched("split", variants: split)]
        let catalog = Catalog(campaigns: campaigns, generation: 1)
        let weights = VariantAllocation([VariantID(rawValue: "a"): 3, VariantID(rawValue: "c"): 1])
        let found = catalog.allocations(of: [delivery("one"), delivery("split"), delivery("gone")])
        #expect(found == [CampaignID(rawValue: "split"): weights])
        #expect(catalog.allocations(of: [delivery("split", ordinal: 1)]).isEmpty && catalog.allocations(of: []).isEmpty)
    }

    @Test("Devices see other cards, withdrawals, and audiences where cards follow them")
    func devices() throws {
        let campaign = try Sample.launched("c")
        var other = campaign
        other.content.name = "Other"
        other.content.tags = ["x"]
        other.content.audience = .users([])
        other.content.variants[0].weight = 7
        #expect(!other.differsOnDevices(from: campaign))
        var follows = campaign
        follows.content.rules.followsAudience = true
        #expect(follows.differsOnDevices(from: campaign) && campaign.differsOnDevices(from: follows))
        var narrowed = follows
        narrowed.content.audience = .users([])
        #expect(narrowed.differsOnDevices(from: follows))
        var withdrawn = campaign
        withdrawn.isWithdrawn = true
        #expect(withdrawn.differsOnDevices(from: campaign))
        var control = campaign
        control.content.variants[0].card = nil
        #expect(control.differsOnDevices(from: campaign))
    }

    @Test("A name of one or two dots is reserved, and no other", arguments: [".", "..", "...", "a.", ".a", "", "a"])
    func reserved(name: String) {
        let isReserved = name == "." || name == ".."
        do throws(ModelError) {
            try ReservedID.check(name, at: "name")
            try ReservedID.check(CampaignID(rawValue: name))
            #expect(!isReserved)
        } catch {
            #expect(isReserved && error.path == "name" && error.code == .fieldInvalid)
        }
        if isReserved { #expect(throws: ModelError.self) { try ReservedID.check(SegmentID(rawValue: name)) } }
    }
}
