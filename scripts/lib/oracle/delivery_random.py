"""Random histories of campaigns with variants, limits and deletions."""

from . import scenario as make
from . import times
from .audience_random import uuid
from .times import DAY


class Histories:
    """Makes histories out of one source of chance."""

    def __init__(self, random):
        self.random = random

    def scenario(self):
        """A history, which may be about one of a few situations that are rare otherwise."""
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
            if step["do"] == "sync":
                step.update(delta=self.random.random() < 0.6, ask=self.random.random() < 0.15)
        self.narrow_limit(found["settings"])
        if self.random.random() < 0.5:
            self.random.choice(
                [self.come_again, self.come_again, self.count_controls, self.cancel, self.send, self.send]
            )(found)
        self.reschedule(found)
        self.direct(found)
        if self.random.random() < 0.4:
            make.invite(self.random, found)
        return found

    def reschedule(self, found):
        """Edits of what brings a card, some while triggers wait: other times, another window, delay or event."""
        deliveries = {campaign["id"]: campaign["delivery"] for campaign in found["campaigns"]}
        for step in found["steps"]:
            if step["do"] == "edit" and self.random.random() < 0.35:
                other = make.delivery(self.random, found["start"])
                while other["type"] != deliveries[step["campaign"]]["type"]:
                    other = make.delivery(self.random, found["start"])
                step["change"] = {"delivery": other}

    def come_again(self, found):
        """Cards that leave soon and come again: what else holds cards back is seldom in their way."""
        random = self.random
        found["steps"] = [{**step, "again": True} if step["do"] == "advance" else step for step in found["steps"]]
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
            found.update(trigger={"event": "cart"}, delay=self.random.choice([0, 0, 600]))
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

    def send(self, found):
        """Sends of few names, by all ways there are, and schedules that are put off or called off."""
        random, steps, schedules = self.random, [], []
        for campaign in found["campaigns"]:
            campaign.update(
                audience=None, delivery={"type": "api_triggered", "window": random.choice([2_000, 20_000, 3 * DAY])}
            )
            if random.random() < 0.5:
                campaign["rules"].update(reeligible=True, reeligible_after_days=random.choice([0, 0.1, 1]))
            campaign["rules"].pop("follow_audience", None)
        found["settings"] = {"time_zone": found["settings"]["time_zone"]}
        names = [campaign["id"] for campaign in found["campaigns"]]
        for step in found["steps"]:
            steps.append(step)
            if random.random() < 0.35:
                recipients = [
                    {"user_id": one} for one in random.sample(found["users"], random.randint(1, len(found["users"])))
                ]
                body = {"broadcast": True} if random.random() < 0.4 else {"recipients": recipients}
                body["send_id"] = random.choice(["s1", "s2", "s3"])
                steps.append(make.sent(random, {"do": "trigger", "campaign": random.choice(names), "body": body}))
                if schedules and random.random() < 0.3:
                    steps[-1]["campaign"], body["send_id"] = random.choice(schedules)
                elif "at_in" in body:
                    body["send_id"] = f"t{len(schedules)}"
                    schedules.append((steps[-1]["campaign"], body["send_id"]))
            if schedules and random.random() < 0.2:
                name, send_id = random.choice(schedules)
                off = {"do": "put_off", "campaign": name, "send_id": send_id}
                if random.random() < 0.7:
                    off.update(at_in=random.choice([600, 20_000, DAY, 2 * DAY]), local_time=random.random() < 0.5)
                steps.append(off)
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
                campaign["variants"] = [
                    {"id": "a", "card": card},
                    {"id": "control", "control": True, "weight": random.choice([1, 3])},
                ]
        cap = {"cards": random.choice([1, 1, 2]), "days": random.choice([1, 3])}
        found["settings"] = {"time_zone": found["settings"]["time_zone"], "frequency_caps": [cap]}

    def direct(self, found):
        """Lets time pass to where something changes, or to just before, and has something happen then."""
        steps, random = [], self.random
        for step in found["steps"]:
            steps.append(step)
            if step["do"] != "advance" or random.random() < (0.1 if "again" in step else 0.6):
                continue
            step.update(
                edge=random.choice([0, 0, random.randint(0, 20)]), offset=random.choice([0, -0.001, -30, -30, 1])
            )
            event = {"type": "custom", "id": uuid(random), "ago": 0}
            events = [{**event, "name": random.choice(["cart", *make.EVENTS]), "n": random.randint(0, 2)}]
            if random.random() < 0.3:
                body = {"recipients": [{"user_id": user} for user in found["users"]]}
                steps.append({"do": "trigger", "campaign": random.choice(found["campaigns"])["id"], "body": body})
            sync = {"do": "sync", "user": random.choice(found["users"]), "device": "d1", "delta": random.random() < 0.6}
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
            other = (
                {**first["card"], "title": first["card"]["title"] + " b"}
                if random.random() < 0.5
                else {**first["card"], "priority": 1}
            )
            if "abort_message" in other["title"]:
                other["title"] = "b"
            body["variants"].append({"id": "b", "card": other, "weight": random.choice([0, 1, 2, 5])})
        if random.random() < 0.4:
            body["variants"].append({"id": "control", "control": True, "weight": random.choice([0, 1, 3, 9])})
        if len(body["variants"]) > 1 and random.random() < 0.5:
            first["weight"] = random.choice([1, 3])
