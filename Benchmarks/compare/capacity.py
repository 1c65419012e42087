"""What a node holds: how fast users come in, the rows and bytes that they take, what an event takes, how long it takes
to forget events while devices sync, what all of it takes of the memory, and how long a migration of it takes."""

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
STEPS = {
    "sqlite": ("0118-bucket-folders", "DROP TABLE bucket_folders"),
    "postgres": ("0108-folded-texts", None),
}
"""The step of the schema that is done once more on each database, and what takes it back: on SQLite one that is small
beside the copy that is made before, on PostgreSQL one that looks at every user."""

DATABASE = "capacity"
"""The name of the database on PostgreSQL."""

numbers = itertools.count()


def measure(run):
    """Measures both kinds of database, each with users of its own."""
    found = {}
    for name in ("sqlite", "postgres"):
        folder = tempfile.mkdtemp(dir=run.folder)
        is_file = name == "sqlite"
        server = servers.Placard(
            f"capacity_{name}",
            run.results["titles"][name],
            run.options.placard,
            f"sqlite:{folder}/cards.sqlite" if is_file else run.postgres.create(DATABASE),
            folder,
            None if is_file else run.postgres,
        )
        try:
            found[name] = of_server(run, server, folder, is_file)
        finally:
            server.stop()
        found[name]["migration"] = migrate(server, *STEPS[name])
        run.tell(f"{server.title}: a migration takes {found[name]['migration']['seconds']:.1f} s")
    return found


def of_server(run, server, folder, is_file):
    options, client = run.options, run.client
    found = {"users": options.capacity_users, "cards": CARDS, "idle": memory_of(server)}
    empty, crowd = size(server), data.crowd(0, options.capacity_users)
    found["imported"] = data.import_users(server, folder, crowd)
    found["user_bytes"] = (size(server) - empty) / options.capacity_users
    run.tell(f"{server.title}: {found['imported']:,.0f} users imported a second, {found['user_bytes']:.0f} bytes each")
    for number in range(CARDS):
        data.create(server, f"capacity-{number}", title=f"A card for everybody, number {number}")
        server.launch(f"capacity-{number}")
    found["first"] = first_syncs(client, server, options)
    median = sorted(one["rate"] for one in found["first"]["rounds"])[len(found["first"]["rounds"]) // 2]
    run.tell(f"{server.title}: {median:,.0f} first syncs a second, {found['first']['bytes']:.0f} bytes each")
    # Of those that are forgotten below; the log of PostgreSQL drops days as tables, and is asked for new ones.
    found["events"] = events(client, server, options, EVENT_DAYS if is_file else 0)
    log = found["events"]
    run.tell(f"{server.title}: {log['rate']:,.0f} events a second, {log['bytes']:.0f} bytes each")
    if is_file:
        over = found["forgotten"] = forget(client, server, options, log["count"])
        run.tell(f"{server.title}: {over['events']:,} events forgotten in {over['seconds']:.1f} s")
    found["busy"] = memory_of(server)
    return found


def memory_of(server):
    """Megabytes that are resident, and those of them that are of no file."""
    return {"resident": server.memory(), "own": server.own_memory()}


def path(server):
    """The file of a SQLite database."""
    return os.path.abspath(server.address.removeprefix("sqlite:"))


def ask(server, statement):
    """The numbers or texts of a statement's rows, each of which has one."""
    if server.database:
        return server.database.sql(statement, database=DATABASE)
    database = sqlite3.connect(f"file:{path(server)}?mode=ro", uri=True, timeout=60)
    try:
        return [value for (value,) in database.execute(statement)]
    finally:
        database.close()


def size(server):
    """The bytes of a database: of SQLite those in use, also those that are in its log alone."""
    if server.database:
        return int(ask(server, f"SELECT pg_database_size('{DATABASE}')")[0])
    pages, free, page = (ask(server, f"PRAGMA {name}")[0] for name in ("page_count", "freelist_count", "page_size"))
    return (pages - free) * page


def rows(server):
    """The number of rows of each table."""
    names = ask(
        server,
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
        " AND NOT relispartition"
        if server.database
        else "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    )
    return {name: int(ask(server, f'SELECT count(*) FROM "{name}"')[0]) for name in names}


def newcomers(count):
    """Users that are new to everyone, in an order that has nothing to do with their ids."""
    for number in itertools.islice(numbers, count):
        # A product by an odd number names each of 2^48 once.
        yield f"newcomer-{number * 0x9E3779B97F4B % (1 << 48):012x}"


def first_syncs(client, server, options):
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
    before, known = size(server), rows(server)
    rounds = [turn(options.newcomers) for _ in range(options.rounds)]
    users = options.rounds * options.newcomers
    added = {name: (count - known.get(name, 0)) / users for name, count in rows(server).items()}
    rate = max(1, round(sorted(one["rate"] for one in rounds)[len(rounds) // 2] / 2))
    return {
        "rounds": rounds,
        "bytes": (size(server) - before) / users,
        # Those of counts don't grow with users, and signals to other nodes are kept for a while.
        "rows": {name: round(count, 1) for name, count in added.items() if count >= 0.5 and name != "user_signals"},
        "rate": rate,
        "calm": turn(options.newcomers // 2, rate),
    }


def event_batches(server, users, count, days):
    """Batches of events of one name that devices had kept for some days."""
    then = time.time() - days * 86_400
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


def events(client, server, options, days):
    """Many events of few users, whose histories take little beside the log."""
    users = [user for user, _ in data.crowd(0, max(1, options.old_batches // 20))]
    before = size(server)
    file = client.write(event_batches(server, users, options.old_batches, days))
    try:
        found = client.run(server, file, 3600, once=True)
    finally:
        client.forget(file)
    count = found["answers"] * data.BATCH
    assert found["answers"] == options.old_batches, f"{found['answers']} of {options.old_batches} batches were answered"
    return {"count": count, "bytes": (size(server) - before) / count, "rate": found["rate"] * data.BATCH}


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


def migrate(server, step, undoing):
    """Does a step of the schema once more, and returns how long that takes: on SQLite with the copy before it."""
    found = {"step": step, "bytes": size(server)}
    table = "placard_migrations" if server.database else "grdb_migrations"
    change(server, undoing, f"DELETE FROM {table} WHERE identifier = '{step}'")
    start = time.monotonic()
    done = json.loads(server.run("migrate", "--json"))
    found["seconds"] = time.monotonic() - start
    assert done["applied"] == [step], f"{server.name}: {done['applied']} were applied, and not {step}"
    if done["copy"]:
        os.remove(done["copy"])
    return found


def change(server, *statements):
    """Runs statements on the database of a server that is stopped."""
    text = "; ".join(statement for statement in statements if statement)
    if server.database:
        server.database.sql(text, database=DATABASE)
        return
    database = sqlite3.connect(path(server), timeout=60, isolation_level=None)
    try:
        database.executescript(text)
    finally:
        database.close()
