"""Users who are named, joined and forgotten: exports, audiences and feeds, against the reference."""

from decimal import Decimal
import json

from . import amounts
from .audience_random import uuid
from .history_check import HistoryCheck
from .identity_reference import People
from .runner import Runner
from .times import iso, parse_iso

CAMPAIGN = {
    "id": "§c0",
    "name": "c0",
    "variants": [{"id": "a", "card": {"type": "classic", "title": "t", "description": "d"}}],
}
VALUES = [
    "gold",
    3,
    0.2,
    ["a", "b"],
    None,
    {"inc": 2},
    {"inc": 0.1},
    {"inc": -0.3},
    {"add": ["a", "c"]},
    {"remove": ["b"]},
    {"add": ["d"], "remove": ["a"]},
]
FIELDS = [
    "user_aliases",
    "custom_attributes",
    "first_name",
    "custom_events",
    "purchases",
    "total_revenue",
    "revenue_by_currency",
    "external_id",
]


def who(random):
    if random.random() < 0.5:
        return {"external_id": random.choice(["§ann", "§bob", "§carl"])}
    return {"user_alias": alias(random)}


def alias(random):
    return {"alias_label": random.choice(["§crm", "§shop"]), "alias_name": random.choice(["1", "2", "3"])}


def step(random):
    """One thing that a backend or a device says."""
    kind = random.choices(["track", "alias", "identify", "delete", "sync", "late", "advance"], [10, 4, 5, 1, 3, 3, 2])[
        0
    ]
    if kind == "advance":
        return {"do": kind, "seconds": random.choice([1, 100, 90_000])}
    if kind == "track":
        what = random.choice(["attributes", "events", "purchases"])
        found = {
            "do": kind,
            "what": what,
            "who": who(random),
            "makes": random.random() < 0.5,
            "ago": random.choice([0, 60, 5_000]),
            "id": uuid(random),
        }
        if what == "attributes":
            names = random.sample(["plan", "visits", "tags", "first_name"], 2)
            found["attributes"] = {
                name: random.choice(["Ann", "Bo"]) if name == "first_name" else random.choice(VALUES) for name in names
            }
        found.update(
            name=random.choice(["seen", "cart"]),
            price=amounts.price(random),
            quantity=random.randint(1, 3),
            currency=random.choice(["USD", "USD", "USD", "JPY"]),
        )
        return found
    if kind == "alias":
        return {"do": kind, "alias": alias(random), "id": random.choice([None, "§ann", "§bob"])}
    if kind == "identify":
        return {"do": kind, "alias": alias(random), "id": random.choice(["§ann", "§bob", "§carl"])}
    if kind == "late":
        return {"do": kind, "pick": random.randrange(10), "id": uuid(random), "name": random.choice(["seen", "cart"])}
    return {"do": kind, "who": who(random)}


