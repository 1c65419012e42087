"""Three nodes on PostgreSQL, of which things go wrong one after another, while devices send events until each is
acknowledged."""

import glob
import http.client
import json
import os
import random
import tempfile
import threading
import time
import uuid

from device_limits import lifted
from placard_server import Connection, Server, command, free_port, wait_for

from .cluster import Postgres

NODES, DEVICES, BATCH = 3, 24, 5
SECONDS = int(os.environ.get("PLACARD_FAULT_SECONDS", "120"))
SKEWS = ["+5s", "-5s", None]
# A request that says whether a key is known.
EMPTY = json.dumps({"user_id": "user-0", "device_id": "d", "events": []})


def library():
    """The library that gives a process another clock, or `None` where it isn't installed."""
    found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    return found[0] if found else None


def environment(skew):
    """The variables of a node whose clock is off."""
    if not skew or not library():
        return {}
    return {"LD_PRELOAD": library(), "FAKETIME": skew, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


class Device(threading.Thread):
    """A device: a user of its own, who sends batches of events, each again until it is acknowledged by some node."""

    def __init__(self, number, places, key, is_over):
        super().__init__(daemon=True)
        self.user, self.places, self.key, self.is_over = f"user-{number}", places, key, is_over
        self.random = random.Random(number)
        self.sent, self.acknowledged, self.refused, self.attempts, self.longest = [], 0, [], 0, 0.0
        self.connections = {}
        # Answers after which an attempt is made again.
        self.tolerated = (429, 502, 503)

    def run(self):
        while not self.is_over.is_set():
            events = [
                {"id": self.event_id(), "type": "custom", "name": "faults", "at": time.time()} for _ in range(BATCH)
            ]
            self.sent += [event["id"] for event in events]
            self.deliver(events)

    def event_id(self):
        """A UUID of version 7."""
        moment = int(time.time() * 1000) << 80
        return str(uuid.UUID(int=moment | 7 << 76 | self.random.getrandbits(76) & ~(3 << 62) | 2 << 62))

    def deliver(self, events):
        """Sends a batch until it is acknowledged, to another node after each failure."""
        start, pause = time.monotonic(), 0.05
        body = json.dumps({"user_id": self.user, "device_id": f"device of {self.user}", "events": events})
        while True:
            self.attempts += 1
            answer = self.attempt(self.random.choice(self.places), body)
            if answer is not None:
                break
            time.sleep(pause * self.random.uniform(0.5, 1.5))
            pause = min(pause * 2, 1)
        self.longest = max(self.longest, time.monotonic() - start)
        self.acknowledged += answer["accepted"] + answer["duplicate"]
        self.refused += answer["rejected"]

    def attempt(self, place, body):
        """Returns what became of the events at a host and port, or `None` where that isn't known."""
        connection = self.connections.setdefault(place, http.client.HTTPConnection(*place, timeout=20))
        try:
            connection.request(
                "POST",
                "/v1/events",
                body,
                {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
            )
            answer = connection.getresponse()
            content = answer.read()
            if answer.status == 200:
                return json.loads(content)["events"]
            assert answer.status in self.tolerated, f"{answer.status} {content}"
        except (OSError, http.client.HTTPException):
            connection.close()
            self.connections.pop(place, None)
        return None


class Scene:
    """Nodes, their database, and devices."""

    def __init__(self, placard, folder):
        self.placard, self.is_over = placard, threading.Event()
        self.random = random.Random(SECONDS)
        self.primary = Postgres.primary()
        self.standby = self.primary.standby()
        hosts = f"{self.primary.folder},{self.standby.folder}"
        self.database = f"postgresql://placard@/app?host={hosts}"
        self.flags = ["--secrets-key-file", os.path.join(folder, "placard.key"), "--log-level", "warning"]
        self.log = open(os.path.join(folder, "nodes.log"), "w")
        self.nodes = [self.node(skew) for skew in SKEWS]
        self.places = [("127.0.0.1", node.port) for node in self.nodes]
        self.key = self.make_key("publishable")
        self.unlimit(Connection(self.nodes[0].port, self.make_key("secret")))
        self.settle()

    def make_key(self, kind):
        """Returns the secret of a new key."""
        arguments = ["key", "create", "--name", "faults", "--kind", kind, "--database", self.database, "--json"]
        return json.loads(command(self.placard, *arguments, *self.flags[:2]))["secret"]

    @staticmethod
    def unlimit(admin):
        """All devices come from one address, whose limits would be in the way."""

        def read():
            try:
                return admin.call("GET", "/v1/settings")
            except RuntimeError:
                return None

        settings = wait_for(read, lambda found: found, "the key isn't known")
        admin.call("PUT", "/v1/settings", {**settings, "device_limits": lifted(settings)})

    def settle(self):
        """Waits until every node knows the key."""
        for place in self.places:
            device = Device(0, [place], self.key, self.is_over)
            device.tolerated += (401,)
            wait_for(
                lambda device=device: device.attempt(device.places[0], EMPTY), lambda answer: answer, "no node answers"
            )

    def node(self, skew):
        port = free_port()
        # By a shell: the library has to be in a process before the one whose clock is off, or that one gets no
        # arguments.
        shell = ["/bin/sh", "-c", 'exec "$0" "$@"'] if environment(skew) else []
        return Server(
            [*shell, self.placard, "serve", "--database", self.database, *self.flags, "--shutdown-timeout", "5"],
            port=port,
            environment=environment(skew),
            log=self.log,
        )

    def kill_node(self):
        """Kills a node, and starts it again."""
        node = self.random.choice(self.nodes)
        node.process.kill()
        node.process.wait()
        node.process.stdout.close()
        time.sleep(1)
        node.start()

    def restart_postgres(self):
        """Ends PostgreSQL as a crash would, and starts it again."""
        self.primary.kill()
        time.sleep(1)
        self.primary.start()

    def promote(self):
        """Loses the primary server for good."""
        self.primary.kill()
        time.sleep(1)
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def close(self):
        self.is_over.set()
        for node in self.nodes:
            node.process.kill()
            node.process.wait()
        self.log.close()
        self.primary.close()
        self.standby.close()


def faults(placard):
    """Nodes are killed, PostgreSQL is restarted, a standby takes over, clocks are 5 s off: nothing is lost or counts
    twice"""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        scene = Scene(placard, folder)
        try:
            plan = [
                scene.kill_node,
                scene.restart_postgres,
                scene.kill_node,
                scene.promote,
                scene.kill_node,
                scene.restart_postgres,
            ]
            run(scene, plan, SECONDS)
        finally:
            scene.close()


def run(scene, plan, seconds):
    """Lets devices send events while faults happen, spread over some seconds."""
    devices = [Device(number, scene.places, scene.key, scene.is_over) for number in range(DEVICES)]
    start = time.monotonic()
    for device in devices:
        device.start()
    for number, fault in enumerate(plan, 1):
        time.sleep(max(0, start + seconds * number / (len(plan) + 1) - time.monotonic()))
        print(f"    {time.monotonic() - start:4.0f} s: {fault.__doc__}", flush=True)
        fault()
    time.sleep(max(0, start + seconds - time.monotonic()))
    scene.is_over.set()
    for device in devices:
        device.join(timeout=120)
        assert not device.is_alive(), "a device can't deliver its events"
    compare(scene, devices)


def compare(scene, devices):
    """Compares what devices know with what the database has."""
    refused = [event for device in devices for event in device.refused]
    assert not refused, refused[:3]
    sent = {event for device in devices for event in device.sent}
    rows = scene.primary.sql("SELECT encode(id, 'hex') FROM events")
    kept = {str(uuid.UUID(row)) for row in rows}
    counted = int(scene.primary.sql("SELECT coalesce(sum(count), 0) FROM histories")[0])
    lost, double = len(sent - kept), len(rows) - len(kept) + abs(counted - len(sent)) + len(kept - sent)
    deadlocks = scene.primary.log().count("deadlock detected")
    longest = max(device.longest for device in devices)
    attempts = sum(device.attempts for device in devices)
    print(
        f"    {len(sent)} events in {len(sent) // BATCH} batches and {attempts} requests; "
        f"lost: {lost}  double: {double}; deadlocks: {deadlocks}; "
        f"the longest a device was without an answer: {longest:.1f} s",
        flush=True,
    )
    assert (lost, double, deadlocks) == (0, 0, 0)


CHECKS = [faults]
