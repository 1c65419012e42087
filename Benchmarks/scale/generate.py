#!/usr/bin/env python3
"""Fills a database as the server itself would have in 400 days: users, campaigns, cards, events and what was counted.

usage: generate.py PLACARD FOLDER [--scale SHARE] [--event-days N]

The server makes the schema, the settings and one campaign of each kind; the rest is written straight into the file.
Every count is what the rows of the log come to, every card's marks are those of its events, and each user's variant,
sample place and histories are the server's own. With --scale 1 there are a million users, 10,000 campaigns and more
than 50 million counted events.
"""

import argparse
import array
import os
import random
import sqlite3
import struct
import time
import uuid

import campaigns as catalogue
import people
import prototypes
from server import Server, run, size

DAY = 86_400.0
DAYS = 400
CARDS = 8
"""How many cards each user was given: one each 50 days, so that no two of a user are of one campaign."""
TOKYO = 32_400
"""The workspace counts by the days of Tokyo."""

# What happens to a card: after how many days, what, and to how many in a hundred.
SLOTS = [
    (0, "session_start", 100),
    (0, "impression", 97),
    (0, "click", 12),
    (0, "impression", 60),
    (0, "content_error", 0.05),
    (1, "impression", 85),
    (1, "custom", 20),
    (1, "purchase", 5),
    (2, "impression", 75),
    (3, "impression", 70),
    (3, "dismissal", 15),
    (4, "impression", 62),
    (5, "impression", 55),
    (6, "impression", 50),
    (7, "impression", 45),
    (9, "impression", 40),
    (11, "impression", 35),
]
KEPT = max(offset for offset, _, _ in SLOTS) + 1


def masks(rng):
    """4,096 lives of a card, each a bit for each slot."""
    found = []
    dismissal = next(place for place, slot in enumerate(SLOTS) if slot[1] == "dismissal")
    for _ in range(4096):
        bits = [rng.random() * 100 < chance for _, _, chance in SLOTS]
        bits[1] = bits[1] or bits[2]
        if bits[dismissal]:
            bits[dismissal + 1 :] = [False] * (len(bits) - dismissal - 1)
        found.append(sum(1 << place for place, bit in enumerate(bits) if bit))
    return found


QUIET = sum(1 << place for place, slot in enumerate(SLOTS) if slot[1] in ("click", "dismissal", "content_error"))
"""What nobody can do with a control's card, which is not seen."""


class Card:
    __slots__ = (
        "user",
        "number",
        "id",
        "campaign",
        "variant",
        "counts",
        "mask",
        "delivered",
        "first",
        "viewed",
        "clicked",
        "dismissed",
        "version",
        "changes",
    )

    def row(self):
        return (
            self.user,
            self.id,
            self.campaign.id,
            self.variant,
            self.delivered,
            self.version << 12,
            self.version + self.changes,
            self.viewed is not None,
            self.clicked is not None,
            self.dismissed is not None,
            self.viewed,
            self.clicked,
            self.dismissed,
            self.first,
        )


CARD_COLUMNS = (
    "user_id, card_id, campaign_id, variant_id, delivered_at, position, changed_at, viewed, clicked, "
    "dismissed, viewed_at, clicked_at, dismissed_at, first_viewed_at"
)


