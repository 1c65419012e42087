"""What a report says of conversions that are edited, joined and told of late: docs/experiments.md, computed from it."""

from collections import Counter, defaultdict
from decimal import Decimal

from . import times
from .amounts import paid
from .delivery_reference import Reference

COUNTS = ["delivered", "recipients", "impressions", "unique_impressions", "clicks", "unique_clicks"]
MINUTE = 60


class Person:
    """A user who was given cards. A joining may make one of two; what stays counted of the other one keeps this
    object."""

    def __init__(self):
        self.cards = []
        self.log = {}


class Card:
    """A card that was given, and what was done with it."""

    def __init__(self, person, campaign, variant, at):
        self.person, self.campaign, self.variant, self.at = person, campaign, variant, at
        self.first_seen = None
        self.done = Counter()


class Counted:
    """What counts for one card and conversion: when the card converted, and the purchases by their event's id."""

    def __init__(self):
        self.at = None
        self.purchases = {}

    def add(self, event):
        self.at = event["at"] if self.at is None else min(self.at, event["at"])


class Campaign:
    """A campaign: its conversions as they are now, and what was counted."""

    def __init__(self, body):
        self.name, self.status = body["id"], "active"
        self.conversions = body["conversions"]
        self.controls = {variant["id"] for variant in body["variants"] if variant.get("control")}
        self.cards = []
        self.counted = defaultdict(lambda: defaultdict(Counted))

    def start(self, card, conversion):
        """When the window of a card opens, or None where it hasn't."""
        return card.at if conversion.get("from", "delivery") == "delivery" else card.first_seen

    def covers(self, card, conversion, at):
        start = self.start(card, conversion)
        return start is not None and start <= at < start + conversion["window_seconds"]

    def owner(self, person, at):
        """The last card that a user was given before a moment, or None."""
        before = [card for card in person.cards if card.campaign == self.name and card.at <= at]
        return max(before, key=lambda card: card.at, default=None)

    def count(self, card, conversion, event):
        """An event counts for a card; a purchase for one card of a conversion alone."""
        cards = self.counted[conversion["id"]]
        if event["type"] == "purchase":
            if any(event["id"] in known.purchases for other, known in cards.items() if other is not card):
                return
            cards[card].purchases.setdefault(event["id"], event)
        cards[card].add(event)

    def take(self, person, event):
        """An event counts by the conversions and the status that there are when it arrives."""
        card = self.owner(person, event["at"])
        if card and self.status != "archived":
            for conversion in self.conversions:
                if meets(conversion["on"], event) and self.covers(card, conversion, event["at"]):
                    self.count(card, conversion, event)

    def open(self, card, at):
        """An impression: one that is earlier than all others moves the windows that it opens."""
        if card.first_seen is not None and card.first_seen <= at:
            return
        card.first_seen = at
        for conversion in self.conversions if self.status != "archived" else []:
            if conversion.get("from") == "impression":
                self.recount(card, conversion)

    def recount(self, card, conversion):
        """What was counted stays within the window as it is now, and all that the log has within it counts."""
        known = self.counted[conversion["id"]][card]
        known.purchases = {
            id: event for id, event in known.purchases.items() if self.covers(card, conversion, event["at"])
        }
        if known.at is not None and not self.covers(card, conversion, known.at):
            known.at = None
        for event in card.person.log.values():
            if meets(conversion["on"], event) and self.covers(card, conversion, event["at"]):
                if self.owner(card.person, event["at"]) is card:
                    self.count(card, conversion, event)


def meets(on, event):
    """Whether an event is what a conversion asks for."""
    if event["type"] == "session_start":
        return "session_start" in on
    if event["type"] == "custom":
        return Reference.meets(on, "event", event["name"], event["properties"])
    if event["type"] != "purchase":
        return False
    properties = {**event["properties"], "product_id": event["product_id"], "currency": event["currency"]}
    return Reference.meets(on, "purchase", event["product_id"], properties)


