"""What the report says, stage by stage."""

import statistics

from . import figures, fleet, plots
from .rate_sections import ORDER, milliseconds, of_launches, of_rates, table


def all_of(results, picture):
    """The parts of the report, in their order."""
    yield introduction(results)
    for name, write in (
        ("rates", of_rates),
        ("users", of_launches),
        ("live", of_live),
        ("fleet", of_fleet),
        ("users", of_pages),
        ("users", of_users),
        ("campaigns", of_campaigns),
        ("cards", of_cards),
    ):
        if name in results:
            yield from write(results, picture)
    yield memory(results)
    yield METHOD


def introduction(results):
    machine, options = results["machine"], results["options"]
    versions = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    beside = statistics.median(results["busy"] or [0])
    caution = (
        ""
        if beside < 0.2
        else (
            "\n**Taken beside other work.** Builds and tests had most of the machine while this was measured. Requests"
            " a second and latencies are those of a busy machine, where a server that waits for another process, such"
            " as PostgreSQL, waits longer; processor time is more than on a quiet one, too. Compare columns, not"
            " numbers.\n"
        )
    )
    kind = "virtual machine" if machine["virtual"] else "machine"
    return f"""# Benchmarks

Placard beside nginx, which serves a static file of 2 KB, and beside what a team would write instead: the same
endpoints over the same rows by FastAPI with asyncpg, and by Node with pg
([`Benchmarks/peers`](../Benchmarks/peers/README.md)). `make bench` measures all of it on your machine and writes this
report; `make bench ARGS=--short` takes five minutes.

Absolute numbers are of one machine, and most of what a machine costs you is in them. **Ratios** are taken between
turns that stand side by side, and hold on others.

Measured on {results["date"]} on a {kind} with {machine["cores"]} processors ({machine["processor"]}) and
{machine["gigabytes"]} GB, {machine["system"]}, where the client, the servers and PostgreSQL
share these processors. Other programs took {beside:.0%} of them while nothing was measured (the median of
{len(results["busy"])} looks). {options["rounds"]} rounds of {options["seconds"]} seconds each. {versions}.
{caution}"""


def of_live(results, picture):
    titles, found = results["titles"], results["live"]
    count = next(iter(found.values()))["streams"]
    yield f"## A launch on {count:,} open streams\n"
    yield (
        "From asking for the launch until a stream has the event, read by one client for all streams, on the same"
        " processors. Of the peers, launches that reach no user and write no card.\n"
    )
    yield table(
        ["", "half of the streams", "99 %", "the last", "memory of a stream"],
        [
            [
                titles[name],
                *(milliseconds(figures.told(one, share)) for share in (0.5, 0.99, 1)),
                f"{one['kilobytes']:.0f} KB",
            ]
            for name, one in found.items()
        ],
    )
    curves = {
        titles[name]: [statistics.median(round_["times"][place] for round_ in one["rounds"]) for place in range(201)]
        for name, one in found.items()
    }
    yield picture(
        "streams",
        plots.distribution(
            f"Streams that were told of a launch, of {count:,}, in %",
            "milliseconds after the launch was asked for",
            curves,
        ),
        "How many of the streams were told of a launch after how many milliseconds",
    )


def of_fleet(results, picture):
    found = results["fleet"]
    titles = {"notify": "NOTIFY", "polling": "polling, through pgbouncer"}
    count = len(next(iter(found.values())))
    yield f"## {count:,} launches on three nodes\n"
    yield (
        f"From asking one node for a launch until the last of {2 * fleet.STREAMS} clients of the two others was told."
        " Through pgbouncer in transaction mode nothing can be announced, and nodes look for changes four times a"
        " second.\n"
    )
    yield table(
        ["", "p50", "p90", "p99", "worst"],
        [
            [titles[name], *(milliseconds(figures.quantile(values, share)) for share in (0.5, 0.9, 0.99, 1))]
            for name, values in found.items()
        ],
    )
    yield picture(
        "nodes",
        plots.distribution(
            "Launches of which clients of other nodes knew, in %",
            "milliseconds after the launch was asked for",
            {titles[name]: sorted(values) for name, values in found.items()},
        ),
        "After how many milliseconds clients of other nodes knew of a launch",
    )


def of_pages(results, picture):
    titles, last = results["titles"], results["users"][-1]
    names = [name for name in ("sqlite", "postgres") if name in last["servers"]]
    nginx = figures.median(results["rates"][0]["saturated"]["nginx"], "rate") if "rates" in results else None
    yield f"## Pages of the dashboard, with {last['users']:,} users\n"
    yield "Four members ask for the same page again and again.\n"
    rows = []
    for page in last["servers"][names[0]]["pages"]:
        for name in names:
            one = last["servers"][name]["pages"][page]
            rows.append(
                [
                    page,
                    titles[name],
                    f"{one['bytes'] / 1000:.0f} KB",
                    f"{one['rate']:,.0f}",
                    f"{one['rate'] / nginx:.3f}" if nginx else "",
                    milliseconds(one["p50"]),
                    milliseconds(one["p99"]),
                    f"{(one['cpu'] + one['database_cpu']) / 1000:.1f} ms",
                ]
            )
    yield table(["", "", "page", "a second", "of nginx", "p50", "p99", "processor"], rows, 2)


