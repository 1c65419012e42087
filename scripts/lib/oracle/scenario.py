"""Random histories of a workspace, as data: campaigns, users and steps, which are run against a server."""

from . import amounts, times
from .audience_random import ZONES, uuid
from .times import DAY
from .scenario_audiences import EVENTS, PLANS, PRODUCTS, audience, condition

LOCALES = ["ja-JP", "en-US", "de-DE", None]
STEPS = [30, 600, 1000, 3_600, 10_000, 40_000, DAY, 2 * DAY, 8 * DAY]


def card(random, start, name):
    """A card's template."""
    found = {
        "type": "classic",
        "title": name,
        "description": random.choice(
            ["d", "{{${language}}}", "{{custom_attribute.${plan}}}", "{{content_blocks.${§foot}}}"]
        ),
    }
    if random.random() < 0.3:
        found["pinned"] = True
    elif random.random() < 0.2:
        found["dismissible"] = False
    if random.random() < 0.4:
        found["priority"] = random.randint(-1, 2)
    expiry = random.random()
    if expiry < 0.2:
        found["expires_after"] = random.choice([500, 4_000, 50_000, 3 * DAY])
    elif expiry < 0.3:
        found["expires_at"] = times.iso(start + random.choice([0.5, 2, 5]) * DAY)
    elif expiry < 0.4:
        found["expires_at"] = times.iso(start + random.choice([0.5, 2, 5]) * DAY, "")
        found["expires_in_local_time"] = True
    if random.random() < 0.15:
        found["translations"] = {"ja": {"title": "訳"}}
    if random.random() < 0.1:
        found["title"] = "{% if custom_attribute.${plan} == 'gold' %}{% abort_message('no') %}{% endif %}x"
    return found


def delivery(random, start):
    """What brings the card."""
    found = {"type": random.choice(["scheduled", "scheduled", "action", "api_triggered"])}
    if found["type"] == "action":
        found.update(
            trigger=condition(random),
            delay=random.choice([0, 0, 600, 5_000]),
            window=random.choice([2_000, 20_000, 3 * DAY]),
        )
    if found["type"] == "api_triggered" and random.random() < 0.7:
        found["window"] = random.choice([2_000, 20_000, 3 * DAY])
    if random.random() < 0.3:
        isLocal = found["type"] == "scheduled" and random.random() < 0.5
        suffix = "" if isLocal else "Z"
        if isLocal:
            found["local_time"] = True
        found["start_at"] = times.iso(start + random.choice([0, 0.4, 2]) * DAY, suffix)
        if random.random() < 0.6:
            found["end_at"] = times.iso(start + random.choice([3, 6, 20]) * DAY, suffix)
    return found


def campaign(random, name, start, names, seen=True):
    """A campaign with everything that decides who has its card."""
    rules = {}
    if random.random() < 0.35:
        rules.update(reeligible=True, reeligible_after_days=random.choice([0.01, 0.1, 1, 3]))
    if random.random() < 0.25:
        rules["remove_on"] = [condition(random)]
    for name_of_rule, chance in (
        ("follow_audience", 0.25),
        ("freeze", 0.2),
        ("ignore_frequency_caps", 0.2),
        ("ignore_quiet_hours", 0.2),
    ):
        if random.random() < chance:
            rules[name_of_rule] = True
    variants = [{"id": "a", "card": card(random, start, name)}]
    if random.random() < 0.2:
        variants.append({"id": "control", "control": True})
    return {
        "id": name,
        "name": name,
        "tags": random.sample(["promo", "news"], random.randint(0, 2)),
        "audience": audience(random, names, seen),
        "delivery": delivery(random, start),
        "rules": rules,
        "variants": variants,
    }


