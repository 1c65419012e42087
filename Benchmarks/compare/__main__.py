"""usage: Benchmarks/run [--short] [--users N] [--streams N] [--launches N] [--only STAGE]… [--publish]
Benchmarks/run --before PLACARD [--short] [--rounds N]"""

import argparse
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time

from . import before, capacity, data, figures, fleet, growth, live, load, machine, rates, report, servers

STAGES = ["rates", "cards", "live", "users", "campaigns", "fleet", "capacity"]


def parse():
    parser = argparse.ArgumentParser(prog="Benchmarks/run")
    parser.add_argument("placard")
    parser.add_argument("hello", nargs="?", help="the server's HTTP stack with a constant reply")
    parser.add_argument("--short", action="store_true", help="five minutes: fewer rounds, users, campaigns and streams")
    parser.add_argument("--users", type=int, help="the most users (default: 1,000,000; short: 10,000)")
    parser.add_argument("--streams", type=int, help="live streams (default: 15,000; short: 500)")
    parser.add_argument("--launches", type=int, help="launches among three nodes (default: 1,000; short: 30)")
    parser.add_argument(
        "--campaigns", type=int, help="the most campaigns that don't match (default: 10,000; short: 1,000)"
    )
    parser.add_argument("--rounds", type=int, help="rounds of turns (default: 5; short: 2)")
    parser.add_argument(
        "--only",
        action="append",
        choices=STAGES,
        help="measure this stage alone, and keep what others found before; may be repeated",
    )
    parser.add_argument(
        "--output", default=os.path.join(servers.ROOT, ".build", "benchmarks", "report"), help="where the report goes"
    )
    parser.add_argument("--before", metavar="PLACARD", help="measure an earlier build beside this one, and no peers")
    parser.add_argument(
        "--publish", action="store_true", help="write the reports to docs/benchmarks.md and docs/capacity.md"
    )
    parser.add_argument("--render", action="store_true", help="measure nothing: write the report of the last results")
    options = parser.parse_args()
    short = options.short
    options.users = options.users or (10_000 if short else 1_000_000)
    options.streams = options.streams or (500 if short else 15_000)
    options.launches_of_nodes = options.launches or (30 if short else 1_000)
    options.rounds = options.rounds or (2 if short else 5)
    options.seconds, options.growth_seconds, options.growth_rounds = (1, 0.5, 1) if short else (3, 1.5, 3)
    options.launches = 3 if short else 20
    options.capacity_users, options.newcomers = (10_000, 2_000) if short else (500_000, 20_000)
    options.old_batches, options.prune_seconds = (400, 4) if short else (16_000, 20)
    options.live_launches = 2 if short else 10
    options.user_steps = [count for count in (1_000, 10_000, 100_000, 1_000_000) if count < options.users] + [
        options.users
    ]
    most = options.campaigns or (1_000 if short else 10_000)
    options.campaign_steps = [count for count in (10, 100, 1_000, 10_000) if count < most] + [most]
    options.stages = options.only or STAGES
    return options


