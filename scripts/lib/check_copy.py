"""Copies a workspace from SQLite to PostgreSQL and back, kills the copies in the middle, and compares rows and
reports."""

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

from nodes.cluster import Postgres
from placard_server import Connection, Server, make_key, wait_for

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OF_A_NODE = {"store", "writers", "grdb_migrations", "sqlite_sequence"}
"""Tables that belong to a node, or say which history of a database this is, which is a new one for a copy."""
SHARES = (0.25, 0.6)
"""At which shares of the source's bytes the copy is killed."""


class File:
    """A SQLite file as a source or target."""

    def __init__(self, path):
        self.path, self.address = path, f"sqlite:{path}"

    def bytes(self):
        return sum(os.path.getsize(self.path + end) for end in ("", "-wal") if os.path.exists(self.path + end))

    def counts(self):
        with sqlite3.connect(f"file:{self.path}?mode=ro", uri=True) as database:
            names = [
                name
                for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            ]
            return {
                name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
                for name in names
                if name not in OF_A_NODE
            }


class Cluster:
    """PostgreSQL as a source or target."""

    def __init__(self):
        self.server = Postgres.primary()
        self.address = f"postgresql://placard@/app?host={self.server.folder}"
        self.empty = self.size()

    def size(self):
        return int(self.server.sql("SELECT pg_database_size('app')")[0])

    def bytes(self):
        return self.size() - self.empty


def copy(placard, source, target, killed):
    """Copies, and kills the copy when the target has so many bytes; then copies to the end. Returns the seconds of each
    attempt."""
    seconds = []
    command_line = [placard, "copy", "--from", source.address, "--to", target.address, "--json"]
    for least in killed:
        start = time.monotonic()
        process = subprocess.Popen(command_line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while target.bytes() < least and process.poll() is None:
            time.sleep(0.02)
        assert process.poll() is None, f"the copy ended before it was killed: {process.stderr.read()}"
        process.kill()
        process.wait()
        process.stderr.close()
        seconds.append(time.monotonic() - start)
        refused = subprocess.run(
            [placard, "doctor", "--database", target.address, "--json"], capture_output=True, text=True, check=False
        )
        # Of PostgreSQL it also misses the key of secrets, which isn't where this runs.
        assert refused.returncode and "unfinished copy" in refused.stdout, refused
    start = time.monotonic()
    done = subprocess.run(command_line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seconds.append(time.monotonic() - start)
    summary = json.loads(done.stdout)
    assert summary["resumed"], "the copy began from the beginning"
    print(f"    {' s, killed, '.join(f'{one:.1f}' for one in seconds)} s, {summary['rows']:,} rows", flush=True)


def compare_rows(first, last):
    """Every row of each table is in the other file too."""
    with sqlite3.connect(first.path) as database:
        database.execute("ATTACH ? AS other", (last.path,))
        rows = 0
        for name, count in first.counts().items():
            columns = ", ".join(row[1] for row in database.execute(f"PRAGMA table_info({name})"))
            for one, two in (("main", "other"), ("other", "main")):
                sql = (
                    f"SELECT count(*) FROM (SELECT {columns} FROM {one}.{name} EXCEPT SELECT {columns} FROM"
                    f" {two}.{name})"
                )
                found = database.execute(sql).fetchone()[0]
                assert found == 0, f"{found} rows of {name} are only in {'the source' if one == 'main' else 'the copy'}"
            rows += count
    assert first.counts() == last.counts(), (first.counts(), last.counts())
    return rows


def reports(placard, address, key, folder):
    """What people see of the numbers: the report of each campaign of the list."""
    server = Server(
        [
            placard,
            "serve",
            "--database",
            address,
            "--secrets-key-file",
            os.path.join(folder, "secrets.key"),
            "--log-level",
            "error",
        ]
    )
    try:
        connection = Connection(server.port, key)

        def campaigns():
            try:
                return connection.call("GET", "/v1/campaigns?limit=200")
            except RuntimeError:
                return None

        found = []
        for one in wait_for(campaigns, lambda answer: answer, "the key isn't known")["campaigns"]:
            report = connection.call("GET", f"/v1/campaigns/{one['id']}/report")
            del report["generated_at"]
            found.append((one["id"], one["status"], report))
        return found
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("placard")
    parser.add_argument("--users", type=int, default=20_000)
    parser.add_argument("--keep", help="a folder for the source, which is used again if it is there")
    options = parser.parse_args()
    work = tempfile.mkdtemp(prefix="placard-copy-")
    folder = options.keep or work
    cluster = Cluster()
    try:
        scale = options.users / 1_000_000
        generator = os.path.join(ROOT, "Benchmarks/scale/generate.py")
        subprocess.run(
            [sys.executable, generator, options.placard, folder, "--scale", f"{scale:g}", "--event-days", "7"],
            check=True,
        )
        source = File(os.path.join(work, "source.sqlite"))
        made = os.path.join(folder, f"scale-{scale:g}.sqlite")
        shutil.copy(made, source.path)
        shutil.copy(made + ".key", os.path.join(work, "secrets.key"))
        shutil.copy(made + ".key", source.path + ".key")
        key = make_key(options.placard, source.path, "secret")
        size = source.bytes()
        print(f"{sum(source.counts().values()):,} rows in {size / 1e6:,.0f} MB", flush=True)
        copy(options.placard, source, cluster, [share * size for share in SHARES])
        print("ok  SQLite to PostgreSQL, killed in the middle and continued", flush=True)
        back = File(os.path.join(work, "back.sqlite"))
        copy(options.placard, cluster, back, [share * size for share in SHARES])
        print("ok  PostgreSQL to SQLite, killed in the middle and continued", flush=True)
        print(f"ok  All of {compare_rows(source, back):,} rows are what they were, in every table", flush=True)
        seen = [reports(options.placard, one.address, key, work) for one in (source, cluster, back)]
        for one, other, third in zip(*seen, strict=True):
            assert one == other == third, f"a report differs:\n{one}\n{other}\n{third}"
        print(f"ok  {len(seen[0])} reports on SQLite, PostgreSQL and SQLite again are equal", flush=True)
    finally:
        cluster.server.close()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
