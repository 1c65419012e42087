import CardModel

// Cards that an app shows in its own way, told apart by `class_type`: the Shop in `Examples` shows them all.
extension SampleCampaign {
    /// A picture above the tiles of the app's home page.
    static var returnsAd: SampleCampaign {
        var card = CardTemplate(layout: .classic)
        card.title = "Free returns all month"
        card.description = "In any of our shops."
        card.extras = ["class_type": "ad_banner", "ad_image": "free-returns"]
        return SampleCampaign("demo-ad", content("Home ad: free returns", card, tags: ["home"]))
    }

    /// A tile that the app blends with its own tiles on its home page.
    static var shoesTile: SampleCampaign {
        SampleCampaign(
            "demo-home-tile-1",
            tile(
                "running-shoes",
                title: "Trail shoes",
                detail: "Grip on wet stone.",
                price: "120",
                tags: "wear, travel",
                priority: 5,
                story: "A sole that holds on wet stone, and an upper that dries while you walk."
            )
        )
    }

    /// Another tile.
    static var jacketTile: SampleCampaign {
        SampleCampaign(
            "demo-home-tile-2",
            tile(
                "rain-jacket",
                title: "Rain jacket",
                detail: "Dry, and not damp.",
                price: "89.00",
                tags: "wear",
                priority: 4,
                story: "Three layers, taped seams, and a hood that turns with your head."
            )
        )
    }

    /// A tile for gold members alone: it takes the place of the shop's own lantern, at a better price.
    static var goldTile: SampleCampaign {
        var content = tile(
            "lantern",
            title: "Storm lantern",
            detail: "For gold members.",
            price: "29.90",
            tags: "camp, light",
            priority: 6,
            story: "The flame stands still in the strongest wind. For gold members it costs ten euros less."
        )
        content.audience = .attribute(AttributeClause(.custom("plan"), .equals, .string("gold")))
        return SampleCampaign("demo-gold-tile", content)
    }

    /// A tile that a backend brings: it names the users, and gives everything that the tile shows.
    static var triggeredTile: SampleCampaign {
        func property(_ name: String) -> String { "{{api_trigger_properties.${\(name)}}}" }
        var card = CardTemplate(layout: .classic)
        card.title = property("tile_title")
        card.description = property("tile_detail")
        card.priority = 7
        card.extras = ["class_type": "home_tile"]
        for name in ["id", "title", "detail", "image", "price", "tags", "deeplink"] {
            card.extras["tile_\(name)"] = property("tile_\(name)")
        }
        var content = content("Home tile by a backend", card, tags: ["home"])
        content.delivery = .apiTriggered(Campaign.APIDelivery())
        return SampleCampaign("demo-triggered-tile", content)
    }

    private static func tile(
        _ id: String,
        title: String,
        detail: String,
        price: String,
        tags: String,
        priority: Int,
        story: String
    ) -> Campaign.Content {
        var card = CardTemplate(layout: .classic)
        card.title = title
        card.description = story
        card.url = "shop://tiles/\(id)"
        card.priority = priority
        card.extras = [
            "class_type": "home_tile", "tile_id": id, "tile_title": title, "tile_detail": detail, "tile_image": id,
            "tile_price": price, "tile_tags": tags, "tile_deeplink": "shop://tiles/\(id)",
        ]
        return content("Home tile: \(title)", card, tags: ["home"])
    }

    /// A message that opens on a page of its own.
    static var fullPageMessage: SampleCampaign {
        var card = CardTemplate(layout: .captionedImage)
        card.title = "How we make our wool"
        card.priority = 3
        card.description = """
            It begins on a farm an hour from here, where the sheep are outside all year. In spring they are shorn, \
            and the wool is washed in rain water.

            What is left over of the yarn becomes our blankets, so no two are the same.
            """
        card.imageAspectRatio = 374.0 / 200
        card.extras = [
            "class_type": "message_full_page", "message_header": "Full Page", "message_title": "How we make our wool",
        ]
        let content = content("Message: full page", card, tags: ["message-centre"])
        return SampleCampaign("demo-message-page", content, picture: .sheep)
    }

    /// A message whose page is HTML.
    static var webMessage: SampleCampaign {
        var card = CardTemplate(layout: .classic)
        card.title = "Opening hours on holidays"
        card.priority = 2
        card.description = "All shops and what they do on the coming holidays."
        card.extras = [
            "class_type": "message_webview", "message_header": "HTML", "message_title": "Opening hours",
            "html": "<h1>Opening hours</h1><p>On holidays we open at <b>10:00</b> and close at <b>16:00</b>.</p>",
        ]
        let content = content("Message: web view", card, tags: ["message-centre"])
        return SampleCampaign("demo-message-web", content, picture: .clock)
    }

    /// A coupon for the checkout, tested against a control that shows nothing: one user in five.
    static var coupon: SampleCampaign {
        var content = Campaign.Content(
            name: "Checkout coupon with a control",
            tags: ["demo", "checkout"],
            variants: [
                Campaign.Variant(id: VariantID(rawValue: "a"), name: "20 % off", weight: 4, card: couponCard),
                Campaign.Variant(id: VariantID(rawValue: "control"), name: "Control", weight: 1, card: nil),
            ]
        )
        content.conversions = [
            Campaign.Conversion(
                id: "bought",
                name: "Bought something",
                goal: .event(EventCondition(.purchase(product: nil))),
                opening: .impression
            )
        ]
        return SampleCampaign("demo-coupon", content)
    }

    private static var couponCard: CardTemplate {
        var card = CardTemplate(layout: .classic)
        card.title = "20% off your order"
        card.description = "Tap at the checkout. Valid for one order."
        card.extras = ["class_type": "coupon_code", "coupon_code": "AUTUMN20", "discount_percentage": "20"]
        return card
    }
}
