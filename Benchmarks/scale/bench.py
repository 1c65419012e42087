#!/usr/bin/env python3
"""Prints how long every page of the dashboard, and what devices ask for, take on the database of `generate.py`.

usage: bench.py PLACARD FOLDER [--scale SHARE] [--rounds N] [--all-active]

What is measured changes a handful of the file's rows. Ends with status 1 where the median of a page is above 300 ms.
With --all-active every campaign that was ever launched is active: the most that a sync can be asked to look at.
"""

import argparse
import http.client
import os
import random
import sqlite3
import subprocess
import sys
import time
import uuid

from browser import Browser
from server import Server, size
from measured_pages import pages
from table import Table

LIMIT = 0.3


class Sample:
    """Rows of the database that the pages are about."""

    def __init__(self, path):
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

        def one(sql, *arguments):
            row = database.execute(sql, arguments).fetchone()
            return row and row[0]

        active = (
            "SELECT id FROM campaigns WHERE status = 'active' AND launched_at = (SELECT min(launched_at) FROM"
            " campaigns)"
        )
        self.users = one("SELECT user_count FROM store")
        self.events = one("SELECT max(position) FROM events")
        self.campaigns = one("SELECT count(*) FROM campaigns")
        self.active = one("SELECT count(*) FROM campaigns WHERE status = 'active'")
        self.large = one(active + " AND content LIKE '%control\":true%' LIMIT 1") or one(active + " LIMIT 1")
        self.three = one(active + " AND name LIKE 'Three%' LIMIT 1") or self.large
        self.old = one("SELECT id FROM campaigns WHERE status = 'archived' ORDER BY launched_at LIMIT 1")
        self.drafts = {
            what: (
                one("SELECT id FROM campaigns WHERE status = 'draft' AND name LIKE ? LIMIT 1", name + "%")
                or one("SELECT id FROM campaigns WHERE status = 'draft' LIMIT 1")
            )
            for what, name in (
                ("everybody", "Weekend"),
                ("an attribute", "Banner"),
                ("a history", "Come back"),
                ("a segment and a history", "Regulars"),
            )
        }
        self.segment = one("SELECT id FROM segments LIMIT 1")
        self.tag = one("SELECT tag FROM campaign_tags LIMIT 1")
        self.pictures = one("SELECT count(*) FROM media")
        self.picture = one("SELECT id FROM media WHERE name = 'logo.png'")
        self.audit = one("SELECT max(position) FROM audit")
        database.close()


def measure_pages(server, table, sample):
    browser = Browser(server.port)
    browser.sign_in("anna@example.com", "a long password")

    def page(path, method="GET", form=None):
        def ask():
            status, text, seconds = browser.request(method, path, form() if form else None)
            # There is nothing to resume, which is a page as well.
            if status not in (200, 303) and not (status == 404 and path == "/dashboard/resume"):
                sys.exit(f"{method} {path} was answered with {status}: {text[:300]}")
            return seconds, text

        return ask

    for name in ("bench-block", *(f"block-{number}" for number in range(50))):
        text = {"content": "Until Sunday, {{${first_name}}}. " * 20, "description": "Below each offer"}
        server.call("PUT", f"/v1/content-blocks/{name}", text)
    table.title("Pages of the dashboard")
    for _, name, path in pages(sample):
        table.measure(name, page(path), LIMIT)

    table.title("What pages ask for while a member types")
    draft = sample.drafts["a history"]
    fields = browser.form(f"/dashboard/campaigns/{draft}/edit")
    segment = browser.form(f"/dashboard/segments/{sample.segment}")
    csrf = dict(fields)["csrf"]

    def form(base, **more):
        return lambda: (
            [field for field in base if field[0] not in more and field[0] != "csrf"]
            + [("csrf", csrf)]
            + list(more.items())
        )

    table.measure(
        "editor, reach of a history", page("/dashboard/campaigns/reshape", "POST", form(fields, do="reach")), LIMIT
    )
    table.measure(
        "editor, check, with the reach of a history", page("/dashboard/campaigns/check", "POST", form(fields)), LIMIT
    )
    table.measure(
        "editor, preview for a user",
        page("/dashboard/campaigns/preview", "POST", form(fields, preview_user="user-0000001")),
        LIMIT,
    )
    block = [("c.name", "bench-block"), ("c.content", "Until {{${first_name}}}"), ("preview_user", "user-0000001")]
    for what in ("check", "preview"):
        address = f"/dashboard/content-blocks/{what}"
        table.measure(f"content block, {what}", page(address, "POST", form(block)), LIMIT)
    table.measure("segment, reach", page("/dashboard/segments/reshape", "POST", form(segment, do="reach")), LIMIT)
    return browser


