"""A database in a folder, its keys, and the server on it."""

import http.client
import json
import pathlib
import subprocess
import sys
import time

import placard_server
from claims import check
from device_limits import unlimited

ROOT = pathlib.Path(__file__).resolve().parents[2]

PLACARD = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "Server/.build/debug/placard")


class Site:
    """A database in a folder, its keys, and the server on it."""

    def __init__(self, folder):
        self.folder, self.database = folder, folder / "cards.sqlite"
        placard_server.command(PLACARD, "migrate", "--database", self.address)
        self.key = placard_server.make_key(PLACARD, self.database, "publishable")
        self.secret = placard_server.make_key(PLACARD, self.database, "secret", "manage")
        self.start()
        placard_server.Connection(self.server.port, self.secret).call(
            "PATCH",
            "/v1/settings",
            {
                "device_limits": unlimited(
                    "requests_per_address", "requests_per_key", "new_users_per_address", "failures_per_address"
                )
            },
        )

    @property
    def address(self):
        return f"sqlite:{self.database}"

    def start(self, *flags, log=subprocess.DEVNULL, level="critical"):
        self.server = placard_server.Server.serve(PLACARD, self.database, "--log-level", level, *flags, log=log)

    def kill(self):
        self.server.process.kill()
        self.server.process.wait()
        self.server.process.stdout.close()

    def ask(self, method, path, body=None, key=None, timeout=60):
        """The status of an answer, the seconds that it took, and its text."""
        begun = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=timeout)
        try:
            headers = (
                {}
                if path == "/readyz"
                else {"Authorization": f"Bearer {key or self.key}", "Content-Type": "application/json"}
            )
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            reply = connection.getresponse()
            return reply.status, time.monotonic() - begun, reply.read().decode()
        except (OSError, http.client.HTTPException) as error:
            return 0, time.monotonic() - begun, str(error)
        finally:
            connection.close()

    def sync(self, user):
        return self.ask("POST", "/v1/sync", {"user_id": user, "device_id": f"device-of-{user}", "platform": "ios"})[0]

    def knows(self, user):
        return self.ask("GET", f"/v1/users/{user}", key=self.secret)[0] == 200

    def readiness(self, wanted):
        """Waits for what /readyz says, and returns the slowest answer."""
        slowest = 0.0

        def status():
            nonlocal slowest
            status, seconds, _ = self.ask("GET", "/readyz")
            slowest = max(slowest, seconds)
            return status

        try:
            placard_server.wait_for(status, lambda found: found == wanted, "not so")
        except AssertionError:
            return None
        return slowest

    def drill(self, what, begin, end):
        """Makes a write impossible, and possible again: the server says both, acknowledges nothing in between and ends
        by nothing."""
        user = what.replace(" ", "-")
        check(f"{what}: devices are answered before", self.sync(f"{user}-before") == 200)
        begin()
        slowest = self.readiness(503)
        check(f"{what}: /readyz says so within a second", slowest is not None and slowest < 1, slowest)
        status = self.sync(f"{user}-during")
        check(f"{what}: a write isn't acknowledged", status in (500, 503, 507), status)
        check(f"{what}: the process lives", self.server.is_running and self.ask("GET", "/healthz")[0] == 200)
        end()
        check(f"{what}: afterwards it is ready by itself", self.readiness(200) is not None)
        check(f"{what}: writes are taken again", self.sync(f"{user}-after") == 200)
        check(f"{what}: what was acknowledged is kept", self.knows(f"{user}-before") and self.knows(f"{user}-after"))
