"""Requests a second and latencies: servers take turns in each round, so that what disturbs the machine disturbs them
alike."""

import re
import statistics
import subprocess

from . import data, load


class Scenario:
    """A kind of request: what it is called, and what each server is sent."""

    def __init__(self, name, title, prepare, unit=1, once=False):
        self.name, self.title, self.prepare, self.unit, self.once = name, title, prepare, unit, once


def scenarios(replies, trigger_users):
    """What is asked of the servers; nginx always serves its file."""

    def some(server, users):
        return {user: replies[server.name][user] for user in users}

    return [
        Scenario(
            "unchanged",
            "sync, nothing changed",
            lambda server, _: data.unchanged(server, some(server, data.users_with(10))),
        ),
        Scenario("ten", "sync, ten cards", lambda server, _: data.whole(server, data.users_with(10))),
        Scenario("fifty", "sync, fifty cards", lambda server, _: data.whole(server, data.users_with(50))),
        Scenario(
            "events",
            f"events, durable, in batches of {data.BATCH}",
            lambda server, count: data.event_batches(server, some(server, data.event_users()), count),
            data.BATCH,
            True,
        ),
        Scenario(
            "trigger", "trigger for one user", lambda server, _: data.triggers(server, "triggered", trigger_users)
        ),
    ]


class Rates:
    """Runs scenarios on servers in turns."""

    def __init__(self, client, nginx, servers, options):
        self.client, self.nginx, self.servers, self.options = client, nginx, servers, options
        self.static = client.write([load.request("", "GET", "/card.json")])
        # How many batches of events a server took in a second, so that enough are made.
        self.taken = {}

    def run(self, scenario):
        """Rounds as fast as servers can, then rounds at the same rate for all: half of what the slowest could."""
        options, results = self.options, {}
        files = (
            {}
            if scenario.once
            else {
                server.name: self.client.write(scenario.prepare(server, 0))
                for server in self.servers
                if server.name != "hello"
            }
        )
        self.turns(scenario, files, 0, min(options.seconds, 1), {})
        for _ in range(options.rounds):
            self.turns(scenario, files, 0, options.seconds, results)
        slowest = min(statistics.median(run["rate"] for run in results[server.name]) for server in self.servers)
        rate = max(1, round(slowest / 2))
        at_rate = {}
        for _ in range(options.rounds):
            self.turns(scenario, files, rate, options.seconds, at_rate)
        return {
            "name": scenario.name,
            "title": scenario.title,
            "unit": scenario.unit,
            "rate": rate,
            "saturated": results,
            "at_rate": at_rate,
        }

    def turns(self, scenario, files, rate, seconds, results):
        for server in (self.nginx, *self.servers):
            file = self.static if server is self.nginx or server.name == "hello" else files.get(server.name)
            once = file is None
            if once:
                each = rate or 1.6 * self.taken.get(server.name, 800)
                file = self.client.write(scenario.prepare(server, round(each * seconds) + 64))
            found = self.client.run(server, file, seconds, rate, once)
            if once:
                self.taken[server.name] = max(found["rate"], self.taken.get(server.name, 0))
                self.client.forget(file)
            results.setdefault(server.name, []).append(found)
        # Whoever is first in a round is last in the next one.
        self.servers = self.servers[::-1]


def warm(client, servers, replies):
    """What every program does only once happens before anything is measured."""
    for server in servers:
        file = client.write(data.whole(server, list(replies[server.name])))
        client.run(server, file, 1)


def wrk(nginx):
    """What `wrk` reaches with nginx: the other client says whether ours is a fair one."""
    done = subprocess.run(
        ["wrk", "-t1", f"-c{load.CONNECTIONS}", "-d2s", f"http://127.0.0.1:{nginx.port}/card.json"],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)[1])
