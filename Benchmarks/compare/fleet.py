"""Launches on one of three nodes on the way to clients of the two others, told by NOTIFY and, through pgbouncer, by
looking."""

import os
import random
import shutil
import subprocess
import time

from . import data, load, processes, servers

NODES, STREAMS = 3, 10


class Pooler:
    """pgbouncer in transaction mode, which can't pass on what NOTIFY says."""

    def __init__(self, postgres):
        folder = os.path.join(postgres.folder, "pooler")
        os.mkdir(folder)
        with open(os.path.join(folder, "users"), "w") as file:
            file.write('"placard" ""\n')
        with open(os.path.join(folder, "pgbouncer.ini"), "w") as file:
            file.write(
                f"[databases]\n* = host={postgres.folder}\n[pgbouncer]\nlisten_addr =\nlisten_port ="
                f" 6432\nunix_socket_dir = {folder}\nauth_type = trust\nauth_file = {folder}/users\npool_mode ="
                f" transaction\ndefault_pool_size = 20\nmax_client_conn = 500\nlogfile = {folder}/log\npidfile ="
                f" {folder}/pid\n"
            )
        as_user = []
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
            as_user = ["runuser", "-u", "postgres", "--"]
        program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
        self.process = subprocess.Popen(
            [*as_user, program, "-q", os.path.join(folder, "pgbouncer.ini")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + 30
        while not os.path.exists(os.path.join(folder, ".s.PGSQL.6432")):
            assert time.monotonic() < end and self.process.poll() is None, "pgbouncer doesn't start"
            time.sleep(0.02)
        self.address = f"postgresql://placard@/app?host={folder}&port=6432"

    def close(self):
        processes.end(self.process)


def measure(placard, client, folder, launches, is_polling):
    """The milliseconds from asking for a launch until the last client of another node was told of it, for each
    launch."""
    postgres, pooler, nodes, streams = servers.Database.primary(), None, [], []
    chance = random.Random(11)
    try:
        address = f"postgresql://placard@/app?host={postgres.folder}"
        if is_polling:
            pooler = Pooler(postgres)
            address = pooler.address
        for number in range(NODES):
            name = f"node-{'polling' if is_polling else 'notify'}-{number}"
            nodes.append(servers.Placard(name, name, placard, address, folder))
        streams = [load.Streams(client, node, STREAMS, node.name) for node in nodes]
        latencies = []
        for number in range(launches):
            first = number % NODES
            data.create(nodes[first], f"fleet-{number}")
            # Nodes look at regular times: launches come at all moments between them.
            time.sleep(0.1 + 0.3 * chance.random())
            others = [stream for place, stream in enumerate(streams) if place != first]
            for stream in others:
                stream.begin()
            start, _ = nodes[first].launch(f"fleet-{number}")
            latest = 0
            for stream in others:
                told, times = stream.told(start)
                assert told == STREAMS and times[0] > 0, (
                    f"launch {number}: {told} of {STREAMS} clients were told, {times[:1]}"
                )
                latest = max(latest, times[-1])
            latencies.append(latest)
        return latencies
    finally:
        for stream in streams:
            stream.close()
        for node in nodes:
            node.stop()
        if pooler:
            pooler.close()
        postgres.close()
