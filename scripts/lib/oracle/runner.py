"""Runs the steps of a history against a server, as devices, backends and marketers would."""

from .times import iso
from .wire import decode, encode

DEFAULTS = {"time_zone": "UTC", "frequency_caps": [], "quiet_hours": None, "card_limit": 250}


class Device:
    """What a client keeps: the cards that it has, and the cursor of the last reply."""

    def __init__(self):
        self.cards = {}
        self.cursor = None

    def copy(self):
        other = Device()
        other.cards, other.cursor = dict(self.cards), self.cursor
        return other

    def apply(self, reply):
        """Takes in a reply, as docs/device-api.md says."""
        if reply["replace"]:
            self.cards = {}
        for card in reply["removed"]:
            self.cards.pop(card, None)
        for card in reply["cards"]:
            self.cards[card["id"]] = card
        self.cursor = reply["cursor"]

    def do(self, event, rejected):
        """Does what the user did to the cards that the device has: the server doesn't repeat it."""
        card = self.cards.get(event.get("card_id"))
        if not card or event["id"] in rejected:
            return
        if event["type"] == "dismissal":
            del self.cards[card["id"]]
        else:
            flag = "viewed" if event["type"] == "impression" else "clicked"
            self.cards[card["id"]] = {**card, flag: True}


