"""The page on what a node holds: each figure in it is of the results that it is made from."""

import statistics

from . import data, figures
from .rate_sections import milliseconds, table

STREAMS = 20_000
"""What `--max-live-streams` allows by default."""
MILLION = 1_000_000


def page(results):
    """The page, or nothing where that stage was never measured."""
    if "capacity" not in results:
        return None
    machine, found = results["machine"], results["capacity"]
    kind = "virtual machine" if machine["virtual"] else "machine"
    beside = statistics.median(results["busy"] or [0])
    rows = [*users(results, found), *syncs(results), *events(results, found), *streams(results)]
    return f"""# Capacity

What one node holds, measured by `make bench` on {results["date"]}: a {kind} with {machine["cores"]} processors
({machine["processor"]}) and {machine["gigabytes"]} GB, {machine["system"]}, on which the client and PostgreSQL take
their share of these processors. Other programs took {beside:.0%} of them. Measure your own before you rely on it: a
disk that writes fast counts for more than processors.

{table(["", "measured", "so"], rows, 3)}
SQLite's bytes are those of pages in use, indexes included. New users had {found["sqlite"]["cards"]} cards each, beside
{found["sqlite"]["users"]:,} users that were imported before. Events were forgotten by `placard prune`, while devices
synced. How long a migration takes, `placard migrate --dry-run` says for your database.
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
    file = found["sqlite"]
    for name, one in found.items():
        title = results["titles"][name]
        yield [
            f"users from a file, {title}",
            f"{one['imported']:,.0f} a second",
            f"a million take {duration(MILLION / one['imported'])}",
        ]
    yield ["a user who was imported", size(file["user_bytes"]), f"a million take {size(file['user_bytes'] * MILLION)}"]
    for name, one in found.items():
        first = one["first"]
        rate, effort = figures.median(first["rounds"], "rate"), figures.effort(first["rounds"])
        yield [
            f"first syncs, {results['titles'][name]}",
            f"{rate:,.0f} a second, {effort:.0f} µs of a processor",
            f"at {first['rate']:,} a second {latencies(first['calm'])}",
        ]
    added = file["first"]["bytes"]
    yield [
        f"a user who came by a first sync, with {file['cards']} cards",
        size(added),
        f"a million take {size(added * MILLION)}",
    ]


def syncs(results):
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
    log, forgotten = found["sqlite"]["events"], found["sqlite"]["forgotten"]
    yield [
        f"events in batches of {data.BATCH}, Placard, SQLite",
        f"{log['rate']:,.0f} a second",
        f"a million take {duration(MILLION / log['rate'])}",
    ]
    yield [
        "an event in the log",
        size(log["bytes"]),
        f"a million a day, kept for 31 days, take {size(log['bytes'] * MILLION * 31)}",
    ]
    yield [
        f"forgetting {forgotten['events']:,} events",
        duration(forgotten["seconds"]),
        f"{forgotten['rate']} syncs a second beside it: {latencies(forgotten)}",
    ]


def streams(results):
    for name in ("sqlite", "postgres"):
        one = results.get("live", {}).get(name)
        if one:
            yield [
                f"a live stream, {results['titles'][name]}",
                f"{one['kilobytes']:.0f} KB of memory",
                f"the {STREAMS:,} that `--max-live-streams` allows take {size(one['kilobytes'] * 1024 * STREAMS)}",
            ]
