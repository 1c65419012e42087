"""What a node holds: how fast users come in and what they take of a disk, what an event takes, and how long it takes to
forget events while devices sync."""

import itertools
import json
import os
import sqlite3
import tempfile
import threading
import time

from . import data, load, servers

CARDS = 10
"""The cards that a new user is given."""
RATE = 500
"""Syncs a second while events are forgotten."""
KEPT_DAYS = 31
"""The fewest days for which the settings keep events."""
EVENT_DAYS = 60
"""How old the events are that are forgotten."""

numbers = itertools.count()


def measure(run):
    """Measures both kinds of database, each filled anew; what is about a file, of SQLite alone."""
    found = {}
    for name in ("sqlite", "postgres"):
        folder = tempfile.mkdtemp(dir=run.folder)
        is_file = name == "sqlite"
        server = servers.Placard(
            f"capacity_{name}",
            run.results["titles"][name],
            run.options.placard,
            f"sqlite:{folder}/cards.sqlite" if is_file else run.postgres.create("capacity"),
            folder,
            None if is_file else run.postgres,
        )
        try:
            found[name] = of_server(run, server, folder, is_file)
        finally:
            server.stop()
    return found


def of_server(run, server, folder, is_file):
    options, client = run.options, run.client
    size = (lambda: file_bytes(server)) if is_file else (lambda: 0)
    found, empty = {"users": options.capacity_users, "cards": CARDS}, size()
    crowd = data.crowd(0, options.capacity_users)
    found["imported"] = data.import_users(server, folder, crowd)
    found["user_bytes"] = (size() - empty) / options.capacity_users
    run.tell(f"{server.title}: {found['imported']:,.0f} users imported a second, {found['user_bytes']:.0f} bytes each")
    for number in range(CARDS):
        data.create(server, f"capacity-{number}", title=f"A card for everybody, number {number}")
        server.launch(f"capacity-{number}")
    found["first"] = first_syncs(client, server, options, size)
    median = sorted(one["rate"] for one in found["first"]["rounds"])[len(found["first"]["rounds"]) // 2]
    run.tell(f"{server.title}: {median:,.0f} first syncs a second, {found['first']['bytes']:.0f} bytes each")
    if is_file:
        found["events"] = events(client, server, options, size)
        found["forgotten"] = forget(client, server, options, found["events"]["count"])
        run.tell(
            f"{server.title}: {found['events']['bytes']:.0f} bytes an event; {found['forgotten']['events']:,} forgotten"
            f" in {found['forgotten']['seconds']:.1f} s"
        )
    return found


def path(server):
    """The file of a SQLite database."""
    return os.path.abspath(server.address.removeprefix("sqlite:"))


def file_bytes(server):
    """The bytes of a SQLite database that are in use, also those that are in its log alone."""
    database = sqlite3.connect(f"file:{path(server)}?mode=ro", uri=True, timeout=60)
    try:
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        (free,) = database.execute("PRAGMA freelist_count").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    finally:
        database.close()
    return (pages - free) * size


def newcomers(count):
    """Users whom nobody knows yet, in an order that has nothing to do with their ids."""
    for number in itertools.islice(numbers, count):
        # A product by an odd number names each of 2^48 once.
        yield f"newcomer-{number * 0x9E3779B97F4B % (1 << 48):012x}"


def first_syncs(client, server, options, size):
    """First syncs of new users, as fast as 64 connections are answered, and at half of that."""

    def turn(count, rate=0):
        file = client.write(data.whole(server, newcomers(count)))
        try:
            # It ends when each request was sent once.
            found = client.run(server, file, 600, rate, True)
        finally:
            client.forget(file)
        assert found["answers"] == count, f"{server.name}: {found['answers']} of {count} first syncs were answered"
        return found

    turn(options.newcomers // 10)
    before = size()
    rounds = [turn(options.newcomers) for _ in range(options.rounds)]
    added = (size() - before) / (options.rounds * options.newcomers)
    rate = max(1, round(sorted(one["rate"] for one in rounds)[len(rounds) // 2] / 2))
    return {"rounds": rounds, "bytes": added, "rate": rate, "calm": turn(options.newcomers // 2, rate)}


def old_batches(server, users, count):
    """Batches of events of one name that devices had kept for months."""
    then = time.time() - EVENT_DAYS * 86_400
    stamp = f"{int(then * 1000):012x}"
    for number in range(count):
        events = ",".join(
            '{"id":"%s-%s-7%03x-8%03x-%012x","type":"custom","name":"opened","at":%d}'
            % (stamp[:8], stamp[8:], place, place, number, then)
            for place in range(data.BATCH)
        )
        yield load.request(
            server.key,
            "POST",
            "/v1/events",
            f'{{"user_id":"{users[number % len(users)]}","device_id":"d","events":[{events}]}}',
        )


def events(client, server, options, size):
    """Many events of few users, whose histories take little beside the log."""
    users = [user for user, _ in data.crowd(0, max(1, options.old_batches // 20))]
    before = size()
    file = client.write(old_batches(server, users, options.old_batches))
    try:
        found = client.run(server, file, 3600, once=True)
    finally:
        client.forget(file)
    count = found["answers"] * data.BATCH
    assert found["answers"] == options.old_batches, f"{found['answers']} of {options.old_batches} batches were answered"
    return {"count": count, "bytes": (size() - before) / count, "rate": found["rate"] * data.BATCH}


def grow_old(server):
    """Has the events look as if they had come when they happened: only such are forgotten."""
    database = sqlite3.connect(path(server), timeout=60, isolation_level=None)
    try:
        database.execute("UPDATE events SET received_at = at")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        database.close()


def forget(client, server, options, count):
    """Forgets events while devices sync, and returns how long that took and what devices waited."""
    grow_old(server)
    server.call("PATCH", "/v1/settings", {"event_days": KEPT_DAYS})
    users = [user for user, _ in data.crowd(0, min(options.capacity_users, 1_000))]
    file, syncs = client.write(data.unchanged(server, data.sync_all(server, users))), {}

    def sync():
        syncs.update(client.run(server, file, options.prune_seconds, RATE))

    beside = threading.Thread(target=sync)
    beside.start()
    time.sleep(0.5)
    start = time.monotonic()
    pruned = json.loads(server.run("prune", "--json"))["pruned"]
    seconds = time.monotonic() - start
    beside.join()
    client.forget(file)
    assert pruned == count, f"{pruned} of {count} events were forgotten"
    assert syncs, "the client that syncs beside it ended"
    return {"events": pruned, "seconds": seconds, "rate": RATE, "p50": syncs["p50"], "p99": syncs["p99"]}
