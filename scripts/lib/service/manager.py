"""A stand-in for systemd, and clients that keep sending requests."""

import http.client
import os
import signal
import socket
import subprocess
import threading
import time

PATIENCE = 60


class Manager:
    """What systemd does for a service of Type=notify with a socket."""

    def __init__(self, placard, database, work, listens=True, watchdog=None):
        self.placard, self.database, self.work, self.watchdog = placard, database, work, watchdog
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notices.bind(str(work / "notify"))
        self.notices.settimeout(0.2)
        self.listener = None
        if listens:
            self.listener = socket.socket()
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.listener.bind(("127.0.0.1", 0))
            self.listener.listen(4096)
            self.port = self.listener.getsockname()[1]
        self.process, self.said = None, []

    def start(self, *flags, environment=None):
        """Starts a process; the listening socket is its descriptor 3, and nothing else is handed down."""
        variables = {**os.environ, "NOTIFY_SOCKET": str(self.work / "notify"), **(environment or {})}
        if self.watchdog:
            variables["WATCHDOG_USEC"] = str(int(self.watchdog * 1e6))
        script = 'exec "$@"'
        if self.listener:
            # The process says that the sockets are for it, by the id that it keeps when it becomes the server.
            number = self.listener.fileno()
            handed = "" if number == 3 else f" 3<&{number} {number}<&-"
            script = f'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"{handed}'
        self.said = []
        self.process = subprocess.Popen(
            ["bash", "-c", script, "bash", self.placard, "serve", "--database", f"sqlite:{self.database}", *flags],
            env=variables,
            pass_fds=[self.listener.fileno()] if self.listener else [],
            stdout=open(self.work / "out", "a"),
            stderr=open(self.work / "log", "a"),
        )

    def listen(self, wanted, seconds=PATIENCE):
        """Takes messages until one has a line, and returns whether it came."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                lines = self.notices.recv(65536).decode().split("\n")
            except TimeoutError:
                continue
            self.said.append(lines)
            if any(line.startswith(wanted) for line in lines):
                return True
        return False

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE)


def connected(port, encryption=None, timeout=PATIENCE):
    """A connection over HTTP, or over HTTPS whose certificate is checked."""
    if encryption is None:
        return http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    return http.client.HTTPSConnection("127.0.0.1", port, timeout=timeout, context=encryption)


class Load(threading.Thread):
    """A client that sends one request after the other, each on a connection of its own or on one that is kept."""

    def __init__(self, port, keeps, path="/healthz", body=None, key=None, encryption=None):
        super().__init__(daemon=True)
        self.port, self.keeps, self.path, self.body, self.key = port, keeps, path, body, key
        self.encryption = encryption
        self.answered, self.failures, self.is_over = 0, [], False
        self.slowest = 0.0

    def run(self):
        connection = None
        while not self.is_over:
            begun = time.monotonic()
            try:
                if connection is None:
                    connection = connected(self.port, self.encryption, timeout=30)
                    # Many clients connect a while before they send.
                    connection.connect()
                    time.sleep(0.002)
                headers = (
                    {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"} if self.key else {}
                )
                connection.request("POST" if self.body else "GET", self.path, self.body, headers)
                reply = connection.getresponse()
                reply.read()
                if reply.status != 200:
                    self.failures.append(f"{reply.status}")
                self.answered += 1
                if not self.keeps or reply.will_close:
                    connection.close()
                    connection = None
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(f"{type(error).__name__}: {error}")
                connection = None
            self.slowest = max(self.slowest, time.monotonic() - begun)

    def end(self):
        self.is_over = True
        self.join(timeout=PATIENCE)


def status_of(connection):
    """The status of an answer, or `None` for none."""
    try:
        connection.request("GET", "/healthz")
        reply = connection.getresponse()
        reply.read()
        return reply.status
    except (OSError, http.client.HTTPException):
        return None