class Life:
    """Four hundred days of a workspace, one after the other."""

    def __init__(self, database, found, users, base, kept):
        self.database, self.users, self.base, self.kept = database, users, base, kept
        self.choice = catalogue.Choice(found, DAYS)
        self.rng = random.Random(5)
        self.masks = masks(self.rng)
        self.blocks = {}
        self.sessions, self.actions, self.purchases = (array.array("d", bytes(8 * CARDS * users)) for _ in range(3))
        self.logged = 0

    def give(self, day, card, times):
        """The cards of that number that users get on that day."""
        block = []
        remainder = (day - card * DAYS // CARDS) % DAYS
        for place, delivered in enumerate(times):
            number = place * DAYS + remainder
            item = Card()
            item.user, item.number = people.user_id(number), number * CARDS + card
            item.id = str(uuid.UUID(int=self.rng.getrandbits(128), version=4))
            item.campaign = self.choice.campaign(number, card, day, self.rng.getrandbits(20))
            item.variant = item.campaign.division.variant(item.user.encode())
            item.counts = item.campaign.counts[item.variant]
            item.mask = self.masks[self.rng.getrandbits(12)]
            if item.variant == item.campaign.control:
                item.mask &= ~QUIET
            item.delivered, item.version, item.changes = delivered, 10 + 4 * day, 0
            item.first = item.viewed = item.clicked = item.dismissed = None
            counts = item.counts.setdefault(self.day(delivered), [0] * 8)
            counts[0] += 1
            counts[7] += 1
            block.append(item)
        self.blocks[day, card] = block

    @staticmethod
    def day(at):
        return 2 * int(at // DAY) + (at % DAY >= DAY - TOKYO)

    def live(self, day):
        start = self.base + day * DAY
        groups = self.users // DAYS
        step = DAY / groups
        for card in range(CARDS):
            self.give(day, card, [round(start + group * step, 3) for group in range(groups)])
        steps = [
            (self.blocks[day - offset, card], 1 << place, kind)
            for place, (offset, kind, _) in enumerate(SLOTS)
            for card in range(CARDS)
            if day >= offset
        ]
        rows = []
        ids = self.rng.randbytes(16 * groups * len(steps))
        pause = step / (len(steps) + 1)
        for group in range(groups):
            received = start + group * step
            for block, bit, kind in steps:
                received += pause
                card = block[group]
                if not card.mask & bit:
                    continue
                at = round(received, 3)
                place = 16 * len(rows)
                event = ids[place : place + 16]
                if kind == "impression":
                    key = 2 * int(at // DAY) + (at % DAY >= DAY - TOKYO)
                    counts = card.counts.get(key)
                    if counts is None:
                        counts = card.counts[key] = [0] * 8
                    counts[1] += 1
                    if card.first is None:
                        counts[2] += 1
                        card.first = at
                        card.changes += 1
                    card.viewed = at
                    rows.append((card.user, event, kind, at, at, card.id, card.campaign.id, card.variant, None))
                else:
                    rows.append(self.other(card, event, kind, at))
        if day >= DAYS - self.kept:
            self.database.executemany("INSERT INTO events VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self.logged += len(rows)
        self.leave(day - KEPT + 1)

    def other(self, card, event, kind, at):
        if kind in ("click", "dismissal", "content_error"):
            counts = card.counts.setdefault(self.day(at), [0] * 8)
            details = None
            if kind == "click":
                counts[3] += 1
                counts[4] += 1
                card.clicked = at
                card.changes += 1
            elif kind == "dismissal":
                counts[5] += 1
                card.dismissed = at
                card.changes += 1
            else:
                counts[6] += 1
                key = (card.variant, "tile_id")
                card.campaign.problems[key] = (card.campaign.problems.get(key, (0, 0))[0] + 1, at)
                details = '{"class_type":"home_tile","field":"tile_id","message":"An integer is expected."}'
            return card.user, event, kind, at, at, card.id, card.campaign.id, card.variant, details
        details = None
        if kind == "session_start":
            self.sessions[card.number] = at
        elif kind == "custom":
            self.actions[card.number] = at
            details = f'{{"name":"{action(card.number)}"}}'
        else:
            self.purchases[card.number] = at
            product, currency, price = bought(card.number)
            details = f'{{"product_id":"{product}","currency":"{currency}","price":{price},"quantity":1}}'
            if card.campaign.converts:
                self.convert(card, at, currency, price)
        return card.user, event, kind, at, at, None, None, None, details

    def convert(self, card, at, currency, price):
        days = card.campaign.conversions[card.variant]
        number, amount, squares, _ = days.get(self.day(at), (0, 0.0, 0.0, currency))
        days[self.day(at)] = (number + 1, amount + price, squares + price * price, currency)
        key = (card.user, card.campaign.id, "bought")
        day = self.day(at)
        self.database.execute(
            "INSERT INTO conversions VALUES (?, ?, ?, ?, ?, ?)", (*key, card.id, at, day // 2 + day % 2)
        )
        self.database.execute(
            "INSERT INTO spending VALUES (?, ?, ?, ?, ?, 1, ?, NULL)", (*key, currency, decimal(price), at)
        )

    def leave(self, until):
        """Writes down the cards to which nothing happens any more."""
        for key in [key for key in self.blocks if key[0] < until]:
            self.database.executemany(
                f"INSERT INTO given VALUES ({', '.join('?' * 14)})", [card.row() for card in self.blocks.pop(key)]
            )


def action(number):
    return ("added_to_cart", "level_done", "shared")[number % 3]


def bought(number):
    return f"product-{number % 50}", "JPY", float(100 * (1 + number % 90))


def decimal(amount):
    """An amount as the tables keep it, a text; all of them are whole yen."""
    return f"{amount:.0f}"


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


INDEXES = ["events_by_user", "users_sample", "users_by_email", "users_by_phone"]
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
    found = catalogue.make(round(10_000 * scale), DAYS, catalogue.contents(database))
    catalogue.insert(database, found, base, DAYS)
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