def of_users(results, picture):
    titles, steps = results["titles"], results["users"]
    names = [name for name in ("sqlite", "postgres") if name in steps[0]["servers"]]
    yield "## More users\n"
    yield "Microseconds of processor time for a sync, PostgreSQL's with it, and its latency at 500 a second.\n"
    rows = [
        [
            f"{step['users']:,}",
            titles[name],
            *costs(step["servers"][name]),
            f"{step['servers'][name]['memory']:.0f} MB",
            f"{step['servers'][name]['imported']:,.0f}/s",
        ]
        for step in steps
        for name in names
    ]
    yield table(["users", "", *COSTS, "memory", "import"], rows, 2)
    yield picture(
        "users",
        plots.lines(
            "Processor time of a sync, by users",
            "users → microseconds",
            {
                f"{what[1]}, {titles[name].removeprefix('Placard, ')}": [
                    (step["users"], step["servers"][name][what[0]]["cpu"]) for step in steps
                ]
                for what in (("unchanged", "nothing changed"), ("ten", "ten cards"))
                for name in names
            },
        ),
        "Processor time of a sync by the number of users",
    )


COSTS = ["nothing changed", "p50", "p99", "ten cards", "p50", "p99"]


def costs(step):
    found = []
    for what in ("unchanged", "ten"):
        found += [f"{step[what]['cpu']:.0f} µs", milliseconds(step[what]["p50"]), milliseconds(step[what]["p99"])]
    return found


def of_campaigns(results, picture):
    titles, found = results["titles"], results["campaigns"]
    kinds = {"attribute": "an attribute", "history": "a history"}
    yield "## More campaigns that don't match\n"
    yield (
        "Active campaigns that are for others. One whose audience requires a value of an attribute is found by that"
        " value, and costs nobody else anything; one whose audience is about a history (who did something within seven"
        " days) is looked at by each sync of which the answer isn't known.\n"
    )
    rows, curves = [], {}
    for key, steps in found.items():
        kind, _, name = key.partition(" ")
        for step in steps:
            rows.append([f"{step['campaigns']:,}", kinds[kind], titles[name], *costs(step)])
        curves[f"{kinds[kind]}, {titles[name].removeprefix('Placard, ')}"] = [
            (step["campaigns"], step["ten"]["cpu"]) for step in steps
        ]
    yield table(["campaigns", "audience", "", *COSTS], rows, 3)
    yield picture(
        "campaigns",
        plots.lines(
            "Processor time of a sync with ten cards, by campaigns that don't match", "campaigns → microseconds", curves
        ),
        "Processor time of a sync by the number of campaigns that don't match",
    )


def of_cards(results, picture):
    titles, steps = results["titles"], results["cards"]
    names = [name for name in ORDER if name in steps[0]["servers"]]
    yield "## More cards\n"
    yield "Microseconds of processor time for a sync that sends the feed as a whole, PostgreSQL's with it.\n"
    rows = [
        [
            str(step["cards"]),
            *(f"{step['servers'][name]['cpu']:.0f} µs" for name in names),
            f"{step['servers'][names[0]]['bytes'] / 1000:.1f} KB",
        ]
        for step in steps
    ]
    yield table(["cards", *(titles[name] for name in names), "answer"], rows)
    yield picture(
        "cards",
        plots.lines(
            "Processor time of a sync, by its cards",
            "cards → microseconds, PostgreSQL's with it",
            {titles[name]: [(step["cards"], step["servers"][name]["cpu"]) for step in steps] for name in names},
            is_logarithmic=False,
        ),
        "Processor time of a sync by the number of its cards",
    )


def memory(results):
    titles, idle = results.get("titles", {}), results["idle"]
    own = results.get("own", {})
    rows = [
        [titles.get(name, name), f"{megabytes:.0f} MB", f"{own[name]:.0f} MB" if name in own else "–"]
        for name, megabytes in idle.items()
    ]
    return (
        "## Memory\n\nResident memory after the start, before the first request; of programs with several processes"
        " their sum, where shared pages count once. *Its own* is what is in no file: the rest is of the program and its"
        " libraries, which the system reads again where it needs the room. What a stream adds and what users add stands"
        " above.\n\n" + table(["", "idle", "its own"], rows)
    )


METHOD = """## How it is measured, and what it doesn't say

- **Turns.** In each round every server is measured once, one after the other, while the others are idle. A ratio is
  taken within a round; what is shown is the median over rounds.
- **One machine.** The client takes part of the processors that it measures. It is one thread that allocates nothing
  while it runs, and takes the same from all. A network, TLS and a
  database at a distance cost extra, and cost all servers alike. A server that waits for PostgreSQL waits for a
  neighbour here.
- **Processor time** is the most robust of the numbers: it counts what a request takes, of the server and of
  PostgreSQL, whoever else runs.
- **nginx** has one worker, which with the client fills two processors. **Peers** have a process for each processor.
  They do less than Placard does: no audiences,
  templates, counts or limits. Placard's own limits are set to what can't be reached, since all requests come from one
  address.
- **Durable.** SQLite and PostgreSQL wait for the disk at each commit (`synchronous=FULL`, `fsync=on`). How long a
  disk takes, and whether a virtual one says the truth, decides about events more than the server
  does. PostgreSQL is as installed, with 1 GB of shared buffers.
- **Warm.** Users sync again and again here, so their rows are in memory. With a hundred million users the rows of
  most aren't: see [Scale](scale.md).
- **What is rendered.** Ten and fifty cards have no templates, so that the peers can do the same.
"""
