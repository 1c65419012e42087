"""Runs the client that loads a server, and keeps what it says."""

import json
import os
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CONNECTIONS = 64


def build(folder):
    """Compiles the client, and returns its path."""
    program = os.path.join(folder, "load")
    sources = [os.path.join(HERE, name) for name in ("load.c", "requests.c", "streams.c")]
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-o", program, *sources], check=True)
    return program


def request(key, method, path, body=None, cookie=None):
    """The bytes of a request."""
    text = b"" if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    if key:
        head += f"Authorization: Bearer {key}\r\n"
    if cookie:
        head += f"Cookie: {cookie}\r\n"
    if text:
        head += f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n"
    return head.encode() + b"\r\n" + text


class Load:
    """The client, and the folder for its requests."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def write(self, requests):
        """Writes requests down, and returns the name of their file."""
        with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".requests", delete=False) as file:
            for one in requests:
                file.write(b"%d\n" % len(one))
                file.write(one)
        return file.name

    @staticmethod
    def forget(file):
        os.remove(file)

    def run(self, server, file, seconds, rate=0, once=False, connections=CONNECTIONS):
        """Sends requests, and returns counts, latencies in milliseconds, and processor time for each answer."""
        before = server.processor_seconds(), server.database.processor_seconds() if server.database else 0
        done = subprocess.run(
            [
                self.program,
                "requests",
                str(server.port),
                str(connections),
                str(seconds),
                str(rate),
                file,
                *(["once"] if once else []),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{server.name}: {done.stderr}"
        found = json.loads(done.stdout)
        assert not found["failed"], f"{server.name}: {found['failed']} requests were refused. {done.stderr}"
        answers = max(found["answers"], 1)
        after = server.processor_seconds(), server.database.processor_seconds() if server.database else 0
        return {
            "rate": found["answers"] / found["seconds"] if found["seconds"] else 0,
            **{name: found[name] / 1000 for name in ("p50", "p99", "max")},
            "late": found["late"],
            "answers": found["answers"],
            "bytes": found["bytes"] / answers,
            "cpu": (after[0] - before[0]) / answers * 1e6,
            "database_cpu": (after[1] - before[1]) / answers * 1e6,
        }


class Streams:
    """Live streams that are open, and are told of something in rounds."""

    def __init__(self, load, server, count, name="stream"):
        file = load.write(
            request(server.key, "GET", f"/v1/live?user_id={name}-{number}&device_id={name}-{number}")
            for number in range(count)
        )
        self.count = count
        self.process = subprocess.Popen(
            [load.program, "streams", str(server.port), str(count), file],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.expect("open")

    def expect(self, word):
        line = self.process.stdout.readline().strip()
        assert line == word, f"the client of streams ended: {line}"

    def begin(self):
        """Forgets what was told until now."""
        self.process.stdin.write("round\n")
        self.process.stdin.flush()
        self.expect("ready")

    def told(self, start):
        """How many streams were told, and after how many milliseconds: 201 quantiles."""
        found = json.loads(self.process.stdout.readline())
        return found["told"], [(time / 1e9 - start) * 1000 for time in found["times"]]

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)
        time.sleep(0.5)
