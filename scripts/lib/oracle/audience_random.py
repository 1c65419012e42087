"""Random users, what they do, and random audiences over them."""

from . import amounts, times
from .audience_filters import DAYS, made, near
from .audience_reference import Person
from .times import DAY

ZONES = [
    "Asia/Tokyo",
    "America/New_York",
    "Europe/Paris",
    "Australia/Lord_Howe",
    "America/Havana",
    "Asia/Kathmandu",
    "Pacific/Kiritimati",
    "America/St_Johns",
    "Africa/Casablanca",
    "UTC",
]
LOCALES = [
    "ja-JP",
    "en_US",
    "de-DE",
    "zh-Hant-TW",
    "pt-BR",
    "fr",
    "en-GB-oxendict",
    "ja_JP@calendar=japanese",
    "sr-Latn",
]
VERSIONS = ["1.0", "2.9", "2.10", "2.10.0", "3", "10.0.1", "2.9.1"]
WORDS = ["gold", "silver", "Gold", "", "a", "tea and milk", "Straße", "0", "41", "x.y", "2026-10-01"]
NAMES = ["plan", "level", "renewal", "tags", "flag", "note", "country"]
EVENTS = ["cart", "seen", "level_done"]
PRODUCTS = ["book", "pen"]
CURRENCIES = ["USD", "JPY"]
CAMPAIGNS = ["welcome", "sale"]
CONTACTS = ["received", "viewed", "clicked", "dismissed"]
PATTERNS = [
    "^g",
    "old$",
    "[a-m]+",
    r"\d{1,3}",
    "(tea|gold)",
    r"(?i)GOLD",
    "^$",
    r"\bmilk\b",
    "a.*k",
    r"^\w+$",
    r"x\.y",
    r"\s",
]
WINDOWS = [0.25, 0.5, 1, 2, 3, 7, 30]


def value(random, now):
    """A value of an attribute, of any kind."""
    return random.choice(
        [
            lambda: random.choice(WORDS),
            lambda: random.choice(WORDS),
            lambda: random.randint(-3, 50),
            lambda: random.choice([0.1, 1.5, 41.0, -2.25, 1e6]),
            lambda: random.random() < 0.5,
            lambda: times.iso(near(random, now)),
            lambda: near(random, now),
            lambda: [plain(random) for _ in range(random.randint(0, 4))],
        ]
    )()


def plain(random):
    return random.choice([random.choice(WORDS), random.randint(0, 5), random.random() < 0.5, 1.5])


# Audiences


def audience(random, now, users, segments, depth=3):
    """A random tree."""
    if depth and random.random() < 0.55:
        kind = random.choice(["all", "any", "none", "AND", "OR"])
        least = 1 if kind in ("AND", "OR") else 0
        return {kind: [audience(random, now, users, segments, depth - 1) for _ in range(random.randint(least, 3))]}
    return random.choice([attribute, attribute, attribute, custom, history, history, history, contact, made])(
        random, now, users, segments
    )


def attribute(random, now, users, segments):
    name = random.choice(
        NAMES
        + [
            "language",
            "time_zone",
            "first_name",
            "gender",
            "dob",
            "user_id",
            "app_version",
            "locale",
            "created_at",
            "first_seen_at",
            "last_seen_at",
            "home_city",
            "bio",
        ]
    )
    return {"attribute": name, **comparison(random, now, name)}


def custom(random, now, users, segments):
    name = random.choice(NAMES)
    return {"custom_attribute": {"custom_attribute_name": name, **comparison(random, now, None)}}


def comparison(random, now, name):
    how = random.choice(
        [
            "equals",
            "not_equal",
            "does_not_equal",
            "is_any_of",
            "is_none_of",
            "exists",
            "does_not_exist",
            "greater_than",
            "greater_than_or_equal_to",
            "less_than",
            "less_than_or_equal_to",
            "includes_value",
            "does_not_include_value",
            "contains",
            "does_not_contain",
            "matches_regex",
            "does_not_match_regex",
            "before",
            "after",
            "less_than_x_days_ago",
            "greater_than_x_days_ago",
            "less_than_x_days_in_the_future",
            "greater_than_x_days_in_the_future",
            None,
        ]
    )
    if how in ("exists", "does_not_exist"):
        return {"comparison": how}
    if how in ("is_any_of", "is_none_of"):
        return {"comparison": how, "value": [some(random, name) for _ in range(random.randint(1, 4))]}
    if how and "matches" in how or how and "match_regex" in how:
        return {"comparison": how, "value": random.choice(PATTERNS)}
    if how in ("contains", "does_not_contain"):
        return {"comparison": how, "value": random.choice([word for word in WORDS if word])}
    if how in ("before", "after"):
        time = near(random, now)
        return {
            "comparison": how,
            "value": random.choice([time, times.iso(time), times.iso(time + 9 * 3600, "+09:00")]),
        }
    if how and "_days_" in how:
        return {"comparison": how, "value": random.choice(DAYS)}
    if how and how.startswith(("greater", "less")):
        if name == "app_version":
            return {"comparison": how, "value": random.choice(VERSIONS)}
        return {"comparison": how, "value": random.choice([random.randint(-3, 50), 0.1, times.iso(near(random, now))])}
    chosen = {"value": some(random, name)}
    return chosen if how is None else {"comparison": how, **chosen}


