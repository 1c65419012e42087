"""The campaigns of the big workspace: what the server made of the prototypes, many times over."""

import hashlib
import json
import random
import struct

import library
import people
import prototypes

DAY = 86_400.0
EVERGREEN = 20
"""How many campaigns have been on since the first day."""
LIFE = 8
"""For how many days each of the others gave cards."""


class Campaign:
    def __init__(self, number, content, status, launched_day, rng, pictures):
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        self.id = "cmp_" + "".join(rng.choices(letters, k=22))
        self.number, self.status, self.launched_day = number, status, launched_day
        self.content = dict(content, name=f"{content['name']} {number}")
        self.content["tags"] = rng.sample(prototypes.TAGS, number % 4)
        rows = content["variants"]
        # Of drafts, the review before the launch would load the pictures.
        if launched_day is not None:
            rows = self.content["variants"] = library.with_images(rows, number, pictures)
        self.control = next((row["id"] for row in rows if row.get("control")), None)
        self.division = people.Division(self.id, rows)
        self.weights = ",".join(f"{name}:{weight}" for name, _, weight in sorted(self.division.variants))
        self.converts = bool(content.get("conversions"))
        # By variant, then by twice the day in UTC, plus one where the local day is the next.
        self.counts = {name: {} for name, _, _ in self.division.variants}
        self.conversions = {name: {} for name in self.counts}
        self.problems = {}


