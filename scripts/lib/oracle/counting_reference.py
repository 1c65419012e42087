"""What a report counts: docs/device-api.md, docs/experiments.md and docs/rest-api.md, computed from them."""

from collections import Counter, defaultdict
from decimal import Decimal

from . import times
from .amounts import paid

NAMES = {"impression": "impressions", "click": "clicks", "dismissal": "dismissals"}


class Card:
    """A card that was given, and what was done with it."""

    def __init__(self, id, user, campaign, variant, at):
        self.id, self.user, self.campaign, self.variant, self.at = id, user, campaign, variant, at


class Counting:
    """Everything that happened, each event once per user and id."""

    def __init__(self, zone, conversions):
        self.zone = zone
        self.conversions = conversions
        self.cards = {}
        self.events = {}
        self.first_seen = {}

    def give(self, card):
        self.cards.setdefault(card.id, card)

    def take(self, user, event):
        """Takes an event; returns whether it is new."""
        key = (user, event["id"])
        if key in self.events:
            return False
        self.events[key] = event
        if event["type"] == "impression":
            card = event["card_id"]
            self.first_seen[card] = min(event["at"], self.first_seen.get(card, event["at"]))
        return True

    # Reports

    def totals(self, campaign):
        """Counts, unique counts and dismissals of a campaign by variant."""
        found = defaultdict(Counter)
        done = defaultdict(set)
        for card in self.cards.values():
            if card.campaign == campaign:
                found[card.variant]["delivered"] += 1
                done[card.variant, "recipients"].add(card.user)
        for (user, _), event in self.events.items():
            card = self.cards.get(event.get("card_id"))
            if card and card.campaign == campaign and card.user == user and event["type"] in NAMES:
                name = NAMES[event["type"]]
                if event["type"] == "dismissal":
                    done[card.variant, name].add(card.id)
                else:
                    found[card.variant][name] += 1
                    done[card.variant, f"unique_{name}"].add(user)
        for (variant, name), users in done.items():
            found[variant][name] = len(users)
        return {variant: dict(counts) for variant, counts in found.items()}

    def days(self, campaign):
        """Impressions and clicks by day and variant, in the workspace's time zone."""
        found = Counter()
        for (user, _), event in self.events.items():
            card = self.cards.get(event.get("card_id"))
            if card and card.campaign == campaign and event["type"] in ("impression", "click"):
                day = times.local(event["at"], self.zone).date().isoformat()
                found[day, card.variant, NAMES[event["type"]]] += 1
        return dict(found)

    def converted(self, campaign):
        """For each conversion and variant: converted cards and users, and purchases, buyers and amount by currency."""
        found = {}
        variants = {card.variant for card in self.cards.values() if card.campaign == campaign}
        for conversion in self.conversions:
            done = list(self._conversions(campaign, conversion))
            for variant in variants:
                own = [(card, event) for card, event in done if card.variant == variant]
                found[conversion["id"], variant] = {
                    "users": len(
                        {
                            card.user
                            for card in self.cards.values()
                            if card.campaign == campaign
                            and card.variant == variant
                            and self._start(conversion, card) is not None
                        }
                    ),
                    "conversions": len({card.id for card, _ in own}),
                    "unique_conversions": len({card.user for card, _ in own}),
                    "amounts": self._amounts(own),
                }
        return found

    def series(self, campaign, controls):
        """By UTC day: the conversions of each kind, and what the first that counts purchases has, by currency."""
        found = defaultdict(lambda: {"conversions": Counter(), "revenue": defaultdict(Decimal)})
        paying = next((one["id"] for one in self.conversions if "purchase" in one["on"]), None)
        for conversion in self.conversions:
            first = {}
            for card, event in self._conversions(campaign, conversion):
                if card.variant in controls:
                    continue
                first[card.id] = min(event["at"], first.get(card.id, event["at"]))
                if conversion["id"] == paying:
                    found[self._day(event["at"])]["revenue"][event["currency"]] += paid(event)
            for at in first.values():
                found[self._day(at)]["conversions"][conversion["id"]] += 1
        return found

    @staticmethod
    def _day(at):
        return times.local(at, "UTC").date().isoformat()

    @staticmethod
    def _amounts(done):
        """What was paid, how often and by how many, by currency; nothing is converted."""
        found = {}
        for card, event in done:
            if event["type"] == "purchase":
                one = found.setdefault(event["currency"], {"amount": Decimal(0), "purchases": 0, "buyers": set()})
                one["amount"] += paid(event)
                one["purchases"] += 1
                one["buyers"].add(card.user)
        return {currency: {**one, "buyers": len(one["buyers"])} for currency, one in found.items()}

    def _conversions(self, campaign, conversion):
        """The events that count, each with the last card that was given before it."""
        cards = defaultdict(list)
        for card in sorted(self.cards.values(), key=lambda card: card.at):
            if card.campaign == campaign:
                cards[card.user].append((card, self._start(conversion, card)))
        for (user, _), event in self.events.items():
            if self._meets(conversion["on"], event):
                before = [entry for entry in cards[user] if entry[0].at <= event["at"]]
                if before:
                    card, start = before[-1]
                    if start is not None and start <= event["at"] < start + conversion["window_seconds"]:
                        yield card, event

    def _start(self, conversion, card):
        """When the window of a card opens, or None where it hasn't."""
        if conversion.get("from", "delivery") == "delivery":
            return card.at
        return self.first_seen.get(card.id)

    @staticmethod
    def _meets(on, event):
        if "session_start" in on:
            return event["type"] == "session_start"
        if "event" in on:
            return event["type"] == "custom" and event["name"] == on["event"]
        return event["type"] == "purchase" and on["purchase"] in (True, event["product_id"])