class Runner:
    """A history on a server; subclasses compare after each sync."""

    def __init__(self, world, scenario, prefix="h-"):
        self.world = world
        self.scenario = named(scenario, prefix)
        self.prefix = prefix
        self.devices = {}
        self.guests = {}
        self.decisions = 0

    def prepare(self):
        self.world.clock.set(self.scenario["start"])
        self.world.ask("PUT", "/v1/settings", {**DEFAULTS, **self.scenario["settings"]})
        self.block({"text": "foot"})
        vip = {"id": f"{self.prefix}vip", "name": "vip", "audience": self.scenario["segment"]}
        self.world.ask("POST", "/v1/segments", vip)
        for campaign in self.scenario["campaigns"]:
            self.world.ask("POST", "/v1/campaigns", campaign)
            self.world.ask("POST", f"/v1/campaigns/{campaign['id']}/launch")
        for user in self.scenario["users"]:
            self.world.ask("PATCH", f"/v1/users/{user}", {"custom_attributes": {}})
        for guest in self.scenario.get("guests", []):
            self.welcome(guest)

    def welcome(self, guest):
        """Makes a user who has an alias and no id, puts the server's id in the place of the guest's name, and returns
        it."""
        alias = {"alias_label": guest, "alias_name": "1"}
        self.world.ask("POST", "/users/alias/new", {"user_aliases": [alias]})
        found = self.world.ask("POST", "/users/export/ids", {"user_aliases": [alias]})["users"][0]["braze_id"]
        self.scenario["steps"] = decode(encode(self.scenario["steps"]).replace(guest, found))
        self.guests[found] = alias
        return found

    def finish(self):
        """Archives the campaigns, so that another history can follow on the server."""
        for campaign in self.scenario["campaigns"]:
            for action in ("stop", "archive"):
                self.world.send("POST", f"/v1/campaigns/{campaign['id']}/{action}")

    def run(self):
        """Runs all steps; returns the first difference, or None."""
        self.prepare()
        for index, step in enumerate(self.scenario["steps"]):
            difference = getattr(self, step["do"])(step)
            if difference:
                return {"step": index, **difference}
        return None

    @property
    def now(self):
        return self.world.clock.now

    # Steps

    def advance(self, step):
        self.world.clock.advance(step["seconds"])

    def attributes(self, step):
        body = {"custom_attributes": {"plan": step["plan"]}, "attributes": {"time_zone": step["zone"]}}
        self.world.ask("PATCH", f"/v1/users/{step['user']}", body)

    def name_of(self, user):
        """How a backend names a user."""
        return {"braze_id": user} if user in self.guests else {"external_id": user}

    def identify(self, step):
        body = {"aliases_to_identify": [{"external_id": step["user"], "user_alias": self.guests[step["guest"]]}]}
        return self.identified(step, self.world.ask("POST", "/users/identify", body)["aliases_processed"])

    def identified(self, step, count):
        """What came of joining a guest with a user."""

    def delete(self, step):
        return self.deleted(step, self.world.send("DELETE", f"/v1/users/{step['user']}"))

    def deleted(self, step, reply):
        """What came of deleting a user, who may not exist."""

    def block(self, step):
        self.world.ask("PUT", f"/v1/content-blocks/{self.prefix}foot", {"content": step["text"]})

    def track(self, step):
        event = step["event"]
        body = {
            **self.name_of(step["user"]),
            "id": event["id"],
            "time": iso(self.now - event["ago"]),
            "properties": {"n": event["n"]},
        }
        if event["type"] == "custom":
            self.world.ask("POST", "/users/track", {"events": [{**body, "name": event["name"]}]})
        else:
            purchase = {"product_id": event["product"], "currency": "USD", "price": event["price"]}
            self.world.ask("POST", "/users/track", {"purchases": [{**body, **purchase}]})

    def trigger(self, step):
        """A send, by Placard's own path or by the documented one."""
        if step.get("via") == "send":
            body = self.documented(step)
            path = "/campaigns/trigger/schedule/create" if "schedule" in body else "/campaigns/trigger/send"
        else:
            body, path = self.timed(step["body"]), f"/v1/campaigns/{step['campaign']}/trigger"
        return self.triggered(step, self.world.send("POST", path, body))

    def triggered(self, step, reply):
        """What came of a trigger; a campaign may not be active, or not triggered by backends."""

    def timed(self, body):
        """The body of a trigger with its time, which was so many seconds away."""
        found = {name: value for name, value in body.items() if name != "at_in"}
        if "at_in" in body:
            at = self.now + body["at_in"]
            found["at"] = iso(at, "") if body.get("local_time") else at
        return found

    def schedule(self, body):
        """The same time as the documented API has it."""
        at = self.now + body["at_in"]
        return {"time": iso(at, ""), "in_local_time": True} if body.get("local_time") else {"time": iso(at)}

    def documented(self, step):
        """The body of a send as the documented API has it."""
        body = step["body"]
        found = {
            "campaign_id": step["campaign"],
            **{name: body[name] for name in ("send_id", "broadcast", "audience") if name in body},
        }
        if "recipients" in body:
            found["recipients"] = [self.recipient(one["user_id"], body) for one in body["recipients"]]
        if "at_in" in body:
            found["schedule"] = self.schedule(body)
        return found

    def recipient(self, user, body):
        if user in self.guests:
            return {"user_alias": self.guests[user]}
        makes = {"send_to_existing_only": False, "attributes": {"plan": "gold"}} if body.get("create_users") else {}
        return {"external_user_id": user, **makes}

    def put_off(self, step):
        """Another time for a send, or none."""
        body = {"campaign_id": step["campaign"], "schedule_id": step["send_id"]}
        if "at_in" in step:
            return self.was_put_off(
                step,
                self.world.send(
                    "POST", "/campaigns/trigger/schedule/update", {**body, "schedule": self.schedule(step)}
                ),
            )
        return self.was_put_off(step, self.world.send("POST", "/campaigns/trigger/schedule/delete", body))

    def was_put_off(self, step, reply):
        """What came of another time, which may have come too late."""

    def status(self, step):
        path = {"withdraw": "stop"}.get(step["to"], step["to"])
        body = {"withdraw": True} if step["to"] == "withdraw" else None
        return self.changed(step, self.world.send("POST", f"/v1/campaigns/{step['campaign']}/{path}", body))

    def changed(self, step, reply):
        """What came of a change of a campaign's status, which may be impossible."""

    def edit(self, step):
        path = f"/v1/campaigns/{step['campaign']}"
        known = self.world.ask("GET", path)
        return self.edited(step, self.world.send("PUT", path, {**known, **step["change"]}))

    def edited(self, step, reply):
        """What came of an edit, which may be refused."""

    def settings(self, step):
        self.world.ask("PUT", "/v1/settings", {**DEFAULTS, **step["settings"]})

    def segment(self, step):
        path = f"/v1/segments/{self.prefix}vip"
        known = self.world.ask("GET", path)
        self.world.ask("PUT", path, {**known, "audience": step["audience"]})

    def sync(self, step):
        device = self.devices.setdefault((step["user"], step["device"]), Device())
        events = self.wire_events(step["events"], device)
        context = {name: value for name, value in step.get("context", {}).items() if value}
        return self.synced(step, device, events, context)

    def wire_events(self, events, device):
        """The events as the device would send them, with the cards that it has."""
        found = []
        for event in events:
            wire = {"id": event["id"], "type": event["type"], "at": self.now - event["ago"]}
            if event["type"] == "custom":
                wire.update(name=event["name"], properties={"n": event["n"]})
            elif event["type"] == "attributes":
                wire["attributes"] = {"plan": event["plan"]}
            elif event["type"] == "purchase":
                wire.update(
                    product_id=event["product"], currency="USD", price=event["price"], properties={"n": event["n"]}
                )
            elif "card" in event:
                cards = [
                    card
                    for card in sorted(device.cards)
                    if event["type"] != "dismissal" or device.cards[card]["dismissible"]
                ]
                if not cards:
                    continue
                wire["card_id"] = cards[event["card"] % len(cards)]
            found.append(wire)
        return found

    def synced(self, step, device, events, context):
        """Syncs and compares."""
        raise NotImplementedError


def named(scenario, prefix):
    """A history with the prefix in the place of every `§`, so that several can run on one server."""
    return decode(encode(scenario).replace("§", prefix))
