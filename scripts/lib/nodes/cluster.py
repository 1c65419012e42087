"""A primary server of PostgreSQL and a standby, in folders of their own, that can be killed, restarted and promoted."""

import glob
import os
import shutil
import signal
import subprocess
import tempfile
import time

PATIENCE = 60


class Postgres:
    """A server that listens at a socket in its folder."""

    # What it is started with: nothing here has to survive the machine.
    SETTINGS = "-c fsync=off"

    def __init__(self):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin")) or [os.path.dirname(shutil.which("initdb") or "")]
        self.programs = found[-1]
        # Short, since the path of a socket is limited to about a hundred characters.
        self.folder = tempfile.mkdtemp(prefix="placard-pg-", dir="/tmp")
        self.data = os.path.join(self.folder, "data")
        self.addresses = ""
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")

    @classmethod
    def primary(cls, addresses=""):
        """A new server with an empty database `app`, which listens at addresses too."""
        server = cls()
        server.addresses = addresses
        server.run("initdb", "-D", server.data, "-U", "placard", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        if addresses:
            with open(os.path.join(server.data, "pg_hba.conf"), "a") as rules:
                rules.write("host all all 10.0.0.0/8 trust\n")
        server.start()
        server.sql("CREATE DATABASE app", database="postgres")
        return server

    def standby(self):
        """A server that follows this one, and that commits wait for from now on."""
        server = Postgres()
        server.run(
            "pg_basebackup", "-D", server.data, "-R", "-c", "fast", "--no-sync", "-h", self.folder, "-U", "placard"
        )
        server.start()
        self.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.sql("SELECT pg_reload_conf()")
        self.wait("SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
        return server

    def run(self, program, *arguments):
        """Runs a program of PostgreSQL, which refuses to be root."""
        prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        done = subprocess.run(
            [*prefix, os.path.join(self.programs, program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            check=False,
        )
        assert done.returncode == 0, f"{program} failed: see {self.folder}"

    def start(self):
        settings = (
            f"-c listen_addresses={self.addresses} -c unix_socket_directories={self.folder} {self.SETTINGS} -c"
            " max_connections=200"
        )
        self.run(
            "pg_ctl", "-D", self.data, "-w", "-t", "600", "-s", "-l", f"{self.folder}/log", "-o", settings, "start"
        )

    def kill(self):
        """Ends the server as a crash would."""
        with open(os.path.join(self.data, "postmaster.pid")) as file:
            pid = int(file.readline())
        os.kill(pid, signal.SIGQUIT)
        end = time.monotonic() + PATIENCE
        while os.path.exists(f"/proc/{pid}"):
            assert time.monotonic() < end, "PostgreSQL doesn't end"
            time.sleep(0.02)

    def promote(self):
        """Makes the standby the primary server."""
        self.run("pg_ctl", "-D", self.data, "-w", "-t", "600", "-s", "promote")

    def sql(self, text, database="app"):
        """Returns the lines that a statement answers with."""
        done = subprocess.run(
            [
                os.path.join(self.programs, "psql"),
                "-X",
                "-q",
                "-t",
                "-A",
                "-h",
                self.folder,
                "-U",
                "placard",
                "-d",
                database,
                "-c",
                text,
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    def wait(self, question):
        """Waits until a statement answers with true."""
        end = time.monotonic() + PATIENCE
        while self.sql(question) != ["t"]:
            assert time.monotonic() < end, question
            time.sleep(0.05)

    def log(self):
        with open(f"{self.folder}/log", errors="replace") as file:
            return file.read()

    def close(self):
        try:
            self.kill()
        except (OSError, ValueError, AssertionError):
            pass
        shutil.rmtree(self.folder, ignore_errors=True)
