"""Sections of the report on rates and launches."""

import statistics

from . import figures, plots

ORDER = ["sqlite", "postgres", "fastapi", "node"]


def table(head, rows, numbers=1):
    """A table, whose first columns are texts."""
    mark = ["---"] * numbers + ["--:"] * (len(head) - numbers)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, mark, *rows)) + "\n"


def milliseconds(value):
    return f"{value:.2f} ms" if value < 10 else f"{value:,.0f} ms"


def of_rates(results, picture):
    titles = results["titles"]
    names = [name for name in ORDER if name in titles]
    found = results["rates"]
    yield "## Requests\n"
    yield (
        "As fast as 64 connections are answered: requests a second, of events each of the 50 in a batch, and as a share"
        " of nginx's requests. The last two columns say how many times as many as its peers Placard answers. In"
        " brackets is the same by processor time, PostgreSQL's with it, which other programs disturb least.\n"
    )
    rows = []
    for one in found:
        for name in [
            *(name for name in ("nginx", "hello") if name in one["saturated"] and one["name"] == "unchanged"),
            *names,
        ]:
            runs = one["saturated"][name]
            reached = figures.median(runs, "rate")
            ours = name in ("sqlite", "postgres")
            peers = [
                f"{figures.times(one, name, peer):.1f} ({figures.by_effort(one, name, peer):.1f})" if ours else ""
                for peer in ("fastapi", "node")
            ]
            is_file = name in ("nginx", "hello")
            share = f"{figures.ratio_to_nginx(one, name):.2f} ({figures.by_effort(one, name, 'nginx'):.2f})"
            rows.append(
                [
                    "" if is_file else one["title"],
                    titles[name],
                    f"{reached * one['unit']:,.0f}",
                    share if one["unit"] == 1 and name != "nginx" else "",
                    f"{figures.median(runs, 'bytes') / 1000:.1f} KB",
                    f"{figures.median(runs, 'cpu'):.0f} µs",
                    f"{figures.median(runs, 'database_cpu'):.0f} µs" if name in names[1:] else "",
                    *peers,
                ]
            )
    yield table(
        ["", "", "a second", "of nginx", "answer", "processor", "of PostgreSQL", "× FastAPI", "× Node"], rows, 2
    )
    plain = [one for one in found if one["unit"] == 1]
    yield picture(
        "requests",
        plots.bars(
            "Requests a second, of what nginx reaches with a static file",
            "64 connections, medians over rounds",
            {one["title"]: [figures.ratio_to_nginx(one, name) for name in names] for one in plain},
            [titles[name] for name in names],
        ),
        "Requests a second of each server as a share of nginx",
    )
    yield "\n## Latency\n"
    yield (
        "At saturation, and at the same rate for all: half of what the slowest of them could do. There, a latency"
        " counts from when its request was due, also if no connection was free.\n"
    )
    rows = []
    for one in found:
        for name in names:
            full, calm = one["saturated"][name], one["at_rate"][name]
            rows.append(
                [
                    one["title"],
                    titles[name],
                    milliseconds(figures.median(full, "p50")),
                    milliseconds(figures.median(full, "p99")),
                    f"{one['rate']:,}/s",
                    milliseconds(figures.median(calm, "p50")),
                    milliseconds(figures.median(calm, "p99")),
                ]
            )
    yield table(["", "", "p50 at saturation", "p99 at saturation", "rate", "p50", "p99"], rows, 2)
    check = next((one for one in found if one.get("wrk")), None)
    if check:
        own = figures.median(check["saturated"]["nginx"], "rate")
        yield (
            "The client is our own (`Benchmarks/compare/requests.c`), since `wrk` knows no fixed rate; with nginx it"
            f" reaches {own / check['wrk']:.2f} of what `wrk` does.\n"
        )


def of_launches(results, picture):
    titles, steps = results["titles"], results["users"]
    first, last = steps[0], steps[-1]
    names = [name for name in ORDER if name in first["servers"]]
    yield "## Launches\n"
    yield (
        f"A quarter of all users is in the audience. Placard decides when a user syncs, so a launch writes one row;"
        f" what teams write first is a row for each user that it reaches, and that grows.\n"
    )
    rows = []
    for name in names:
        row = [titles[name]]
        for step in (first, last):
            launches = step["servers"][name]["launch"]
            row += [milliseconds(statistics.median(launches)), milliseconds(max(launches))]
        ratio = statistics.median(last["servers"][name]["launch"]) / statistics.median(first["servers"][name]["launch"])
        rows.append([*row, f"{ratio:,.1f}"])
    yield table(
        ["", f"{first['users']:,} users, median", "worst", f"{last['users']:,} users, median", "worst", "ratio"], rows
    )
