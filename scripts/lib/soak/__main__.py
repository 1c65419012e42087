"""Starts a server, lets streams and all other callers loose on it, watches its memory and descriptors, and compares
what happened with what has to."""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from device_limits import unlimited
from percentiles import percentile
from placard_server import Connection, Server, command, wait_for

from .load import CAMPAIGNS, CARD

LIMITS = (
    "requests_per_address",
    "requests_per_key",
    "requests_per_user",
    "new_users_per_address",
    "event_bytes_per_address",
    "live_opens_per_address",
    "failures_per_address",
)
# Memory may grow by this share of what it was, and by this much: caches fill for a while.
SHARE, ROOM = 0.10, 48 << 20
# Descriptors beside one a connection: files, the queue of the disk, connections that are closing.
FILES = 200


def parse():
    parser = argparse.ArgumentParser(prog="scripts/check-soak")
    parser.add_argument("placard")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--streams", type=int)
    parser.add_argument("--database", help="a database that is empty; by default a new file")
    options = parser.parse_args()
    options.seconds = options.seconds or (1_800 if options.long else 45)
    options.streams = options.streams or (3_000 if options.long else 300)
    options.devices = 100 if options.long else 40
    return options


class Watch(threading.Thread):
    """Notes the memory and the descriptors of a server each second, for as long as clients are there."""

    def __init__(self, server, end):
        super().__init__(daemon=True)
        self.server, self.end, self.is_over, self.memory, self.descriptors = server, end, threading.Event(), [], []

    def run(self):
        while not self.is_over.wait(1) and time.time() < self.end:
            try:
                self.memory.append(self.server.resident_bytes)
                self.descriptors.append(self.server.descriptor_count)
            except (OSError, IndexError):
                return

    def stop(self):
        self.is_over.set()
        self.join()


