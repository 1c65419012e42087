"""The campaigns of the workspace of dashboard_data."""

DAY = 86_400


def card(layout, title, text, **more):
    return {"type": layout, "title": title, "description": text, **more}


def campaign(id, name, cards, tags=(), weights=None, control=0, **more):
    variants = [
        {"id": "abc"[i], "name": f"{c['title'][:24]}", "weight": (weights or [1] * len(cards))[i], "card": c}
        for i, c in enumerate(cards)
    ]
    if control:
        variants.append({"id": "control", "name": "Control", "weight": control, "control": True})
    return {"id": id, "name": name, "tags": list(tags), "variants": variants, **more}


def campaigns(now):
    """The campaigns, with what is done to each."""
    image = "https://images.example.com/autumn.jpg"
    bought = [
        {
            "id": "bought",
            "name": "Bought something",
            "on": {"purchase": True},
            "window_seconds": 7 * DAY,
            "from": "delivery",
        },
        {
            "id": "signed-up",
            "name": "Joined the club",
            "on": {"event": "joined_club"},
            "window_seconds": 7 * DAY,
            "from": "delivery",
        },
    ]
    yield (
        campaign(
            "autumn-sale",
            "Autumn sale: which picture sells?",
            [
                card(
                    "captioned_image",
                    "20 % off, until Sunday",
                    "Everything for the colder days.",
                    image=image,
                    image_alt="A coat",
                    url="https://shop.example.com/sale",
                    domain="shop.example.com",
                ),
                card(
                    "classic",
                    "Your autumn coat is waiting",
                    "Hello {{${first_name} | default: 'there'}}, 20 % off until Sunday.",
                    image=image,
                    url="https://shop.example.com/sale",
                ),
            ],
            ["sale", "autumn"],
            [2, 2],
            1,
            conversions=bought,
        ),
        ["launch"],
    )
    yield (
        campaign(
            "aki-sale",
            "秋のセール：全品20％オフ、送料無料でお届けします",
            [card("captioned_image", "秋のセール開催中", "全品20％オフ。日曜日まで。", image=image)],
            ["sale", "日本"],
            audience={"attribute": "country", "value": "JP"},
        ),
        ["launch"],
    )
    yield (
        campaign(
            "win-back",
            "Win-back: customers in Germany, France and Brazil who have not opened the app for more than thirty days"
            " and once bought something",
            [
                card(
                    "classic",
                    "We have missed you",
                    "{% if ${country} == 'BR' %}{% abort_message('Nothing in stock in Brazil') %}{% endif %}Take 10 %"
                    " off.",
                )
            ],
            ["retention"],
            control=1,
            audience={"any": [{"segment": "europe"}, {"attribute": "country", "value": "BR"}]},
            conversions=bought[:1],
        ),
        ["launch"],
    )
    yield (
        campaign(
            "club-coupon",
            "Club coupon at checkout",
            [
                card(
                    "classic",
                    "15 % for members",
                    "Tap at the checkout.",
                    extras={"class_type": "coupon_code", "coupon_code": "CLUB15", "discount_percentage": "fifteen"},
                )
            ],
            ["checkout"],
            control=1,
        ),
        ["launch"],
    )
    yield (
        campaign(
            "dark-mode", "Announcement: dark mode is here", [card("banner", "Dark mode", "", image=image)], ["product"]
        ),
        ["launch", "pause"],
    )
    yield (
        campaign(
            "black-friday",
            "Black Friday teaser",
            [card("banner", "Black Friday", "", image=image)],
            ["sale"],
            delivery={"type": "scheduled", "start_at": now + 6 * DAY, "end_at": now + 9 * DAY},
        ),
        ["launch"],
    )
    yield (
        campaign("summer-end", "Summer, last call", [card("classic", "Last summer days", "Until tonight.")], ["sale"]),
        ["launch", "stop"],
    )
    yield (
        campaign("wrong-price", "Price drop (wrong price, withdrawn)", [card("classic", "Now 9 €", "Really.")], []),
        ["launch", "stop"],
    )
    yield (
        campaign(
            "survey",
            "Five questions about the new checkout",
            [
                card(
                    "classic",
                    "Tell us",
                    "{{content_blocks.${greeting}}} two minutes. {{content_blocks.${footer}}}",
                )
            ],
            ["research"],
        ),
        [],
    )
    yield campaign("gift", "Gift guide, part 1", [card("classic", "For gardeners", "…")], ["autumn"]), []
    for week in range(1, 48):
        yield (
            campaign(
                f"picks-{week}",
                f"Weekly picks, week {week}",
                [card("classic", f"Picks of week {week}", "New this week.")],
                ["weekly"],
            ),
            (["archive"] if week < 40 else []),
        )
