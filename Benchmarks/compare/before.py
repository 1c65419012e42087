"""A build beside an earlier one: what a change costs, measured in turns in one run."""

import os
import statistics

from . import data, figures, rates, servers

SLOWER = 0.97
"""What a build has to reach of the earlier one, in processor time and in requests a second."""


class Pair:
    """Both builds on one kind of database, with the same rows."""

    def __init__(self, run, kind, title, address):
        self.title = title
        self.servers = []
        for age, placard in (("before", run.options.before), ("after", run.options.placard)):
            folder = os.path.join(run.folder, f"{kind}-{age}")
            os.mkdir(folder)
            server = servers.Placard(
                f"{kind}_{age}", f"{title}, {age}", placard, address(age, folder), folder, run.database(kind)
            )
            self.servers.append(run.started(server))

    @property
    def names(self):
        return [server.name for server in self.servers]


def measure(run):
    """Measures every kind of request on both builds, prints a table, and returns whether the newer one is as fast."""
    run.nginx = run.started(servers.Nginx(os.path.join(run.folder, "nginx")))
    pairs = [Pair(run, "sqlite", "SQLite", lambda _, folder: f"sqlite:{folder}/cards.sqlite")]
    if servers.knows(run.options.before, "serve", "postgres"):
        run.postgres = servers.Database.primary()
        pairs.append(Pair(run, "postgres", "PostgreSQL", lambda age, _: run.postgres.create(age)))
    everyone = [server for pair in pairs for server in pair.servers]
    replies = {}
    for server in everyone:
        replies[server.name] = data.prepare(server, run.folder)
        run.tell(f"{server.title} has {len(replies[server.name]):,} users with cards")
    rates.warm(run.client, everyone, replies)
    turns = rates.Rates(run.client, run.nginx, everyone, run.options)
    lines, is_as_fast = [], True
    for scenario in rates.scenarios(replies, data.trigger_users()):
        found = turns.run(scenario)
        for pair in pairs:
            line, holds = compared(pair, found)
            lines.append(line)
            is_as_fast = is_as_fast and holds
        run.tell(scenario.title)
    print(table(lines))
    return is_as_fast


def compared(pair, found):
    """A line of the table, and whether the newer build is not slower than the earlier one."""
    before, after = (found["saturated"][name] for name in pair.names)
    rounds = [one["rate"] / other["rate"] for one, other in zip(after, before)]
    rate = statistics.median(rounds)
    effort = figures.by_effort(found, pair.names[1], pair.names[0])
    line = [
        found["title"],
        pair.title,
        f"{figures.median(before, 'rate') * found['unit']:,.0f}",
        f"{figures.median(after, 'rate') * found['unit']:,.0f}",
        f"{rate:.2f} ({min(rounds):.2f} to {max(rounds):.2f})",
        f"{figures.effort(before):.0f} µs",
        f"{figures.effort(after):.0f} µs",
        f"{effort:.2f}",
    ]
    # What other programs take of the machine is in one of the two at times, and in both when a build is slower.
    return line, max(rate, effort) >= SLOWER


def table(lines):
    head = ["", "", "before, a second", "after", "after / before", "processor, before", "after", "before / after"]
    rows = [head, *lines]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
