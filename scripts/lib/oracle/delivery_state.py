"""Cards, what waits for users, campaigns and users, as the reference of delivery keeps them."""

from . import allocation
from .times import DAY

FOREVER = float("inf")

# How far the last clock on Earth is behind UTC, and the first one ahead.
LAST_CLOCK, FIRST_CLOCK = 12 * 3_600, 14 * 3_600

MONTH = 30 * DAY


class Card:
    """A card that a user was given."""

    def __init__(self, campaign, variant, now, trigger):
        self.campaign = campaign
        self.variant = variant
        self.at = now
        self.trigger = trigger
        self.dismissed = False
        self.removed = False
        self.limited = False
        # Of a card that is frozen: its title, its place and when it leaves, as they were when it was given.
        self.frozen = self.frozen_rank = self.frozen_expiry = None


class Waiting:
    """A trigger that waits for its user's device: due at a moment, or when each user's clock shows a time."""

    def __init__(self, id, at, due, until, audience=None, is_local=False):
        self.id, self.at, self.due, self.until, self.audience, self.is_local = id, at, due, until, audience, is_local


class Campaign:
    """A campaign as it is now, and what happened to it."""

    def __init__(self, body, order):
        self.order = order
        self.status = "draft"
        self.withdrawn = False
        self.launched_at = None
        self.broadcasts = []
        self.body = body

    @property
    def delivery(self):
        return self.body["delivery"]

    @property
    def rules(self):
        return self.body.get("rules", {})

    def variant(self, name):
        """A variant as it is now, or None."""
        return next((one for one in self.body["variants"] if one["id"] == name), None)

    def card(self, name):
        """What a variant shows, or for the control the card that it stands for; None where there is no such variant."""
        one = self.variant(name)
        if one is None:
            return None
        return one.get("card") or next(other["card"] for other in self.body["variants"] if "card" in other)

    def is_control(self, name):
        return bool(self.variant(name).get("control"))

    def allocated(self, user):
        """The variant that is the user's by the weights as they are now."""
        weights = {one["id"]: one.get("weight", 1) for one in self.body["variants"]}
        return allocation.variant(self.body["id"], self.body.get("salt", ""), weights, user)


class User:
    """A user and their cards."""

    def __init__(self, person):
        self.person = person
        self.cards = []
        self.waiting = {}
        # What became of triggers by campaign and id: waiting, delivered, covered (a broadcast that was cancelled) or
        # over.
        self.triggers = {}

    def absorb(self, other, broadcasts):
        """Gets what another user has: of two cards of one campaign, and of two triggers of one id, one's own stay.

        A send that gave the other one a card gives no second one; but where that card is gone, a broadcast of the same
        name that isn't there yet does.
        """
        known = {card.campaign for card in self.cards}
        moved = [card for card in other.cards if card.campaign not in known]
        self.cards += moved
        for key, outcome in other.triggers.items():
            if outcome == "delivered" and self.triggers.get(key) != "delivered":
                self.waiting.pop(key, None)
                self.triggers[key] = "over" if key[0] in known and key not in broadcasts else outcome
        self.person.contacts += [contact for contact in other.person.contacts if contact[0] not in known]
        for key, outcome in other.triggers.items():
            if key not in self.triggers:
                self.triggers[key] = outcome
                if key in other.waiting:
                    self.waiting[key] = other.waiting[key]
        self.person.absorb(other.person)
