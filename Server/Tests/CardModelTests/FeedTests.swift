import CardModel
import Testing
import WireJSON

@Suite("What a user is given, and what a device is told")
struct FeedTests {
    @Test("Active campaigns whose schedule and audience are open give their card, once, in the order of their launch")
    func gives() throws {
        let paused = try Sample.launched("paused").applying(.pause, at: 1)
        let listed = Audience.users([UserID(rawValue: "u")])
        let campaigns = try [
            Sample.launched("late", at: 9), Sample.launched("early", at: 1), paused, Sample.campaign("draft"),
            Sample.launched("future", delivery: .scheduled(start: 100.5, end: nil)),
            Sample.launched("past", delivery: .scheduled(start: nil, end: 50)),
            Sample.launched("open", at: 2, delivery: .scheduled(start: 50, end: 50.5), audience: listed),
            Sample.launched("others", audience: .none([listed])),
        ]
        let catalog = Catalog(campaigns: campaigns, generation: 1)
        var user = Sample.user()
        let decision = FeedDecision(for: user, in: catalog, at: 50)
        #expect(decision.additions.map(\.campaign.rawValue) == ["early", "open", "late"])
        #expect(decision.endings.isEmpty)
        #expect(catalog.nextStart(after: 50) == 100.5)
        #expect(catalog.nextStart(after: 100.5) == nil)
        user.apply(decision, at: 50)
        #expect(FeedDecision(for: user, in: catalog, at: 50).isEmpty)
        #expect(FeedDecision(for: user, in: catalog, at: 100.5).additions.map(\.campaign.rawValue) == ["future"])
    }

    @Test("A card that would have expired already is not given")
    func withholdsExpired() throws {
        let campaign = try Sample.launched("c", variants: [Sample.variant("a", expiry: .at(100))])
        let catalog = Catalog(campaigns: [campaign], generation: 1)
        #expect(FeedDecision(for: Sample.user(), in: catalog, at: 99.9).additions.count == 1)
        #expect(FeedDecision(for: Sample.user(), in: catalog, at: 100).isEmpty)
    }

    @Test("Beyond the limit the oldest cards make room, and those not shown do not count")
    func makesRoom() throws {
        var campaigns = try (0..<4).map { try Sample.launched("c\($0)", at: Double($0)) }
        var user = Sample.user()
        user.apply(
            FeedDecision(
                for: user,
                in: Catalog(campaigns: Array(campaigns[..<1]), generation: 1, cardLimit: 3),
                at: 10
            ),
            at: 10
        )
        user.apply(
            FeedDecision(
                for: user,
                in: Catalog(campaigns: Array(campaigns[..<3]), generation: 2, cardLimit: 3),
                at: 20
            ),
            at: 20
        )
        user.deliveries[1].isDismissed = true
        let decision = FeedDecision(for: user, in: Catalog(campaigns: campaigns, generation: 3, cardLimit: 3), at: 30)
        #expect(decision.additions.map(\.campaign.rawValue) == ["c3"] && decision.endings.isEmpty)
        user.apply(decision, at: 30)
        // A limit that was lowered counts from the next decision on.
        let lowered = FeedDecision(for: user, in: Catalog(campaigns: campaigns, generation: 4, cardLimit: 2), at: 40)
        #expect(lowered.additions.isEmpty && lowered.endings == [user.deliveries[0].card: .limit])
        campaigns.append(try Sample.launched("c4", at: 40))
        let more = FeedDecision(for: user, in: Catalog(campaigns: campaigns, generation: 5, cardLimit: 3), at: 40)
        #expect(more.endings == [user.deliveries[0].card: .limit])
    }

    @Test("Where more is on offer than the limit allows, the newest is given and the rest never pushes it out")
    func keepsNewest() throws {
        let campaigns = try (0..<5).map { try Sample.launched("c\($0)", at: Double($0)) }
        let catalog = Catalog(campaigns: campaigns, generation: 1, cardLimit: 2)
        var user = Sample.user()
        let first = FeedDecision(for: user, in: catalog, at: 10)
        #expect(Set(first.additions.map(\.campaign.rawValue)) == ["c3", "c4"])
        user.apply(first, at: 10)
        #expect(FeedDecision(for: user, in: catalog, at: 20).isEmpty)
    }

    @Test("A reply has the pinned first, then by priority, then the newest, then by id")
    func orders() throws {
        var user = Sample.user()
        let places: [(Bool, Int, UnixTime)] = [
            (false, 0, 5), (false, 0, 9), (false, 0, 5), (false, 7, 1), (true, -9, 1), (true, 1, 0),
        ]
        let campaigns = try places.enumerated().map { index, place in
            var variant = Sample.variant("a")
            variant.card?.isPinned = place.0
            variant.card?.priority = place.1
            let card = CardID(rawValue: "card-\(9 - index)")
            let campaign = CampaignID(rawValue: "c\(index)")
            user.deliveries.append(
                Delivery(card: card, campaign: campaign, ordinal: 0, variant: variant.id, deliveredAt: place.2)
            )
            return try Sample.launched("c\(index)", variants: [variant])
        }
        let reply = FeedReply(for: user, in: Catalog(campaigns: campaigns, generation: 1), since: nil, epoch: 1, at: 10)
        #expect(reply.replaces)
        #expect(try reply.cards().map(\.id) == ["card-4", "card-5", "card-6", "card-8", "card-7", "card-9"])
    }

