"""Random campaigns over random time: the feed after each sync, against the reference."""

from . import scenario as make
from .amounts import rounded
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

    def prepare(self):
        super().prepare()
        self.reference.now = self.now
        self.reference.segments[f"{self.prefix}vip"] = self.scenario["segment"]
        for order, body in enumerate(self.scenario["campaigns"]):
            self.reference.campaigns[body["id"]] = Campaign(body, order)
            self.reference.change(body["id"], "launch")
        for user in self.scenario["users"]:
            self.reference.user(user)

    def advance(self, step):
        super().advance(step)
        self.reference.now = self.now

    def attributes(self, step):
        super().attributes(step)
        person = self.reference.user(step["user"]).person
        for store, name, value in ((person.custom, "plan", step["plan"]), (person.standard, "time_zone", step["zone"])):
            store.pop(name, None)
            if value is not None:
                store[name] = value

    def track(self, step):
        super().track(step)
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

    def synced(self, step, device, events, context):
        user = self.reference.user(step["user"])
        reply = self.world.sync(step["user"], step["device"], events=events, **context)
        self.decisions += len(self.reference.campaigns)
        sources = {event["id"]: event for event in step["events"]}
        for event in events:
            self.tell(user, step["user"], {**sources[event["id"]], **event})
        user.person.device.update(context)
        self.reference.decide(user)
        device.apply(reply)
        for card in reply["cards"]:
            self.owners.setdefault(card["id"], card)
        difference = self.compare(user, reply)
        # What audiences ask for is the time before this sync.
        user.person.see(self.now)
        return difference

    def tell(self, user, name, event):
        """Tells the reference what a device told."""
        if event["type"] in ("custom", "purchase"):
            self.happens(name, event, event["at"])
        elif event["type"] == "session_start":
            user.person.sessions.append(event["at"])
        else:
            self.touch(user, event)

    def touch(self, user, event):
        """An impression, a click or a dismissal of a card."""
        known = self.owners[event["card_id"]]
        what = {"impression": "viewed", "click": "clicked", "dismissal": "dismissed"}[event["type"]]
        user.person.contacts.append((known["campaign_id"], "a", what, event["at"]))
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
            ((card["campaign_id"], card.get("title"), card["created_at"], card["expires_at"]) for card in reply["cards"]), key=str
        )
        expected = self.reference.feed(user)
        if found == expected:
            return None
        return {
            "user": user.person.user_id, "now": self.now, "reference": expected, "server": found,
        }


class DeliveryCheck(HistoryCheck):
    """Histories without variants, limits and what else the reference can't know."""

    name = "delivery"
    runner = DeliveryRunner

    @property
    def done(self):
        return self.decisions

    def scenario(self):
        found = make.scenario(self.random, self.random.choice([15, 40, 100]))
        for campaign in found["campaigns"]:
            self.plain(campaign)
        for step in found["steps"]:
            if step["do"] == "edit":
                self.plain(step["change"])
            if step["do"] == "settings":
                step["settings"].pop("card_limit", None)
        found["settings"].pop("card_limit", None)
        return found

    @staticmethod
    def plain(body):
        """Leaves the one variant that everybody gets, with a description that says nothing."""
        if "variants" in body:
            body["variants"] = body["variants"][:1]
            body["variants"][0]["card"]["description"] = "d"
