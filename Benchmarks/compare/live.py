"""A launch on the way to many open streams."""

import time

from . import data, load


def measure(client, server, count, launches, create):
    """Opens streams, launches campaigns, and returns latencies in milliseconds and the memory of a stream."""
    before = server.memory()
    streams = load.Streams(client, server, count, f"{server.name}-stream")
    try:
        after = server.memory()
        rounds = []
        for number in range(launches):
            create(server, f"live-{number}")
            time.sleep(1)
            streams.begin()
            start, seconds = server.launch(f"live-{number}")
            told, times = streams.told(start)
            assert told == count, f"{server.name}: {told} of {count} streams were told"
            rounds.append({"launch": seconds * 1000, "times": times})
    finally:
        streams.close()
    return {"streams": count, "kilobytes": (after - before) * 1024 / count, "rounds": rounds}


def create(server, name):
    """A campaign for everybody that a launch reaches, or, of a peer, for nobody, so that it writes no rows."""
    if hasattr(server, "call"):
        data.create(server, name, data.PRO)
    else:
        data.create_for_peer(server.database, server.name, name)
