"""Random audiences over random users: what the server explains and counts, against the reference."""

import json
import random as randomness
import subprocess

from . import audience_random as make
from .allocation import random_number
from .audience_filters import SALTS
from .audience_reference import Matcher
from .shrink import smaller_tree
from .times import DAY
from .world import World

USERS = 150


class AudienceCheck:
    """Users on one server, and audiences that are asked for as time passes."""

    name = "audiences"
    unit = "steps"

    def __init__(self, seed, installation):
        self.random = randomness.Random(f"audiences {seed}")
        self.world = World(installation, start=1_790_000_000 + self.random.randint(0, 400) * DAY)
        self.people = {}
        self.places = []
        self.segments = {}
        self.cards = {}
        self.decisions = 0
        self.steps = 0
        self.kills = 0
        self.zone = self.random.choice(make.ZONES)

    def prepare(self):
        self.world.ask("PUT", "/v1/settings", {"time_zone": self.zone})
        for name in make.CAMPAIGNS:
            card = {"type": "classic", "title": name, "description": "d"}
            variants = [{"id": "a", "card": card}, {"id": "b", "card": card}, {"id": "control", "control": True}]
            self.world.ask("POST", "/v1/campaigns", {"id": name, "name": name, "variants": variants})
            self.world.ask("POST", f"/v1/campaigns/{name}/launch")
        now = self.world.clock.now
        for number in range(USERS):
            person = make.person(self.random, number, now)
            place = {name: person.standard[name] for name in ("country", "time_zone") if name in person.standard}
            standard = {name: value for name, value in person.standard.items() if name not in place}
            self.world.ask(
                "PATCH", f"/v1/users/{person.user_id}", {"attributes": standard, "custom_attributes": person.custom}
            )
            self.places.append((person.user_id, make.spelled(self.random, place)))
            self.people[person.user_id] = person
        self.locate()
        for number in range(5):
            tree = make.audience(self.random, now, list(self.people), list(self.segments), depth=2)
            self.world.ask("POST", "/v1/segments", {"id": f"s{number}", "name": f"s{number}", "audience": tree})
            self.segments[f"s{number}"] = tree
        for person in self.people.values():
            person.buckets = {salt: random_number(salt or "", person.user_id) for salt in (*SALTS, None)}

    def locate(self):
        """Says the users' countries and time zones in each way there is: as an edit, as tracked attributes, in a
        file."""
        files = {"jsonl": [], "csv": ["user_id,country,time_zone"]}
        for user, place in self.places:
            path = self.random.choice(["edit", "track", "jsonl", "csv"])
            if path == "edit":
                self.world.ask("PATCH", f"/v1/users/{user}", {"attributes": place})
            elif path == "track":
                self.world.ask("POST", "/users/track", {"attributes": [{"external_id": user, **place}]})
            elif path == "jsonl":
                files[path].append(json.dumps({"user_id": user, **place}))
            elif len(place) == 2:
                files[path].append(f"{user},{place['country']},{place['time_zone']}")
            else:
                self.world.ask("PATCH", f"/v1/users/{user}", {"attributes": place})
        for ending, lines in files.items():
            file = self.world.folder / f"users.{ending}"
            file.write_text("\n".join(lines) + "\n")
            command = [self.world.placard, "users", "import", str(file), "--database", self.world.database.url]
            subprocess.run(command, check=True, capture_output=True, env=self.world.environment)

    def explain(self, audience, person):
        return self.world.ask("POST", "/v1/audience/explain", {"audience": audience, "user_id": person.user_id})

    # What happens

    def live(self):
        """Lets time pass and some users do something."""
        self.world.clock.advance(
            self.random.choice([1000, 7_200, 40_000, DAY, 3 * DAY, 20 * DAY]) + self.random.randint(0, 900)
        )
        now = self.world.clock.now
        for person in self.random.sample(list(self.people.values()), 12):
            if self.random.random() < 0.2:
                self.change(person, now)
            context = {}
            for name, values in (
                ("locale", make.LOCALES),
                ("time_zone", make.ZONES + ["Mars/X"]),
                ("app_version", make.VERSIONS),
            ):
                if self.random.random() < 0.4:
                    context[name] = self.random.choice(values)
                    # A zone that isn't known is as if left out.
                    if context[name] != "Mars/X":
                        person.device[name] = context[name]
            events = [make.activity(self.random, person, now) for _ in range(self.random.randint(0, 6))]
            events += self.contacts(person, now)
            reply = self.world.sync(person.user_id, "d", events=events, **context)
            assert not reply["events"]["rejected"], (events, reply)
            person.see(now)
            for card in reply["cards"]:
                if card["id"] not in self.cards:
                    self.cards[card["id"]] = person.user_id
                    contact = (card["campaign_id"], card["variant_id"], "received", now)
                    person.contacts.append(contact)

    def change(self, person, now):
        name = self.random.choice(make.NAMES[:6])
        value = None if self.random.random() < 0.3 else make.value(self.random, now)
        self.world.ask("PATCH", f"/v1/users/{person.user_id}", {"custom_attributes": {name: value}})
        if value is None:
            person.custom.pop(name, None)
        else:
            person.custom[name] = value

    def contacts(self, person, now):
        """Events about the user's cards."""
        own = [card for card, owner in self.cards.items() if owner == person.user_id]
        events = []
        for card in own:
            if self.random.random() < 0.4:
                kind = self.random.choice(["impression", "click"] + ["dismissal"] * (self.random.random() < 0.2))
                at = round(now - self.random.choice([0, 100, DAY / 2]), 3)
                events.append({"id": make.uuid(self.random), "type": kind, "card_id": card, "at": at})
                campaign, variant = self.variant(person, card)
                what = {"impression": "viewed", "click": "clicked", "dismissal": "dismissed"}[kind]
                person.contacts.append((campaign, variant, what, at))
        return events

    def variant(self, person, card):
        for known in self.world.ask("GET", f"/v1/users/{person.user_id}")["cards"]:
            if known["card_id"] == card:
                return known["campaign_id"], known["variant_id"]
        raise AssertionError(card)

    # The comparison

    def matcher(self):
        return Matcher(self.world.clock.now, self.segments, self.zone)

    def step(self):
        """Asks for one audience, of everybody and of one user; returns a difference or None."""
        audience = make.audience(self.random, self.world.clock.now, list(self.people), list(self.segments))
        matcher = self.matcher()
        expected = {name for name, person in self.people.items() if matcher.matches(audience, person)}
        reach = self.world.ask("POST", "/v1/audience/reach", {"audience": audience, "exact": True})
        self.decisions += len(self.people)
        if reach["users"] != len(expected):
            for person in self.people.values():
                found = self.differs(audience, person)
                if found:
                    return found
            return {"audience": audience, "reach": reach["users"], "expected": len(expected)}
        self.decisions += 1
        return self.differs(audience, self.random.choice(list(self.people.values())))

    def differs(self, audience, person):
        """A difference about one user, at its smallest, or None."""

        def fails(tree):
            return self.explain(tree, person)["matches"] != self.matcher().matches(tree, person)

        if not fails(audience):
            return None
        audience = smaller_tree(audience, fails)
        reply = self.explain(audience, person)
        return {
            "audience": audience,
            "server": reply["matches"],
            "reference": not reply["matches"],
            "now": self.world.clock.now,
            "user": self.world.ask("GET", f"/v1/users/{person.user_id}"),
            "reasons": reply["reasons"],
        }

    def run(self, budget):
        """Runs until the budget is used; returns the differences."""
        self.prepare()
        differences = []
        while budget.left(self.decisions) and len(differences) < budget.most_differences:
            self.live()
            for _ in range(40):
                found = self.step()
                if found:
                    differences.append(found)
                    break
        return differences

    def close(self):
        self.world.close()
