"""Starts a server, lets honest clients and attackers loose on it, and compares what happened with what has to."""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from percentiles import percentile
from placard_server import Server, command, make_key, wait_for

from .hostile import SHARES
from .network import network

CLIENTS, HONEST_ADDRESSES, ATTACKERS = 200, 20, 10
WARM_UP = 4
LATENCY, MEMORY = 0.250, 400 << 20


class Worker:
    """A process of clients, in the network that they have."""

    def __init__(self, net, module, plan, niceness=0):
        # Attackers have machines of their own; here they must not take the processor from those who are measured.
        nice = ["nice", "-n", str(niceness)] if niceness else []
        self.process = subprocess.Popen(
            [*net.command, *nice, sys.executable, "-m", f"flood.{module}", json.dumps(plan)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ,
        )

    def result(self):
        """What the process printed when it was done."""
        text, _ = self.process.communicate(timeout=600)
        assert self.process.returncode == 0, f"a worker ended with status {self.process.returncode}"
        return json.loads(text)

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class MemoryWatch(threading.Thread):
    """Notes the most memory that a server had."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.most, self.is_over = server, 0, threading.Event()

    def run(self):
        while not self.is_over.wait(0.25):
            try:
                self.most = max(self.most, self.server.resident_bytes)
            except (OSError, IndexError):
                return


def raise_file_limit():
    """Lets this process and those that it starts have a file for each connection."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8_192 if hard == resource.RLIM_INFINITY else min(hard, 8_192)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def launch(server, secret):
    """Gives every user a card, one text of which is rendered for each."""

    def call(method, path, body):
        asked = urllib.request.Request(
            f"{server.address}{path}", json.dumps(body).encode(), {"Authorization": f"Bearer {secret}"}, method=method
        )
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return json.load(answer)

    card = {"type": "classic", "title": "Hello {{${user_id}}}", "description": "Welcome"}
    call("POST", "/v1/campaigns", {"id": "welcome", "name": "Welcome", "variants": [{"card": card}]})
    call("POST", "/v1/campaigns/welcome/launch", {})


def known_key(server, secret):
    """Whether the server knows a key that the command has made."""
    asked = urllib.request.Request(f"{server.address}/v1/keys", headers={"Authorization": f"Bearer {secret}"})
    try:
        with urllib.request.urlopen(asked, timeout=10):
            return True
    except urllib.error.HTTPError:
        return False


def events(placard, database):
    """How often each event is in the log."""
    counts = {}
    for line in command(placard, "export", "events", "--database", f"sqlite:{database}").splitlines():
        event = json.loads(line)
        if event["type"] == "custom" and event["user_id"].startswith("honest-"):
            counts[event["id"]] = counts.get(event["id"], 0) + 1
    return counts


def flood(placard, folder, net, shares, seconds):
    """Runs the attack, and returns the lines of the report and what is wrong."""
    database = os.path.join(folder, "placard.sqlite")
    with open(os.path.join(folder, "log"), "wb") as log:
        with Server.serve(placard, database, "--host", "0.0.0.0", log=log) as server:
            secret = make_key(placard, database, "secret", name="Backend")
            key = make_key(placard, database, "publishable", name="App")
            wait_for(lambda: known_key(server, secret), bool, "the server does not notice a key")
            launch(server, secret)
            watch = MemoryWatch(server)
            watch.start()
            honest, hostile = attack(net, server, key, shares, seconds)
            watch.is_over.set()
            watch.join()
            # What it held for the attackers it must let go.
            wait_for(lambda: server.descriptor_count, lambda count: count < 200, "connections stay open", seconds=100)
            assert server.is_running, "the server has ended"
    return report(honest, hostile, watch.most, events(placard, database))


def attack(net, server, key, shares, seconds):
    """What the honest clients and the attackers saw."""
    base = {"target": [net.server, server.port], "key": key}
    addresses = [net.address(number) for number in range(1, HONEST_ADDRESSES + 1)]
    plan = {**base, "addresses": addresses, "clients": CLIENTS, "seconds": WARM_UP}
    first = Worker(net, "honest", plan)
    calm = first.result()
    attackers = [net.address(number) for number in range(HONEST_ADDRESSES + 1, HONEST_ADDRESSES + ATTACKERS + 1)]
    workers = [
        Worker(net, "hostile", {**base, "addresses": part, "shares": shares, "seconds": seconds + 2}, niceness=15)
        for part in (attackers[::2], attackers[1::2])
    ]
    try:
        time.sleep(2)
        honest = Worker(net, "honest", {**plan, "seconds": seconds}).result()
        hostile = [worker.result() for worker in workers]
    finally:
        for worker in workers:
            worker.stop()
    honest["calm"] = calm["seconds"]
    honest["confirmed"] += calm["confirmed"]
    return honest, hostile


def report(honest, hostile, memory, counts):
    """The lines of the report, and what is wrong."""
    late = percentile(honest["seconds"], 0.99)
    statuses = {}
    for worker in hostile:
        for status, count in worker["statuses"].items():
            statuses[status] = statuses.get(status, 0) + count
    lost = [id for id in honest["confirmed"] if counts.get(id) != 1]
    lines = [
        (
            f"honest: {len(honest['seconds'])} syncs of {CLIENTS} clients, p50"
            f" {percentile(honest['seconds'], 0.5) * 1000:.1f} ms, p99 {late * 1000:.1f} ms, longest"
            f" {max(honest['seconds']) * 1000:.0f} ms; p99 without attack"
            f" {percentile(honest['calm'], 0.99) * 1000:.1f} ms"
        ),
        (
            f"hostile: {sum(worker['connections'] for worker in hostile)} connections, answers"
            f" {dict(sorted(statuses.items()))}"
        ),
        f"memory: {memory / (1 << 20):.0f} MiB at most",
        f"events: {len(honest['confirmed'])} confirmed, {len(counts)} in the log",
    ]
    wrong = []
    if late > LATENCY:
        wrong.append(f"the 99th percentile of honest syncs is {late * 1000:.0f} ms, and may be {LATENCY * 1000:.0f} ms")
    if honest["refused"] or honest["broken"]:
        wrong.append(
            f"honest clients were refused {len(honest['refused'])} times ({honest['refused'][:2]}) and lost"
            f" {honest['broken']} connections"
        )
    if memory > MEMORY:
        wrong.append(f"the server took {memory >> 20} MiB, and may take {MEMORY >> 20} MiB")
    if lost or not honest["confirmed"]:
        wrong.append(f"{len(lost)} events of honest clients are not in the log exactly once, such as {lost[:3]}")
    return lines, wrong


def main():
    parser = argparse.ArgumentParser(prog="check-flood")
    parser.add_argument("placard")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--seconds", type=float)
    parser.add_argument(
        "--only", choices=SHARES, action="append", help="only this kind of attack, to find what it costs"
    )
    options = parser.parse_args()
    seconds = options.seconds or (180 if options.long else 25)
    raise_file_limit()
    net = network(HONEST_ADDRESSES + ATTACKERS)
    shares = {kind: count for kind, count in SHARES.items() if not options.only or kind in options.only}
    print(
        f"{ATTACKERS * sum(shares.values())} hostile connections from {ATTACKERS} addresses for {seconds:.0f} s, by"
        f" {net.name}",
        flush=True,
    )
    try:
        with tempfile.TemporaryDirectory(prefix="placard-flood-") as folder:
            lines, wrong = flood(options.placard, folder, net, shares, seconds)
    finally:
        net.close()
    for line in lines:
        print(line)
    for line in wrong:
        print("WRONG:", line)
    print("Flood: " + ("it did not hold." if wrong else "it held."))
    return 1 if wrong else 0


sys.exit(main())