def timed(call):
    def ask():
        start = time.perf_counter()
        call()
        return time.perf_counter() - start, None

    return ask


def measure_work(server, table, sample):
    """What changes campaigns, and what the management API reads for programs."""
    table.title("Changes, until they are answered")
    places = iter(range(10_000))
    made, run_id = [], os.getpid()

    def create():
        made.append(f"bench-{run_id}-{next(places)}")
        server.call(
            "POST",
            "/v1/campaigns",
            {
                "id": made[-1],
                "name": made[-1],
                "audience": {"attribute": "plan", "value": "pro"},
                "variants": [{"card": {"type": "classic", "title": "Launched", "description": "Now."}}],
            },
        )

    todo = {what: iter(made) for what in ("launch", "pause", "stop", "archive")}
    table.measure("make a draft", timed(create))
    for what in todo:
        table.measure(what, timed(lambda: server.call("POST", f"/v1/campaigns/{next(todo[what])}/{what}")))

    table.title("Management API")
    user = f"user-{sample.users // 3:07}"
    for name, method, path, body in (
        ("campaigns, 1,000 of them", "GET", "/v1/campaigns?limit=1000", None),
        ("report", "GET", f"/v1/campaigns/{sample.large}/report", None),
        ("explain one campaign", "GET", f"/v1/users/{user}/explain?campaign_id={sample.large}", None),
        ("explain every campaign", "GET", f"/v1/users/{user}/explain", None),
        ("reach, an attribute", "POST", "/v1/audience/reach", {"audience": {"attribute": "plan", "value": "pro"}}),
        (
            "reach, a history",
            "POST",
            "/v1/audience/reach",
            {"audience": {"event": {"name": "added_to_cart", "within_days": 7}}},
        ),
        (
            "reach, had to do with a campaign",
            "POST",
            "/v1/audience/reach",
            {"audience": {"campaign": {"id": sample.large, "contact": "clicked"}}},
        ),
        ("events of a user", "GET", f"/v1/users/{user}/events?limit=1000", None),
    ):
        table.measure(name, timed(lambda: server.call(method, path, body)))


def measure_devices(server, table, sample):
    table.title("Devices")
    chance = random.Random(3)
    place = chance.randrange(sample.users)

    def sync(user, **more):
        body = {
            "user_id": user,
            "device_id": "bench",
            "locale": "ja-JP",
            "time_zone": "Asia/Tokyo",
            "app_version": "3.3",
            **more,
        }
        start = time.perf_counter()
        answer = server.call("POST", "/v1/sync", body, key="publishable")
        return time.perf_counter() - start, answer

    def random_user():
        number = chance.randrange(sample.users)
        return f"お客様-{number:07}" if number % 100 == 7 else f"user-{number:07}"

    sync("user-0000001")
    table.measure("sync, a user who was away: new cards", lambda: sync(random_user()))
    table.measure("sync, a new user", lambda: sync(f"new-{chance.getrandbits(60)}"))
    cursor = sync("user-0000001")[1]["cursor"]
    table.measure("sync, everything again", lambda: sync("user-0000001"))
    table.measure("sync, nothing new", lambda: sync("user-0000001", cursor=cursor))
    cards = sync("user-0000001")[1]["cards"]

    def act():
        events = [
            {
                "id": str(uuid.uuid4()),
                "type": "impression",
                "at": time.time() - 1,
                "card_id": cards[n % len(cards)]["id"],
            }
            for n in range(20)
        ]
        seconds, answer = sync("user-0000001", cursor=cursor, events=events)
        if answer["events"]["accepted"] != 20:
            sys.exit(f"events were refused: {answer['events']}")
        return seconds, None

    table.measure("sync with 20 impressions", act)


