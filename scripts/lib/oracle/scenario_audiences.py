"""Random audiences and conditions of scenarios."""

EVENTS = ["cart", "seen", "left"]

PRODUCTS = ["book", "pen"]

PLANS = ["gold", "silver"]


def audience(random, campaigns, seen=True):
    """An audience over the few things that users of these histories do and have."""
    return random.choice(
        [
            lambda: None,
            lambda: None,
            lambda: None,
            lambda: {
                "custom_attribute": {
                    "custom_attribute_name": "plan",
                    "comparison": "equals",
                    "value": random.choice(PLANS),
                }
            },
            lambda: {"attribute": "plan", "comparison": "exists"},
            lambda: {"attribute": "language", "value": "ja"},
            lambda: {
                "event": {
                    "name": random.choice(EVENTS),
                    "value": random.randint(1, 2),
                    "comparison": "greater_than_or_equal_to",
                    **random.choice([{}, {"within_days": random.choice([0.5, 1, 7])}, {"within_calendar_days": 1}]),
                }
            },
            lambda: {"none": [{"event": {"name": random.choice(EVENTS), "within_days": random.choice([0.1, 1, 3])}}]},
            lambda: {
                "campaign": {
                    "id": random.choice(campaigns),
                    "contact": random.choice(["received", "viewed", "clicked", "dismissed"]),
                    **random.choice([{}, {"within_days": 2}]),
                }
            },
            lambda: {
                "none": [
                    {
                        "campaign": {
                            "id": random.choice(campaigns),
                            "contact": random.choice(["received", "viewed", "dismissed"]),
                        }
                    }
                ]
            },
            lambda: {"session": {"comparison": random.choice(["less_than", "greater_than"]), "value": 1}},
            lambda: (
                {
                    "attribute": "last_seen_at",
                    "comparison": random.choice(["less_than_x_days_ago", "greater_than_x_days_ago"]),
                    "value": 2,
                }
                if seen
                else None
            ),
            lambda: {"purchase": {"measure": "revenue", "currency": "USD", "comparison": "greater_than", "value": 3}},
            lambda: {"segment": "§vip"},
        ]
    )()


def condition(random, depth=1):
    """What brings a card about, or takes it away."""
    found = (
        {"event": random.choice(EVENTS)} if random.random() < 0.7 else {"purchase": random.choice(PRODUCTS + [True])}
    )
    if depth and random.random() < 0.25:
        found["properties"] = [
            {"property": "n", "comparison": random.choice(["equals", "greater_than"]), "value": random.randint(0, 2)}
        ]
    return found
