"""Random campaigns over random time: the feed after each sync, against the reference."""

from . import scenario as make
from . import times
from .amounts import rounded
from .audience_random import uuid
from .delivery_reference import Campaign, Reference
from .history_check import HistoryCheck
from .runner import Runner, DEFAULTS


class DeliveryRunner(Runner):
    """Tells the reference what it tells the server, and compares feeds."""

    def __init__(self, world, scenario, prefix="h-"):
        super().__init__(world, scenario, prefix)
        self.reference = Reference({**DEFAULTS, **self.scenario["settings"]})
        self.owners = {}
        self.cards = {}
        self.holders = {}

    def prepare(self):
        super().prepare()
        self.reference.now = self.now
        self.reference.segments[f"{self.prefix}vip"] = self.scenario["segment"]
        for order, body in enumerate(self.scenario["campaigns"]):
            self.reference.campaigns[body["id"]] = Campaign(body, order)
            self.reference.change(body["id"], "launch")
        for user in self.scenario["users"]:
            self.reference.user(user)
        for guest in self.guests:
            self.reference.user(guest)
            self.reference.aliases[guest] = guest

    def identified(self, step, count):
        guest, identity = self.reference.users.get(step["guest"]), self.reference.users.get(step["user"])
        expected = int(self.reference.identify(step["guest"], step["user"]))
        if guest and identity and guest is not self.reference.users.get(step["guest"]):
            kept = {id(card) for card in identity.cards}
            for card, holder in self.holders.items():
                if holder is guest:
                    self.holders[card] = identity if id(self.card(guest, self.owners[card])) in kept else None
        return self.unless(count == expected, count, expected)

    def advance(self, step):
        edges = self.reference.edges() if "edge" in step else []
        if edges:
            edge = edges[step["edge"] % len(edges)] + step["offset"]
            self.world.clock.set(max(edge, self.now))
        else:
            super().advance(step)
        self.reference.now = self.now

    def attributes(self, step):
        super().attributes(step)
        person = self.reference.create(step["user"]).person
        for store, name, value in ((person.custom, "plan", step["plan"]), (person.standard, "time_zone", step["zone"])):
            store.pop(name, None)
            if value is not None:
                store[name] = value

    def deleted(self, step, reply):
        found = reply.status < 300
        return self.unless(found == self.reference.delete(step["user"]), {"status": reply.status}, not found)

    def track(self, step):
        super().track(step)
        if step["user"] in self.guests and step["user"] not in self.reference.users:
            return
        self.reference.create(step["user"])
        event = step["event"]
        self.happens(step["user"], event, round(self.now - event["ago"], 3))

    def happens(self, name, event, at):
        """Tells the reference of an event or purchase."""
        user = self.reference.user(name)
        properties = {"n": event["n"]}
        if event["type"] == "custom":
            user.person.events.setdefault(event["name"], []).append(at)
            self.reference.happens(user, "event", event["name"], properties, at, event["id"])
        else:
            amount = rounded(event["price"])
            user.person.purchases.setdefault((event["product"], "USD"), []).append((at, amount))
            properties.update(product_id=event["product"], currency="USD", price=amount, quantity=1)
            self.reference.happens(user, "purchase", event["product"], properties, at, event["id"])

    def triggered(self, step, reply):
        if reply.status == 202:
            body = {**step["body"]}
            if "at_in" in body:
                body["at"] = self.now + body["at_in"]
            recipients = [one["user_id"] for one in body.get("recipients", [])]
            self.reference.trigger(step["campaign"], body, self.now, recipients, reply.json["send_id"])

    def changed(self, step, reply):
        if reply.status == 200:
            self.reference.change(step["campaign"], step["to"])

    def edited(self, step, reply):
        if reply.status == 200:
            self.reference.campaigns[step["campaign"]].body.update(step["change"])

    def settings(self, step):
        super().settings(step)
        self.reference.settings = {**DEFAULTS, **step["settings"]}

    def segment(self, step):
        super().segment(step)
        self.reference.segments[f"{self.prefix}vip"] = step["audience"]

    def sync(self, step):
        gone = step["user"] in self.guests and step["user"] not in self.reference.users
        # What a device gets whose guest is a user now is compared by the identities.
        return None if gone and step["user"] not in self.reference.deleted else super().sync(step)

    def synced(self, step, device, events, context):
        reply = self.world.sync(step["user"], step["device"], events=events, **context)
        self.decisions += len(self.reference.campaigns)
        device.apply(reply)
        if step["user"] in self.reference.deleted:
            return self.unless(reply["cards"] == [] and reply["replace"], reply, "an empty feed") or self.refused(reply, events)
        user = self.reference.user(step["user"])
        sources = {event["id"]: event for event in step["events"]}
        known = [event for event in events if self.holders.get(event.get("card_id"), user) is user]
        for event in known:
            self.tell(user, step["user"], {**sources[event["id"]], **event})
        user.person.device.update(context)
        self.reference.decide(user)
        for card in reply["cards"]:
            self.owners.setdefault(card["id"], card)
            self.holders.setdefault(card["id"], user)
        difference = self.compare(user, reply) or self.refused(reply, [event for event in events if event not in known])
        # What audiences ask for is the time before this sync.
        user.person.see(self.now)
        return difference

    def refused(self, reply, events):
        """A difference in which events the server refuses: those of a deleted user, and about cards of one."""
        found, expected = sorted(one["id"] for one in reply["events"]["rejected"]), sorted(event["id"] for event in events)
        return self.unless(found == expected, {"rejected": found}, {"rejected": expected})

    @staticmethod
    def unless(holds, server, reference):
        return None if holds else {"server": server, "reference": reference}

    def tell(self, user, name, event):
        """Tells the reference what a device told."""
        if event["type"] in ("custom", "purchase"):
            self.happens(name, event, event["at"])
        elif event["type"] == "attributes":
            user.person.custom.pop("plan", None)
            if event["plan"] is not None:
                user.person.custom["plan"] = event["plan"]
        elif event["type"] == "session_start":
            user.person.sessions.append(event["at"])
        else:
            self.touch(user, event)

    def touch(self, user, event):
        """An impression, a click or a dismissal of a card."""
        known = self.owners[event["card_id"]]
        what = {"impression": "viewed", "click": "clicked", "dismissal": "dismissed"}[event["type"]]
        user.person.contacts.append((known["campaign_id"], known["variant_id"], what, event["at"]))
        if what == "dismissed":
            self.card(user, known).dismissed = True

    def card(self, user, known):
        """The reference's card for one of the server's; several of one moment are alike."""
        if known["id"] not in self.cards:
            taken = set(map(id, self.cards.values()))
            for card in user.cards:
                if card.campaign == known["campaign_id"] and card.at == known["created_at"] and id(card) not in taken:
                    self.cards[known["id"]] = card
                    break
        return self.cards[known["id"]]

    def compare(self, user, reply):
        found = sorted(
            ((card["campaign_id"], card["variant_id"], card.get("title"), card["created_at"], card["expires_at"])
             for card in reply["cards"]), key=str
        )
        expected = self.reference.feed(user)
        if found == expected:
            return None
        return {
            "user": user.person.user_id, "now": self.now, "reference": expected, "server": found,
        }


