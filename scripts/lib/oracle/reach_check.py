"""How many users an audience means, where not all are asked: docs/audiences.md, against who there is."""

import json
import math
import random as randomness
import subprocess

from .allocation import random_number
from .world import World

USERS = 100_400
AUDIENCES = 120


class ReachCheck:
    """More users than are all asked, and audiences of every size."""

    name = "reach"
    unit = "audiences"

    def __init__(self, seed, installation):
        self.random = randomness.Random(f"reach {seed}")
        self.world = World(installation)
        self.people = []
        self.decisions = self.steps = self.kills = 0

    def prepare(self):
        """Imports users, as an operator does."""
        random = self.random
        file = self.world.folder / "users.jsonl"
        with open(file, "w") as lines:
            for number in range(USERS):
                person = {
                    "user_id": f"user-{number}",
                    "level": int(random.expovariate(0.1)),
                    "plan": random.choice(["gold", "silver"]),
                }
                if random.random() < 0.001:
                    person["rare"] = True
                self.people.append(person)
                lines.write(json.dumps(person) + "\n")
        command = [self.world.placard, "users", "import", str(file), "--database", self.world.database.url]
        subprocess.run(command, check=True, capture_output=True, env=self.world.environment)

    def audience(self):
        """An audience, and whether a user is in it."""
        random = self.random
        level, plan, first = int(random.expovariate(0.05)), random.choice(["gold", "silver"]), random.randint(0, 9_990)
        last = min(9_999, first + int(random.expovariate(0.001)))
        return random.choice(
            [
                (
                    {"attribute": "level", "comparison": "greater_than_or_equal_to", "value": level},
                    lambda one: one["level"] >= level,
                ),
                (
                    {"all": [{"attribute": "level", "value": level}, {"attribute": "plan", "value": plan}]},
                    lambda one: one["level"] == level and one["plan"] == plan,
                ),
                (
                    {"random_bucket": {"from": first, "to": last, "salt": "r"}},
                    lambda one: first <= random_number("r", one["user_id"]) <= last,
                ),
                ({"none": [{"attribute": "rare", "comparison": "exists"}]}, lambda one: "rare" not in one),
                ({"attribute": "rare", "value": True}, lambda one: "rare" in one),
                ({}, lambda one: True),
                ({"any": []}, lambda one: False),
            ]
        )

    def reach(self, audience, **more):
        return self.world.ask("POST", "/v1/audience/reach", {"audience": audience, **more})

    def run(self, budget):
        """Asks for every audience by sample, again, and exactly; returns the differences."""
        self.prepare()
        missed = 0
        for _ in range(AUDIENCES):
            audience, matches = self.audience()
            truth = sum(1 for person in self.people if matches(person))
            found = self.reach(audience)
            difference = self.wrong(found, truth) or self.listed()
            if found != self.reach(audience):
                difference = {"the same question": "another answer"}
            if self.steps % 10 == 0 and self.reach(audience, exact=True)["users"] != truth:
                difference = {"exact": self.reach(audience, exact=True)}
            if difference:
                return [{"audience": audience, "reference": truth, "server": found, **difference}]
            missed += not found["low"] <= truth <= found["high"]
            self.steps += 1
            self.decisions += 3
        # Five in a hundred may be missed; as many as this are by chance once in ten thousand times.
        most = 0.05 * AUDIENCES + 4 * math.sqrt(0.05 * 0.95 * AUDIENCES)
        return [{"intervals": AUDIENCES, "missed": missed, "most": most}] if missed > most else []

    @staticmethod
    def wrong(found, truth):
        """What no sample can answer, or None."""
        if found["exact"] and found["users"] != truth:
            return {"wrong": "exact, and not the truth"}
        if not 0 <= found["low"] <= found["users"] <= found["high"] <= USERS:
            return {"wrong": "the order of low, users and high"}
        return None

    def listed(self):
        """An audience that lists users is counted exactly."""
        names = [person["user_id"] for person in self.random.sample(self.people, 3)] + ["nobody"]
        found = self.reach({"users": names})
        return None if found["exact"] and found["users"] == 3 else {"listed": names, "found": found}

    def close(self):
        self.world.close()
