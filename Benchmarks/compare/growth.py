"""How the cost of a sync grows: with users, with campaigns that don't match, with cards."""

import statistics

from . import data, pages

SAMPLE = 200
"""How many users sync."""


def cost(client, server, requests, options, rate=500):
    """Microseconds of processor time for each answer, requests a second, and latencies at a fixed rate."""
    file = client.write(requests)
    client.run(server, file, 0.5)
    fast = [client.run(server, file, options.growth_seconds) for _ in range(options.growth_rounds)]
    calm = [client.run(server, file, options.growth_seconds, rate) for _ in range(options.growth_rounds)]
    client.forget(file)
    return {
        "cpu": statistics.median(run["cpu"] + run["database_cpu"] for run in fast),
        "rate": statistics.median(run["rate"] for run in fast),
        "p50": statistics.median(run["p50"] for run in calm),
        "p99": statistics.median(run["p99"] for run in calm),
        "bytes": fast[0]["bytes"],
    }


def syncs(client, server, options):
    """The cost of a sync that finds nothing new, and of one with ten cards."""
    users = data.users_with(10)[:SAMPLE]
    replies = data.sync_all(server, users)
    return {
        "unchanged": cost(client, server, data.unchanged(server, replies), options),
        "ten": cost(client, server, data.whole(server, users), options),
    }


def users(client, servers, peers, folder, options, tell):
    """With each step ten times the users: syncs, launches and pages of Placard, and launches of the peers."""
    found, last = [], 0
    for count in options.user_steps:
        step = {"users": count, "servers": {}}
        for server in servers:
            rate = data.import_users(server, folder, data.crowd(last, count))
            tell(f"{count:,} users on {server.title}, {rate:,.0f} imported a second")
            entry = step["servers"][server.name] = {"imported": rate}
            entry["launch"] = []
            for number in range(options.launches):
                name = f"users-{count}-{number}"
                data.create(server, name, data.PRO)
                entry["launch"].append(server.launch(name)[1] * 1000)
            entry.update(syncs(client, server, options))
            entry["memory"] = server.memory()
            entry["pages"] = pages.measure(client, server, f"users-{count}-0", options)
        for peer in peers:
            data.fill_peer_crowd(peer.database, peer.name, last, count)
            entry = step["servers"][peer.name] = {"launch": []}
            for number in range(min(options.launches, 3)):
                data.create_for_peer(peer.database, peer.name, f"users-{count}-{number}", "pro")
                entry["launch"].append(peer.launch(f"users-{count}-{number}")[1] * 1000)
        found.append(step)
        last = count
    return found


KINDS = {
    "attribute": lambda number: {"attribute": "shop", "value": f"shop-{number}"},
    "history": lambda number: {"event": {"name": f"bought-{number}", "within_days": 7}},
}
"""Audiences that don't match: found by a value that they require, and one that each sync has to look at."""


def campaigns(client, server, kind, options, tell):
    """The cost of syncs beside more and more active campaigns that aren't for their users."""
    found, last = [], 0
    for count in options.campaign_steps:
        for number in range(last, count):
            data.create(server, f"{kind}-{number}", KINDS[kind](number))
            server.launch(f"{kind}-{number}")
        last = count
        found.append({"campaigns": count, **syncs(client, server, options)})
        tell(
            f"{count:,} campaigns that don't match ({kind}), {server.title}: {found[-1]['ten']['cpu']:.0f} µs a sync"
            " with ten cards"
        )
    return found


def cards(client, servers, options):
    """The cost of a sync by the number of its cards."""
    return [
        {
            "cards": number,
            "servers": {
                server.name: cost(client, server, data.whole(server, data.users_with(number)), options)
                for server in servers
            },
        }
        for number in sorted(data.SHELVES)
    ]
