"""A server that is asked to stop: readiness first, then streams over time, then requests in flight, then its end."""

import http.client
import json
import os
import signal
import socket
import sqlite3
import tempfile
import threading
import time

from placard_server import PATIENCE, Server, command, make_key

STREAMS = 30
SPREAD = 12


class Node(Server):
    """A server on a new SQLite database, with a key of an app."""

    def __init__(self, placard, folder, *flags):
        database = os.path.join(folder, "cards.sqlite")
        command(placard, "migrate", "--database", f"sqlite:{database}")
        self.key = make_key(placard, database, "publishable")
        super().__init__([placard, "serve", "--database", f"sqlite:{database}", "--log-level", "error", *flags])

    def ask(self, method, path, body=None):
        """Returns status, headers and JSON of an answer on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            text = None if body is None else json.dumps(body)
            headers = {"Content-Type": "application/json"}
            if path != "/readyz":
                headers["Authorization"] = f"Bearer {self.key}"
            connection.request(method, path, text, headers)
            answer = connection.getresponse()
            content = answer.read()
            return answer.status, dict(answer.getheaders()), json.loads(content) if content else None
        finally:
            connection.close()

    def sync(self, user):
        """Returns the status of a sync."""
        return self.ask("POST", "/v1/sync", {"user_id": user, "device_id": f"device of {user}"})[0]

    def ask_to_stop(self, number=signal.SIGTERM):
        os.kill(self.process.pid, number)

    def ended(self):
        """Waits for the end, and returns the exit status."""
        status = self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()
        return status


class Stream(threading.Thread):
    """A live stream, which notes when it was told to reconnect and when it ended."""

    def __init__(self, node, number):
        super().__init__(daemon=True)
        self.told, self.ended, self.opened = None, None, threading.Event()
        self.connection = http.client.HTTPConnection("127.0.0.1", node.port, timeout=60)
        path = f"/v1/live?user_id=user-{number}&device_id=device-{number}"
        self.connection.request("GET", path, headers={"Authorization": f"Bearer {node.key}"})
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200, self.answer.status
        self.start()

    def run(self):
        while line := self.answer.readline():
            self.opened.set()
            if line == b"event: reconnect\n":
                self.told = time.monotonic()
        self.ended = time.monotonic()


def streams(placard):
    """Streams are told to reconnect over the time that is set; until then requests are answered, and nothing is
    ready"""
    with tempfile.TemporaryDirectory() as folder:
        node = Node(placard, folder, "--reconnect-spread", str(SPREAD))
        try:
            opened = [Stream(node, number) for number in range(STREAMS)]
            for stream in opened:
                assert stream.opened.wait(PATIENCE), "a stream brings nothing"
            assert node.ask("GET", "/readyz")[0] == 200
            start = time.monotonic()
            node.ask_to_stop()
            while node.ask("GET", "/readyz")[0] == 200:
                assert time.monotonic() < start + PATIENCE, "the server stays ready"
            assert any(stream.ended is None for stream in opened), "streams ended before readiness failed"
            assert node.sync("user-1") == 200, "a request isn't answered while streams are told"
            status, headers, _ = node.ask("GET", "/v1/live?user_id=late")
            assert (status, headers.get("Retry-After")) == (503, "1"), (status, headers)
            for stream in opened:
                stream.join(timeout=60)
                assert stream.told and stream.ended, "a stream wasn't told to reconnect"
            times = sorted(stream.told for stream in opened)
            # By the server's clock the last one is told not before nearly all of the time is over.
            assert times[-1] - start > SPREAD * 0.8, f"all streams were told within {times[-1] - start} s"
            assert len({round((moment - start) * 2) for moment in times}) > 2, "the streams were told at once"
            assert node.ended() == 0
        finally:
            node.stop()


def requests(placard):
    """A request that has begun is answered after the server was asked to stop, and its events are kept"""
    with tempfile.TemporaryDirectory() as folder:
        node = Node(placard, folder)
        try:
            assert node.sync("user-1") == 200
            event = {"id": "0190b2f0-5f3e-7cc1-8000-000000000001", "type": "custom", "name": "open", "at": time.time()}
            body = json.dumps({"user_id": "user-1", "device_id": "d", "events": [event]}).encode()
            head = (
                f"POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {node.key}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
            ).encode()
            with socket.create_connection(("127.0.0.1", node.port), timeout=60) as begun:
                begun.sendall(head)
                # It has read the head once it asks for the body.
                asked = b""
                while not asked.endswith(b"\r\n\r\n"):
                    part = begun.recv(1)
                    assert part, asked
                    asked += part
                assert asked.startswith(b"HTTP/1.1 100"), asked
                begun.sendall(body[:20])
                node.ask_to_stop()
                while refuses_not(node.port):
                    time.sleep(0.02)
                begun.sendall(body[20:])
                answer = begun.makefile("rb").read()
            assert answer.startswith(b"HTTP/1.1 200") and b'"accepted":1' in answer, answer
            assert b"connection: close" in answer.lower(), answer
            assert node.ended() == 0
            with sqlite3.connect(os.path.join(folder, "cards.sqlite")) as database:
                assert database.execute("SELECT count(*) FROM events").fetchone()[0] == 1
        finally:
            node.stop()


def refuses_not(port):
    """Returns whether a port still takes connections."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        return True
    except OSError:
        return False


def delay(placard):
    """With a delay, a server that nobody streams from answers so long without being ready"""
    with tempfile.TemporaryDirectory() as folder:
        node = Node(placard, folder, "--drain-delay", "10")
        try:
            assert node.ask("GET", "/readyz")[0] == 200
            start = time.monotonic()
            node.ask_to_stop()
            while node.ask("GET", "/readyz")[0] == 200:
                assert time.monotonic() < start + PATIENCE, "the server stays ready"
            assert node.sync("user-1") == 200
            assert node.ended() == 0
            assert time.monotonic() - start > 9.9
        finally:
            node.stop()


def terminal(placard):
    """SIGINT, of a person at a terminal, ends streams at once"""
    with tempfile.TemporaryDirectory() as folder:
        node = Node(placard, folder, "--reconnect-spread", "600", "--drain-delay", "600")
        try:
            stream = Stream(node, 1)
            assert stream.opened.wait(PATIENCE)
            node.ask_to_stop(signal.SIGINT)
            assert node.ended() == 0
            stream.join(timeout=60)
            assert stream.ended
        finally:
            node.stop()


CHECKS = [streams, requests, delay, terminal]
