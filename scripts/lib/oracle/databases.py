"""The databases that the servers of the check run on: a SQLite file each, or a PostgreSQL database each."""

import contextlib
import pathlib
import shutil
import sqlite3
import subprocess
import urllib.parse
import uuid


def databases_at(url):
    """The databases of a run: files without an address, or databases on the PostgreSQL server of one."""
    if not url:
        return SQLiteDatabases()
    if urllib.parse.urlsplit(url).scheme not in ("postgres", "postgresql"):
        raise SystemExit(f"Not the address of a PostgreSQL server: {url}")
    return PostgresDatabases(url)


class SQLiteDatabases:
    """Files, each in the folder of its server."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """The folders go, and the files with them."""

    def make(self, folder):
        """A database for a server with a folder; it isn't there yet."""
        return SQLiteDatabase(pathlib.Path(folder) / "placard.sqlite")


class SQLiteDatabase:
    """A file of its own for each server."""

    def __init__(self, file):
        self.file = file
        self.url = f"sqlite:{file}"

    def create(self):
        """Does nothing: `placard migrate` creates the file."""

    def copy(self, folder):
        """A copy of a database that no process has open, for `fill`."""
        copy = pathlib.Path(folder) / "template.sqlite"
        with (
            contextlib.closing(sqlite3.connect(self.file)) as source,
            contextlib.closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
        return copy

    def backup(self, placard, folder, environment):
        """A copy that is made by the command of operators while the server runs, for `fill`."""
        copy = pathlib.Path(folder) / "backup.sqlite"
        copy.unlink(missing_ok=True)
        command = [placard, "backup", str(copy), "--database", self.url]
        subprocess.run(command, check=True, capture_output=True, env=environment)
        return copy

    def fill(self, copy):
        """Puts a copy in the place of the database, which no process has open."""
        self.drop()
        shutil.copy(copy, self.file)

    def drop(self):
        """Deletes the database."""
        for suffix in ("", "-wal", "-shm"):
            pathlib.Path(f"{self.file}{suffix}").unlink(missing_ok=True)


class PostgresDatabases:
    """Databases on a PostgreSQL server, for a user who may create some; what a run made goes with it."""

    def __init__(self, url):
        self.url = url
        self.prefix = f"placard_oracle_{uuid.uuid4().hex[:12]}_"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        listed = self.ask(f"SELECT datname FROM pg_database WHERE starts_with(datname, '{self.prefix}')")
        for name in listed.split():
            PostgresDatabase(self, name).drop()

    def make(self, folder):
        """A database for a server; it isn't there yet."""
        return PostgresDatabase(self, self.prefix + uuid.uuid4().hex[:12])

    def ask(self, statement):
        """Runs a statement in the database of the address, and returns what it prints."""
        return psql(self.url, "--command", statement)


class PostgresDatabase:
    """A database of its own for each server. A copy is the name of another one."""

    def __init__(self, databases, name):
        self.databases, self.name = databases, name
        self.backups = []
        self.url = urllib.parse.urlsplit(databases.url)._replace(path=f"/{name}").geturl()

    def create(self, template="template0"):
        """Creates the database, empty or as another one that no process has open."""
        self.databases.ask(f'CREATE DATABASE "{self.name}" TEMPLATE "{template}"')

    def copy(self, folder):
        """A copy of a database that no process has open, for `fill`."""
        copy = self.databases.make(folder)
        copy.create(self.name)
        return copy.name

    def backup(self, placard, folder, environment):
        """A copy that is made by the programs of operators while the server runs, for `fill`."""
        dump = pathlib.Path(folder) / "backup.sql"
        command = ["pg_dump", "--no-owner", "--file", str(dump), "--dbname", self.url]
        subprocess.run(command, check=True, capture_output=True)
        copy = self.databases.make(folder)
        copy.create()
        self.backups.append(copy)
        psql(copy.url, "--file", str(dump))
        return copy.name

    def fill(self, copy):
        """Puts a copy in the place of the database, which no process has open."""
        self._delete()
        self.create(copy)

    def drop(self):
        """Deletes the database and its backups."""
        for one in [self, *self.backups]:
            one._delete()

    def _delete(self):
        # Sessions of a server that was killed may last a little longer than it.
        self.databases.ask(f'DROP DATABASE IF EXISTS "{self.name}" WITH (FORCE)')


def psql(url, *arguments):
    """Runs psql, which has to succeed, and returns what it prints."""
    command = [
        "psql",
        "--no-psqlrc",
        "--quiet",
        "--tuples-only",
        "--no-align",
        "--set",
        "ON_ERROR_STOP=1",
        "--dbname",
        url,
        *arguments,
    ]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