class IdentityRunner(Runner):
    """Tells the server and the reference the same, and compares everybody after each step."""

    def __init__(self, world, scenario, prefix="h-"):
        super().__init__(world, scenario, prefix)
        self.people = People()
        self.merged = []

    def run(self):
        self.prepare()
        for index, step in enumerate(self.scenario["steps"]):
            difference = getattr(self, step["do"])(step) or self.compare()
            if difference:
                return {"step": index, **difference}
        return None

    def track(self, step):
        body = (
            {**step["who"], "_update_existing_only": not step["makes"]}
            if "user_alias" in step["who"]
            else {**step["who"]}
        )
        profile = self.people.track(step["who"], step["makes"])
        at = round(self.now - step["ago"], 3)
        if step["what"] == "attributes":
            body.update(step["attributes"])
            if profile:
                profile.set(step["attributes"])
        elif step["what"] == "events":
            body.update(name=step["name"], time=iso(at), id=step["id"])
            if profile:
                profile.events.append({"name": step["name"], "at": at, "count": 1})
        else:
            body.update(
                product_id=step["name"],
                currency=step["currency"],
                price=step["price"],
                quantity=step["quantity"],
                time=iso(at),
                id=step["id"],
            )
            if profile:
                profile.purchases.append(
                    {
                        "name": step["name"],
                        "at": at,
                        "count": step["quantity"],
                        "amount": amounts.paid(step),
                        "currency": step["currency"],
                    }
                )
        reply = self.world.ask("POST", "/users/track", {step["what"]: [body]})
        return self.counted(reply[f"{step['what']}_processed"], profile is not None)

    @staticmethod
    def counted(server, reference):
        """A difference in whether something was done."""
        return (
            None
            if server == int(reference)
            else {"done by the server": server, "done by the reference": int(reference)}
        )

    def alias(self, step):
        body = {**step["alias"], **({"external_id": step["id"]} if step["id"] else {})}
        reply = self.world.ask("POST", "/users/alias/new", {"user_aliases": [body]})
        return self.counted(reply["aliases_processed"], self.people.alias(step["alias"], step["id"]))

    def identify(self, step):
        body = {"aliases_to_identify": [{"external_id": step["id"], "user_alias": step["alias"]}]}
        user = self.people.find({"user_alias": step["alias"]})
        old = self.exported(user)["braze_id"] if user and not user.external_id else None
        reply = self.world.ask("POST", "/users/identify", body)
        is_done = self.people.identify(step["alias"], step["id"])
        if old and is_done:
            self.merged.append((old, self.people.find({"external_id": step["id"]})))
        return self.counted(reply["aliases_processed"], is_done)

    def late(self, step):
        """A device that hasn't heard that its user was merged into another, who may have been deleted since."""
        if not self.merged:
            return None
        old, profile = self.merged[step["pick"] % len(self.merged)]
        event = {"id": step["id"], "type": "custom", "name": step["name"], "at": self.now}
        reply = self.world.sync(old, "d2", events=[event])
        is_there = any(profile is one for one in self.people.profiles)
        if is_there:
            profile.events.append({"name": step["name"], "at": round(self.now, 3), "count": 1})
        found = [reply["events"]["accepted"], [one["code"] for one in reply["events"]["rejected"]], len(reply["cards"])]
        expected = [1, [], 0] if is_there else [0, ["user_deleted"], 0]
        return None if found == expected else {"of a merged id, by the server": found, "by the reference": expected}

    def delete(self, step):
        name = "external_ids" if "external_id" in step["who"] else "user_aliases"
        reply = self.world.ask("POST", "/users/delete", {name: list(step["who"].values())})
        return self.counted(reply["deleted"], self.people.delete(step["who"]))

    def sync(self, step):
        """A device of the user, which names them by the id that the export has."""
        profile = self.people.find(step["who"])
        if not profile:
            return None
        reply = self.world.sync(self.exported(profile)["braze_id"], "d1")
        profile.cards = 1
        return self.counted(len(reply["cards"]), True)

    # The comparison

    def exported(self, profile):
        if profile.external_id:
            body = {"external_ids": [profile.external_id]}
        else:
            label, name = next(iter(profile.aliases.items()))
            body = {"user_aliases": [{"alias_label": label, "alias_name": name}]}
        reply = json.loads(self.world.send("POST", "/users/export/ids", body).body, parse_float=Decimal)
        assert "users" in reply, (body, reply)
        return (reply["users"] or [{}])[0]

    def compare(self):
        for profile in self.people.profiles:
            self.decisions += 1
            user = self.exported(profile)
            expected = {name: value for name, value in profile.export().items() if value not in ({}, [], 0)}
            found = {name: self.plain(name, user[name]) for name in FIELDS if name in user}
            found = {name: value for name, value in found.items() if value not in ({}, [], 0)}
            if found != expected:
                wrong = [name for name in FIELDS if found.get(name) != expected.get(name)]
                return {
                    "of": profile.external_id or list(profile.aliases.items()),
                    "server": {name: found.get(name) for name in wrong},
                    "reference": {name: expected.get(name) for name in wrong},
                }
        return None

    @staticmethod
    def plain(name, value):
        """A member of the export as the reference writes it."""
        if name == "user_aliases":
            return sorted((one["alias_label"], one["alias_name"]) for one in value)
        if name in ("custom_events", "purchases"):
            return sorted(
                ({**one, "first": parse_iso(one["first"]), "last": parse_iso(one["last"])} for one in value),
                key=lambda one: one["name"],
            )
        return value


class IdentityCheck(HistoryCheck):
    """Histories of names."""

    name = "identities"
    runner = IdentityRunner

    def scenario(self):
        steps = [step(self.random) for _ in range(self.random.choice([10, 30, 60]))]
        return {
            "start": 1_790_000_000.0,
            "settings": {},
            "segment": None,
            "users": [],
            "campaigns": [CAMPAIGN],
            "steps": steps,
        }