def growth(numbers, begin=2, parts=6):
    """The medians of one sixth and of the last one: what comes before the first of them is the start."""
    size = max(1, len(numbers) // parts)
    return statistics.median(numbers[size * begin : size * (begin + 1)]), statistics.median(numbers[-size:])


def worker(name, plan):
    return subprocess.Popen(
        [sys.executable, "-m", f"soak.{name}", json.dumps(plan)], stdout=subprocess.PIPE, text=True, env=os.environ
    )


def prepare(server, manage, key):
    """Takes the limits away that are for strangers, and launches what everyone sees."""
    wait_for(lambda: known(server, manage), bool, "the server does not notice a key")
    caller = Connection(server.port, manage)
    caller.call("PATCH", "/v1/settings", {"device_limits": unlimited(*LIMITS)})
    for number in range(CAMPAIGNS):
        caller.call(
            "POST", "/v1/campaigns", {"id": f"soak-{number}", "name": f"Soak {number}", "variants": [{"card": CARD}]}
        )
        caller.call("POST", f"/v1/campaigns/soak-{number}/launch", {"force": True})


def known(server, key):
    try:
        Connection(server.port, key).call("GET", "/v1/settings")
        return True
    except RuntimeError:
        return False


def logged(placard, address):
    """How often each event of the devices is in the log."""
    counts = {}
    for line in command(placard, "export", "events", "--database", address).splitlines():
        event = json.loads(line)
        if event["type"] == "custom" and event["user_id"].startswith("soak-"):
            counts[event["id"]] = counts.get(event["id"], 0) + 1
    return counts


def soak(options, folder):
    address = options.database or f"sqlite:{folder}/placard.sqlite"
    command(options.placard, "migrate", "--database", address)
    made = [
        json.loads(
            command(options.placard, "key", "create", "--name", kind, "--kind", kind, "--database", address, "--json")
        )["secret"]
        for kind in ("publishable", "secret")
    ]
    flags = ["--max-live-streams-per-address", "20000", "--max-connections-per-address", "20000"]
    # Otherwise a server on PostgreSQL creates its key where this runs, and takes one that it finds there.
    flags += ["--secrets-key-file", os.path.join(folder, "secrets.key")]
    with open(os.path.join(folder, "log"), "wb") as log:
        server = Server([options.placard, "serve", "--database", address, *flags], log=log)
        with server:
            prepare(server, made[1], made[0])
            calm = server.descriptor_count
            plan = {
                "target": ["127.0.0.1", server.port],
                "key": made[0],
                "secret": made[1],
                "end": time.time() + options.seconds,
            }
            ramp = min(30, options.seconds / 6)
            lives = {"shortest": 2, "longest": 60 if options.long else 15, "ramp": ramp}
            workers = [
                worker("streams", {**plan, **lives, "streams": options.streams}),
                worker("load", {**plan, "devices": options.devices}),
            ]
            watch = Watch(server, plan["end"])
            watch.start()
            texts = [process.communicate(timeout=options.seconds + 300)[0] for process in workers]
            watch.stop()
            ended = [process.returncode for process in workers]
            streams, load = (json.loads(text) if text else {} for text in texts)
            left = settled(server, calm)
            running = server.is_running
            metrics = Connection(server.port, made[1])
            metrics.connection.request("GET", "/metrics")
            open_streams = next(
                line
                for line in metrics.connection.getresponse().read().decode().splitlines()
                if line.startswith("placard_live_streams ")
            )
        status = server.process.returncode
    return report(
        options,
        {
            "workers": ended,
            "streams": streams,
            "load": load,
            "calm": calm,
            "left": left,
            "running": running,
            "status": status,
            "open": open_streams,
            "memory": growth(watch.memory),
            "descriptors": growth(watch.descriptors),
            "most": max(watch.descriptors),
            "events": logged(options.placard, address),
            "log": open(os.path.join(folder, "log"), errors="replace").read(),
        },
    )


def settled(server, calm):
    """The descriptors once every client is gone."""
    end = time.monotonic() + 60
    while server.descriptor_count > calm + 20 and time.monotonic() < end:
        time.sleep(0.5)
    return server.descriptor_count


def report(options, found):
    """Prints the figures, and returns what holds and what doesn't."""
    streams, load = found["streams"], found["load"]
    seconds = load.get("seconds", {})
    print(
        f"{options.seconds} s, {options.streams} streams: {streams.get('opened')} opened, {streams.get('signals')}"
        " signals"
    )
    for kind, values in seconds.items():
        print(
            f"  {kind}: {len(values)}, p50 {percentile(values, 0.5) * 1000:.1f} ms, p99"
            f" {percentile(values, 0.99) * 1000:.1f} ms"
        )
    (before, after), (few, many) = found["memory"], found["descriptors"]
    print(
        f"  memory {before / 2**20:.1f} → {after / 2**20:.1f} MiB; descriptors {few:.0f} → {many:.0f}, {found['most']}"
        f" at most, {found['left']} in the end ({found['calm']} before)"
    )
    wrong = streams.get("wrong", []) + load.get("wrong", [])
    confirmed, events = load.get("confirmed", []), found["events"]
    lost = [id for id in confirmed if id not in events]
    double = [id for id, count in events.items() if count > 1]
    errors = [line for line in found["log"].splitlines() if " error " in line or " critical " in line]
    expected = options.streams * options.seconds / 60
    return [
        ("The clients came to their end.", found["workers"] == [0, 0], found["workers"]),
        ("Every answer is as it should be.", not wrong, f"{len(wrong)}: {wrong[:5]}"),
        (
            "Streams came and went, and were told of launches.",
            streams.get("opened", 0) >= expected and streams.get("signals", 0) > options.streams,
            streams.get("opened"),
        ),
        (
            "Devices synced and their events were confirmed.",
            len(confirmed) > options.devices * options.seconds / PERIOD_BOUND,
            len(confirmed),
        ),
        ("No confirmed event is lost.", not lost, f"{len(lost)} of {len(confirmed)}"),
        ("No event counts twice.", not double, len(double)),
        ("Memory stays.", after <= before * (1 + SHARE) + ROOM, f"{before} → {after}"),
        ("Descriptors stay.", many <= few * (1 + SHARE) + 20, f"{few} → {many}"),
        (
            "There are no more descriptors than connections.",
            found["most"] <= options.streams * 1.25 + options.devices + FILES,
            found["most"],
        ),
        (
            "Without clients, descriptors are what they were.",
            found["left"] <= found["calm"] + 20,
            f"{found['calm']} → {found['left']}",
        ),
        ("Without clients, no stream is open.", found["open"] == "placard_live_streams 0", found["open"]),
        ("The server runs, and ends in good order.", found["running"] and found["status"] == 0, found["status"]),
        ("Its log has no error.", not errors, errors[:3]),
    ]


# A device syncs once in 1.25 s; on a machine that is busy it may do half as much.
PERIOD_BOUND = 4


def main():
    options = parse()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = options.streams * 2 + 1_024
    if hard != resource.RLIM_INFINITY and hard < wanted:
        sys.exit(f"A process may have {hard} files open, and {wanted} are needed.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    with tempfile.TemporaryDirectory(prefix="placard-soak-") as folder:
        claims = soak(options, folder)
    for claim, holds, detail in claims:
        print(f"{'ok ' if holds else '!! '} {claim}{'' if holds else f' {detail}'}")
    print(f"{sum(bool(holds) for _, holds, _ in claims)} of {len(claims)} checks of the soak held")
    sys.exit(0 if all(holds for _, holds, _ in claims) else 1)


if __name__ == "__main__":
    main()
