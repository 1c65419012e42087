"""A workspace with thousands of users and months of events, made through the API as apps, backends and a team make it.

Only what the server's own clock stamps cannot come through the API: between the devices' first visit and what their
users do, `set_back` gives those moments the months that they would have taken.
"""

import os
import random
import re
import sqlite3
import subprocess
import threading
import time
import uuid

from device_limits import unlimited
from placard_server import PATIENCE, Connection
from dashboard_campaigns import DAY, campaigns
from dashboard_people import people

PASSWORD = "correct horse battery"
MEMBERS = [
    ("佐藤 美咲", "misaki.sato@example.co.jp", "editor"),
    ("Tom Okafor", "tom@example.com", "viewer"),
    (
        "Maximilian-Alexander von Hohenstein-Wittelsbach",
        "maximilian-alexander.von.hohenstein-wittelsbach@example.com",
        "editor",
    ),
]


class Server:
    """`placard demo` on a directory, or `placard serve` with nothing in it; it may be stopped and started again."""

    def __init__(self, placard, directory, port, is_empty=False):
        self.database, self.port, self.process = f"{directory}/demo.sqlite", port, None
        self.address = f"http://127.0.0.1:{port}"
        kind = (
            ["serve", "--database", f"sqlite:{self.database}", "--log-level", "error"]
            if is_empty
            else ["demo", "--directory", str(directory)]
        )
        self.command = [placard, *kind, "--port", str(port)]
        os.makedirs(directory, exist_ok=True)
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        greeting = ""
        for line in self.process.stdout:
            greeting += line
            if line.startswith(("Ctrl-C", "Placard listens")):
                break
        self.dashboard = re.search(r"(http://\S+/dashboard\S*)", greeting).group(1)
        keys = dict(re.findall(r"(publishable|secret) key\s+(\S+)", greeting))
        self.publishable, self.secret = keys.get("publishable"), keys.get("secret")

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)

    def manage(self, method, path, body=None):
        return Connection(self.port, self.secret).call(method, path, body)


BLOCKS = [
    (
        "terms",
        "Until stocks last. See shop.example.com/terms.",
        "The terms below every offer, as Legal wants them",
    ),
    ("greeting", "Hello {{${first_name} | default: 'there'}},", "How we greet: by first name, where we know it"),
    ("footer", "{{content_blocks.${terms}}} Unsubscribe in the app’s settings.", ""),
    ("opening-hours", "Mon–Sat 9–18", "営業時間：カードの末尾に表示します"),
]
BODIES = {("wrong-price", "stop"): {"withdraw": True}, ("club-coupon", "launch"): {"force": True}}


def prepare(server, now):
    """What backends, an app's developer and the team set up."""
    server.manage(
        "POST",
        "/v1/segments",
        {
            "id": "europe",
            "name": "Europe: Germany and France",
            "audience": {"attribute": "country", "comparison": "is_any_of", "value": ["DE", "FR"]},
        },
    )
    server.manage(
        "POST",
        "/v1/segments",
        {
            "id": "club",
            "name": "Club members who bought twice within ninety days, and have the newest app",
            "audience": {
                "all": [
                    {"attribute": "plan", "value": "gold"},
                    {"purchase": {"comparison": "greater_than_or_equal_to", "value": 2, "within_days": 90}},
                ]
            },
        },
    )
    server.manage(
        "POST", "/v1/segments", {"id": "staff", "name": "社員とその家族", "audience": {"users": ["anna", "hugo"]}}
    )
    server.manage(
        "POST",
        "/v1/segments",
        {"id": "old", "name": "Beta testers of 2025", "audience": {"attribute": "beta", "value": True}},
    )
    server.manage("POST", "/v1/segments/old/archive")
    Connection(server.port, server.secret).call(
        "PUT",
        "/v1/content-types",
        {
            "types": [
                {
                    "class_type": "coupon_code",
                    "fields": [
                        {"name": "coupon_code", "type": "string", "required": True},
                        {"name": "discount_percentage", "type": "decimal", "required": True},
                    ],
                },
                {
                    "class_type": "home_tile",
                    "fields": [
                        {"name": n, "type": t, "required": r}
                        for n, t, r in [
                            ("tile_id", "string", True),
                            ("tile_title", "string", True),
                            ("tile_deeplink", "url", True),
                            ("tile_price", "decimal", False),
                            ("tile_tags", "string", False),
                        ]
                    ],
                },
            ]
        },
    )
    for name, content, description in BLOCKS:
        server.manage("PUT", f"/v1/content-blocks/{name}", {"content": content, "description": description})
    for made, steps in campaigns(now):
        server.manage("POST", "/v1/campaigns", made)
        for step in steps:
            server.manage("POST", f"/v1/campaigns/{made['id']}/{step}", BODIES.get((made["id"], step), {}))
    server.manage(
        "POST",
        "/v1/keys",
        {"name": "Shop backend", "kind": "secret", "permissions": ["users.track", "campaigns.trigger.send"]},
    )
    old = server.manage("POST", "/v1/keys", {"name": "Old iOS app (before 2.0)", "kind": "publishable"})
    server.manage("DELETE", f"/v1/keys/{old['id']}")


