"""Who has which card: docs/delivery.md, computed from it and from nothing else."""

from . import allocation, times
from .audience_reference import Matcher, Person, is_number, same, time_of
from .audience_reference import ORDERS
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


class Reference:
    """A workspace."""

    settles = True

    def __init__(self, settings):
        self.settings = settings
        self.campaigns = {}
        self.segments = {}
        self.users = {}
        self.deleted = set()
        # Who has the alias with which each guest began.
        self.aliases = {}
        self.now = 0.0
        self.launches = 0

    def user(self, name):
        if name not in self.users:
            self.users[name] = User(Person(name, self.now))
        return self.users[name]

    def delete(self, name):
        """Forgets a user, whose devices can't bring them back; returns whether there was one."""
        user = self.users.pop(name, None)
        if user:
            self.deleted.add(name)
            self.aliases = {guest: owner for guest, owner in self.aliases.items() if owner != name}
        return user is not None

    def identify(self, guest, name):
        """Joins the user who has a guest's alias with the one of that id; returns whether that is done."""
        owner = self.aliases.get(guest)
        if owner != guest:
            return owner == name
        self.aliases[guest] = name
        user = self.users.pop(guest)
        identity = self.users.get(name)
        self.deleted.discard(name)
        if identity:
            broadcasts = {(campaign, one.id) for campaign, known in self.campaigns.items() for one in known.broadcasts}
            identity.absorb(user, broadcasts)
        else:
            user.person.user_id = name
            self.users[name] = user
        return True

    def create(self, name):
        """The user that a backend speaks of, who is another one after a deletion."""
        self.deleted.discard(name)
        return self.user(name)

    def peek(self, name):
        """A user, or one of whom nothing is known."""
        return self.users.get(name) or User(Person(name, self.now))

    def zone(self, user):
        name = user.person.attribute("time_zone")
        return name if name and times.zone(name) else self.settings["time_zone"]

    # What happens

    def change(self, name, to):
        """A change of a campaign's status that the server made."""
        campaign = self.campaigns[name]
        if to == "launch":
            campaign.status, campaign.withdrawn = "active", False
            campaign.launched_at = self.now if campaign.launched_at is None else campaign.launched_at
        elif to == "pause":
            campaign.status = "paused"
        else:
            campaign.status = "stopped"
            campaign.withdrawn = campaign.withdrawn or to == "withdraw"

    def happens(self, user, kind, name, properties, at, event_id):
        """An event or purchase: what waits for it, and what it takes away."""
        for campaign in self.campaigns.values():
            # What takes a card away may also bring the next one.
            if any(self.meets(one, kind, name, properties) for one in campaign.rules.get("remove_on", [])):
                self.remove(user, campaign, at)
            delivery = campaign.delivery
            if campaign.status != "active" or delivery["type"] != "action":
                continue
            if self.meets(delivery["trigger"], kind, name, properties):
                if at >= campaign.launched_at and self.open(delivery, at, user):
                    due = at + delivery.get("delay", 0)
                    self.wait(user, campaign, Waiting(event_id, at, due, due + delivery.get("window", MONTH)))

    @staticmethod
    def wait(user, campaign, trigger):
        key = (campaign.body["id"], trigger.id)
        if key not in user.triggers:
            user.triggers[key] = "waiting"
            user.waiting[key] = trigger

    def due_of(self, trigger, user):
        """When a trigger is due for a user, by their clock as it is now; no earlier than it was made."""
        if not trigger.is_local:
            return trigger.due
        return max(times.moment(times.EPOCH + times.span(trigger.due), self.zone(user)), trigger.at)

    def remove(self, user, campaign, at):
        for card in user.cards:
            if card.campaign == campaign.body["id"]:
                card.removed = True
        for key, one in list(user.waiting.items()):
            if key[0] == campaign.body["id"] and one.at <= at:
                self.end(user, key)
        for one in campaign.broadcasts:
            key = (campaign.body["id"], one.id)
            if one.at <= at and one.until > self.now and user.triggers.get(key, "over") == "over":
                user.triggers[key] = "covered"

    @staticmethod
    def end(user, key, outcome="over"):
        """A trigger waits no more."""
        user.waiting.pop(key, None)
        user.triggers[key] = outcome

    @staticmethod
    def meets(condition, kind, name, properties):
        """Whether what happened meets a condition."""
        wanted = condition.get(kind)
        if wanted is None or (wanted is not True and wanted != name):
            return False
        for one in condition.get("properties", []):
            value = properties.get(one["property"])
            if one["comparison"] == "equals" and not same(value, one["value"]):
                return False
            if one["comparison"] == "greater_than" and not (
                is_number(value) and ORDERS["greater_than"](value, one["value"])
            ):
                return False
        return True

    def trigger(self, name, body, now, recipients, send_id):
        """A backend names users, or everybody."""
        campaign = self.campaigns[name]
        if body.get("broadcast"):
            if all(broadcast.id != send_id for broadcast in campaign.broadcasts):
                campaign.broadcasts.append(self.sent(campaign, body, now, send_id))
            return
        if body.get("create_users"):
            for name in recipients:
                if body.get("audience") is None or self.matcher().matches(body["audience"], self.peek(name).person):
                    self.create(name)
        for name in dict.fromkeys(recipients):
            user = self.users.get(name)
            if user and (body.get("audience") is None or self.matcher().matches(body["audience"], user.person)):
                self.wait(user, campaign, self.sent(campaign, {**body, "audience": None}, now, send_id))

    @staticmethod
    def sent(campaign, body, now, send_id):
        """A trigger by a backend. The window begins when it is due, for local times on the last clock on Earth."""
        at, window = body.get("at", now), campaign.delivery.get("window", MONTH)
        if body.get("local_time"):
            return Waiting(send_id, now, at, max(at + LAST_CLOCK, now) + window, body.get("audience"), is_local=True)
        return Waiting(send_id, now, max(at, now), max(at, now) + window, body.get("audience"))

    @staticmethod
    def is_early(at, is_local, now):
        """Whether a time is still to come, anywhere on Earth where it is local."""
        return at - (FIRST_CLOCK if is_local else 0) > now

    def scheduled(self, name, send_id):
        """The triggers of a send whose time has come nowhere yet: what may be put off or called off of it."""
        found = [one for one in self.campaigns[name].broadcasts if one.id == send_id]
        found += [user.waiting[name, send_id] for user in self.users.values() if (name, send_id) in user.waiting]
        return [one for one in found if self.is_early(one.due, one.is_local, self.now)]

    def put_off(self, name, send_id, body):
        """Another time for a send; returns whether there was one."""
        found = self.scheduled(name, send_id)
        for one in found:
            new = self.sent(self.campaigns[name], body, one.at, send_id)
            one.due, one.until, one.is_local = new.due, new.until, new.is_local
        return bool(found)

    def call_off(self, name, send_id):
        """Takes back a send; returns whether there was one."""
        found, campaign = self.scheduled(name, send_id), self.campaigns[name]
        campaign.broadcasts = [one for one in campaign.broadcasts if one not in found]
        for user in self.users.values():
            if user.waiting.get((name, send_id)) in found:
                del user.waiting[name, send_id], user.triggers[name, send_id]
        return bool(found)

    # Deciding

    def matcher(self):
        return Matcher(self.now, self.segments, self.settings["time_zone"])

    def moment(self, value, is_local, user):
        """The moment that a time of a campaign means for a user."""
        if value is None:
            return None
        seconds = time_of(value)
        return times.moment(times.EPOCH + times.span(seconds), self.zone(user)) if is_local else seconds

    def open(self, delivery, at, user):
        """Whether a moment lies between the start and the end of a campaign."""
        start = self.moment(delivery.get("start_at"), delivery.get("local_time"), user)
        end = self.moment(delivery.get("end_at"), delivery.get("local_time"), user)
        return (start is None or at >= start) and (end is None or at < end)

    def expiry(self, campaign, card, user):
        """When a card that was given then leaves."""
        template = campaign.card(card.variant)
        if template is None:
            return self.now
        if card.frozen_expiry is not None:
            return card.frozen_expiry
        if "expires_after" in template:
            return card.at + template["expires_after"]
        if "expires_at" in template:
            return self.moment(template["expires_at"], template.get("expires_in_local_time"), user)
        return FOREVER

    def decide(self, user):
        """Gives a user what they are to have, until nothing is left to give."""
        for key in [key for key, one in user.waiting.items() if one.until <= self.now]:
            self.end(user, key)
        while self.give(user) and self.settles:
            pass

    def give(self, user):
        """Gives what one decision gives; returns whether that was anything."""
        chosen = []
        for campaign in sorted(self.campaigns.values(), key=lambda campaign: campaign.order):
            if campaign.status == "active":
                self.end_late(campaign, user)
            if campaign.status == "active" and not self.is_quiet(campaign, user):
                if self.matcher().matches(campaign.body.get("audience"), user.person):
                    chosen += self.candidates(campaign, user)
        chosen, dropped = self.within_limits(chosen, user)
        for card in dropped:
            card.limited = True
        for campaign, variant, trigger in chosen:
            card = Card(campaign.body["id"], variant, self.now, trigger)
            if trigger:
                self.end(user, (card.campaign, trigger.id), "delivered")
                self.drop_others(campaign, user, trigger)
            user.cards.append(card)
            user.person.contacts.append((card.campaign, variant, "received", self.now))
            if campaign.rules.get("freeze") and not campaign.is_control(variant):
                template = campaign.card(variant)
                card.frozen_expiry = self.expiry(campaign, card, user)
                card.frozen_rank = (not template.get("pinned", False), -template.get("priority", 0))
                card.frozen = self.title(campaign, variant, user)
        return bool(chosen)

    def within_limits(self, chosen, user):
        """What caps and limit have room for, and the cards that go; what the limit leaves out takes nothing of a
        cap."""
        while True:
            capped = self.within_caps(chosen, user)
            kept, dropped = self.make_room(capped, user)
            left_out = [one for one in capped if one not in kept]
            if not left_out:
                return kept, dropped
            chosen = [one for one in chosen if one not in left_out]

    def make_room(self, chosen, user):
        """What the limit leaves of the cards to give, and the cards of the user that go."""
        limit = self.settings.get("card_limit", 250)
        ranked = [
            (self.rank(card.campaign, card.variant, card.at, card.frozen_rank), card)
            for card in user.cards
            if self.is_present(card, user)
        ]
        ranked += [
            (self.rank(campaign.body["id"], variant, self.since(campaign, trigger, user)), (campaign, variant, trigger))
            for campaign, variant, trigger in chosen
        ]
        # The campaign's id decides last, and the other way round.
        ranked.sort(key=lambda one: one[0][3], reverse=True)
        ranked.sort(key=lambda one: one[0][:3])
        dropped = [one for _, one in ranked[limit:]]
        return [one for one in chosen if one not in dropped], [one for one in dropped if isinstance(one, Card)]

    def rank(self, name, variant, since, frozen=None):
        """A card's place in the feed: pinned ones, then those of higher priority, then the newest."""
        card = self.campaigns[name].card(variant)
        return (*(frozen or (not card.get("pinned", False), -card.get("priority", 0))), -since, name)

    def since(self, campaign, trigger, user):
        """Since when a card that isn't given yet has been on offer."""
        if trigger:
            return self.due_of(trigger, user)
        if any(card.campaign == campaign.body["id"] for card in user.cards):
            return self.now
        start = None if campaign.delivery.get("local_time") else campaign.delivery.get("start_at")
        return max(campaign.launched_at, campaign.launched_at if start is None else time_of(start))

    def is_present(self, card, user):
        """Whether a card takes up room."""
        campaign = self.campaigns[card.campaign]
        if (
            card.dismissed
            or card.removed
            or card.limited
            or campaign.withdrawn
            or campaign.variant(card.variant) is None
        ):
            return False
        if self.expiry(campaign, card, user) <= self.now:
            return False
        follows = campaign.rules.get("follow_audience")
        return not follows or self.matcher().matches(campaign.body.get("audience"), user.person)

    def end_late(self, campaign, user):
        """What became due too soon after the last card that the user has waits no more."""
        given = [card for card in user.cards if card.campaign == campaign.body["id"]]
        if given and campaign.delivery["type"] != "scheduled" and self.open(campaign.delivery, self.now, user):
            for key, one in list(user.waiting.items()):
                if (
                    key[0] == campaign.body["id"]
                    and self.due_of(one, user) <= self.now
                    and not self.allowed_again(campaign, self.due_of(one, user), given[-1].at)
                ):
                    self.end(user, key)

    def drop_others(self, campaign, user, given):
        """What is due and came too soon after the card that was given waits no more; what isn't due may be put off."""
        for key, one in list(user.waiting.items()):
            due = self.due_of(one, user)
            if (
                key[0] == campaign.body["id"]
                and due <= self.now
                and not self.allowed_again(campaign, due, self.due_of(given, user))
            ):
                self.end(user, key)

    def candidates(self, campaign, user):
        """The cards that a campaign would give: each with its variant, and its trigger or None."""
        name = campaign.body["id"]
        given = [card for card in user.cards if card.campaign == name]
        variant = self.variant(campaign, given, user)
        if variant is None or self.expiry(campaign, Card(name, variant, self.now, None), user) <= self.now:
            return []
        if not self.renders(campaign, variant, user):
            return []
        if campaign.delivery["type"] == "scheduled":
            if not self.open(campaign.delivery, self.now, user):
                return []
            if not given:
                return [(campaign, variant, None)]
            span = self.again(campaign)
            last = given[-1]
            is_gone = self.is_gone(campaign, last, user)
            return [(campaign, variant, None)] if span is not None and is_gone and last.at + span <= self.now else []
        found = []
        last = given[-1].at if given else None
        for one in self.due(campaign, user):
            if last is None or self.allowed_again(campaign, self.due_of(one, user), last):
                found.append((campaign, variant, one))
                last = self.due_of(one, user)
        return found

    @staticmethod
    def variant(campaign, given, user):
        """The variant that a user was given before, unless its weight is 0 by now, or else the allocated one."""
        last = campaign.variant(given[-1].variant) if given else None
        return last["id"] if last and last.get("weight", 1) else campaign.allocated(user.person.user_id)

    def due(self, campaign, user):
        """The triggers whose time has come, in the order of their own times."""
        name = campaign.body["id"]
        if not self.open(campaign.delivery, self.now, user):
            return []
        found = [one for key, one in user.waiting.items() if key[0] == name]
        found += [
            one
            for one in campaign.broadcasts
            if user.triggers.get((name, one.id), "over") == "over" and self.matcher().matches(one.audience, user.person)
        ]
        found = [(self.due_of(one, user), one) for one in found if one.until > self.now]
        return [one for due, one in sorted(found, key=lambda pair: (pair[0], pair[1].id)) if due <= self.now]

    def edges(self, only_again=False):
        """The moments to come at which the rules change what users get, or at which they may get a card again."""
        if only_again:
            found = [
                card.at + (self.again(self.campaigns[card.campaign]) or 0)
                for user in self.users.values()
                for card in user.cards
            ]
            return sorted({round(moment, 3) for moment in found if moment > self.now})
        found = []
        broadcasts = [broadcast for campaign in self.campaigns.values() for broadcast in campaign.broadcasts]
        for user in self.users.values():
            for one in [*user.waiting.values(), *broadcasts]:
                found += [self.due_of(one, user), one.until]
            for campaign in self.campaigns.values():
                is_local = campaign.delivery.get("local_time")
                found += [self.moment(campaign.delivery.get(name), is_local, user) for name in ("start_at", "end_at")]
            for card in user.cards:
                campaign = self.campaigns[card.campaign]
                found += [card.at + (self.again(campaign) or 0), self.expiry(campaign, card, user)]
                found += [card.at + cap["days"] * DAY for cap in self.settings.get("frequency_caps", [])]
        return sorted({round(moment, 3) for moment in found if moment and self.now < moment < self.now + MONTH})

    def again(self, campaign):
        """After how many seconds a user may get the card again, or None for never."""
        may = campaign.rules.get("reeligible", campaign.delivery["type"] == "api_triggered")
        return campaign.rules.get("reeligible_after_days", 0) * DAY if may else None

    def allowed_again(self, campaign, due, last):
        span = self.again(campaign)
        return span is not None and (span == 0 or due >= last + span)

    def is_gone(self, campaign, card, user):
        """Whether another card may follow; one that the limit dropped counts as present until it would have expired."""
        if card.dismissed or card.removed or campaign.withdrawn or campaign.variant(card.variant) is None:
            return True
        return self.expiry(campaign, card, user) <= self.now

    def is_quiet(self, campaign, user):
        quiet = self.settings.get("quiet_hours")
        if not quiet or campaign.rules.get("ignore_quiet_hours"):
            return False
        clock = times.local(self.now, self.zone(user)).strftime("%H:%M")
        start, end = quiet["from"], quiet["to"]
        return start <= clock < end if start < end else clock >= start or clock < end

    def within_caps(self, chosen, user):
        """What the frequency caps leave room for; a control is held back and doesn't count."""
        caps = self.settings.get("frequency_caps", [])
        order = sorted(
            range(len(chosen)), key=lambda index: -chosen[index][0].card(chosen[index][1]).get("priority", 0)
        )
        new, kept = [], []
        for index in order:
            campaign, variant, _ = chosen[index]
            tags = campaign.body.get("tags", [])
            if not campaign.rules.get("ignore_frequency_caps"):
                if any(self.is_full(cap, user, new) for cap in caps if cap.get("tag") is None or cap["tag"] in tags):
                    continue
                if not campaign.is_control(variant):
                    new.append(tags)
            kept.append(index)
        return [chosen[index] for index in sorted(kept)]

    def is_full(self, cap, user, new):
        """Whether a cap is used up by what was given, and by what is given now."""
        tag = cap.get("tag")
        past = []
        for card in user.cards:
            campaign = self.campaigns[card.campaign]
            if card.at + cap["days"] * DAY > self.now and not campaign.rules.get("ignore_frequency_caps"):
                if campaign.variant(card.variant) and not campaign.is_control(card.variant):
                    past.append(campaign.body.get("tags", []))
        return sum(1 for tags in past + new if tag is None or tag in tags) >= cap["cards"]

    # The feed

    def renders(self, campaign, variant, user):
        """Whether a card can be shown; a control has nothing to render."""
        return campaign.is_control(variant) or self.title(campaign, variant, user) is not None

    def title(self, campaign, variant, user):
        """The title, or None where the template withholds the card or there is none."""
        if campaign.is_control(variant):
            return None
        template = campaign.card(variant)
        if user.person.attribute("language") == "ja" and "translations" in template:
            return template["translations"]["ja"]["title"]
        if "abort_message" in template["title"]:
            return None if user.person.custom.get("plan") == "gold" else "x"
        return template["title"]

    def feed(self, user):
        """The cards that a user has now: campaign, variant, title, when it was given and when it leaves."""
        found = []
        for card in user.cards:
            campaign = self.campaigns[card.campaign]
            if not self.is_present(card, user) or not (card.frozen or self.renders(campaign, card.variant, user)):
                continue
            expiry = self.expiry(campaign, card, user)
            title = card.frozen or self.title(campaign, card.variant, user)
            found.append((card.campaign, card.variant, title, card.at, None if expiry == FOREVER else expiry))
        return sorted(found, key=str)