def make(number, days, contents, pictures):
    """Campaigns of every status; those that gave cards come first, in the order of their launch."""
    rng = random.Random(11)
    drafts = max(1, number * 3 // 100)
    daily = number - EVERGREEN - drafts
    found = [Campaign(place, contents[place % len(contents)], "active", 0, rng, pictures) for place in range(EVERGREEN)]
    for place in range(daily):
        day = place * days // daily
        status = (
            "active" if day > days - LIFE else ["stopped", "archived", "stopped", "archived", "paused"][place % 97 % 5]
        )
        found.append(Campaign(EVERGREEN + place, contents[place % len(contents)], status, day, rng, pictures))
    for place in range(drafts):
        content = contents[place % len(contents)]
        found.append(Campaign(number - drafts + place, content, "draft", None, rng, pictures))
    return found


class Choice:
    """Which campaign gave a user a card on a day."""

    def __init__(self, campaigns, days):
        self.campaigns = campaigns
        daily = [campaign for campaign in campaigns[EVERGREEN:] if campaign.launched_day is not None]
        self.windows = []
        for day in range(days):
            places = [place for place, item in enumerate(daily) if day - LIFE < item.launched_day <= day]
            self.windows.append([daily[place] for place in places])

    def campaign(self, user, card, day, chance):
        running = self.windows[day]
        if chance % 10 < 3 or not running:
            return self.campaigns[(user * 7 + card * 3) % EVERGREEN]
        return running[chance // 10 % len(running)]


def insert(database, campaigns, base, days):
    """Writes campaigns with what the audit log says of them; the schema's triggers note tags and controls."""
    rows, log, versions, generation = [], [], [], 0
    for campaign in campaigns:
        launched = None if campaign.launched_day is None else base + campaign.launched_day * DAY
        ended = (
            None if launched is None or campaign.status == "active" else min(launched + LIFE * DAY, base + days * DAY)
        )
        created = (base + days * DAY if launched is None else launched) - DAY
        changes = [(created, "campaign.create", "draft")]
        if launched is not None:
            changes.append((launched, "campaign.launch", "active"))
        if ended is not None:
            paused = campaign.status == "paused"
            changes.append((ended, "campaign.pause" if paused else "campaign.stop", "paused" if paused else "stopped"))
        if campaign.status == "archived":
            changes.append((ended + 1, "campaign.archive", "archived"))
        updated, content = changes[-1][0], people.compact(campaign.content)
        generation += len(changes) - 1
        log += [(at, action, campaign.id) for at, action, _ in changes]
        versions += [
            (
                campaign.id,
                place + 1,
                at,
                "member:anna@example.com",
                action,
                status,
                0,
                launched if place else None,
                "",
                None,
                None if place else content,
            )
            for place, (at, action, status) in enumerate(changes)
        ]
        rows.append(
            (
                campaign.id,
                content,
                campaign.status,
                0,
                len(changes),
                0 if launched is None else generation,
                created,
                updated,
                launched,
            )
        )
    database.executemany(
        "INSERT INTO campaigns (id, content, status, withdrawn, version, generation, created_at, updated_at,"
        " launched_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )
    database.executemany(f"INSERT INTO campaign_versions VALUES ({', '.join('?' * 11)})", versions)
    insert_audit(database, sorted(log))
    database.execute("UPDATE store SET generation = generation + ? WHERE id = 1", (generation,))


def insert_audit(database, log):
    """Writes the audit log, each entry chained to the one before as the server does it."""
    rows, previous = [], b""
    for position, (at, action, subject) in enumerate(log, 1):
        entry = ("member", "anna@example.com", action, subject)
        state = hashlib.sha256(b"placard audit 1" + previous + struct.pack(">qd", position, at))
        for text in entry:
            state.update(struct.pack(">I", len(text.encode())) + text.encode())
        state.update(b"\xff" * 4)
        previous = state.digest()
        rows.append((position, at, *entry, previous))
    database.executemany(
        "INSERT INTO audit (position, at, actor_kind, actor, action, subject, hash) VALUES (?, ?, ?, ?, ?, ?, ?)", rows
    )
    database.execute(
        "UPDATE audit_chain SET last_count = ?, last_position = ?, last_hash = ?, anchor_count = 0, anchor_position ="
        " 0, anchor_hash = x''",
        (len(rows), len(rows), previous),
    )


COUNTERS = "delivered, impressions, unique_impressions, clicks, unique_clicks, dismissals, decode_errors, recipients"


def insert_counts(database, campaigns):
    """Writes what was counted; the schema's triggers sum up the days. Returns how many events were."""
    counted = 0
    for campaign in sorted(campaigns, key=lambda item: item.id):
        rows = sorted(
            (key // 2, key // 2 + key % 2, variant, counts)
            for variant, days in campaign.counts.items()
            for key, counts in days.items()
        )
        counted += sum(row[3][1] + row[3][3] + row[3][5] + row[3][6] for row in rows)
        database.executemany(
            f"INSERT INTO counts (campaign_id, utc_day, local_day, variant_id, {COUNTERS})"
            f" VALUES (?, ?, ?, ?, {', '.join('?' * 8)})",
            [(campaign.id, utc, local, variant, *counts) for utc, local, variant, counts in rows],
        )
        for variant, days in campaign.conversions.items():
            for key, (number, amount, squares, currency) in days.items():
                where = (campaign.id, key // 2, key // 2 + key % 2, variant, "bought")
                database.execute("INSERT INTO conversion_counts VALUES (?, ?, ?, ?, ?, ?, ?)", (*where, number, number))
                database.execute(
                    "INSERT INTO amount_counts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (*where, currency, number, number, f"{amount:.0f}", squares),
                )
        if "," in campaign.weights:
            for variant, days in campaign.counts.items():
                users = sum(counts[7] for counts in days.values())
                if users:
                    database.execute(
                        "INSERT INTO divisions VALUES (?, ?, ?, ?)", (campaign.id, campaign.weights, variant, users)
                    )
        for (variant, field), (count, at) in campaign.problems.items():
            database.execute(
                "INSERT INTO problems VALUES (?, ?, 'home_tile', ?, 'An integer is expected.', ?, ?)",
                (campaign.id, variant, field, count, at),
            )
    return counted


def contents(database):
    """What the server made of the prototypes, which are taken away again."""
    found = [json.loads(text) for (text,) in database.execute("SELECT content FROM campaigns ORDER BY created_at, id")]
    for table in ("campaign_versions", "campaigns", "campaign_tags", "content_names", "controls", "audit"):
        database.execute(f"DELETE FROM {table}")
    return found
