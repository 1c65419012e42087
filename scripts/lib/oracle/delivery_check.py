"""Random campaigns over random time: the feed after each sync, against the reference."""

from .amounts import rounded
from .delivery_random import Histories
from .delivery_reference import Reference
from .delivery_state import Campaign
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
        edges = self.reference.edges(step.get("again", False)) if "edge" in step else []
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
        if reply.status not in (201, 202):
            return
        body = {**step["body"]}
        if "at_in" in body:
            body["at"] = round(self.now + body["at_in"], 3)
        recipients = [one["user_id"] for one in body.get("recipients", [])]
        send_id = reply.json.get("send_id") or reply.json["dispatch_id"]
        if step.get("via") == "send":
            if body.pop("create_users", False):
                for name in (name for name in recipients if name not in self.guests):
                    self.reference.create(name).person.custom["plan"] = "gold"
            # An alias is forgotten with its user, also where a backend makes another one of the guest's id.
            recipients = [self.reference.aliases.get(name) if name in self.guests else name for name in recipients]
        self.reference.trigger(step["campaign"], body, self.now, recipients, send_id)

    def was_put_off(self, step, reply):
        if "at_in" in step:
            body = {**step, "at": round(self.now + step["at_in"], 3)}
            expected = self.reference.put_off(step["campaign"], step["send_id"], body)
        else:
            expected = self.reference.call_off(step["campaign"], step["send_id"])
        return self.unless((reply.status == 201) == expected, {"status": reply.status, **reply.json}, expected)

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
        expected = self.foreseen(step["user"]) if step.get("ask") and not events and not context else None
        cursor = device.cursor if step.get("delta") else None
        reply = self.world.sync(step["user"], step["device"], cursor, events, **context)
        self.decisions += len(self.reference.campaigns)
        rejected = {one["id"] for one in reply["events"]["rejected"]}
        for event in events:
            device.do(event, rejected)
        device.apply(reply)
        if step["user"] in self.reference.deleted:
            return self.unless(device.cards == {}, reply, "an empty feed") or self.refused(reply, events)
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
        self.tell_apart(user, device)
        difference = (
            self.compare(user, device)
            or self.compare_foreseen(expected, device)
            or self.refused(reply, [event for event in events if event not in known])
        )
        # What audiences ask for is the time before this sync.
        user.person.see(self.now)
        return difference

    def refused(self, reply, events):
        """A difference in which events the server refuses: those of a deleted user, and about cards of one."""
        found, expected = (
            sorted(one["id"] for one in reply["events"]["rejected"]),
            sorted(event["id"] for event in events),
        )
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

    def tell_apart(self, user, device):
        """Finds out which of several cards of one moment the limit has dropped: those that the device hasn't any
        more."""
        for card in [card for card in user.cards if card.limited]:
            alike = [
                other
                for other in user.cards
                if (other.campaign, other.at) == (card.campaign, card.at) and not other.dismissed
            ]
            ids = [
                id
                for id, known in self.owners.items()
                if (known["campaign_id"], known["created_at"]) == (card.campaign, card.at)
                and self.holders[id] is user
                and (id not in self.cards or self.cards[id] in alike)
            ]
            if len(alike) == len(ids) > 1:
                ids.sort(key=lambda id: id in device.cards)
                self.cards.update(zip(ids, sorted(alike, key=lambda other: not other.limited)))

    def foreseen(self, user):
        """What the server says that a sync would give now: the feed, and the campaigns that give a card; None of
        nobody."""
        path = f"/v1/users/{user}"
        feed = self.world.send("GET", f"{path}/feed")
        if feed.status == 404:
            return None
        explained = self.world.ask("GET", f"{path}/explain")["campaigns"]
        gives = {one["campaign_id"] for one in explained if one["gives_card"]}
        return self.plain(feed.json["cards"]), sorted(gives)

    def compare_foreseen(self, foreseen, device):
        """A difference between what was said before a sync and what it gave."""
        if foreseen is None:
            return None
        new = {card["campaign_id"] for card in device.cards.values() if card["created_at"] == self.now}
        found = (self.plain(device.cards.values()), sorted(new))
        # What the limit leaves, and what was given at this moment before, is no matter of the campaigns.
        is_same = foreseen[0] == found[0] and set(foreseen[1]) <= new
        return self.unless(is_same, {"foreseen": foreseen}, {"given": found})

    @staticmethod
    def plain(cards):
        """Cards as they are compared: campaign, variant, title, when it was given and when it leaves."""
        return sorted(
            (
                (card["campaign_id"], card["variant_id"], card.get("title"), card["created_at"], card["expires_at"])
                for card in cards
            ),
            key=str,
        )

    def compare(self, user, device):
        """A difference between what a device has, by a delta or a full reply, and the reference's feed."""
        found = self.plain(device.cards.values())
        expected = self.reference.feed(user)
        if found == expected:
            return None
        return {
            "user": user.person.user_id,
            "now": self.now,
            "reference": expected,
            "server": found,
        }


class DeliveryCheck(HistoryCheck):
    """Histories with variants, limits and deletions; of a card the reference knows its title alone."""

    name = "delivery"
    runner = DeliveryRunner

    @property
    def done(self):
        return self.decisions

    def scenario(self):
        return Histories(self.random).scenario()