    @Test("A card on the wire has every field that the device API names")
    func writesCard() throws {
        let content = try Campaign.Content(json: CampaignJSONTests.full)
        let campaign = Campaign(id: CampaignID(rawValue: "cmp"), content: content, createdAt: 0)
        let catalog = Catalog(campaigns: [try campaign.applying(.launch, at: 0)], generation: 1)
        var user = Sample.user()
        for variant in content.variants {
            let card = CardID(rawValue: "card-\(variant.id.rawValue)")
            var delivery = Delivery(
                card: card,
                campaign: campaign.id,
                ordinal: 0,
                variant: variant.id,
                deliveredAt: 1_790_000_000.5
            )
            delivery.isViewed = true
            user.deliveries.append(delivery)
        }
        var writer = JSONWriter()
        FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 1_790_000_001).writeCards(to: &writer)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"[{"id":"card-a","type":"captioned_image","title":"T","description":"D","image":"https://x/y.png","#
                + #""image_aspect_ratio":1.5,"image_alt":"alt","domain":"x","url":"shop://sale","#
                + #""open_url_in_web_view":true,"#
                + #""language":"ja","extras":{"k":"v","n":"5","o":"{\"b\":true}"},"#
                + #""pinned":true,"dismissible":true,"priority":-7,"#
                + #""test":false,"campaign_id":"cmp","variant_id":"a","created_at":1790000000.5,"#
                + #""expires_at":1790003601,"#
                + #""viewed":true,"clicked":false,"dismissed":false},"#
                + #"{"id":"card-control","type":"control","pinned":true,"dismissible":false,"#
                + #""priority":-7,"test":false,"#
                + #""campaign_id":"cmp","variant_id":"control","created_at":1790000000.5,"expires_at":1790003601,"#
                + #""viewed":true,"clicked":false,"dismissed":false}]"#
        )
    }

    @Test("The control tells which class type of the app it stands for, and nothing else of the card")
    func controlOfAppContent() throws {
        var card = CardTemplate(layout: .classic)
        card.title = "20% off"
        card.url = "shop://cart"
        card.extras = ["class_type": "coupon_code", "discount_percentage": "20"]
        let variants = [
            Campaign.Variant(id: VariantID(rawValue: "a"), card: card),
            Campaign.Variant(id: VariantID(rawValue: "control"), card: nil),
        ]
        let campaign = Campaign(
            id: CampaignID(rawValue: "cmp"),
            content: Campaign.Content(name: "Coupon", variants: variants),
            createdAt: 0
        )
        let catalog = Catalog(campaigns: [try campaign.applying(.launch, at: 0)], generation: 1)
        var user = Sample.user()
        user.deliveries.append(
            Delivery(
                card: CardID(rawValue: "slot"),
                campaign: campaign.id,
                ordinal: 0,
                variant: variants[1].id,
                deliveredAt: 5
            )
        )
        var writer = JSONWriter()
        FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 6).writeCards(to: &writer)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"[{"id":"slot","type":"control","extras":{"class_type":"coupon_code"},"pinned":false,"#
                + #""dismissible":false,"priority":0,"test":false,"campaign_id":"cmp","variant_id":"control","#
                + #""created_at":5,"expires_at":null,"viewed":false,"clicked":false,"dismissed":false}]"#
        )
    }

    @Test(
        "A cursor that cannot be used gets everything",
        arguments: [
            FeedCursor(epoch: 2, generation: 1, version: 1, issuedAt: 5, recheckAt: nil),
            FeedCursor(epoch: 1, generation: 2, version: 1, issuedAt: 5, recheckAt: nil),
            FeedCursor(epoch: 1, generation: 1, version: 2, issuedAt: 5, recheckAt: nil),
            FeedCursor(epoch: 1, generation: 1, version: 1, issuedAt: 11, recheckAt: nil),
        ]
    )
    func replaces(cursor: FeedCursor) throws {
        let catalog = Catalog(campaigns: [try Sample.launched("c")], generation: 1)
        var user = Sample.user()
        user.apply(FeedDecision(for: user, in: catalog, at: 5), at: 5)
        let reply = FeedReply(for: user, in: catalog, since: cursor, epoch: 1, at: 10)
        #expect(reply.replaces && reply.cardCount == 1 && reply.removed.isEmpty)
    }

    @Test("A device that has everything is told nothing, and where it stands stays current until the next moment")
    func tellsNothing() throws {
        let campaigns = try [
            Sample.launched("a", variants: [Sample.variant("a", expiry: .at(60.5))]),
            Sample.launched("b", delivery: .scheduled(start: 90, end: nil)),
        ]
        let catalog = Catalog(campaigns: campaigns, generation: 1)
        var user = Sample.user()
        user.apply(FeedDecision(for: user, in: catalog, at: 5), at: 5)
        let first = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 5)
        #expect(first.cursor.recheckAt == 60)
        let second = FeedReply(for: user, in: catalog, since: first.cursor, epoch: 1, at: 6)
        #expect(!second.replaces && second.cardCount == 0 && second.removed.isEmpty)
        let third = FeedReply(for: user, in: catalog, since: second.cursor, epoch: 1, at: 61)
        #expect(!third.replaces && third.cardCount == 0 && third.removed == user.deliveries.map(\.card))
        #expect(third.cursor.recheckAt == 90)
        let fourth = FeedReply(for: user, in: catalog, since: third.cursor, epoch: 1, at: 62)
        #expect(fourth.cardCount == 0 && fourth.removed.isEmpty)
    }
}
