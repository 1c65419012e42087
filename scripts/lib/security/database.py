"""The database file as a reader of the disk has it."""

import contextlib
import glob
import hashlib
import os
import re
import sqlite3
import time

from .clock import LONG

# What a refused attempt may change: what is noted of attempts, of sessions and of forms.
PASSING = re.compile(r"audit|session|form|failure|throttle|sign_in|attempt|writers|sqlite|migration|^store$|limits")


class Database:
    """A database file that a server has open."""

    def __init__(self, path):
        self.path = path

    @contextlib.contextmanager
    def open(self, writes=False):
        mode = "rw" if writes else "ro"
        connection = sqlite3.connect(f"file:{self.path}?mode={mode}", uri=True, timeout=LONG)
        try:
            yield connection
            if writes:
                connection.commit()
        finally:
            connection.close()

    def rows(self, query, *values):
        with self.open() as connection:
            return connection.execute(query, values).fetchall()

    def write(self, query, *values):
        """Changes the file behind the server's back."""
        with self.open(writes=True) as connection:
            return connection.execute(query, values).rowcount

    @property
    def tables(self):
        return [name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]

    def columns(self, table):
        return [row[1] for row in self.rows(f'PRAGMA table_info("{table}")')]

    @property
    def counts(self):
        """The number of rows by table."""
        with self.open() as connection:
            return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in self.tables}

    @property
    def settled_counts(self):
        """The number of rows by table once nothing more is written: some is written after the reply."""
        counts = self.counts
        for _ in range(20):
            time.sleep(0.15)
            before, counts = counts, self.counts
            if before == counts:
                break
        return counts

    @property
    def fingerprint(self):
        """A hash of what a refused request must not change, by table."""
        prints = {}
        with self.open() as connection:
            for table in self.tables:
                if not PASSING.search(table):
                    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
                    # When a key was last used is written some time after its request.
                    names = ", ".join(f'"{name}"' for name in columns if name != "last_used_at")
                    rows = sorted(repr(row) for row in connection.execute(f'SELECT {names} FROM "{table}"'))
                    prints[table] = hashlib.sha256("\n".join(rows).encode()).hexdigest()
            settings = connection.execute("SELECT settings FROM store").fetchone()
            prints["settings"] = hashlib.sha256(repr(settings).encode()).hexdigest()
        return prints

    @property
    def files(self):
        """The files of the database: itself, its log and its index, and the pictures beside it."""
        beside = glob.glob(glob.escape(self.path) + "*")
        below = glob.glob(glob.escape(self.path) + "*/**", recursive=True, include_hidden=True)
        return sorted(name for name in {*beside, *below} if os.path.isfile(name))

    @property
    def size(self):
        """The bytes of the pages in use; the log beside them grows and shrinks by itself."""
        with self.open() as connection:
            return connection.execute(
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            ).fetchone()[0]

    def contains(self, text):
        """The names of the files in which a text stands in clear."""
        needle = text.encode() if isinstance(text, str) else text
        return [os.path.basename(file) for file in self.files if needle in open(file, "rb").read()]


def changes(before, after):
    """The tables that differ between two fingerprints."""
    return [name for name in before if before[name] != after.get(name)]
