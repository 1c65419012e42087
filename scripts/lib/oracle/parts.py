"""The parts of the check, and how much each does."""

import pathlib
import time

from .audience_check import AudienceCheck
from .conversion_check import ConversionCheck
from .counting_check import CountingCheck
from .cursor_check import CursorCheck
from .delivery_check import DeliveryCheck
from .identity_check import IdentityCheck
from .reach_check import ReachCheck
from .world import Installation

PARTS = {
    check.name: check
    for check in (AudienceCheck, DeliveryCheck, CountingCheck, ConversionCheck, CursorCheck, IdentityCheck, ReachCheck)
}
# What the short form leaves out: a hundred thousand users take longer than that to be there.
LONG = {"reach"}
# Decisions of audiences and delivery, events of counting, and steps of the others.
OWED = {
    "audiences": 1_000_000,
    "delivery": 100_000,
    "counting": 100_000,
    "conversions": 20_000,
    "cursors": 100_000,
    "identities": 20_000,
    "reach": 1,
}


class Budget:
    """How much a part is to do: so much, or for so long."""

    def __init__(self, amount=None, seconds=None, kill_chance=0.1, most_differences=3):
        self.amount, self.seconds = amount, seconds
        self.kill_chance = kill_chance
        self.most_differences = most_differences
        self.started = None

    @classmethod
    def short(cls, seconds):
        return cls(seconds=seconds, kill_chance=0.04, most_differences=1)

    @classmethod
    def long(cls, part, share):
        return cls(amount=OWED[part] * share)

    def left(self, done):
        """Whether there is more to do."""
        if self.started is None:
            self.started = time.monotonic()
        if self.seconds is not None:
            return time.monotonic() - self.started < self.seconds
        return self.amount is None or done < self.amount


class Result:
    """What a part did, and what it found."""

    def __init__(self, part, check, differences, seconds):
        self.part = part
        self.differences = differences
        self.decisions = check.decisions
        steps = f", {check.steps:,} {check.unit}" if check.steps else ""
        kills = f", {check.kills} kills" if check.kills else ""
        self.line = (
            f"{part}: {check.decisions:,} decisions{steps}{kills}, {len(differences)} different ({seconds:.0f} s)"
        )


def run(part, seed, placard, databases, folder, budget, scenario=None):
    """Runs one part, or one history of it, and returns the result."""
    place = pathlib.Path(folder) / part
    place.mkdir(exist_ok=True)
    started = time.monotonic()
    check = PARTS[part](seed, Installation(placard, place, databases))
    try:
        if scenario is None:
            differences = check.run(budget)
        else:
            found = check.try_once(scenario)
            differences = [{"difference": found}] if found else []
        return Result(part, check, differences, time.monotonic() - started)
    finally:
        check.close()