class Conversions:
    """A workspace: who was given what, and what they did."""

    def __init__(self, bodies):
        self.campaigns = {body["id"]: Campaign(body) for body in bodies}
        self.people = {}
        self.cards = {}
        self.aliases = {}
        self.joined = set()

    # Who is who

    def person(self, name):
        """The user of that name; of one who was deleted or joined with such a one None."""
        if name not in self.people:
            self.people[name] = Person()
        return self.people[name]

    def identify(self, guest, name):
        """Joins a guest with a user; returns whether that is done."""
        owner = self.aliases.get(guest)
        if owner != guest:
            return owner == name
        self.aliases[guest] = name
        self.joined.add(guest)
        self.joined.discard(name)
        person, identity = self.people[guest], self.people.get(name)
        if identity is None:
            self.people[name] = person
        else:
            self.people[guest] = identity
            known = {card.campaign for card in identity.cards}
            for card in person.cards:
                if card.campaign not in known:
                    card.person = identity
            identity.cards += [card for card in person.cards if card.person is identity]
            person.cards = [card for card in person.cards if card.person is person]
            identity.log = {**person.log, **identity.log}
        return True

    def delete(self, name):
        """Forgets a user, and the names of those who were joined with them; what was counted stays."""
        person = self.people[name]
        for other in [other for other, one in self.people.items() if one is person]:
            self.people[other] = None
            self.aliases = {guest: owner for guest, owner in self.aliases.items() if owner != other}

    # What happens

    def give(self, id, name, campaign, variant, at):
        if id not in self.cards:
            card = self.cards[id] = Card(self.people[name], campaign, variant, at)
            card.person.cards.append(card)
            self.campaigns[campaign].cards.append(card)

    def take(self, name, event, now):
        """Takes an event; returns whether it is accepted, now or before."""
        person = self.person(name)
        if person is None:
            return False
        card = self.cards.get(event.get("card_id"))
        if "card_id" in event and card not in person.cards:
            return False
        if event["id"] not in person.log:
            event = person.log[event["id"]] = {**event, "at": now if now < event["at"] <= now + MINUTE else event["at"]}
            if card:
                card.done[event["type"]] += 1
            if event["type"] == "impression":
                self.campaigns[card.campaign].open(card, event["at"])
            for campaign in self.campaigns.values() if not card else []:
                campaign.take(person, event)
        return True

    def edges(self, name):
        """The moments at which windows of a user's cards open and close."""
        found = set()
        for card in self.people[name].cards if self.people.get(name) else []:
            for one in self.campaigns[card.campaign].conversions:
                found |= {card.at, card.at + one["window_seconds"]}
                if card.first_seen is not None:
                    found |= {card.first_seen, card.first_seen + one["window_seconds"]}
        return sorted(found)

    # Reports

    def report(self, name, zone):
        """All that a report says of a campaign: its numbers by variant, and by day and variant."""
        campaign = self.campaigns[name]
        variants, days = defaultdict(dict), defaultdict(dict)
        for variant in {card.variant for card in campaign.cards}:
            cards = [card for card in campaign.cards if card.variant == variant]
            variants[variant].update(self.counts(cards))
        for conversion in campaign.conversions:
            for variant in variants:
                own = self.own(campaign, conversion, {variant})
                opened = [
                    card
                    for card in campaign.cards
                    if card.variant == variant and campaign.start(card, conversion) is not None
                ]
                variants[variant][conversion["id"]] = {
                    "users": len({card.person for card in opened}),
                    **self.converted(own),
                }
                for day, some in self.by_day(own, zone).items():
                    days[day, variant][conversion["id"]] = some
        return dict(variants), dict(days)

    @staticmethod
    def counts(cards):
        found = {"delivered": len(cards), "recipients": len({card.person for card in cards})}
        for kind, name in (("impression", "impressions"), ("click", "clicks")):
            found[name] = sum(card.done[kind] for card in cards)
            found[f"unique_{name}"] = len({card.person for card in cards if card.done[kind]})
        return found

    @staticmethod
    def own(campaign, conversion, variants):
        """What counts for a conversion, by card, of some variants."""
        return {card: one for card, one in campaign.counted[conversion["id"]].items() if card.variant in variants}

    @staticmethod
    def converted(own):
        """How many cards and users converted, and what was paid."""
        amounts = {}
        for card, event in purchases(own):
            some = amounts.setdefault(event["currency"], {"amount": Decimal(0), "purchases": 0, "buyers": set()})
            some["amount"] += paid(event)
            some["purchases"] += 1
            some["buyers"].add(card.person)
        cards = [card for card, one in own.items() if one.at is not None]
        return {
            "conversions": len(cards),
            "unique_conversions": len({card.person for card in cards}),
            "amounts": {currency: {**some, "buyers": len(some["buyers"])} for currency, some in amounts.items()},
        }

    @staticmethod
    def by_day(own, zone):
        """The same by day: a card and a user convert on the day of their first event that counts, a purchase on its
        own."""
        found = defaultdict(lambda: {"conversions": 0, "unique_conversions": 0, "amounts": {}})
        people = {}
        for card, one in own.items():
            if one.at is not None:
                found[day_of(one.at, zone)]["conversions"] += 1
                people[card.person] = min(one.at, people.get(card.person, one.at))
        for at in people.values():
            found[day_of(at, zone)]["unique_conversions"] += 1
        for _, event in purchases(own):
            amounts = found[day_of(event["at"], zone)]["amounts"]
            some = amounts.setdefault(event["currency"], {"amount": Decimal(0), "purchases": 0})
            some["amount"] += paid(event)
            some["purchases"] += 1
        return found

    def series(self, name):
        """By UTC day: the conversions in their order, and what the first that counts purchases has; without
        controls."""
        campaign = self.campaigns[name]
        found = defaultdict(lambda: {"conversions": Counter(), "revenue": defaultdict(Decimal)})
        paying = next((one["id"] for one in campaign.conversions if "purchase" in one["on"]), None)
        for conversion in campaign.conversions:
            own = self.own(campaign, conversion, {card.variant for card in campaign.cards} - campaign.controls)
            for day, some in self.by_day(own, "UTC").items():
                found[day]["conversions"][conversion["id"]] = some["conversions"]
                if conversion["id"] == paying:
                    found[day]["revenue"] = {currency: one["amount"] for currency, one in some["amounts"].items()}
        return found


def day_of(at, zone):
    return times.local(at, zone).date().isoformat()


def purchases(own):
    return [(card, event) for card, one in own.items() for event in one.purchases.values()]
