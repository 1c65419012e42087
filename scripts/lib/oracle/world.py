"""A real server on a database of its own, with a clock that stands still until the check moves it."""

import json
import mmap
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import tempfile
import time

from device_limits import unlimited
from placard_server import free_port

from .wire import Connection, encode

HERE = pathlib.Path(__file__).resolve().parent


UNLIMITED = unlimited(
    "requests_per_address",
    "requests_per_key",
    "requests_per_user",
    "new_users_per_address",
    "events_per_user",
    "event_bytes_per_address",
)

ALLOWANCES = {
    name: {"requests": 1_000_000, "seconds": 1}
    for name in (
        "users_track",
        "users_export",
        "users_identity",
        "campaigns_data_series",
        "trigger_send",
        "trigger_broadcast",
        "other",
    )
}


class Refused(Exception):
    """The server refused what the check takes for valid."""


class Clock:
    """The wall clock that a server is started with, in seconds since 1970, whole milliseconds."""

    def __init__(self, path, now):
        self.path = path
        path.write_bytes(struct.pack("q", 0))
        with open(path, "r+b") as file:
            self.page = mmap.mmap(file.fileno(), 8)
        self.set(now)

    def set(self, now):
        self.now = round(now, 3)
        self.page[:] = struct.pack("q", round(self.now * 1_000_000))

    def advance(self, seconds):
        self.set(self.now + seconds)


class Installation:
    """What the servers of a part have in common: the program, the library with their clock, and where their databases
    are."""

    def __init__(self, placard, folder, databases):
        self.placard = str(placard)
        self.databases = databases
        self.clock = pathlib.Path(folder) / "oracle-clock.so"
        command = [
            os.environ.get("CC", "cc"),
            "-shared",
            "-fPIC",
            "-O2",
            "-o",
            str(self.clock),
            str(HERE / "clock.c"),
            "-ldl",
        ]
        subprocess.run(command, check=True)
        # A database with two keys, and these keys, once the first server made them.
        self.template = None
        self.keys = {}


class World:
    """A server, its database, its clock and its two keys."""

    START = 1_790_000_000.0

    def __init__(self, installation, start=START):
        self.installation = installation
        self.placard = installation.placard
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="placard-oracle-"))
        self.database = installation.databases.make(self.folder)
        self.clock = Clock(self.folder / "clock", start)
        self.environment = {**os.environ, "LD_PRELOAD": str(installation.clock), "ORACLE_CLOCK": str(self.clock.path)}
        self.process = None
        self.kills = 0
        self.requests = 0
        self._prepare()
        self.start()

    # Commands

    def _prepare(self):
        """Makes a database with two keys, or copies the one that was made before."""
        installation = self.installation
        if installation.template is None:
            self.database.create()
            self._command("migrate")
            installation.keys = {kind: self._key(kind) for kind in ("secret", "publishable")}
            installation.template = self.database.copy(installation.clock.parent)
        else:
            self.database.fill(installation.template)
        self.secret, self.publishable = installation.keys["secret"], installation.keys["publishable"]

    def _command(self, *arguments):
        command = [self.placard, *arguments, "--database", self.database.url]
        return subprocess.run(command, check=True, capture_output=True, env=self.environment).stdout

    def _key(self, kind):
        return json.loads(self._command("key", "create", "--name", kind, "--kind", kind, "--json"))["secret"]

    def start(self):
        """Starts the server and waits until it answers."""
        self.port = free_port()
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            # The clock is set back between two histories, which a server takes for a wrong one.
            [
                self.placard,
                "serve",
                "--database",
                self.database.url,
                "--port",
                str(self.port),
                "--log-level",
                "error",
                "--accept-clock",
            ],
            stdout=subprocess.DEVNULL,
            stderr=self.log,
            env=self.environment,
        )
        self.connection = Connection(self.port)
        deadline = time.monotonic() + 600
        while time.monotonic() < deadline:
            try:
                if self.connection.request("GET", "/readyz", self.secret).status == 200:
                    return
            except OSError:
                if self.process.poll() is not None:
                    break
            time.sleep(0.02)
        raise RuntimeError(f"The server does not answer: {(self.folder / 'log').read_text()[-2000:]}")

    def stop(self, kill=False):
        """Ends the server, by SIGKILL where that is asked for."""
        self.connection.close()
        self.process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        self.process.wait()
        self.log.close()
        self.kills += kill

    def restart(self, kill=False):
        self.stop(kill)
        self.start()

    def backup(self):
        """Makes a copy of the database while the server runs, as operators do, and returns it."""
        return self.database.backup(self.placard, self.folder, self.environment)

    def restore(self, copy):
        """Puts a copy in the place of the database, as an operator does."""
        self.stop()
        self.database.fill(copy)
        self.start()

    def close(self):
        if self.process and self.process.poll() is None:
            self.stop()
        self.database.drop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # Requests

    def send(self, method, path, body=None, key=None):
        """Sends a request with the secret key, or another, and returns the reply."""
        self.requests += 1
        return self.connection.request(method, path, key or self.secret, body)

    def ask(self, method, path, body=None, key=None):
        """Sends a request that has to succeed and returns the JSON of the reply."""
        if method == "PUT" and path == "/v1/settings":
            # All users here come from one address, and faster than people.
            body = {"device_limits": UNLIMITED, "rate_limits": ALLOWANCES, **body}
        reply = self.send(method, path, body, key)
        if reply.status >= 300:
            raise Refused(f"{method} {path} {encode(body)} answered {reply.status} {reply.body.decode()[:600]}")
        return reply.json

    def sync(self, user, device, cursor=None, events=None, **context):
        body = {"user_id": user, "device_id": device, **context}
        if cursor is not None:
            body["cursor"] = cursor
        if events:
            body["events"] = events
        return self.ask("POST", "/v1/sync", body, self.publishable)