def in_parallel(server, key, items, work, workers=4):
    """Does the work on each item, on several connections."""
    items, lock, failures = iter(items), threading.Lock(), []

    def run():
        connection = Connection(server.port, key)
        while not failures:
            with lock:
                item = next(items, None)
            if item is None:
                return
            try:
                work(connection, item)
            except Exception as error:
                failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(workers)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    if failures:
        raise failures[0]


def set_back(database, now, days):
    """Gives what the server stamped by its clock the time that it would have taken."""
    store = sqlite3.connect(database)
    store.create_function(
        "spread", 2, lambda key, most: random.Random(key).betavariate(1.4, 1.1) * most * DAY, deterministic=True
    )
    store.executescript(f"""
        UPDATE users SET created_at = {now} - spread(id, {days}), updated_at = {now} - spread(id, {days});
        UPDATE users SET first_seen_at = created_at, last_seen_at = created_at;
        UPDATE deliveries SET delivered_at = {now} - spread(user_id, {days}) + 60;
        UPDATE campaigns SET created_at = {now} - {days} * {DAY} - spread(id, 5), updated_at = {now} - spread(id, 40);
        UPDATE campaigns SET launched_at = created_at + 3600 WHERE launched_at IS NOT NULL;
        UPDATE segments SET created_at = {now} - spread(id, 90), updated_at = {now} - spread(id, 30);
        UPDATE keys SET created_at = {now} - spread(id, 90);
        UPDATE content_types SET updated_at = {now} - spread(class_type, 20);
        UPDATE audit SET at = {now} - ((SELECT max(position) FROM audit) - position) * 9000;
        CREATE TEMP TABLE given AS
        SELECT campaign_id, variant_id, CAST(delivered_at / {DAY} AS INTEGER) AS day, count(*) AS cards
        FROM deliveries GROUP BY 1, 2, 3;
        DELETE FROM counts;
        INSERT INTO counts SELECT campaign_id, day, day, variant_id, cards, 0, 0, 0, 0, 0, 0, cards FROM given;
    """)
    store.commit()
    store.close()


CLICKS = {
    ("autumn-sale", "a"): 0.16,
    ("autumn-sale", "b"): 0.105,
    ("aki-sale", "a"): 0.21,
    ("win-back", "a"): 0.08,
    ("dark-mode", "a"): 0.3,
}


