"""Who has which card: docs/delivery.md, computed from it and from nothing else."""

from . import times
from .audience_reference import Matcher, Person, is_number, same, time_of
from .audience_reference import ORDERS
from .delivery_eligibility import Eligibility
from .delivery_state import Card, FIRST_CLOCK, FOREVER, LAST_CLOCK, MONTH, User, Waiting


class Reference(Eligibility):
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
        """A user, or one that nothing is known of."""
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
