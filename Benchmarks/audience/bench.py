#!/usr/bin/env python3
"""Measures what an audience costs with many users: to count it, and to launch a campaign to it.

usage: bench.py PLACARD [--users N] [--few N] [--rounds N] [--keep FOLDER]

Fills two databases, one with few users and one with many, then prints for each how long the reach of several audiences
takes and how far it may be off, how long a launch takes, and whether the next sync of users has the card.
"""

import argparse
import datetime
import json
import os
import pathlib
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts/lib"))
from placard_server import free_port  # noqa: E402

COUNTRIES = ["JP", "US", "FR", "DE", "BR", "IN", "GB", "KR"]
EVENTS = ["added_to_cart", "level_done", "shared", "rated"]
DAY = 86_400

AUDIENCES = {
    "one attribute": {"attribute": "plan", "value": "pro"},
    "country, age, expression": {
        "all": [
            {"attribute": "country", "comparison": "is_any_of", "value": ["JP", "KR"]},
            {"attribute": "age", "comparison": "greater_than", "value": 30},
            {"attribute": "email", "comparison": "matches_regex", "value": "@(example|test)\\.(com|jp)$"},
        ]
    },
    "one in a thousand": {"attribute": "lucky", "value": 7},
    "event within 7 days": {"event": {"name": "added_to_cart", "within_days": 7}},
    "purchase, no purchase since, other campaign": {
        "all": [
            {"purchase": {"measure": "revenue", "currency": "USD", "comparison": "greater_than", "value": 20}},
            {"none": [{"purchase": {"within_calendar_days": 10}}]},
            {"none": [{"campaign": {"id": "launched", "contact": "clicked"}}]},
        ]
    },
}


UNLIMITED = {
    name: {"burst": 1_000_000_000, "per_second": 1_000_000_000}
    for name in (
        "requests_per_address",
        "requests_per_key",
        "requests_per_user",
        "new_users_per_address",
        "events_per_user",
    )
}
"""All requests come from one address."""


class Workspace:
    """A database with users, and a server over it."""

    def __init__(self, placard, folder, users):
        self.users = users
        self.placard = placard
        self.path = os.path.join(folder, f"users-{users}.sqlite")
        self.database = f"sqlite:{self.path}"
        self.server = None
        if not os.path.exists(self.path):
            self.fill(folder)
        self.keys = {kind: self.make_key(kind) for kind in ("publishable", "secret")}
        self.start()

    def run(self, *arguments):
        return subprocess.run(
            [self.placard, *arguments, "--database", self.database], check=True, capture_output=True, text=True
        ).stdout

    def make_key(self, kind):
        return json.loads(self.run("key", "create", "--name", "bench", "--kind", kind, "--json"))["secret"]

    def fill(self, folder):
        """Users through the import of the command, what they did through the device API."""
        self.run("migrate")
        chance = random.Random(42)
        file = os.path.join(folder, f"users-{self.users}.jsonl")
        with open(file, "w") as lines:
            for number in range(self.users):
                lines.write(
                    json.dumps(
                        {
                            "user_id": f"user-{number}",
                            "attributes": {
                                "country": chance.choice(COUNTRIES),
                                "first_name": f"Name {number}",
                                "email": f"user{number}@example.{chance.choice(['com', 'jp', 'org'])}",
                            },
                            "custom_attributes": {
                                "plan": chance.choice(["free", "free", "free", "pro"]),
                                "age": chance.randrange(15, 80),
                                "points": chance.randrange(0, 100_000),
                                "tags": chance.sample(["a", "b", "c", "d", "e"], 2),
                                "lucky": chance.randrange(1_000),
                                "since": datetime.date.fromordinal(739_000 + chance.randrange(1_500)).isoformat(),
                            },
                        }
                    )
                    + "\n"
                )
        start = time.perf_counter()
        self.run("users", "import", file)
        print(f"  {self.users:,} users imported in {time.perf_counter() - start:.1f} s", flush=True)
        os.remove(file)

    def start(self):
        self.port = free_port()
        self.server = subprocess.Popen(
            [self.placard, "serve", "--database", self.database, "--port", str(self.port), "--log-level", "error"],
            stdout=subprocess.DEVNULL,
        )
        for _ in range(400):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=0.2).close()
                self.call("PUT", "/v1/settings", {"device_limits": UNLIMITED})
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("the server does not answer")

    def stop(self):
        self.server.send_signal(signal.SIGTERM)
        self.server.wait(timeout=30)

    def call(self, method, path, body=None, key="secret"):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.keys[key]}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def act(self, share):
        """Lets a share of the users do things, through the tracking API, 75 events at a time."""
        chance = random.Random(7)
        now = time.time()
        events, purchases = [], []

        def moment():
            return datetime.datetime.fromtimestamp(now - chance.random() * 30 * DAY, datetime.timezone.utc).isoformat()

        def send(least):
            nonlocal events, purchases
            while len(events) > least or len(purchases) > least:
                self.call("POST", "/users/track", {"events": events[:75], "purchases": purchases[:75]})
                events, purchases = events[75:], purchases[75:]

        for number in range(int(self.users * share)):
            user = f"user-{chance.randrange(self.users)}"
            for _ in range(chance.randrange(1, 5)):
                events.append({"external_id": user, "name": chance.choice(EVENTS), "time": moment()})
            purchases.append(
                {
                    "external_id": user,
                    "product_id": f"product-{chance.randrange(50)}",
                    "currency": "USD",
                    "price": chance.randrange(1, 40),
                    "time": moment(),
                }
            )
            send(75)
        send(0)

    def reach(self, audience, exact=False):
        start = time.perf_counter()
        answer = self.call("POST", "/v1/audience/reach", {"audience": audience, "exact": exact})
        return time.perf_counter() - start, answer

    def launch(self, name):
        self.call(
            "POST",
            "/v1/campaigns",
            {
                "id": name,
                "name": name,
                "audience": {"attribute": "plan", "value": "pro"},
                "variants": [{"card": {"type": "classic", "title": "Launched", "description": "Now."}}],
            },
        )
        start = time.perf_counter()
        self.call("POST", f"/v1/campaigns/{name}/launch")
        return time.perf_counter() - start

    def sync(self, number):
        reply = self.call("POST", "/v1/sync", {"user_id": f"user-{number}", "device_id": "bench"}, key="publishable")
        return {card["campaign_id"] for card in reply["cards"]}


