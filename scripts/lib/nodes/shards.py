"""Users who are spread over two clusters of PostgreSQL while nodes serve them."""

import json
import os
import subprocess
import tempfile
import threading
import time
import uuid

from device_limits import unlimited
from placard_server import Connection, Server, command, wait_for

from .cluster import Postgres

USERS = 240
ROUNDS = 6
CARD = {"type": "classic", "title": "Hello", "description": "World"}


def event(kind, **details):
    """An event of a device, with an id that begins with the time."""
    now = time.time()
    number = (int(now * 1000) << 80) | (7 << 76) | (uuid.uuid4().int & ((1 << 76) - 1))
    number = number & ~(3 << 62) | (2 << 62)
    return {"id": str(uuid.UUID(int=number)), "type": kind, "at": now, **details}


class Installation:
    """Two clusters of PostgreSQL, and the nodes on the first of them."""

    def __init__(self, placard, folder):
        self.placard, self.clusters, self.nodes = placard, [Postgres.primary(), Postgres.primary()], []
        self.flags = ["--database", self.address(0), "--secrets-key-file", os.path.join(folder, "placard.key")]
        self.start()

    def address(self, place):
        return f"postgresql://placard@/app?host={self.clusters[place].folder}"

    def start(self):
        """Starts two nodes, one after another in place of those that run."""
        old, self.nodes = self.nodes, []
        for _ in range(2):
            self.nodes.append(Server([self.placard, "serve", *self.flags, "--log-level", "error"]))
            if old:
                old.pop().stop()

    def make_keys(self):
        for kind in ("publishable", "secret"):
            made = command(self.placard, "key", "create", "--name", kind, "--kind", kind, *self.flags, "--json")
            setattr(self, kind, json.loads(made)["secret"])

    def device(self, node):
        """A connection as an app has it."""
        return Connection(self.nodes[node].port, self.publishable)

    def manager(self):
        return Connection(self.nodes[0].port, self.secret)

    def shards(self, *arguments):
        """Runs `placard shards`."""
        return subprocess.run(
            [self.placard, "shards", *arguments, *self.flags], capture_output=True, text=True, check=False
        )

    def close(self):
        for node in self.nodes:
            node.stop()
        for cluster in self.clusters:
            cluster.close()


def synced(connection, user):
    reply = connection.call("POST", "/v1/sync", {"user_id": user, "device_id": f"device-{user}"})
    return [card["id"] for card in reply["cards"]]


def sent(connection, user, *events):
    body = {"user_id": user, "device_id": f"device-{user}", "events": list(events)}
    return connection.call("POST", "/v1/events", body)


def ready(installation):
    """Waits until every node knows the keys, and lifts the limits of users."""

    def is_known(node):
        try:
            return Connection(node.port, installation.secret).call("GET", "/v1/settings")
        except RuntimeError:
            return None

    for node in installation.nodes:
        wait_for(lambda node=node: is_known(node), bool, "a key is not known")
    limits = unlimited("requests_per_user", "requests_per_address", "requests_per_key", "new_users_per_address")
    installation.manager().call("PATCH", "/v1/settings", {"device_limits": limits})
    time.sleep(2)


def hammer(installation, cards, start, stop, failures):
    """Sends events of some users by turns to two nodes, each twice."""
    near, far = installation.device(start % 2), installation.device(1 - start % 2)
    try:
        for _ in range(ROUNDS):
            for user in list(cards)[start::4]:
                seen, done = event("impression", card_id=cards[user]), event("custom", name="opened")
                for connection in (near, far):
                    sent(connection, user, seen, done)
                assert synced(far, user) == [cards[user]], user
            if stop.is_set():
                break
    except Exception as failure:
        failures.append(failure)


def spread(placard):
    """An installation gets a second cluster of PostgreSQL and moves half of its users there while two nodes serve"""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        installation = Installation(placard, folder)
        try:
            run(installation)
        finally:
            installation.close()


def run(installation):
    installation.make_keys()
    ready(installation)
    api = installation.manager()
    api.call("POST", "/v1/campaigns", {"id": "hello", "name": "hello", "variants": [{"card": CARD}]})
    api.call("POST", "/v1/campaigns/hello/launch")
    device = installation.device(0)
    cards = {}
    for number in range(USERS):
        cards[f"user-{number}"] = synced(device, f"user-{number}")[0]

    added = json.loads(installation.shards("add", installation.address(1), "--json").stdout)
    assert added == {"shard": 1, "needs_balance": True}, added
    early = installation.shards("balance")
    assert early.returncode == 1 and "Restart the servers" in early.stderr, early.stderr
    installation.start()
    ready(installation)

    stop, failures = threading.Event(), []
    threads = [threading.Thread(target=hammer, args=(installation, cards, start, stop, failures)) for start in range(4)]
    for thread in threads:
        thread.start()
    moved = installation.shards("balance", "--json")
    assert moved.returncode == 0, moved.stderr
    for thread in threads:
        thread.join()
    assert not failures, failures

    shards = json.loads(installation.shards("list", "--json").stdout)["shards"]
    assert sum(shard["users"] for shard in shards) == USERS, shards
    assert all(shard["users"] > USERS // 4 for shard in shards), shards
    api = installation.manager()
    count = USERS * ROUNDS
    report = wait_for(
        lambda: api.call("GET", "/v1/campaigns/hello/report")["totals"]["impressions"],
        lambda found: found == count,
        f"{count} impressions were sent",
    )
    assert report == count
    goes_on(installation, cards)


def goes_on(installation, cards):
    """The users of one cluster are served while the other is away, also by nodes that are started in the meantime, and
    all once it is back."""

    def served():
        found = {}
        for user in list(cards)[:40]:
            try:
                found[user] = synced(installation.device(0), user) == [cards[user]]
            except RuntimeError as refusal:
                assert ": 503 " in str(refusal), refusal
                found[user] = False
        return found

    installation.clusters[1].kill()
    wait_for(served, lambda found: 0 < sum(found.values()) < 40, "users of one cluster are not served")
    installation.start()
    ready(installation)
    wait_for(served, lambda found: 0 < sum(found.values()) < 40, "nodes that were started do not serve")
    installation.clusters[1].start()
    wait_for(served, lambda found: all(found.values()), "users are not served again")


CHECKS = [spread]
