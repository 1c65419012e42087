"""A client that applies deltas has what a client that starts afresh gets, at every moment and with any cursor.

This needs to know nothing of the rules: after each sync by cursor, another device of the user asks without one.
"""

from . import scenario as make
from .history_check import HistoryCheck
from .runner import Device, Runner

CURSORS = ["own"] * 8 + ["old", "foreign", "corrupt", "none"]


class CursorRunner(Runner):
    """Compares a delta with a full reply after every sync."""

    def __init__(self, world, scenario, prefix="h-"):
        super().__init__(world, scenario, prefix)
        self.past = {}
        self.copy = None

    def backup(self, step):
        self.copy = self.world.backup()

    def restore(self, step):
        if self.copy:
            self.world.restore(self.copy)

    def chosen(self, step, device):
        """The state of the client and the cursor that it sends."""
        kind = step.get("cursor", "own")
        if kind == "old":
            past = self.past.get((step["user"], step["device"]), [])
            if past:
                old = past[step["pick"] % len(past)]
                device.cards, device.cursor = dict(old.cards), old.cursor
            return device.cursor
        if kind == "foreign":
            others = [
                other.cursor for key, other in sorted(self.devices.items()) if key[0] != step["user"] and other.cursor
            ]
            return others[step["pick"] % len(others)] if others else device.cursor
        if kind == "corrupt" and device.cursor:
            place = step["pick"] % len(device.cursor)
            letter = "0123456789abcdefghijklmnopqrstuvwxyz.-"[step["letter"] % 38]
            return device.cursor[:place] + letter + device.cursor[place + 1 :]
        return None if kind == "none" else device.cursor

    def synced(self, step, device, events, context):
        cursor = self.chosen(step, device)
        events = self.wire_events(step["events"], device)
        reply = self.world.sync(step["user"], step["device"], cursor, events, **context)
        self.decisions += 1
        rejected = {one["id"] for one in reply["events"]["rejected"]}
        for event in events:
            device.do(event, rejected)
        device.apply(reply)
        self.past.setdefault((step["user"], step["device"]), []).append(device.copy())
        full = Device()
        full.apply(self.world.sync(step["user"], "probe"))
        if full.cards == device.cards:
            return None
        again = Device()
        again.apply(self.world.sync(step["user"], "probe"))
        return {
            "cursor": cursor,
            "events": events,
            "reply": reply,
            "now": self.now,
            "settled": again.cards == full.cards,
            "missing": [card for key, card in full.cards.items() if device.cards.get(key) != card],
            "surplus": [card for key, card in device.cards.items() if full.cards.get(key) != card],
        }


def scenario(random, size):
    """A history in which devices also send cursors that they shouldn't have."""
    # What a sync does moves `last_seen_at` for the next one, so the two syncs would be asked different questions.
    found = make.scenario(random, size, seen=False)
    if random.random() < 0.3:
        make.invite(random, found)
        size = len(found["steps"])
    for step in found["steps"]:
        if step["do"] == "sync":
            step.update(cursor=random.choice(CURSORS), pick=random.randint(0, 99), letter=random.randint(0, 99))
    if random.random() < 0.15:
        first, second = sorted(random.sample(range(size), 2))
        found["steps"][first] = {"do": "backup"}
        found["steps"][second] = {"do": "restore"}
    return found


class CursorCheck(HistoryCheck):
    """Histories with all kinds of cursors."""

    name = "cursors"
    runner = CursorRunner

    def scenario(self):
        return scenario(self.random, self.random.choice([20, 60, 150]))