def settings(random):
    """The settings of the workspace."""
    found = {"time_zone": random.choice(ZONES)}
    if random.random() < 0.4:
        found["card_limit"] = random.randint(2, 5)
    if random.random() < 0.4:
        found["frequency_caps"] = [
            {
                "cards": random.choice([1, 1, 2, 3]),
                "days": random.choice([1, 3]),
                **random.choice([{}, {"tag": "promo"}]),
            }
        ]
    if random.random() < 0.35:
        found["quiet_hours"] = random.choice(
            [{"from": "22:00", "to": "08:00"}, {"from": "01:30", "to": "02:30"}, {"from": "12:00", "to": "18:00"}]
        )
    return found


def event(random, backend=False):
    """Something that a user does; a card is named by its place in the feed that the device has."""
    kinds = ["custom"] * 3 + ["purchase"]
    if not backend:
        kinds += ["session_start", "attributes"] + ["impression"] * 2 + ["click", "dismissal", "dismissal"]
    found = {"type": random.choice(kinds), "id": uuid(random), "ago": random.choice([0, 0, 0, 10, 500, 9_000, 100_000])}
    if found["type"] == "custom":
        found.update(name=random.choice(EVENTS), n=random.randint(0, 2))
    elif found["type"] == "purchase":
        found.update(product=random.choice(PRODUCTS), price=amounts.price(random), n=random.randint(0, 2))
    elif found["type"] == "attributes":
        found["plan"] = random.choice(PLANS + [None])
    elif found["type"] != "session_start":
        found["card"] = random.randint(0, 5)
    return found


def step(random, users, names, start, seen=True):
    """One thing that happens."""
    user = random.choice(users)
    kind = random.choices(
        ["advance", "sync", "attributes", "track", "trigger", "status", "edit", "settings", "segment", "block"],
        [30, 60, 6, 8, 8, 5, 5, 1, 1, 1],
    )[0]
    if kind == "advance":
        return {"do": kind, "seconds": random.choice(STEPS) + random.choice([0, 0, random.randint(0, 500)])}
    if kind == "sync":
        found = {
            "do": kind,
            "user": user,
            "device": random.choice(["d1", "d1", "d2"]),
            "events": [event(random) for _ in range(random.choice([0, 0, 1, 2]))],
        }
        if random.random() < 0.2:
            found["context"] = {"locale": random.choice(LOCALES), "time_zone": random.choice(ZONES)}
        return found
    if kind == "attributes":
        return {
            "do": kind,
            "user": user,
            "plan": random.choice(PLANS + [None]),
            "zone": random.choice(ZONES + [None, None]),
        }
    if kind == "track":
        return {"do": kind, "user": user, "event": event(random, backend=True)}
    name = random.choice(names)
    if kind == "trigger":
        body = {"recipients": [{"user_id": one} for one in random.sample(users, random.randint(1, len(users)))]}
        broadcast = random.random()
        if broadcast < 0.25:
            body = {"broadcast": True}
        elif broadcast < 0.4:
            body = {"broadcast": True, "audience": audience(random, names, seen)}
        if random.random() < 0.4:
            body["send_id"] = random.choice(["s1", "s2"])
        if random.random() < 0.3:
            body["at_in"] = random.choice([600, 30_000, 2 * DAY])
        return sent(random, {"do": kind, "campaign": name, "body": body})
    if kind == "status":
        return {"do": kind, "campaign": name, "to": random.choice(["pause", "launch", "launch", "stop", "withdraw"])}
    if kind == "edit":
        other = campaign(random, name, start, names, seen)
        part = random.choice(["audience", "variants", "rules"])
        return {"do": kind, "campaign": name, "change": {part: other[part]}}
    if kind == "block":
        return {"do": kind, "text": random.choice(["foot", "{{${language}}} foot", "{% abort_message('no') %}"])}
    if kind == "settings":
        return {"do": kind, "settings": settings(random)}
    return {"do": kind, "audience": audience_without_segment(random, names, seen)}


def sent(random, step):
    """A send in one of the ways that there are: by local time, of a time that has passed, by the documented path."""
    body = step["body"]
    if random.random() < 0.35:
        body.update(at_in=random.choice([-DAY, -20_000, -3_600, 3_600, 20_000, DAY, 2 * DAY]))
        if random.random() < 0.7:
            body["local_time"] = True
    if random.random() < 0.4:
        step["via"] = "send"
    return step