class Run:
    """The servers, and what was found so far."""

    def __init__(self, options, folder):
        self.options, self.folder, self.start = options, folder, time.monotonic()
        self.client = load.Load(load.build(folder), folder)
        self.results = {
            "date": time.strftime("%Y-%m-%d"),
            "machine": machine.describe(),
            "versions": {} if options.before else machine.versions(),
            "options": {
                name: value for name, value in vars(options).items() if name not in ("placard", "hello", "output")
            },
            "busy": [],
            "idle": {},
            "own": {},
        }
        self.running, self.replies = [], {}
        last = os.path.join(options.output, "results.json")
        if options.only and os.path.exists(last):
            # What the other stages found stays in the report.
            with open(last) as file:
                found = json.load(file)
            if "rates" in found and "rates" not in options.stages:
                self.results["options"] = found["options"]
            kept = {name: found.get(name, {}) for name in ("idle", "own")}
            self.results = {**found, **self.results, **kept, "busy": found["busy"]}

    def tell(self, text):
        print(f"{time.monotonic() - self.start:6.0f} s  {text}", flush=True)

    def started(self, server):
        self.running.append(server)
        return server

    def database(self, kind):
        """The database whose processor time is a server's, too."""
        return self.postgres if kind == "postgres" else None

    def begin(self):
        """Starts all servers, and gives them the same rows."""
        options, folder = self.options, self.folder
        self.nginx = self.started(servers.Nginx(os.path.join(folder, "nginx")))
        self.postgres = servers.Database.primary()
        self.placards = [
            self.started(
                servers.Placard("sqlite", "Placard, SQLite", options.placard, f"sqlite:{folder}/cards.sqlite", folder)
            ),
            self.started(
                servers.Placard(
                    "postgres",
                    "Placard, PostgreSQL",
                    options.placard,
                    self.postgres.create("cards"),
                    folder,
                    self.postgres,
                )
            ),
        ]
        time.sleep(3)
        for server in (self.nginx, *self.placards):
            self.results["idle"][server.name] = server.memory()
            self.results["own"][server.name] = server.own_memory()
        for server in self.placards:
            self.replies[server.name] = data.prepare(server, folder)
            for cards in data.SHELVES:
                found = len(self.replies[server.name][f"shelf-{cards}-0"]["cards"])
                assert found == cards, f"{server.name}: {found} cards instead of {cards}"
            self.tell(f"{server.title} has {len(self.replies[server.name]):,} users with cards")
        self.peers = [self.begin_peer(kind) for kind in (servers.FastAPI, servers.Node)]
        rates.warm(self.client, [*self.placards, *self.peers], self.replies)

    def begin_peer(self, kind):
        replies = self.replies["postgres"]
        data.fill_peer(self.postgres, kind.name, replies)
        data.copy(
            self.postgres,
            kind.name,
            "users",
            "id, plan",
            ((user, "none") for user in data.trigger_users()),
        )
        data.create_for_peer(self.postgres, kind.name, "triggered")
        self.replies[kind.name] = {user: {**reply, "cursor": "1"} for user, reply in replies.items()}
        peer = self.started(kind(self.postgres, kind.name, os.path.join(self.folder, f"{kind.name}.log")))
        time.sleep(2)
        self.results["idle"][kind.name] = peer.memory()
        self.results["own"][kind.name] = peer.own_memory()
        return peer

    def titles(self):
        self.results["titles"] = {server.name: server.title for server in self.running}

    def stage(self, name, work):
        if name in self.options.stages:
            self.results["busy"].append(machine.busy())
            self.tell(name)
            self.results[name] = work()
            with open(os.path.join(self.options.output, "results.json"), "w") as file:
                json.dump(self.results, file)

    def measure_rates(self):
        found, turns = (
            [],
            rates.Rates(self.client, self.nginx, [*self.extra(), *self.placards, *self.peers], self.options),
        )
        for scenario in rates.scenarios(self.replies, data.trigger_users()):
            if scenario.name != "unchanged":
                turns.servers = [*self.placards, *self.peers]
            found.append(turns.run(scenario))
            found[-1]["wrk"] = rates.wrk(self.nginx) if scenario.name == "unchanged" else None
            self.tell(f"{scenario.title}: {figures.in_a_line(found[-1])}")
        return found

    def extra(self):
        if not self.options.hello:
            return []
        return [self.started(servers.Hello(self.options.hello))]

    def measure_live(self):
        found = {}
        for server in (*self.placards, *self.peers):
            found[server.name] = live.measure(
                self.client, server, self.options.streams, self.options.live_launches, live.create
            )
            self.tell(f"{server.title}: {self.options.streams:,} streams, {figures.told_in_a_line(found[server.name])}")
        return found

    def measure_campaigns(self):
        found = {}
        for kind, name in (("attribute", "sqlite"), ("attribute", "postgres"), ("history", "sqlite")):
            folder = tempfile.mkdtemp(dir=self.folder)
            database = f"campaigns_{kind}_{name}"
            is_file = name == "sqlite"
            server = servers.Placard(
                database,
                self.results["titles"][name],
                self.options.placard,
                f"sqlite:{folder}/cards.sqlite" if is_file else self.postgres.create(database),
                folder,
                None if is_file else self.postgres,
            )
            try:
                data.fill(server, folder)
                found[f"{kind} {name}"] = growth.campaigns(self.client, server, kind, self.options, self.tell)
            finally:
                server.stop()
        return found

    def measure_fleet(self):
        found = {}
        for kind in ("notify", "polling"):
            found[kind] = fleet.measure(
                self.options.placard, self.client, self.folder, self.options.launches_of_nodes, kind == "polling"
            )
            self.tell(
                f"{len(found[kind]):,} launches among {fleet.NODES} nodes, {kind}: p99"
                f" {figures.quantile(found[kind], 0.99):.0f} ms"
            )
        return found

    def end(self):
        for server in self.running:
            server.stop()
        if hasattr(self, "postgres"):
            self.postgres.close()


def measure(options):
    # A live stream is an open file, at both ends.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    # The server keeps an eighth of its files for other things, and a quarter of its connections for requests.
    possible = most * 7 // 8 * 3 // 4 // 1000 * 1000
    if options.streams > possible:
        print(
            f"A process may have {most:,} files open: {possible:,} streams instead of {options.streams:,}.", flush=True
        )
        options.streams = possible
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # What was started ends with this, also when that is asked to end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended before all was measured"))
    folder = tempfile.mkdtemp(prefix="placard-bench-")
    os.chmod(folder, 0o755)  # nginx reads its file as another user.
    run = Run(options, folder)
    try:
        if options.before:
            return before.measure(run)
        run.begin()
        run.titles()
        run.stage("rates", run.measure_rates)
        run.titles()
        run.stage("cards", lambda: growth.cards(run.client, [*run.placards, *run.peers], options))
        run.stage("live", run.measure_live)
        run.stage("users", lambda: growth.users(run.client, run.placards, run.peers, folder, options, run.tell))
        run.stage("campaigns", run.measure_campaigns)
        run.stage("fleet", run.measure_fleet)
        run.stage("capacity", lambda: capacity.measure(run))
        run.tell("all is measured")
        return True
    finally:
        run.end()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    options = parse()
    os.makedirs(options.output, exist_ok=True)
    is_as_fast = options.render or measure(options)
    if options.before:
        return 0 if is_as_fast else 1
    for path in report.write(options.output, options.publish, options.stages):
        print(path, flush=True)


if __name__ == "__main__":
    sys.exit(main())
