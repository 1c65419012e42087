"""Who has which card: docs/delivery.md, computed from it and from nothing else."""

from . import times
from .audience_reference import Matcher, Person, is_number, same, time_of
from .audience_reference import ORDERS
from .times import DAY

FOREVER = float("inf")
MONTH = 30 * DAY


class Card:
    """A card that a user was given."""

    def __init__(self, campaign, now, trigger):
        self.campaign = campaign
        self.at = now
        self.trigger = trigger
        self.dismissed = False
        self.removed = False
        self.limited = False
        self.frozen = None


class Waiting:
    """A trigger that waits for its user's device."""

    def __init__(self, id, at, due, window, audience=None):
        self.id, self.at, self.due, self.window, self.audience = id, at, due, window, audience


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

    @property
    def card(self):
        return self.body["variants"][0]["card"]


class User:
    """A user and their cards."""

    def __init__(self, person):
        self.person = person
        self.cards = []
        self.waiting = {}
        self.used = set()


class Reference:
    """A workspace."""

    settles = True

    def __init__(self, settings):
        self.settings = settings
        self.campaigns = {}
        self.segments = {}
        self.users = {}
        self.now = 0.0
        self.launches = 0

    def user(self, name):
        if name not in self.users:
            self.users[name] = User(Person(name, self.now))
        return self.users[name]

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
                    self.wait(user, campaign, event_id, at, at + delivery.get("delay", 0))

    def wait(self, user, campaign, id, at, due, audience=None):
        key = (campaign.body["id"], id)
        if key not in user.used:
            user.used.add(key)
            user.waiting[key] = Waiting(id, at, due, campaign.delivery.get("window", MONTH), audience)

    def remove(self, user, campaign, at):
        for card in user.cards:
            if card.campaign == campaign.body["id"]:
                card.removed = True
        for key, one in list(user.waiting.items()):
            if key[0] == campaign.body["id"] and one.at <= at:
                del user.waiting[key]
        for one in campaign.broadcasts:
            if one.at <= at:
                user.used.add((campaign.body["id"], one.id))

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
            if one["comparison"] == "greater_than" and not (is_number(value) and ORDERS["greater_than"](value, one["value"])):
                return False
        return True

    def trigger(self, name, body, now, recipients, send_id):
        """A backend names users, or everybody."""
        campaign = self.campaigns[name]
        due = max(body.get("at", now), now)
        if body.get("broadcast"):
            if all(broadcast.id != send_id for broadcast in campaign.broadcasts):
                window = campaign.delivery.get("window", MONTH)
                campaign.broadcasts.append(Waiting(send_id, now, due, window, body.get("audience")))
            return
        for user in recipients:
            self.wait(self.user(user), campaign, send_id, now, due)

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
        template = campaign.card
        if "expires_after" in template:
            return card.at + template["expires_after"]
        if "expires_at" in template:
            return self.moment(template["expires_at"], template.get("expires_in_local_time"), user)
        return FOREVER

    def decide(self, user):
        """Gives a user what they are to have, until nothing is left to give."""
        for key in [key for key, one in user.waiting.items() if one.due + one.window <= self.now]:
            del user.waiting[key]
        while self.give(user) and self.settles:
            pass

    def give(self, user):
        """Gives what one decision gives; returns whether that was anything."""
        chosen = []
        for campaign in sorted(self.campaigns.values(), key=lambda campaign: campaign.order):
            if campaign.status == "active" and not self.is_quiet(campaign, user):
                if self.matcher().matches(campaign.body.get("audience"), user.person) and self.renders(campaign, user):
                    chosen += self.candidates(campaign, user)
        chosen = self.within_caps(chosen, user)
        for campaign, trigger in chosen:
            card = Card(campaign.body["id"], self.now, trigger)
            if trigger:
                user.used.add((card.campaign, trigger.id))
                user.waiting.pop((card.campaign, trigger.id), None)
                self.drop_others(campaign, user, trigger)
            user.cards.append(card)
            user.person.contacts.append((card.campaign, "a", "received", self.now))
            if campaign.rules.get("freeze"):
                card.frozen = self.title(campaign, user)
        return bool(chosen)

    def drop_others(self, campaign, user, given):
        """What came too soon after the card that was given waits no more."""
        for key, one in list(user.waiting.items()):
            if key[0] == campaign.body["id"] and not self.allowed_again(campaign, one, given.due):
                del user.waiting[key]

    def candidates(self, campaign, user):
        """The cards that a campaign would give: each with its trigger, or None."""
        given = [card for card in user.cards if card.campaign == campaign.body["id"]]
        if self.expiry(campaign, Card(campaign.body["id"], self.now, None), user) <= self.now:
            return []
        if campaign.delivery["type"] == "scheduled":
            if not self.open(campaign.delivery, self.now, user):
                return []
            if not given:
                return [(campaign, None)]
            span = self.again(campaign)
            last = given[-1]
            is_gone = self.is_gone(campaign, last, user)
            return [(campaign, None)] if span is not None and is_gone and last.at + span <= self.now else []
        found = []
        last = given[-1].at if given else None
        for one in self.due(campaign, user):
            if last is None or self.allowed_again(campaign, one, last):
                found.append((campaign, one))
                last = one.due
        return found

    def due(self, campaign, user):
        """The triggers whose time has come, in the order of their own times."""
        name = campaign.body["id"]
        if not self.open(campaign.delivery, self.now, user):
            return []
        found = [one for key, one in user.waiting.items() if key[0] == name]
        found += [one for one in campaign.broadcasts if (name, one.id) not in user.used
                  and self.matcher().matches(one.audience, user.person)]
        return sorted([one for one in found if one.due <= self.now < one.due + one.window], key=lambda one: one.due)

    def again(self, campaign):
        """After how many seconds a user may get the card again, or None for never."""
        rules = campaign.rules
        if "reeligible" not in rules:
            return 0 if campaign.delivery["type"] == "api_triggered" else None
        return rules.get("reeligible_after_days", 0) * DAY if rules["reeligible"] else None

    def allowed_again(self, campaign, trigger, last):
        span = self.again(campaign)
        return span is not None and (span == 0 or trigger.due >= last + span)

    def is_gone(self, campaign, card, user):
        return card.dismissed or card.removed or self.expiry(campaign, card, user) <= self.now

    def is_quiet(self, campaign, user):
        quiet = self.settings.get("quiet_hours")
        if not quiet or campaign.rules.get("ignore_quiet_hours"):
            return False
        clock = times.local(self.now, self.zone(user)).strftime("%H:%M")
        start, end = quiet["from"], quiet["to"]
        return start <= clock < end if start < end else clock >= start or clock < end

    def within_caps(self, chosen, user):
        """What the frequency caps leave room for."""
        caps = self.settings.get("frequency_caps", [])
        order = sorted(range(len(chosen)), key=lambda index: -chosen[index][0].card.get("priority", 0))
        new, kept = [], []
        for index in order:
            campaign = chosen[index][0]
            tags = campaign.body.get("tags", [])
            if not campaign.rules.get("ignore_frequency_caps"):
                if any(self.is_full(cap, user, new) for cap in caps if cap.get("tag") is None or cap["tag"] in tags):
                    continue
                new.append(tags)
            kept.append(index)
        return [chosen[index] for index in sorted(kept)]

    def is_full(self, cap, user, new):
        """Whether a cap is used up by what was given, and by what is given now."""
        tag = cap.get("tag")
        recent = [self.campaigns[card.campaign] for card in user.cards if card.at + cap["days"] * DAY > self.now]
        past = [campaign.body.get("tags", []) for campaign in recent if not campaign.rules.get("ignore_frequency_caps")]
        return sum(1 for tags in past + new if tag is None or tag in tags) >= cap["cards"]

    # The feed

    def renders(self, campaign, user):
        return self.title(campaign, user) is not None

    def title(self, campaign, user):
        """The title, or None where the template withholds the card."""
        title = campaign.card["title"]
        if user.person.attribute("language") == "ja" and "translations" in campaign.card:
            return campaign.card["translations"]["ja"]["title"]
        if "abort_message" in title:
            return None if user.person.custom.get("plan") == "gold" else "x"
        return title

    def feed(self, user):
        """The cards that a user has now: campaign, title, when it was given and when it leaves."""
        found = []
        for card in user.cards:
            campaign = self.campaigns[card.campaign]
            expiry = self.expiry(campaign, card, user)
            title = card.frozen or self.title(campaign, user)
            if card.dismissed or card.removed or campaign.withdrawn or expiry <= self.now or title is None:
                continue
            if campaign.rules.get("follow_audience"):
                if not self.matcher().matches(campaign.body.get("audience"), user.person):
                    continue
            found.append((card.campaign, title, card.at, None if expiry == FOREVER else expiry))
        return sorted(found, key=str)
