import CardModel

// Cards that an app shows in its own way, told apart by `class_type`.
extension SampleCampaign {
    /// A tile that an app blends with its own tiles on its home page.
    static func homeTile(_ number: Int, title: String, detail: String) -> SampleCampaign {
        var card = CardTemplate(layout: .classic)
        card.title = title
        card.description = detail
        card.url = "shop://tiles/\(number)"
        card.extras = [
            "class_type": "home_tile", "tile_id": "\(number)", "tile_title": title, "tile_detail": detail,
            "tile_price": number == 1 ? "120" : "89", "tile_tags": number == 1 ? "shoes, sport" : "jackets, rain",
            "tile_deeplink": "shop://tiles/\(number)",
        ]
        return SampleCampaign("demo-home-tile-\(number)", content("Home tile: \(title)", card, tags: ["home"]))
    }

    /// A message that opens on a page of its own.
    static var fullPageMessage: SampleCampaign {
        var card = CardTemplate(layout: .captionedImage)
        card.title = "How we make our wool"
        card.description = "From the farm to the shelf in five steps, and what happens to what is left over."
        card.image = SampleImage.blue
        card.imageAspectRatio = 1.33
        card.extras = [
            "class_type": "message_full_page", "message_header": "Full Page", "message_title": "How we make our wool",
        ]
        return SampleCampaign("demo-message-page", content("Message: full page", card, tags: ["message-centre"]))
    }

    /// A message whose page is HTML.
    static var webMessage: SampleCampaign {
        var card = CardTemplate(layout: .classic)
        card.title = "Opening hours on holidays"
        card.description = "All shops and what they do on the coming holidays."
        card.extras = [
            "class_type": "message_webview", "message_header": "HTML", "message_title": "Opening hours",
            "html": "<h1>Opening hours</h1><p>On holidays we open at <b>10:00</b> and close at <b>16:00</b>.</p>",
        ]
        return SampleCampaign("demo-message-web", content("Message: web view", card, tags: ["message-centre"]))
    }

    /// A coupon for the checkout, tested against a control that shows nothing: one user in five.
    static var coupon: SampleCampaign {
        SampleCampaign(
            "demo-coupon",
            Campaign.Content(
                name: "Checkout coupon with a control",
                tags: ["demo", "checkout"],
                variants: [
                    Campaign.Variant(id: VariantID(rawValue: "a"), name: "20 % off", weight: 4, card: couponCard),
                    Campaign.Variant(id: VariantID(rawValue: "control"), name: "Control", weight: 1, card: nil),
                ]
            )
        )
    }

    private static var couponCard: CardTemplate {
        var card = CardTemplate(layout: .classic)
        card.title = "20 % off your basket"
        card.description = "Tap at the checkout. Valid for one order."
        card.extras = ["class_type": "coupon_code", "coupon_code": "AUTUMN20", "discount_percentage": "20"]
        return card
    }
}
