"""Conversions that are edited, users who are joined, and events that arrive late: reports, against the reference."""

from decimal import Decimal
import json

from .conversion_random import scenario
from .conversion_reference import COUNTS, Conversions
from .history_check import HistoryCheck
from .runner import Runner
from .times import DAY, iso


class ConversionRunner(Runner):
    """Tells the server and the reference the same, and compares every number of the reports."""

    def __init__(self, world, scenario, prefix="h-"):
        super().__init__(world, scenario, prefix)
        self.reference = Conversions(self.scenario["campaigns"])
        self.sent = {}
        # The cards that a user's device was given, which may be another user's by now, or gone with a joining.
        self.heard = {}
        # The newest test card of each user and campaign, and when it was sent to which person.
        self.tests = {}

    def prepare(self):
        super().prepare()
        for guest in self.guests:
            self.reference.person(guest)
            self.reference.aliases[guest] = guest

    def run(self):
        self.prepare()
        for index, step in enumerate(self.scenario["steps"]):
            difference = getattr(self, step["do"])(step)
            if not difference and step["do"] != "advance":
                difference = self.compare()
            if difference:
                return {"step": index, "now": self.now, **difference}
        return None

    # Steps

    def tell(self, step):
        """A device or a backend tells what a user did."""
        user = step["user"]
        events = [event for event in (self.wire(user, one) for one in step["events"]) if event]
        is_known = self.reference.people.get(user, True) is not None
        is_backend = step["path"] == "track" and is_known and user not in self.reference.joined
        if is_backend and not any("card_id" in event or event["type"] == "session_start" for event in events):
            return self.track_all(user, events)
        cards = []
        if step["path"] == "sync":
            reply = self.world.sync(user, "d1", events=events)
            cards = reply["cards"]
        else:
            body = {"user_id": user, "device_id": "d1", "events": events}
            reply = (
                self.world.ask("POST", "/v1/events", body, self.world.publishable)
                if events
                else {"events": {"rejected": []}}
            )
        rejected = sorted(one["id"] for one in reply["events"]["rejected"])
        expected = sorted(
            event["id"]
            for event in events
            if not self.is_test(user, event) and not self.reference.take(user, event, self.now)
        )
        if rejected != expected:
            return {"rejected by the server": reply["events"]["rejected"], "by the reference": expected}
        if user in self.reference.joined or not is_known:
            return {"a feed of a user who is gone": cards} if cards else None
        self.reference.person(user)
        cards = [card for card in cards if not card["test"]]
        for card in sorted(cards, key=lambda card: card["campaign_id"]):
            self.heard.setdefault(user, set()).add(card["id"])
            self.reference.give(card["id"], user, card["campaign_id"], card["variant_id"], card["created_at"])
        return None

    def wire(self, user, event):
        """An event as it is sent: with its time, and the card that it is about; None where the user has none."""
        person = self.reference.people.get(user)
        sent = self.sent.setdefault(person or user, [])
        heard = self.heard.setdefault(user, set())
        if "again" in event:
            # What becomes of a repeated event about a test card that is gone isn't asked.
            known = [one for one in sent if one.get("card_id") in [None, *self.reference.cards, *self.tested(user)]]
            return known[event["again"] % len(known)] if known else None
        found = {name: value for name, value in event.items() if name not in ("ago", "edge", "offset", "card")}
        if "card" in event:
            cards = [id for id, card in self.reference.cards.items() if card.person is person or id in heard]
            cards += self.tested(user) * 2
            if not cards:
                return None
            found["card_id"] = cards[event["card"] % len(cards)]
        edges = self.reference.edges(user) if "edge" in event else []
        at = edges[event["edge"] % len(edges)] + event["offset"] if edges else self.now - event.get("ago", 0)
        if found["type"] == "impression" and found["card_id"] in self.reference.cards:
            at = max(at, self.reference.cards[found["card_id"]].at)
        found["at"] = round(min(at, self.now + DAY - 1), 3)
        sent.append(found)
        return found

    def test(self, step):
        """Sends a test card to a user; of several tests of a campaign, the newest is the one that is there."""
        user = step["user"]
        if self.reference.people.get(user):
            reply = self.world.send("POST", f"/v1/campaigns/{step['campaign']}/test-send", {"users": [user]})
            sent = reply.json.get("sent", []) if reply.status < 300 else []
            end = self.now + self.life(step["campaign"])
            self.tests.update(
                {(user, step["campaign"]): (one["card_id"], end, self.reference.people[user]) for one in sent}
            )

    def life(self, campaign):
        """How long a test card of a campaign's first variant stays: a day at most."""
        variants = next(one["variants"] for one in self.scenario["campaigns"] if one["id"] == campaign)
        return min(DAY, next(one["card"] for one in variants if "card" in one).get("expires_after", DAY))

    def tested(self, user):
        """The test cards that a user has; after a joining there are none to ask for."""
        if user in self.reference.joined:
            return []
        return [
            card
            for (name, _), (card, end, person) in self.tests.items()
            if name == user and self.now < end and self.reference.people.get(user) is person
        ]

    def is_test(self, user, event):
        """Whether an event is about a test card: it is accepted, and counts nowhere."""
        return event.get("card_id") in self.tested(user)

    def track_all(self, user, events):
        """A backend tells the same; a time to come counts as now."""
        body = {"events": [], "purchases": []}
        for event in events:
            known = {
                **self.name_of(user),
                "id": event["id"],
                "time": iso(event["at"]),
                "properties": event["properties"],
            }
            if event["type"] == "custom":
                body["events"].append({**known, "name": event["name"]})
            else:
                names = ("product_id", "currency", "price", "quantity")
                body["purchases"].append({**known, **{name: event[name] for name in names}})
        if not events:
            return None
        reply = self.world.ask("POST", "/users/track", body)
        for event in events:
            self.reference.take(user, {**event, "at": min(event["at"], self.now)}, self.now)
        return {"of a backend": reply["errors"]} if "errors" in reply else None

    def identified(self, step, count):
        expected = int(self.reference.identify(step["guest"], step["user"]))
        return None if count == expected else {"joined by the server": count, "by the reference": expected}

    def deleted(self, step, reply):
        if reply.status < 300:
            self.reference.delete(step["user"])

    def conversions(self, step):
        path = f"/v1/campaigns/{step['campaign']}"
        known = self.world.ask("GET", path)
        if self.world.send("PUT", path, {**known, "conversions": step["conversions"]}).status == 200:
            self.reference.campaigns[step["campaign"]].conversions = step["conversions"]

    def changed(self, step, reply):
        if reply.status == 200:
            self.reference.campaigns[step["campaign"]].status = reply.json["status"]

    # The comparison

    def compare(self):
        """Compares every number of every report; returns the first difference, or None."""
        for name in self.reference.campaigns:
            report = json.loads(self.world.send("GET", f"/v1/campaigns/{name}/report").body, parse_float=Decimal)
            difference = self.compare_report(name, report) or self.compare_series(name)
            if difference:
                return {"campaign": name, **difference}
        return None

    def compare_report(self, name, report):
        zone = self.scenario["settings"]["time_zone"]
        for kind, zone in (("days", zone), ("days_utc", "UTC")):
            variants, days = self.reference.report(name, zone)
            found = {one["id"]: self.plain(one, COUNTS) for one in report["variants"] if one["delivered"]}
            self.decisions += len(COUNTS) + 4 * len(report["totals"]["conversions"])
            if found != variants:
                return {"server": found, "reference": variants}
            found = {(one["day"], one["variant_id"]): self.plain(one, []) for one in report[kind]}
            found = {
                key: {
                    id: some
                    for id, some in one.items()
                    if some["conversions"] or some["unique_conversions"] or some["amounts"]
                }
                for key, one in found.items()
            }
            found = {key: one for key, one in found.items() if one}
            self.decisions += len(found)
            if found != days:
                return {kind: found, "reference": days}
        return None

    @staticmethod
    def plain(one, names):
        """A variant, or a day of one, as the reference has it."""
        found = {name: one[name] for name in names}
        for conversion in one["conversions"]:
            numbers = {
                name: conversion[name] for name in ("users", "conversions", "unique_conversions") if name in conversion
            }
            numbers["amounts"] = {
                amount["currency"]: {name: amount[name] for name in ("amount", "purchases", "buyers") if name in amount}
                for amount in conversion["amounts"]
            }
            found[conversion["id"]] = numbers
        return found

    def compare_series(self, name):
        """Compares the days of the documented API; returns a difference, or None."""
        body = self.world.send("GET", f"/campaigns/data_series?campaign_id={name}&length=10").body
        expected = self.reference.series(name)
        order = [one["id"] for one in self.reference.campaigns[name].conversions]
        for day in json.loads(body, parse_float=Decimal)["data"]:
            wanted = expected.get(day["time"], {"conversions": {}, "revenue": {}})
            numbers = [wanted["conversions"].get(id, 0) for id in order], dict(wanted["revenue"])
            found = [day[f"conversions{index or ''}"] for index in range(len(order))], day["revenue_by_currency"]
            if found != numbers:
                return {"series of": day["time"], "server": found, "reference": numbers}
        return None


class ConversionCheck(HistoryCheck):
    """Histories of conversions."""

    name = "conversions"
    runner = ConversionRunner

    def scenario(self):
        return scenario(self.random)
