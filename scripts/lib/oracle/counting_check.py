"""Events out of order, repeated, from several devices, beside edits and kills: reports, against the reference."""

import random as randomness
import threading
import time
from decimal import Decimal
import json

from . import amounts
from .audience_random import ZONES, uuid
from .counting_reference import Card, Counting
from .times import DAY
from .world import World

# A late impression has the newest 2,000 events of a user count again (docs/experiments.md): others take over before
# that.
USERS, EVENTS_OF_ONE = 12, 1_700
CAMPAIGNS = ["once", "often", "plain"]
CONVERSIONS = [
    {"id": "buy", "name": "Buy", "on": {"purchase": True}, "window_seconds": 20_000},
    {"id": "pen", "name": "Pen", "on": {"purchase": "pen"}, "window_seconds": 3_000.5, "from": "impression"},
    {"id": "cart", "name": "Cart", "on": {"event": "cart"}, "window_seconds": 50_000, "from": "impression"},
    {"id": "open", "name": "Open", "on": {"session_start": True}, "window_seconds": 600},
]
COUNTS = ["delivered", "recipients", "impressions", "unique_impressions", "clicks", "unique_clicks", "dismissals"]


class CountingCheck:
    """One server over one long life."""

    name = "counting"
    unit = "events"

    def __init__(self, seed, installation):
        self.random = randomness.Random(f"counting {seed}")
        self.world = World(installation, 1_790_000_000 + self.random.randint(0, 300) * DAY)
        self.zone = self.random.choice(ZONES)
        self.counting = Counting(self.zone, CONVERSIONS)
        self.sent = []
        self.everyone = [f"u{number}" for number in range(USERS)]
        self.told = {}
        self.edits = 0
        self.decisions = 0
        self.steps = 0
        self.kills = 0

    def prepare(self):
        self.world.ask("PUT", "/v1/settings", {"time_zone": self.zone})
        card = {"type": "classic", "title": "t", "description": "d"}
        for name in CAMPAIGNS:
            rules = {"reeligible": True, "reeligible_after_days": 0.02} if name == "often" else {}
            variants = [{"id": "a", "card": card}, {"id": "b", "card": {**card, "priority": 1}, "weight": 2}]
            if name != "plain":
                variants.append({"id": "control", "control": True})
            body = {"id": name, "name": name, "rules": rules, "variants": variants, "conversions": CONVERSIONS}
            self.world.ask("POST", "/v1/campaigns", body)
            self.world.ask("POST", f"/v1/campaigns/{name}/launch")

    # What happens

    def users(self):
        """The users of now; one who has done much makes room for another."""
        found = [user for user in self.everyone if self.told.get(user, 0) < EVENTS_OF_ONE]
        while len(found) < USERS:
            found.append(f"u{len(self.everyone)}")
            self.everyone.append(found[-1])
        return found

    def batch(self, user):
        """Events of a user, in any order, of any time since the first card."""
        # What a request tells happened before the cards that its reply gives.
        now = self.world.clock.now - 0.001
        own = [card for card in self.counting.cards.values() if card.user == user]
        first = min((card.at for card in own), default=now)
        # A device that was away tells of one stretch of time, and another one of another.
        first, now = (
            sorted(first + self.random.random() * (now - first) for _ in range(2))
            if self.random.random() < 0.7
            else (first, now)
        )
        return [self.event(own, first, now) for _ in range(self.random.choice([1, 2, 5, 60, 200]))]

    def event(self, own, first, now):
        random = self.random
        own = [card for card in own if card.at <= now]
        kind = random.choice(
            ["custom", "purchase", "session_start"] + ["impression", "impression", "click"] * bool(own)
        )
        if own and random.random() < 0.02:
            kind = "dismissal"
        event = {"id": uuid(random), "type": kind}
        if kind in ("impression", "click", "dismissal"):
            card = random.choice(own)
            event["card_id"], first = card.id, max(card.at, first)
        span = random.choice([min(now - first, 5_000), now - first, 0])
        event["at"] = round(min(first + random.random() * span, now), 3)
        edges = [
            card.at + window for card in own for window in (0, 600, 20_000, -0.001) if first <= card.at + window <= now
        ]
        if edges and random.random() < 0.2:
            event["at"] = round(random.choice(edges), 3)
        if kind == "custom":
            event["name"] = random.choice(["cart", "seen"])
        elif kind == "purchase":
            event.update(
                product_id=random.choice(["pen", "book"]),
                currency=random.choice(["USD", "JPY"]),
                price=amounts.price(random),
                quantity=random.randint(1, 3),
            )
        return event

    def step(self):
        """A batch that arrives once or several times, perhaps through a kill."""
        random = self.random
        user, events = random.choice(self.users()), None
        if self.sent and random.random() < 0.25:
            user, events = random.choice(self.sent)
            events = random.sample(events, random.randint(1, len(events)))
        else:
            events = self.batch(user)
            self.told[user] = self.told.get(user, 0) + len(events)
            self.sent = self.sent[-200:] + [(user, events)]
        path, body = self.request(user, events)
        rejected = self.deliver(path, body)
        assert not rejected, rejected[:3]
        for event in events:
            self.counting.take(user, event)
        self.steps += len(events)

    def request(self, user, events):
        body = {"user_id": user, "device_id": self.random.choice(["d1", "d2"]), "events": events}
        return self.random.choice(["/v1/events", "/v1/sync"]), body

    def deliver(self, path, body):
        """Sends a request until it is answered, as devices do; sometimes the server is killed on the way."""
        if self.random.random() < self.kill_chance:
            delay = self.random.choice([0, 0.001, 0.003, 0.01, 0.03, 0.1])
            killer = threading.Thread(target=lambda: (time.sleep(delay), self.world.process.kill()))
            killer.start()
            try:
                self.world.send("POST", path, body, self.world.publishable)
            except OSError:
                pass
            killer.join()
            self.world.restart(kill=True)
            self.kills += 1
        reply = self.world.ask("POST", path, body, self.world.publishable)
        return reply["events"]["rejected"]

    def between(self):
        """Lets time pass, edits a campaign, and gives cards."""
        self.world.clock.advance(self.random.choice([0.5, 100, 700, 3_000, 30_000]))
        if self.random.random() < 0.3:
            path = f"/v1/campaigns/{self.random.choice(CAMPAIGNS)}"
            known = self.world.ask("GET", path)
            self.edits += 1
            known["variants"][0]["card"]["title"] = f"t{self.edits}"
            self.world.ask("PUT", path, known)
        for user in self.random.sample(self.users(), 3):
            self.world.sync(user, "d1")
            for known in self.world.ask("GET", f"/v1/users/{user}")["cards"]:
                self.counting.give(
                    Card(known["card_id"], user, known["campaign_id"], known["variant_id"], known["delivered_at"])
                )

    def learn(self):
        for user in self.everyone:
            reply = self.world.send("GET", f"/v1/users/{user}")
            for known in reply.json["cards"] if reply.status == 200 else []:
                self.counting.give(
                    Card(known["card_id"], user, known["campaign_id"], known["variant_id"], known["delivered_at"])
                )

    # The comparison

    def compare(self):
        """Compares every number of every report; returns the first difference, or None."""
        self.learn()
        for campaign in CAMPAIGNS:
            report = json.loads(self.world.send("GET", f"/v1/campaigns/{campaign}/report").body, parse_float=Decimal)
            totals, converted, days = (
                self.counting.totals(campaign),
                self.counting.converted(campaign),
                self.counting.days(campaign),
            )
            for variant in report["variants"]:
                expected = totals.get(variant["id"], {})
                for name in COUNTS:
                    self.decisions += 1
                    if variant[name] != expected.get(name, 0):
                        return self.difference(campaign, variant["id"], name, variant[name], expected.get(name, 0))
                found = self.conversions(campaign, variant, converted)
                if found:
                    return found
            found = {
                (one["day"], one["variant_id"], name): one[name]
                for one in report["days"]
                for name in ("impressions", "clicks")
            }
            self.decisions += len(found)
            if {key: count for key, count in found.items() if count} != days:
                return self.difference(campaign, "", "days", found, days)
            found = self.series(campaign)
            if found:
                return found
        return None

    def series(self, campaign):
        """Compares the days of the documented API, as far back as it goes; returns a difference, or None."""
        reply = self.world.send("GET", f"/campaigns/data_series?campaign_id={campaign}&length=100")
        expected = self.counting.series(campaign, {"control"})
        days = json.loads(reply.body, parse_float=Decimal)["data"]
        currencies = {currency for day in expected.values() for currency in day["revenue"]}
        for day in days:
            wanted = expected.get(day["time"], {"conversions": {}, "revenue": {}})
            revenue = dict(wanted["revenue"])
            total = None if len(currencies) > 1 else next(iter(revenue.values()), 0)
            conversions = [wanted["conversions"].get(one["id"], 0) for one in CONVERSIONS]
            found = (
                [day[f"conversions{index or ''}"] for index in range(len(CONVERSIONS))],
                day["revenue_by_currency"],
                day["revenue"],
            )
            self.decisions += 2 + len(CONVERSIONS)
            if found != (conversions, revenue, total):
                return self.difference(campaign, "", f"series of {day['time']}", found, (conversions, revenue, total))
        return None

    def conversions(self, campaign, variant, converted):
        for one in variant["conversions"]:
            empty = {"users": 0, "conversions": 0, "unique_conversions": 0, "amounts": {}}
            expected = converted.get((one["id"], variant["id"]), empty)
            found = {name: one[name] for name in ("users", "conversions", "unique_conversions")}
            found["amounts"] = {
                amount["currency"]: {name: amount[name] for name in ("amount", "purchases", "buyers")}
                for amount in one["amounts"]
            }
            self.decisions += 4
            if found != expected:
                return self.difference(campaign, variant["id"], one["id"], found, expected)
        return None

    def difference(self, campaign, variant, what, server, reference):
        return {
            "campaign": campaign,
            "variant": variant,
            "number": what,
            "server": server,
            "reference": reference,
            "events": len(self.counting.events),
            "kills": self.kills,
        }

    def run(self, budget):
        self.kill_chance = budget.kill_chance
        self.prepare()
        while budget.left(self.steps):
            self.between()
            for _ in range(4):
                self.step()
            found = self.compare()
            if found:
                return [found]
        return []

    def close(self):
        self.world.close()
