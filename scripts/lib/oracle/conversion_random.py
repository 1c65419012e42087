"""Random histories of conversions that are edited, of users who are joined, and of events that arrive late."""

from . import amounts
from .audience_random import ZONES, uuid
from .times import DAY

NAMES = ["buy", "pen", "cart", "open"]
WINDOWS = [50, 600, 600, 3_000.5, 20_000, 30 * DAY]
CURRENCIES = ["USD", "USD", "JPY", "EUR"]


def conversion(random, name):
    """A conversion of some id, which may come to mean another event."""
    on = {
        "buy": {"purchase": True},
        "pen": {"purchase": "pen"},
        "cart": {"event": "cart"},
        "open": {"session_start": True},
    }[name]
    if name in ("buy", "cart") and random.random() < 0.3:
        on = {
            **on,
            "properties": [{"property": "n", "comparison": random.choice(["equals", "greater_than"]), "value": 1}],
        }
    found = {"id": name, "name": name, "on": on, "window_seconds": random.choice(WINDOWS)}
    if random.random() < 0.6:
        found["from"] = "impression"
    return found


def conversions(random):
    return [conversion(random, name) for name in random.sample(NAMES, random.choice([1, 1, 2, 3]))]


def changed(random, known):
    """Conversions as a marketer edits them: one added, left out or changed, or all in another order."""
    if not known or random.random() < 0.3:
        return conversions(random)
    kind = random.choice(["window", "from", "without", "order"])
    index = random.randrange(len(known))
    if kind == "without":
        return known[:index] + known[index + 1 :]
    if kind == "order":
        return random.sample(known, len(known))
    change = (
        {"window_seconds": random.choice(WINDOWS)}
        if kind == "window"
        else {"from": random.choice(["delivery", "impression"])}
    )
    return [*known[:index], {**known[index], **change}, *known[index + 1 :]]


def campaign(random, name):
    """A campaign for everybody, which may give a user several cards."""
    card = {"type": "classic", "title": name, "description": "d"}
    variants = [{"id": "a", "card": card}]
    if random.random() < 0.4:
        variants.append({"id": "b", "card": {**card, "priority": 1}, "weight": 2})
    if random.random() < 0.4:
        variants.append({"id": "control", "control": True})
    rules = {}
    if random.random() < 0.5:
        rules = {"reeligible": True, "reeligible_after_days": 0.01}
        card["expires_after"] = random.choice([500, 900, 5_000])
    return {"id": name, "name": name, "rules": rules, "variants": variants, "conversions": conversions(random)}


def event(random, cards_only=False):
    """Something that a user does. A card is named by its place among all that the user was ever given."""
    kinds = ["impression"] * 3 + ["click"] + ([] if cards_only else ["purchase"] * 4 + ["custom", "session_start"])
    if random.random() < 0.08:
        return {"again": random.randrange(1_000)}
    found = {"type": random.choice(kinds), "id": uuid(random)}
    if random.random() < 0.3:
        found.update(edge=random.randrange(1_000), offset=random.choice([0, 0, -0.001, -20, 20]))
    else:
        found["ago"] = random.choice([0, 0, 0, 10, 300, 700, 5_000, random.randint(0, 2_000), -30, -500, -60_000])
    if found["type"] in ("impression", "click"):
        found["card"] = random.randrange(1_000)
    elif found["type"] == "purchase":
        price = random.choice([1, 2.5, "19.99", "0.1", "1980", "0.000000001"])
        found.update(
            product_id=random.choice(["pen", "book"]),
            currency=random.choice(CURRENCIES),
            price=amounts.number(str(price)),
            quantity=random.choice([1, 1, 3]),
            properties={"n": random.randint(0, 2)},
        )
    elif found["type"] == "custom":
        found.update(name=random.choice(["cart", "seen"]), properties={"n": random.randint(0, 2)})
    return found


def step(random, people, campaigns):
    """One thing that happens; `campaigns` has the conversions as they were edited so far."""
    kind = random.choices(["tell", "advance", "conversions", "status", "test", "delete"], [60, 22, 9, 6, 4, 0.5])[0]
    if kind == "tell":
        path = random.choices(["sync", "events", "track"], [5, 4, 2])[0]
        size = random.choice([0, 1, 1, 2, 4] if path == "sync" else [1, 1, 2, 4])
        return {"do": kind, "user": random.choice(people), "path": path, "events": [event(random) for _ in range(size)]}
    if kind == "advance":
        return {"do": kind, "seconds": random.choice([0.5, 60, 300, 600, 1_000, 3_000, 20_000, DAY])}
    if kind == "delete":
        return {"do": kind, "user": random.choice(people)}
    one = random.choice(campaigns)
    if kind == "test":
        return {"do": kind, "user": random.choice(people), "campaign": one["id"]}
    if kind == "conversions":
        one["conversions"] = changed(random, one["conversions"])
        return {"do": kind, "campaign": one["id"], "conversions": one["conversions"]}
    return {
        "do": kind,
        "campaign": one["id"],
        "to": random.choice(["pause", "launch", "stop", "archive", "restore", "restore"]),
    }


def scenario(random):
    """A whole history."""
    campaigns = [campaign(random, f"§c{number}") for number in range(random.choice([1, 1, 2]))]
    users, guests = [f"§u{number}" for number in range(random.choice([1, 2]))], ["§g0", "§g1"][: random.randint(0, 2)]
    edited = [dict(one) for one in campaigns]
    steps = [step(random, users + guests, edited) for _ in range(random.choice([10, 20, 40]))]
    for index, one in enumerate(steps):
        # Archiving ends nothing for long, or there is nothing to compare.
        if one.get("to") == "archive" and random.random() < 0.8:
            steps.insert(index + random.randint(1, 3), {"do": "status", "campaign": one["campaign"], "to": "restore"})
    for guest in guests:
        step_of = {"do": "identify", "guest": guest, "user": random.choice(users)}
        steps.insert(random.randint(0, len(steps)), step_of)
    # Impressions that arrive in the end move the windows of everything that was counted.
    for user in users:
        steps.append(
            {"do": "tell", "user": user, "path": "events", "events": [event(random, cards_only=True) for _ in range(3)]}
        )
    return {
        "start": 1_790_000_000.0 + random.randint(0, 300) * DAY,
        "settings": {"time_zone": random.choice(ZONES)},
        "segment": None,
        "users": [],
        "guests": guests,
        "campaigns": campaigns,
        "steps": steps,
    }