def measure_export(server, sample):
    """How long until an export begins, and how fast it goes on."""
    for name, query in (
        ("all events", ""),
        ("a campaign long over", f"&campaign_id={sample.old}"),
        ("decode errors", "&type=content_error"),
    ):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)
        start = time.perf_counter()
        connection.request(
            "GET", f"/v1/events/export?after=0{query}", headers={"Authorization": f"Bearer {server.key('secret')}"}
        )
        answer = connection.getresponse()
        head = time.perf_counter() - start
        lines, end = 0, time.perf_counter() + 3
        while time.perf_counter() < end and (part := answer.read1(1 << 16)):
            lines += part.count(b"\n")
        first = time.perf_counter() - start
        print(f"export, {name:<43}{head * 1000:9.1f} ms to its head; {lines:,} lines in {first:.1f} s", flush=True)
        connection.close()


def measure_commands(placard, path, folder):
    print("\nCommands")
    copy = os.path.join(folder, "backup.sqlite")
    for name, arguments in (("doctor", ("doctor",)), ("backup", ("backup", copy))):
        start = time.perf_counter()
        result = subprocess.run([placard, *arguments, "--database", f"sqlite:{path}"], capture_output=True, text=True)
        print(f"{name:<52}{time.perf_counter() - start:9.1f} s  status {result.returncode}", flush=True)
        if result.returncode:
            print(result.stdout + result.stderr)
    if os.path.exists(copy):
        os.remove(copy)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("placard")
    parser.add_argument("folder")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--all-active", action="store_true")
    parser.add_argument("--commands", action="store_true", help="also times `doctor` and `backup`, which take minutes")
    options = parser.parse_args()
    path = os.path.join(options.folder, f"scale-{options.scale:g}.sqlite")
    sample = Sample(path)
    if options.all_active:
        set_active(path, True)
    try:
        sys.exit(measure(options, path, sample))
    finally:
        if options.all_active:
            set_active(path, False)


def set_active(path, is_active):
    """Makes every campaign active, or what it was before; the server is not running."""
    database = sqlite3.connect(path)
    if is_active:
        database.execute("CREATE TABLE IF NOT EXISTS former (id TEXT PRIMARY KEY, status TEXT)")
        database.execute("INSERT OR IGNORE INTO former SELECT id, status FROM campaigns WHERE launched_at IS NOT NULL")
        database.execute("UPDATE campaigns SET status = 'active', version = version + 1 WHERE launched_at IS NOT NULL")
    else:
        database.execute(
            "UPDATE campaigns SET status = former.status, version = version + 1 FROM former WHERE former.id ="
            " campaigns.id"
        )
        database.execute("DROP TABLE former")
    database.execute("UPDATE store SET generation = generation + 1")
    database.commit()
    database.close()


def measure(options, path, sample):
    active = "every one that was launched" if options.all_active else f"{sample.active:,}"
    print(
        f"{sample.users:,} users, {sample.campaigns:,} campaigns ({active} active), "
        f"{sample.events:,} events in the log, {size(path) / 1e9:.1f} GB"
    )
    with Server(options.placard, path) as server:
        table = Table(server, options.rounds)
        for kind in ("secret", "publishable"):
            server.key(kind)
        print(f"started in {server.start_seconds:.1f} s, {server.memory()[0]:.0f} MB")
        measure_pages(server, table, sample)
        measure_work(server, table, sample)
        measure_devices(server, table, sample)
        measure_export(server, sample)
        now, most = server.memory()
        print(f"memory after all that: {now:.0f} MB, at most {most:.0f} MB")
    print(f"stopped in {server.stop_seconds:.1f} s")
    if options.commands:
        measure_commands(options.placard, path, options.folder)
    if table.slow:
        print(f"\nabove {LIMIT * 1000:.0f} ms: {', '.join(table.slow)}")
    return 1 if table.slow else 0


if __name__ == "__main__":
    main()