def some(random, name):
    if name == "app_version":
        return random.choice(VERSIONS)
    if name == "time_zone":
        return random.choice(ZONES)
    if name in ("language", "country", "locale"):
        return random.choice(["ja", "en", "JP", "US", "TW", "ja-JP", "GB"])
    return plain(random)


def window(random):
    return random.choice(
        [
            {},
            {},
            {"within_days": random.choice(WINDOWS)},
            {"within_calendar_days": random.randint(1, 5)},
        ]
    )


def history(random, now, users, segments):
    kind = random.choice(["event", "purchase", "session"])
    clause = {"name": random.choice(EVENTS)} if kind == "event" else {}
    if kind == "purchase" and random.random() < 0.6:
        clause["product_id"] = random.choice(PRODUCTS)
    measure = random.choice(["count", "count", "first", "last"] + ["revenue"] * 2 * (kind == "purchase"))
    if measure in ("first", "last"):
        how = random.choice(
            ["before", "after", "less_than_x_days_ago", "greater_than_x_days_ago", "exists", "does_not_exist"]
        )
        clause.update(measure=measure, comparison=how)
        if how in ("before", "after"):
            clause["value"] = random.choice([near(random, now), times.iso(near(random, now))])
        elif "ago" in how:
            clause["value"] = random.choice(DAYS)
        return {kind: clause}
    clause.update(window(random))
    if measure == "revenue":
        clause.update(measure=measure, currency=random.choice(CURRENCIES + ["usd"]))
    if measure == "revenue" or random.random() < 0.8:
        clause["comparison"] = random.choice(
            ["equals", "not_equal", "greater_than", "greater_than_or_equal_to", "less_than", "less_than_or_equal_to"]
        )
        clause["value"] = amounts.total(random) if measure == "revenue" else random.randint(0, 5)
    return {kind: clause}


def contact(random, now, users, segments):
    clause = {"id": random.choice(CAMPAIGNS), **window(random)}
    if random.random() < 0.8:
        clause["contact"] = random.choice(CONTACTS)
    if random.random() < 0.4:
        clause["variants"] = random.sample(["a", "b", "control"], random.randint(1, 2))
    return {"campaign": clause}


# Users

# How backends write countries and time zones, and what is kept.
COUNTRIES = {"JP": ["JP", "JPN", "Japan"], "US": ["US", "USA", "United States"], "GB": ["GB", "GBR", "United Kingdom"]}
ZONE_NAMES = {"America/New_York": ["Eastern Time (US & Canada)"]}


def spelled(random, place):
    """A user's country and time zone as a backend may write them."""
    names = {"country": COUNTRIES, "time_zone": ZONE_NAMES}
    return {name: random.choice([value, *names[name].get(value, [])]) for name, value in place.items()}


def person(random, number, now):
    """A user with attributes, and what is to be sent of them to the server."""
    person = Person(f"user-{number}", now)
    for name in NAMES:
        if random.random() < 0.6 and name != "country":
            person.custom[name] = value(random, now)
    for name, values in {
        "country": ["JP", "US", "GB"],
        "language": ["ja", "en"],
        "time_zone": ZONES,
        "first_name": WORDS[:3],
        "gender": ["F", "M"],
        "dob": ["1990-12-31", "2000-02-29"],
        "home_city": ["Straße", "Paris"],
        "bio": ["tea and milk"],
        "email_subscribe": ["opted_in", "subscribed", "unsubscribed"],
        "push_subscribe": ["opted_in", "unsubscribed"],
    }.items():
        if random.random() < 0.3:
            person.standard[name] = random.choice(values)
    return person


def activity(random, person, now):
    """Something that a user does, as a device tells it, noted for the reference too."""
    at = round(
        now - random.choice([0, 0, random.random() * 3, random.choice(DAYS[1:6]), random.random() * 40]) * DAY, 3
    )
    if random.random() < 0.05:
        at = round(now + random.choice([120, 18_000, 86_000]), 3)
    kind = random.choice(["custom", "custom", "purchase", "session_start"])
    event = {"id": uuid(random), "type": kind, "at": at}
    if kind == "custom":
        event["name"] = random.choice(EVENTS)
        person.events.setdefault(event["name"], []).append(at)
    elif kind == "purchase":
        product, currency = random.choice(PRODUCTS), random.choice(CURRENCIES)
        event.update(product_id=product, currency=currency, price=amounts.price(random), quantity=random.randint(1, 3))
        person.purchases.setdefault((product, currency), []).append((at, amounts.paid(event)))
    else:
        person.sessions.append(at)
        person.see(now)
    return event


def uuid(random):
    text = f"{random.getrandbits(128):032x}"
    return f"{text[:8]}-{text[8:12]}-7{text[13:16]}-8{text[17:20]}-{text[20:]}"
