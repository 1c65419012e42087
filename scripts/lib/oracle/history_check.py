"""Runs random histories one after the other, and makes a difference small."""

import random as randomness
import time

from .shrink import smaller_list, smaller_object
from .world import Refused, World

HISTORIES_OF_A_SERVER = 40
MOST_TRIALS = 300
# How long a difference is made smaller, at most: what is left then is shown.
MOST_SECONDS = 60


class HistoryCheck:
    """Histories on a server that is replaced now and then; subclasses make them and say how they are run."""

    name = ""
    runner = None
    unit = "steps"

    def __init__(self, seed, installation):
        self.random = randomness.Random(f"{self.name} {seed}")
        self.installation = installation
        self.world = None
        self.histories = 0
        self.decisions = 0
        self.steps = 0
        self.kills = 0

    def scenario(self):
        """A new history."""
        raise NotImplementedError

    def try_once(self, scenario):
        """Runs a history; returns the difference, or None."""
        if self.histories % HISTORIES_OF_A_SERVER == 0 or not self.world:
            self.close()
            self.world = World(self.installation, scenario["start"])
        self.histories += 1
        kills = self.world.kills
        runner = self.runner(self.world, scenario, f"h{self.histories}-")
        try:
            return runner.run()
        finally:
            self.decisions += runner.decisions
            self.steps += len(scenario["steps"])
            self.kills += self.world.kills - kills
            runner.finish()

    def fails(self, scenario):
        """Whether a history shows a difference; one that the server refuses shows none."""
        self.trials += 1
        if self.trials > MOST_TRIALS or time.monotonic() > self.deadline:
            return False
        try:
            return self.try_once(scenario) is not None
        except (Refused, KeyError, IndexError):
            return False

    def smallest(self, scenario, difference):
        """The smallest history that still shows a difference."""
        self.trials, self.deadline = 0, time.monotonic() + MOST_SECONDS
        scenario = {**scenario, "steps": scenario["steps"][: difference.get("step", len(scenario["steps"])) + 1]}
        scenario["steps"] = smaller_list(scenario["steps"], lambda some: self.fails({**scenario, "steps": some}))
        for index, step in enumerate(scenario["steps"]):
            if len(step.get("events", [])) > 1:

                def still_fails(some):
                    return self.fails(
                        {**scenario, "steps": with_member(scenario["steps"], index, {**step, "events": some})}
                    )

                events = smaller_list(step["events"], still_fails)
                scenario["steps"] = with_member(scenario["steps"], index, {**step, "events": events})
        scenario["campaigns"] = smaller_list(
            scenario["campaigns"], lambda some: self.fails({**scenario, "campaigns": some})
        )
        for index, campaign in enumerate(scenario["campaigns"]):

            def fails(smaller):
                return self.fails({**scenario, "campaigns": with_member(scenario["campaigns"], index, smaller)})

            campaign = smaller_object(campaign, fails, keep=("id", "name", "variants"))
            scenario["campaigns"] = with_member(scenario["campaigns"], index, campaign)
        keep = ("time_zone",)
        scenario["settings"] = smaller_object(
            scenario["settings"], lambda some: self.fails({**scenario, "settings": some}), keep
        )
        return scenario

    def run(self, budget):
        """Runs until the budget is used; returns the differences."""
        differences = []
        while budget.left(self.done) and len(differences) < budget.most_differences:
            scenario = self.scenario()
            difference = self.try_once(scenario)
            if difference:
                small = self.smallest(scenario, difference)
                differences.append({"scenario": small, "difference": self.try_once(small) or difference})
        return differences

    @property
    def done(self):
        """How much of the budget is used."""
        return self.steps

    def close(self):
        if self.world:
            self.world.close()
        self.world = None


def with_member(items, index, item):
    """A list with another member at a place."""
    return [*items[:index], item, *items[index + 1 :]]
