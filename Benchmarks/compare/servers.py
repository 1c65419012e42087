"""The servers that take turns: nginx, Placard on SQLite and on PostgreSQL, FastAPI, Node."""

import functools
import json
import os
import shutil
import subprocess
import sys
import time

from nodes.cluster import Postgres
from placard_server import Connection, Server, command, free_port, wait_for as wait_until

from . import processes

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PEERS = os.path.join(ROOT, "Benchmarks", "peers")
KEY = "sk_peer_000000000000000000000000"
UNLIMITED = {"burst": 1_000_000_000, "per_second": 1_000_000_000}
FLAGS = (
    "--log-level",
    "error",
    "--max-connections-per-address",
    "100000",
    "--max-live-streams-per-address",
    "100000",
    "--max-live-streams",
    "100000",
    "--shutdown-timeout",
    "5",
    "--reconnect-spread",
    "1",
)


@functools.cache
def help_of(placard, name):
    """What a build says of a command."""
    return subprocess.run([placard, name, "--help"], capture_output=True, text=True, check=True).stdout


def knows(placard, name, word):
    """Whether a build's help for a command has a word, whatever its case."""
    return word.lower() in help_of(placard, name).lower()


def understood(placard, name, flags):
    """The flags, each with its value, that a build has for a command: an earlier one may lack some."""
    return [part for flag in zip(flags[::2], flags[1::2]) if knows(placard, name, flag[0]) for part in flag]


class Database(Postgres):
    """PostgreSQL as it is installed: every commit waits for the disk."""

    SETTINGS = "-c shared_buffers=1GB -c max_wal_size=4GB"

    def processor_seconds(self):
        return processes.processor_seconds(self.postmaster)

    @property
    def postmaster(self):
        with open(os.path.join(self.data, "postmaster.pid")) as file:
            return int(file.readline())

    def create(self, name):
        self.sql(f"CREATE DATABASE {name}", database="postgres")
        return f"postgresql://placard@/{name}?host={self.folder}"


class Contestant:
    """A server that takes its turn: its name, its port and what it takes of the machine."""

    database = None

    def processor_seconds(self):
        return processes.processor_seconds(self.process.pid)

    def memory(self):
        return processes.memory(self.process.pid)

    def own_memory(self):
        return processes.own_memory(self.process.pid)

    def stop(self):
        processes.end(self.process)


class Nginx(Contestant):
    """A worker of nginx that serves a file of 2 KB."""

    name, title, key = "nginx", "nginx, a static file of 2 KB", ""

    def __init__(self, folder):
        self.port = free_port()
        os.makedirs(os.path.join(folder, "www"))
        with open(os.path.join(folder, "www", "card.json"), "w") as file:
            file.write("x" * 2048)
        config = os.path.join(folder, "nginx.conf")
        with open(config, "w") as file:
            file.write(f"""
                worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
                events {{ worker_connections 1024; }}
                http {{
                    access_log off; keepalive_requests 1000000000; open_file_cache max=10; sendfile on; tcp_nopush on;
                    server {{ listen 127.0.0.1:{self.port}; root {folder}/www; }}
                }}
            """)
        self.process = subprocess.Popen(
            [shutil.which("nginx") or "/usr/sbin/nginx", "-c", config], stderr=subprocess.DEVNULL
        )
        processes.wait_for(self.port, self.process)


