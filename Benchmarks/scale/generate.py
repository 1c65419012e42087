#!/usr/bin/env python3
"""Fills a database as the server itself would have in 400 days: users, campaigns, cards, events and what was counted.

usage: generate.py PLACARD FOLDER [--scale SHARE] [--event-days N]

The server makes the schema, the settings and one campaign of each kind; the rest is written straight into the file.
Every count is what the rows of the log come to, every card's marks are those of its events, and each user's variant,
sample place and histories are the server's own. With --scale 1 there are a million users, 10,000 campaigns, as many
pictures, 2,000 segments and more than 50 million counted events.
"""

import argparse
import os
import sqlite3
import struct
import time

import campaigns as catalogue
import library
import people
import prototypes
from server import Server, run, size
from life import CARDS, DAY, DAYS, Life, action, bought, decimal

"""How many cards each user was given: one each 50 days, so that no two of a user are of one campaign."""
"""The workspace counts by the days of Tokyo."""


"""What nobody can do with a control's card, which is not seen."""


CARD_COLUMNS = (
    "user_id, card_id, campaign_id, variant_id, delivered_at, position, changed_at, viewed, clicked, "
    "dismissed, viewed_at, clicked_at, dismissed_at, first_viewed_at"
)


def packed(times, amounts=None):
    """The latest times as `histories` keeps them: milliseconds, each from the one before, seven bits a byte."""
    data, last = bytearray(), 0
    for place, at in enumerate(times):
        number = round(at * 1000)
        rest = (number - last) << 1
        last = number
        while rest > 0x7F:
            data.append(rest & 0x7F | 0x80)
            rest >>= 7
        data.append(rest)
        if amounts:
            data += struct.pack("<d", amounts[place])
    return bytes(data)


def histories(life, user, name):
    first = user * CARDS

    def add(part, key, currency, moments, amounts=None):
        return (
            name,
            part,
            key,
            currency,
            len(moments),
            moments[0],
            moments[-1],
            decimal(sum(amounts or [])),
            packed(moments, amounts),
        )

    def groups(times, key):
        found = {}
        for number in range(first, first + CARDS):
            if times[number]:
                found.setdefault(key(number), []).append((times[number], number))
        return sorted((what, sorted(entries)) for what, entries in found.items())

    for _, entries in groups(life.sessions, lambda _: ""):
        yield add(PARTS["sessions"], "", "", [at for at, _ in entries])
    for what, entries in groups(life.actions, action):
        yield add(PARTS["events"], what, "", [at for at, _ in entries])
    for (product, currency, _), entries in groups(life.purchases, bought):
        yield add(PARTS["purchases"], product, currency, [at for at, _ in entries], [bought(n)[2] for _, n in entries])


PARTS = {"events": 1, "purchases": 2, "sessions": 4}


def insert_people(life, base):
    """Users with their histories, in the order in which the file keeps them."""
    version = 10 + 4 * DAYS + 100
    order = sorted(range(life.users), key=lambda number: people.user_id(number))
    for start in range(0, life.users, 20_000):
        users, rows = [], []
        for number in order[start : start + 20_000]:
            seen = max(life.sessions[number * CARDS : number * CARDS + CARDS])
            created = base + number % (DAYS // CARDS) * DAY
            users.append(people.row(number, created, seen, version))
            rows += histories(life, number, people.user_id(number))
        life.database.executemany(f"INSERT INTO users ({people.COLUMNS}) VALUES ({', '.join('?' * 13)})", users)
        life.database.executemany(f"INSERT INTO histories VALUES ({', '.join('?' * 9)})", rows)
    life.database.execute("UPDATE store SET user_count = ? WHERE id = 1", (life.users,))


INDEXES = ["events_by_user", "users_sample", "users_by_email", "users_found_by_email", "users_found_by_phone"]
"""Made again once their tables are full, which is much faster."""


def prepare(placard, path):
    """An empty database with settings, keys, segments and one campaign of each kind, all made by the server."""
    run(placard, path, "migrate")
    run(placard, path, "admin", "create", "anna@example.com", "--password-stdin", text="a long password\n")
    with Server(placard, path) as server:
        settings = server.call("GET", "/v1/settings")
        unlimited = {"burst": 1_000_000_000, "per_second": 1_000_000_000}
        limits = {
            name: unlimited if "per_second" in str(limit) else limit
            for name, limit in settings["device_limits"].items()
        }
        server.call("PUT", "/v1/settings", dict(settings, time_zone="Asia/Tokyo", device_limits=limits))
        for segment in prototypes.SEGMENTS:
            server.call("POST", "/v1/segments", segment)
        for campaign in prototypes.CAMPAIGNS:
            server.call("POST", "/v1/campaigns", campaign)


def fill(path, scale, event_days):
    database = sqlite3.connect(path, isolation_level=None)
    for setting in (
        "journal_mode = OFF",
        "synchronous = OFF",
        "locking_mode = EXCLUSIVE",
        "cache_size = -1000000",
        "foreign_keys = OFF",
    ):
        database.execute(f"PRAGMA {setting}").fetchall()
    users, base = round(1_000_000 * scale) // DAYS * DAYS, float(int(time.time())) - DAYS * DAY
    started = time.perf_counter()

    def tell(what):
        print(f"  {time.perf_counter() - started:6.0f} s  {what}", flush=True)

    database.execute("BEGIN")
    pictures = round(10_000 * scale)
    found = catalogue.make(round(10_000 * scale), DAYS, catalogue.contents(database), pictures)
    catalogue.insert(database, found, base, DAYS)
    library.insert(database, found, pictures, base, DAYS * DAY)
    library.insert_segments(database, round(2_000 * scale))
    kept = {name: sql for name, sql in database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index'")}
    for name in INDEXES:
        database.execute(f"DROP INDEX {name}")
    database.execute(f"CREATE TEMP TABLE given ({CARD_COLUMNS})")
    life = Life(database, found, users, base, event_days)
    for day in range(DAYS):
        life.live(day)
        if day % 40 == 39:
            tell(f"{day + 1} days, {life.logged:,} events")
    life.leave(DAYS)
    insert_people(life, base)
    tell(f"{users:,} users")
    database.execute(
        f"INSERT INTO deliveries ({CARD_COLUMNS}, ordinal) SELECT {CARD_COLUMNS}, 0 FROM given ORDER BY user_id,"
        " card_id"
    )
    tell("their cards")
    tell(f"{catalogue.insert_counts(database, found):,} events counted")
    for name in INDEXES:
        database.execute(kept[name])
    tell("indexes")
    database.execute("COMMIT")
    database.execute("PRAGMA journal_mode = WAL")
    database.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("placard")
    parser.add_argument("folder")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--event-days", type=int, default=DAYS, help="for how many days the log of events is kept")
    options, _ = parser.parse_known_args()
    os.makedirs(options.folder, exist_ok=True)
    os.environ["SQLITE_TMPDIR"] = options.folder
    path = os.path.join(options.folder, f"scale-{options.scale:g}.sqlite")
    if os.path.exists(path):
        return print(f"{path} is there already")
    partial = path + ".partial"
    for end in ("", "-wal", "-shm"):
        if os.path.exists(partial + end):
            os.remove(partial + end)
    print(f"Filling {path}", flush=True)
    prepare(options.placard, partial)
    fill(partial, options.scale, options.event_days)
    os.rename(partial, path)
    os.rename(partial + ".key", path + ".key")
    print(f"  {size(path) / 1e9:.1f} GB")


if __name__ == "__main__":
    main()
