"""A database and the server over it: what both the generator and the measurements need."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request


sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts/lib"))
from placard_server import free_port  # noqa: E402


class Server:
    """`placard serve` over a database file; use it with `with`."""

    def __init__(self, placard, path):
        self.placard, self.path, self.port = placard, path, free_port()
        self.keys = {}
        start = time.perf_counter()
        self.process = subprocess.Popen(
            [placard, "serve", "--database", f"sqlite:{path}", "--port", str(self.port), "--log-level", "error"],
            stdout=subprocess.DEVNULL,
        )
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=0.2).close()
                break
            except OSError:
                if self.process.poll() is not None or time.perf_counter() - start > 600:
                    sys.exit("the server does not answer")
                time.sleep(0.02)
        self.start_seconds = time.perf_counter() - start

    def __enter__(self):
        return self

    def __exit__(self, *_):
        start = time.perf_counter()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=120)
        self.stop_seconds = time.perf_counter() - start

    def processor(self):
        """The seconds of processor time that the server has taken."""
        fields = open(f"/proc/{self.process.pid}/stat").read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """The resident memory in MB: now, and at most so far."""
        text = open(f"/proc/{self.process.pid}/status").read()
        return tuple(int(re.search(rf"{name}:\s+(\d+)", text)[1]) / 1024 for name in ("VmRSS", "VmHWM"))

    def key(self, kind):
        """A key of that kind, which the server knows within a second of its being made."""
        if kind not in self.keys:
            made = run(self.placard, self.path, "key", "create", "--name", "bench", "--kind", kind, "--json")
            self.keys[kind] = json.loads(made)["secret"]
            time.sleep(2)
        return self.keys[kind]

    def call(self, method, path, body=None, key="secret"):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.key(key)}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=300) as answer:
            text = answer.read()
            return json.loads(text) if text else None


def run(placard, path, *arguments, text=None):
    """Runs a command of `placard` on the database and returns what it prints."""
    result = subprocess.run(
        [placard, *arguments, "--database", f"sqlite:{path}"], input=text, capture_output=True, text=True
    )
    if result.returncode:
        sys.exit(f"placard {' '.join(arguments)}: {result.stderr}{result.stdout}")
    return result.stdout


def size(path):
    return sum(os.path.getsize(path + end) for end in ("", "-wal") if os.path.exists(path + end))
