"""The page on what a node holds: each figure in it is of the results that it is made from."""

import statistics

from . import data, figures
from .rate_sections import milliseconds, table

STREAMS = 20_000
"""What `--max-live-streams` allows by default."""
MILLION = 1_000_000


UNMEASURED = """# Capacity

What one node holds: how fast users come in, the rows and bytes that they and their events take, how long it takes to
forget events, the memory that all of it takes, and how long a migration takes.

**No figures are published yet.** `make bench ARGS="--only capacity --publish"` measures them, and writes them here;
with `--short` it takes a few minutes, and without `--publish` the page goes to `.build/benchmarks/report/capacity.md`.
What was measured part by part is in [Scale](scale.md).
"""
"""The page of a repository in which that stage was never measured."""


def page(results):
    """The page, or nothing where that stage was never measured."""
    machine, found = results["machine"], results.get("capacity")
    # Results of before have no migrations.
    if not found or "migration" not in found["sqlite"]:
        return None
    kind = "virtual machine" if machine["virtual"] else "machine"
    beside = statistics.median(results["busy"] or [0])
    parts = (users, syncs, events, streams, memory, migrations)
    rows = [row for part in parts for row in part(results, found)]
    return f"""# Capacity

What one node holds, measured by `make bench ARGS="--only capacity --publish"` on {results["date"]}: a {kind} with
{machine["cores"]} processors ({machine["processor"]}) and {machine["gigabytes"]} GB, {machine["system"]}, on which the
client and PostgreSQL take their share of these processors. Other programs took {beside:.0%} of them. Measure your own
before you rely on it: a disk that writes fast counts for more than processors.

{table(["", "measured", "so"], rows, 3)}
SQLite's bytes are those of pages in use, and PostgreSQL's those of the whole database, indexes included in both. New
users had {found["sqlite"]["cards"]} cards each, beside {found["sqlite"]["users"]:,} users that were imported before.
Events were forgotten by `placard prune`, while devices synced; PostgreSQL drops days as tables. A step of the schema
was done once more: on SQLite most of its time is the copy that is made before, on PostgreSQL it looks at every user.
`placard migrate --dry-run` says what a migration of your database takes.
"""


def size(count):
    """A number of bytes as people say it."""
    for unit, one in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if count >= one:
            return f"{count / one:.1f} {unit}"
    return f"{count:.0f} bytes"


def duration(seconds):
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"


def latencies(run):
    return f"p50 {milliseconds(run['p50'])}, p99 {milliseconds(run['p99'])}"


def users(results, found):
    for name, one in found.items():
        title = results["titles"][name]
        yield [
            f"users from a file, {title}",
            f"{one['imported']:,.0f} a second",
            f"a million take {duration(MILLION / one['imported'])}",
        ]
        yield [
            f"a user who was imported, {title}",
            size(one["user_bytes"]),
            f"a million take {size(one['user_bytes'] * MILLION)}",
        ]
    for name, one in found.items():
        title, first = results["titles"][name], one["first"]
        rate, effort = figures.median(first["rounds"], "rate"), figures.effort(first["rounds"])
        yield [
            f"first syncs, {title}",
            f"{rate:,.0f} a second, {effort:.0f} µs of a processor",
            f"at {first['rate']:,} a second {latencies(first['calm'])}",
        ]
        yield [
            f"a user who came by a first sync, with {one['cards']} cards, {title}",
            f"{size(first['bytes'])}, {row_count(first['rows'])}",
            f"a million take {size(first['bytes'] * MILLION)}",
        ]


def row_count(rows):
    """Rows by table, those with most of them first."""
    ordered = sorted(rows.items(), key=lambda row: (-row[1], row[0]))
    of = ", ".join(f"{count:g} of `{name}`" for name, count in ordered)
    return f"{sum(rows.values()):g} rows: {of}"


def syncs(results, found):
    for one in results.get("rates", []):
        if one["name"] not in ("unchanged", "ten", "fifty"):
            continue
        for name in ("sqlite", "postgres"):
            effort = figures.effort(one["saturated"][name])
            yield [
                f"{one['title']}, {results['titles'][name]}",
                f"{effort:.0f} µs of a processor",
                f"half of one answers {MILLION / 2 / effort:,.0f} a second",
            ]


def events(results, found):
    for name, one in found.items():
        title, log = results["titles"][name], one["events"]
        yield [
            f"events in batches of {data.BATCH}, {title}",
            f"{log['rate']:,.0f} a second",
            f"a million take {duration(MILLION / log['rate'])}",
        ]
        yield [
            f"an event in the log, {title}",
            size(log["bytes"]),
            f"a million a day, kept for 31 days, take {size(log['bytes'] * MILLION * 31)}",
        ]
    forgotten = found["sqlite"]["forgotten"]
    yield [
        f"forgetting {forgotten['events']:,} events, {results['titles']['sqlite']}",
        duration(forgotten["seconds"]),
        f"{forgotten['rate']} syncs a second beside it: {latencies(forgotten)}",
    ]


def streams(results, found):
    for name in ("sqlite", "postgres"):
        one = results.get("live", {}).get(name)
        if one:
            yield [
                f"a live stream, {results['titles'][name]}",
                f"{one['kilobytes']:.0f} KB of memory",
                f"the {STREAMS:,} that `--max-live-streams` allows take {size(one['kilobytes'] * 1024 * STREAMS)}",
            ]


def memory(results, found):
    for name, one in found.items():
        idle, busy = one["idle"], one["busy"]
        yield [
            f"memory of the process, {results['titles'][name]}",
            f"{idle['resident']:.0f} MB after the start, {busy['resident']:.0f} MB after all of this",
            f"{idle['own']:.0f} MB and {busy['own']:.0f} MB of these are of no file",
        ]


def migrations(results, found):
    for name, one in found.items():
        step = one["migration"]
        rate = step["bytes"] / max(step["seconds"], 0.001)
        yield [
            f"a migration of {size(step['bytes'])}, {results['titles'][name]}",
            f"{step['seconds']:.1f} s",
            f"a database of 100 GB takes {duration(100e9 / rate)}",
        ]
