"""Sends requests over HTTPS until its input ends, and writes their results as JSON.

usage: load.py NAME CERTIFICATE KEY

It runs in the network of the Debian that is checked, so that it needs nothing of it.
"""

import http.client
import json
import ssl
import sys
import threading
import time

SYNC = json.dumps({"user_id": "load", "device_id": "0190b2f0-5f3e-7cc1-8b1e-0d4f6f0c7a11", "platform": "ios"})


class Client(threading.Thread):
    """One client, which keeps its connection, or opens one for each request."""

    def __init__(self, name, encryption, key, keeps):
        super().__init__(daemon=True)
        self.name_, self.encryption, self.key, self.keeps = name, encryption, key, keeps
        self.answered, self.failures, self.slowest, self.is_over = 0, [], 0.0, False

    def run(self):
        connection = None
        while not self.is_over:
            begun = time.monotonic()
            try:
                if connection is None:
                    connection = Connection(self.name_, self.encryption)
                connection.request(
                    "POST",
                    "/v1/sync",
                    SYNC,
                    {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
                )
                reply = connection.getresponse()
                reply.read()
                if reply.status != 200:
                    self.failures.append(str(reply.status))
                self.answered += 1
                if not self.keeps or reply.will_close:
                    connection.close()
                    connection = None
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(f"{type(error).__name__}: {error}")
                connection = None
            self.slowest = max(self.slowest, time.monotonic() - begun)
            time.sleep(0.01)


class Connection(http.client.HTTPSConnection):
    """A connection to this machine by the name of the server."""

    def __init__(self, name, encryption):
        super().__init__(name, timeout=30, context=encryption)
        self._create_connection = lambda address, *rest, **more: http.client.socket.create_connection(
            ("127.0.0.1", 443), 30
        )


def main():
    name, certificate, key = sys.argv[1:]
    encryption = ssl.create_default_context(cafile=certificate)
    clients = [Client(name, encryption, key, keeps) for keeps in (True, True, False, False)]
    for client in clients:
        client.start()
    print("begun", flush=True)
    sys.stdin.read()
    for client in clients:
        client.is_over = True
    for client in clients:
        client.join(timeout=60)
    print(
        json.dumps(
            {
                "answered": sum(client.answered for client in clients),
                "failures": [failure for client in clients for failure in client.failures],
                "slowest": max(client.slowest for client in clients),
            }
        )
    )


main()