def compare_reach(workspace, rounds, exact):
    print(f"  {'reach of':46} {'median':>8} {'worst':>8}   answer")
    for name, audience in AUDIENCES.items():
        runs = [workspace.reach(audience) for _ in range(rounds)]
        times, answer = [run[0] for run in runs], runs[-1][1]
        how = "exact" if answer["exact"] else f"{answer['low']:,} to {answer['high']:,} of {answer['asked']:,} asked"
        line = f"  {name:46} {statistics.median(times):7.3f}s {max(times):7.3f}s   {answer['users']:,} ({how})"
        if exact and not answer["exact"]:
            seconds, truth = workspace.reach(audience, exact=True)
            inside = answer["low"] <= truth["users"] <= answer["high"]
            line += f"; exactly {truth['users']:,} in {seconds:.1f} s, {'within' if inside else 'OUTSIDE'} the bounds"
        print(line, flush=True)


def check_cards(workspace, campaign, chance):
    """The next sync of a hundred users has the card where they are meant, and only there."""
    for number in chance.sample(range(workspace.users), 100):
        meant = workspace.call("GET", f"/v1/users/user-{number}")["custom_attributes"]["plan"] == "pro"
        if (campaign in workspace.sync(number)) != meant:
            sys.exit(f"user-{number} should {'' if meant else 'not '}have the card")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("placard")
    parser.add_argument("--users", type=int, default=1_000_000)
    parser.add_argument("--few", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--share", type=float, default=0.05, help="how many of the users did something")
    parser.add_argument("--keep", help="a folder for the databases, which are used again if they are there")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp(prefix="placard-bench-")
    os.makedirs(folder, exist_ok=True)
    medians = {}
    for users in (options.few, options.users):
        print(f"{users:,} users", flush=True)
        workspace = Workspace(options.placard, folder, users)
        try:
            start = time.perf_counter()
            workspace.act(options.share)
            print(f"  what they did was tracked in {time.perf_counter() - start:.1f} s", flush=True)
            run = f"{os.getpid()}-{users}"
            workspace.launch(f"warm-{run}")
            launches = [workspace.launch(f"launched-{run}-{number}") for number in range(options.rounds * 4)]
            medians[users] = statistics.median(launches)
            print(f"  a launch takes {medians[users] * 1000:.1f} ms (median), {max(launches) * 1000:.1f} ms (worst)")
            check_cards(workspace, f"launched-{run}-0", random.Random(1))
            print("  100 users have the card at their next sync where they are meant, and only there", flush=True)
            compare_reach(workspace, options.rounds, exact=True)
        finally:
            workspace.stop()
    ratio = medians[options.users] / medians[options.few]
    print(f"launch to {options.users:,} users / to {options.few:,}: {ratio:.2f}")


if __name__ == "__main__":
    main()