def deeds(cards, since, chance):
    """What a user does who was given these cards."""

    def event(type, at, **more):
        return {"id": str(uuid.UUID(int=chance.getrandbits(128), version=4)), "type": type, "at": round(at, 3), **more}

    def later(after):
        """A moment of a waking hour after another, soon rather than late."""
        at = after + chance.expovariate(1 / (4 * DAY))
        return at - at % DAY + chance.triangular(6, 23.5, 19) * 3600 if at - after > DAY else at

    treated = False
    for card in cards:
        campaign, variant = card["campaign_id"], card["variant_id"]
        if chance.random() > 0.78:
            continue
        seen = later(since)
        for again in range(chance.choices([1, 2, 3, 5], [6, 3, 2, 1])[0]):
            yield event("impression", seen + again * chance.random() * 2 * DAY, card_id=card["id"])
        treated = treated or campaign == "autumn-sale" and variant != "control"
        if variant == "control":
            continue
        if campaign == "club-coupon" and chance.random() < 0.3:
            yield event(
                "content_error",
                seen + 1,
                card_id=card["id"],
                class_type="coupon_code",
                field="discount_percentage",
                message="“fifteen” is not a number.",
            )
        if chance.random() < CLICKS.get((campaign, variant), 0.06):
            yield event("click", seen + 20, card_id=card["id"])
        elif chance.random() < 0.12:
            yield event("dismissal", seen + 30, card_id=card["id"])
    if chance.random() < (0.13 if treated else 0.07):
        yield event(
            "purchase",
            since + chance.random() * 5 * DAY,
            product_id=chance.choice(["wool-coat", "rain-jacket", "lantern"]),
            currency=chance.choice(["EUR", "EUR", "JPY"]),
            price=chance.choice([24.9, 89, 120]),
        )
    if chance.random() < 0.06:
        yield event(
            "custom",
            since + chance.random() * 5 * DAY,
            name="joined_club",
            properties={"place": "checkout", "months": 12},
        )
    yield event("session_start", later(since))


def limit_devices(server, limits):
    """Changes what devices may ask for: all that a demo is filled with comes from one address. Returns what it was."""
    settings = server.manage("GET", "/v1/settings")
    before = settings["device_limits"]
    server.manage("PUT", "/v1/settings", {**settings, "device_limits": limits})
    return before


def cap(server):
    """Gives the workspace a frequency cap, which campaigns of one time reach."""
    settings = server.manage("GET", "/v1/settings")
    server.manage("PUT", "/v1/settings", {**settings, "frequency_caps": [{"cards": 1, "days": 7}]})


UNLIMITED = unlimited(
    "requests_per_address",
    "requests_per_key",
    "requests_per_user",
    "new_users_per_address",
    "events_per_user",
    "event_bytes_per_address",
)


def fill(server, users=4_000, days=90):
    """Fills a new demo. Takes about a minute."""
    now, chance = time.time(), random.Random(7)
    prepare(server, now)
    limits = limit_devices(server, UNLIMITED)
    known = list(people(users, chance))
    for start in range(0, users, 75):
        server.manage("POST", "/users/track", {"attributes": [person for person, _ in known[start : start + 75]]})
    cards = {}

    def visit(connection, user):
        cards[user[1]["user_id"]] = connection.call("POST", "/v1/sync", user[1])["cards"]

    in_parallel(server, server.publishable, known, visit)
    server.stop()
    set_back(server.database, now, days)
    store = sqlite3.connect(server.database)
    since = dict(store.execute("SELECT user_id, min(delivered_at) FROM deliveries GROUP BY user_id"))
    variants = {
        (user, card): (campaign, variant)
        for user, card, campaign, variant in store.execute(
            "SELECT user_id, card_id, campaign_id, variant_id FROM deliveries"
        )
    }
    store.close()
    server.start()
    doings = []
    for _, device in known:
        user = device["user_id"]
        given = [
            dict(card, campaign_id=variants[user, card["id"]][0], variant_id=variants[user, card["id"]][1])
            for card in cards[user]
            if (user, card["id"]) in variants
        ]
        doings.append(
            {
                **{name: device[name] for name in ("user_id", "device_id")},
                "events": [event for event in deeds(given, since.get(user, now), chance) if event["at"] < now],
            }
        )

    def act(connection, body):
        connection.call("POST", "/v1/events", body)

    in_parallel(server, server.publishable, doings, act)
    limit_devices(server, limits)
    store = sqlite3.connect(server.database)
    store.execute(
        "UPDATE users SET last_seen_at = coalesce((SELECT max(at) FROM events WHERE user_id = users.id), created_at)"
    )
    store.commit()
    store.close()
    server.manage("PUT", "/v1/settings", {**server.manage("GET", "/v1/settings"), "launch_approval": "editors"})
    server.manage("POST", "/v1/campaigns/survey/approvals", {"comment": "Texts are checked. Can it start this week?"})