class Hello(Contestant):
    """The server's HTTP stack with a constant reply of 2 KB."""

    name, title, key = "hello", "its HTTP stack alone, a constant reply of 2 KB", ""

    def __init__(self, program):
        self.port = free_port()
        self.process = subprocess.Popen([program, str(self.port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        processes.wait_for(self.port, self.process)


class Placard(Contestant):
    """A node, on an address of a database."""

    def __init__(self, name, title, placard, address, folder, postgres=None, environment=None):
        self.name, self.title, self.placard, self.address, self.database = name, title, placard, address, postgres
        self.secrets = understood(placard, "migrate", ("--secrets-key-file", os.path.join(folder, "secrets.key")))
        self.flags = understood(placard, "serve", FLAGS)
        self.environment = environment
        self.run("migrate")
        self.key, self.secret = self.make_key("publishable"), self.make_key("secret")
        self.log = open(os.path.join(folder, f"{name}.log"), "w")
        self.start()
        wait_until(self.is_ready, bool, "the key isn't known")
        settings = self.call("GET", "/v1/settings")
        if "device_limits" in settings:  # Builds before there were limits have nothing to lift.
            self.lift_limits(settings)

    def lift_limits(self, settings):
        self.call(
            "PATCH",
            "/v1/settings",
            {
                "device_limits": {
                    name: UNLIMITED for name, limit in settings["device_limits"].items() if isinstance(limit, dict)
                },
                "rate_limits": {name: {"requests": 1_000_000_000, "seconds": 1} for name in settings["rate_limits"]},
            },
        )

    def start(self):
        self.server = Server(
            [self.placard, "serve", "--database", self.address, *self.secrets, *self.flags],
            log=self.log,
            environment=self.environment,
        )
        self.process, self.port = self.server.process, self.server.port
        self.connection, self.used = None, 0.0

    def is_ready(self):
        try:
            return self.call("GET", "/v1/settings")
        except RuntimeError:
            return None

    def run(self, *arguments, **options):
        return command(self.placard, *arguments, "--database", self.address, *self.secrets, **options)

    def make_key(self, kind):
        return json.loads(self.run("key", "create", "--name", "bench", "--kind", kind, "--json"))["secret"]

    def call(self, method, path, body=None):
        """A call with the secret key, on a connection that stays open as long as it is used."""
        if self.connection is None or time.monotonic() > self.used + 30:
            self.connection = Connection(self.port, self.secret)
        self.used = time.monotonic()
        return self.connection.call(method, path, body)

    def launch(self, campaign):
        """Launches a campaign, and returns when that was asked and how long it took."""
        start = time.monotonic()
        self.call("POST", f"/v1/campaigns/{campaign}/launch")
        return start, time.monotonic() - start

    def stop(self):
        self.server.stop()
        self.log.close()


class Peer(Contestant):
    """What a team would write instead, over tables of its own in the same PostgreSQL."""

    def __init__(self, postgres, name, log):
        self.database, self.port, self.key, self.secret = postgres, free_port(), KEY, KEY
        self.log = open(log, "w")
        environment = {
            **os.environ,
            "PEER_KEY": KEY,
            "PEER_HOST": postgres.folder,
            "PEER_NAME": name,
            "PEER_USER": "placard",
            "PEER_DATABASE": f"postgresql://placard@/{name}?host={postgres.folder}",
            **self.environment(),
        }
        self.process = subprocess.Popen(
            [*self.command(), str(self.port)], env=environment, stdout=self.log, stderr=self.log, cwd=PEERS
        )
        processes.wait_for(self.port, self.process)
        time.sleep(1)

    def environment(self):
        return {}

    def launch(self, campaign):
        start = time.monotonic()
        Connection(self.port, self.secret).call("POST", f"/v1/campaigns/{campaign}/launch", {})
        return start, time.monotonic() - start


class FastAPI(Peer):
    name, title = "fastapi", "FastAPI, asyncpg"

    def command(self):
        python = subprocess.check_output([os.path.join(ROOT, "scripts/lib/python-tools"), "bench"], text=True).strip()
        return [
            python,
            "-m",
            "uvicorn",
            "--app-dir",
            os.path.join(PEERS, "fastapi"),
            "app:app",
            "--workers",
            str(os.cpu_count()),
            "--no-access-log",
            "--log-level",
            "warning",
            "--port",
        ]


class Node(Peer):
    name, title = "node", "Node, pg"

    def command(self):
        return ["node", os.path.join(PEERS, "node", "server.js")]

    def environment(self):
        return {"NODE_PATH": subprocess.check_output([os.path.join(PEERS, "install-node-pg")], text=True).strip()}


def version(*arguments):
    """The first line of what a program says of itself."""
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout.splitlines()[0] if done.stdout else sys.exit(f"{arguments[0]} doesn't run")