def audience_without_segment(random, names, seen):
    while True:
        found = audience(random, names, seen)
        if found != {"segment": "§vip"}:
            return found


def scenario(random, size=60, seen=True):
    """A whole history."""
    edges = [1_790_000_000, 1_792_890_000, 1_793_500_000, 1_805_000_000, 1_806_180_000]
    start = float(random.choice(edges) + random.randint(0, 5) * 3_600 + random.randint(0, 5) * DAY)
    theme = random.choice(["caps", "limit", "quiet", None, None, None])
    names = [f"§c{number}" for number in range(random.choice([2, 3, 4] if theme else [1, 1, 2, 3, 4, 5, 6]))]
    users = [f"§u{number}" for number in range(random.choice([1, 1, 2, 3]))]
    found = {
        "start": start,
        "settings": settings(random),
        "segment": audience_without_segment(random, names, seen),
        "campaigns": [campaign(random, name, start, names, seen) for name in names],
        "users": users,
        "steps": [step(random, users, names, start, seen) for _ in range(size)],
    }
    if theme:
        focus(random, found, theme)
    # What was held back comes in the end, or it was lost.
    for _ in range(3):
        found["steps"].append({"do": "advance", "seconds": random.choice([10 * 3_600, DAY])})
        found["steps"] += [{"do": "sync", "user": user, "device": "d1", "events": []} for user in users]
    # The edges of what the rules say are where errors are.
    edges = spans(found)
    for one in found["steps"]:
        if one["do"] == "advance" and edges and random.random() < 0.5:
            one["seconds"] = random.choice(edges) + random.choice([0, 0, -0.001, -30, -30, 1])
    return found


def focus(random, found, theme):
    """Lets most campaigns reach everybody, and one of the settings hold their cards back."""
    for one in found["campaigns"]:
        if random.random() < 0.8:
            one["audience"] = None
            for name in ("start_at", "end_at", "local_time"):
                one["delivery"].pop(name, None)
            for name in ("ignore_frequency_caps", "ignore_quiet_hours"):
                one["rules"].pop(name, None)
            if one["delivery"]["type"] != "scheduled":
                one["delivery"]["window"] = 3 * DAY
    if theme == "caps":
        found["settings"]["frequency_caps"] = [{"cards": random.choice([1, 1, 2]), "days": random.choice([1, 1, 3])}]
    elif theme == "limit":
        found["settings"]["card_limit"] = random.choice([1, 2])
    else:
        found["settings"]["quiet_hours"] = random.choice(
            [{"from": "22:00", "to": "08:00"}, {"from": "06:00", "to": "20:00"}]
        )


def spans(found):
    """The seconds that the rules of a history speak of."""
    edges = [cap["days"] * DAY for cap in found["settings"].get("frequency_caps", [])]
    for one in found["campaigns"]:
        days = one["rules"].get("reeligible_after_days")
        edges += [days * DAY] * 2 if days else []
        edges += [one["delivery"][name] for name in ("delay", "window") if one["delivery"].get(name)]
        edges += [
            variant["card"]["expires_after"]
            for variant in one["variants"]
            if "expires_after" in variant.get("card", {})
        ]
    return edges


def invite(random, found):
    """Lets guests do some of what users do in a history, and makes users of them; some users are deleted."""
    found["guests"] = ["§g0", "§g1"][: random.randint(1, 2)]
    for step in found["steps"]:
        if step["do"] == "attributes" and random.random() < 0.15:
            step["do"] = "delete"
        if "user" in step and random.random() < 0.4:
            step["user"] = random.choice(found["guests"])
        if "recipients" in step.get("body", {}) and random.random() < 0.5:
            step["body"]["recipients"].append({"user_id": random.choice(found["guests"])})
    for _ in range(random.randint(1, 4)):
        step = {"do": "identify", "guest": random.choice(found["guests"]), "user": random.choice(found["users"])}
        found["steps"].insert(random.randint(0, len(found["steps"])), step)