class DeliveryCheck(HistoryCheck):
    """Histories with variants, limits and deletions; of a card the reference knows its title alone."""

    name = "delivery"
    runner = DeliveryRunner

    @property
    def done(self):
        return self.decisions

    def scenario(self):
        found = make.scenario(self.random, self.random.choice([12, 12, 40, 100]))
        for campaign in found["campaigns"]:
            self.divide(campaign)
        for step in found["steps"]:
            if step["do"] == "edit":
                self.divide(step["change"])
            if step["do"] == "settings":
                self.narrow_limit(step["settings"])
            if step["do"] == "trigger" and "recipients" in step["body"]:
                self.narrow(step["body"], [campaign["id"] for campaign in found["campaigns"]])
        self.narrow_limit(found["settings"])
        if self.random.random() < 0.3:
            self.random.choice([self.come_again, self.count_controls, self.cancel])(found)
        self.direct(found)
        if self.random.random() < 0.4:
            make.invite(self.random, found)
        return found

    def come_again(self, found):
        """Cards that leave soon and come again: what else holds cards back is seldom in their way."""
        random = self.random
        for campaign in found["campaigns"]:
            if random.random() < 0.8:
                campaign.update(audience=None, delivery=self.delivery())
                campaign["rules"].update(reeligible=True, reeligible_after_days=random.choice([0.01, 0.02, 0.1, 1]))
                for variant in campaign["variants"]:
                    if "card" in variant:
                        variant["card"] = {**variant["card"], "expires_after": random.choice([200, 500, 800])}
                        variant["card"].pop("expires_at", None)
                        variant["card"].pop("expires_in_local_time", None)
        found["settings"] = {"time_zone": found["settings"]["time_zone"]}

    def delivery(self):
        """What brings a card, without a start and an end."""
        found = {"type": self.random.choice(["scheduled", "action", "action", "api_triggered"])}
        if found["type"] == "action":
            found.update(trigger={"event": self.random.choice(make.EVENTS)}, delay=self.random.choice([0, 0, 600]))
        return found

    def cancel(self, found):
        """Sends that wait, and events that take them away, more than once."""
        random, steps = self.random, []
        for campaign in found["campaigns"]:
            if random.random() < 0.8:
                campaign.update(audience=None, delivery={"type": "api_triggered"})
                campaign["rules"]["remove_on"] = [{"event": "left"}]
        for step in found["steps"]:
            steps.append(step)
            if random.random() < 0.15:
                body = {"broadcast": True, "at_in": random.choice([600, 30_000])}
                steps.append({"do": "trigger", "campaign": random.choice(found["campaigns"])["id"], "body": body})
            if random.random() < 0.3:
                event = {"type": "custom", "id": uuid(random), "ago": 0, "name": "left", "n": 0}
                steps.append({"do": "track", "user": random.choice(found["users"]), "event": event})
        found["steps"] = steps

    def count_controls(self, found):
        """Controls under a cap, and cards that come later."""
        random = self.random
        for campaign in found["campaigns"]:
            campaign["rules"].pop("ignore_frequency_caps", None)
            if random.random() < 0.8:
                campaign.update(audience=None, delivery={"type": "scheduled"})
                if random.random() < 0.5:
                    campaign["delivery"]["start_at"] = times.iso(found["start"] + random.choice([1, 3, 9]) * 3_600)
            card = next(variant["card"] for variant in campaign["variants"] if "card" in variant)
            if random.random() < 0.7:
                campaign["variants"] = [{"id": "a", "card": card}, {"id": "control", "control": True, "weight": random.choice([1, 3])}]
        cap = {"cards": random.choice([1, 1, 2]), "days": random.choice([1, 3])}
        found["settings"] = {"time_zone": found["settings"]["time_zone"], "frequency_caps": [cap]}

    def direct(self, found):
        """Lets time pass to where something changes, or to just before, and has something happen then."""
        steps, random = [], self.random
        for step in found["steps"]:
            steps.append(step)
            if step["do"] != "advance" or random.random() < 0.6:
                continue
            step.update(edge=random.choice([0, 0, random.randint(0, 20)]), offset=random.choice([0, 0, -0.001, -30, -30, 1]))
            events = [{"type": "custom", "id": uuid(random), "ago": 0, "name": random.choice(make.EVENTS), "n": random.randint(0, 2)}]
            if random.random() < 0.3:
                body = {"recipients": [{"user_id": user} for user in found["users"]]}
                steps.append({"do": "trigger", "campaign": random.choice(found["campaigns"])["id"], "body": body})
            sync = {"do": "sync", "user": random.choice(found["users"]), "device": "d1"}
            steps.append({**sync, "events": random.choice([events, []])})
        found["steps"] = steps

    def narrow_limit(self, settings):
        """A limit that the few campaigns of a history reach."""
        if "card_limit" in settings:
            settings["card_limit"] = self.random.choice([1, 1, 2, 2, 3])

    def narrow(self, body, names):
        """An audience beside the recipients, and users that are made."""
        if self.random.random() < 0.2:
            body["audience"] = make.audience(self.random, names)
        if self.random.random() < 0.4:
            body["create_users"] = True

    def divide(self, body):
        """Variants of random weights, with descriptions that say nothing."""
        if "variants" not in body:
            return
        random = self.random
        first = body["variants"][0]
        first["card"]["description"] = "d"
        body["variants"] = [first]
        if random.random() < 0.5:
            other = {**first["card"], "title": first["card"]["title"] + " b"} if random.random() < 0.5 else {**first["card"], "priority": 1}
            if "abort_message" in other["title"]:
                other["title"] = "b"
            body["variants"].append({"id": "b", "card": other, "weight": random.choice([0, 1, 2, 5])})
        if random.random() < 0.4:
            body["variants"].append({"id": "control", "control": True, "weight": random.choice([0, 1, 3, 9])})
        if len(body["variants"]) > 1 and random.random() < 0.5:
            first["weight"] = random.choice([1, 3])
