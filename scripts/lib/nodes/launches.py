"""Two nodes on PostgreSQL: an app streams from one, and its syncs come to the other."""

import http.client
import json
import os
import tempfile
import threading
import time

from device_limits import unlimited
from placard_server import PATIENCE, Connection, Server, command, wait_for

from .cluster import Postgres

ROUNDS = 20
CARD = {"type": "classic", "title": "Hello", "description": "World"}


class App:
    """An open app, which syncs whenever its stream says that something has changed, and never otherwise."""

    def __init__(self, streaming, syncing, key):
        self.cards, self.cursor, self.sync_connection = {}, None, Connection(syncing.port, key)
        # The generation of each signal, with what the sync that followed it brought.
        self.answers = []
        connection = http.client.HTTPConnection("127.0.0.1", streaming.port, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {key}"}
        connection.request("GET", "/v1/live?user_id=ann&device_id=phone", headers=headers)
        self.answer = connection.getresponse()
        assert self.answer.status == 200, self.answer.status
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while line := self.answer.readline():
            if line == b"event: changed\n":
                self.sync(json.loads(self.answer.readline().removeprefix(b"data: ")))

    def sync(self, signal):
        self.cards, self.cursor = synced(self.sync_connection, self.cards, self.cursor, **signal)
        self.answers.append((signal["generation"], set(self.cards.values())))


def synced(connection, cards, cursor, **fields):
    """A device's cards and cursor after a sync."""
    body = {"user_id": "ann", "device_id": "phone"} | ({"cursor": cursor} if cursor else {}) | fields
    reply = connection.call("POST", "/v1/sync", body)
    cards = {} if reply["replace"] else dict(cards)
    cards |= {card["id"]: card["campaign_id"] for card in reply["cards"]}
    cards = {card: campaign for card, campaign in cards.items() if card not in reply["removed"]}
    return cards, reply["cursor"]


def launches(placard):
    """What is launched and withdrawn reaches an app that streams from one node and syncs with another"""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        database = Postgres.primary()
        address = f"postgresql://placard@/app?host={database.folder}"
        flags = ["--database", address, "--secrets-key-file", os.path.join(folder, "placard.key")]
        nodes = []
        try:
            nodes += [Server([placard, "serve", *flags, "--log-level", "error"]) for _ in range(2)]
            keys = {
                kind: json.loads(command(placard, "key", "create", "--name", kind, "--kind", kind, *flags, "--json"))
                for kind in ("publishable", "secret")
            }
            run(nodes, keys["publishable"]["secret"], keys["secret"]["secret"])
        finally:
            for node in nodes:
                node.stop()
            database.close()


def run(nodes, publishable, secret):
    def is_known(node):
        try:
            return Connection(node.port, secret).call("GET", "/v1/settings")
        except RuntimeError:
            return None

    for node in nodes:
        wait_for(lambda node=node: is_known(node), bool, "a key is not known")
    api = Connection(nodes[0].port, secret)
    api.call("PATCH", "/v1/settings", {"device_limits": unlimited("requests_per_user")})
    # Whatever the change of settings still brings has come by then.
    time.sleep(3)
    app = App(*nodes, publishable)
    wait_for(lambda: app.answers, bool, "the stream has not begun")
    near, far = (Connection(node.port, publishable) for node in nodes)
    for number in range(ROUNDS):
        name = f"round-{number}"
        api.call("POST", "/v1/campaigns", {"id": name, "name": name, "variants": [{"card": CARD}]})
        for is_there, action, body in ((True, "launch", None), (False, "stop", {"withdraw": True})):
            before = app.answers[-1][0]
            api.call("POST", f"/v1/campaigns/{name}/{action}", body)
            # Another user, whose second sync comes to a node that may know less than the first.
            cards, cursor = synced(near, {}, None, user_id="ben")
            assert (name in cards.values()) == is_there, (action, cards)
            cards, _ = synced(far, cards, cursor, user_id="ben")
            assert (name in cards.values()) == is_there, f"after {action}, a node answered with an older feed"
            answers = wait_for(
                lambda before=before: [found for generation, found in app.answers if generation > before],
                bool,
                f"the app was not told of {action} of {name}",
                30,
            )
            # The first one counts: later ones may come of the signal that is repeated for other clients.
            assert (name in answers[0]) == is_there, f"after {action}, the app was told that nothing is new"


CHECKS = [launches]
