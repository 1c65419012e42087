"""Campaigns, segments and content types of every kind, as a team would make them; the server itself checks them."""

PURCHASE = {"id": "bought", "name": "Bought something", "on": {"purchase": True}, "window_seconds": 259_200}


def classic(title, description, **more):
    return {"type": "classic", "title": title, "description": description, **more}


def variants(*cards, control=False):
    rows = [{"id": "abc"[place], "weight": 2, "card": card} for place, card in enumerate(cards)]
    return rows + [{"id": "control", "weight": 1, "control": True}] if control else rows


CAMPAIGNS = [
    {"name": "Weekend offer", "variants": variants(classic("Twenty per cent off", "On everything in the basket."))},
    {
        "name": "New range",
        "audience": {"attribute": "country", "comparison": "is_any_of", "value": ["JP", "KR"]},
        "variants": variants(
            {
                "type": "captioned_image",
                "title": "The new range is here",
                "description": "Thirty pieces for autumn.",
                "image": "https://cdn.example.com/range.jpg",
                "image_aspect_ratio": 1.33,
                "url": "shop://range/autumn",
            }
        ),
    },
    {
        "name": "Free delivery, two texts",
        "conversions": [PURCHASE],
        "variants": variants(
            classic("Free delivery until Sunday", "Nothing to do: it is in your basket.", url="shop://basket"),
            classic("We bring it for nothing", "Until Sunday, whatever you buy.", url="shop://basket"),
            control=True,
        ),
    },
    {
        "name": "Birthday greeting",
        "variants": variants(classic("Happy birthday, {{${first_name} | default: 'you'}}", "A present waits for you.")),
    },
    {
        "name": "Come back to the basket",
        "audience": {"event": {"name": "added_to_cart", "within_days": 7}},
        "variants": variants(classic("Something is in your basket", "It is yours for two more days.")),
    },
    {
        "name": "Tile on the home page",
        "variants": variants(
            classic("Tile", "Home", extras={"class_type": "home_tile", "tile_title": "Shoes", "tile_id": "7"})
        ),
    },
    {
        "name": "Banner of the day",
        "audience": {"attribute": "plan", "value": "pro"},
        "variants": variants(
            {
                "type": "banner",
                "image": "https://cdn.example.com/banner.jpg",
                "image_aspect_ratio": 4,
                "url": "shop://sale",
            }
        ),
    },
    {
        "name": "Regulars who have not bought lately",
        "audience": {"all": [{"segment": "segment-1"}, {"none": [{"purchase": {"within_days": 30}}]}]},
        "variants": variants(classic("We kept something for you", "See what is new since your last visit.")),
    },
    {
        "name": "会員限定クーポン",
        "audience": {"attribute": "country", "value": "JP"},
        "conversions": [PURCHASE],
        "variants": variants(
            classic(
                "今日から三日間、全品二十パーセント引き",
                "会員の皆さまへ。お会計のときに自動で適用されます。",
                priority=5,
            ),
            control=True,
        ),
    },
    {
        "name": "Three ways to say it",
        "conversions": [PURCHASE],
        "variants": variants(
            classic("Short", "Buy now."),
            classic("Longer", "There has not been a better day to buy it."),
            classic("With a question", "Have you seen what is in your size?"),
        ),
    },
]

TAGS = ["coupon", "onboarding", "home", "message-centre", "retention", "winter", "summer", "app", "loyalty", "会員"] + [
    f"team-{number}" for number in range(30)
]

SEGMENTS = [
    {
        "id": f"segment-{number}",
        "name": f"Segment {number}",
        "audience": {"attribute": "points", "comparison": "greater_than", "value": number * 1_000},
    }
    for number in range(60)
]
