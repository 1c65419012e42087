"""The server under attack, as an operator sets it up: keys by the command, the first admin by the setup page, a team,
campaigns, users. What is made here has names that attacks may count on."""

import base64
import contextlib
import hashlib
import itertools
import json
import os
import re
import threading
import time
import urllib.parse

from device_limits import lifted
from placard_server import Server, command, make_key

from .browser import PASSWORD, Browser
from .client import Api, Client
from .clock import Broken, pace, until
from .database import Database

ADMIN = "anna@example.com"
MEMBERS = {"editor": "emil@example.com", "viewer": "vera@example.com"}
# What no log, file or page may show.
SECRET_ATTRIBUTE = "Quillfeather-Osmanthus"
USER = "kate"


def quick_hash(password):
    """A password's hash as the server keeps it, at a cost that attacks can wait for."""
    salt, rounds = os.urandom(16), 1024
    digest = hashlib.scrypt(password.encode(), salt=salt, n=rounds, r=8, p=1, dklen=32)
    return f"scrypt${rounds}$8$1${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


class Instance:
    """A server over a database of its own, with a key of each kind."""

    def __init__(self, placard, folder, name, *flags, environment=None, keeps_limits=False):
        """Starts a server; the limits of what devices may ask for are lifted unless they are what is attacked."""
        self.placard, self.folder = placard, os.path.join(folder, name)
        os.makedirs(self.folder)
        self.path = os.path.join(self.folder, "placard.sqlite")
        self.log_path = os.path.join(self.folder, "log")
        self.log_file = open(self.log_path, "ab")
        self.database = Database(self.path)
        self.server = Server.serve(placard, self.path, *flags, environment=environment, log=self.log_file)
        self.port, self.address = self.server.port, self.server.address
        # Only the first start says it.
        self.setup_code = urllib.parse.parse_qs(urllib.parse.urlsplit(self.server.dashboard).query)["code"][0]
        self.secret = make_key(placard, self.path, "secret", name="Backend")
        self.publishable = make_key(placard, self.path, "publishable", name="App")
        self.api, self.device = Api(self.port, self.secret), Api(self.port, self.publishable)
        self.wait_for_keys(self.api)
        if not keeps_limits:
            self.set()

    def set(self, **changed):
        """Changes some settings and keeps the others, with limits that no attack from one address reaches."""
        settings = self.api.must("GET", "/v1/settings")
        self.api.must("PUT", "/v1/settings", {**settings, "device_limits": lifted(settings), **changed})

    @property
    def log(self):
        with open(self.log_path, "rb") as file:
            return file.read().decode("utf-8", "replace")

    def wait_for_keys(self, api):
        """Waits until the server knows a key that the command has made."""
        until(lambda: api.call("GET", "/v1/keys").status != 401, "the server does not notice a key that was made")

    def key(self, kind, *permissions, name="check"):
        """Makes a key by the command, and waits until it works."""
        made = make_key(self.placard, self.path, kind, *permissions, name=name)
        self.wait_for_keys(Api(self.port, made))
        return made

    def make_admin(self, email=ADMIN):
        """Makes the first account by the setup page."""
        browser = Browser(self.port)
        page = f"/dashboard/setup?code={self.setup_code}"
        fields = {"code": self.setup_code, "name": "Anna", "email": email, "password": PASSWORD}
        reply = browser.post("/dashboard/setup", fields, token=browser.token(page))
        assert reply.status == 303, f"no account could be made: {reply}"
        browser.password = PASSWORD
        return browser

    def browser(self, email, password=PASSWORD, source=None):
        """Signs a member in."""
        browser = Browser(self.port, source)
        reply = browser.sign_in(email, password)
        assert reply.status == 303, f"{email} could not sign in: {reply}"
        return browser

    def health(self):
        """Returns what is wrong with the server's health, or None.

        A reply may take long where other processes have the processors, but not where the server itself is busy.
        """
        if not self.server.is_running:
            return f"the server died with status {self.server.process.returncode}"
        start, before = time.monotonic(), self.server.processor_seconds
        try:
            reply = Client(self.port).get("/healthz")
        except OSError as error:
            time.sleep(0.3)
            if not self.server.is_running:
                return f"the server died with status {self.server.process.returncode}"
            return f"the server does not answer /healthz: {error}"
        taken, own = time.monotonic() - start, self.server.processor_seconds - before
        if reply.status != 200:
            return f"/healthz answered {reply.status}"
        is_busy = taken > 3 and own > taken / 2
        return f"/healthz took {taken:.1f} s, of which the server computed {own:.1f} s" if is_busy else None

    @contextlib.contextmanager
    def effort(self, seconds, what="it"):
        """Fails where the server takes more processor time for something than an idle machine would need.

        Other work on the machine does not count; it makes the processors slower, which a control measures.
        """
        before = self.server.processor_seconds
        yield
        taken = self.server.processor_seconds - before
        if taken > seconds and taken > seconds * pace():
            raise Broken(f"{what} took {taken:.1f} s of processor time")

    @contextlib.contextmanager
    def memory(self, mebibytes, what="it"):
        """Fails where the server's memory grows by more, at its highest while something runs or afterwards."""
        before, highest, end = self.server.resident_bytes, [0], threading.Event()

        def watch():
            while not end.wait(0.02):
                highest[0] = max(highest[0], self.server.resident_bytes)

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            yield
        finally:
            end.set()
            watcher.join()
        grown = (max(highest[0], self.server.resident_bytes) - before) >> 20
        if grown > mebibytes:
            raise Broken(f"{what} took {grown} MiB of memory")

    def stop(self):
        status = self.server.stop()
        self.log_file.close()
        return status


class World(Instance):
    """The main server with its data."""

    def __init__(self, placard, folder):
        super().__init__(placard, folder, "main")
        self.root, self.ended_seconds = folder, 0
        self.numbers = itertools.count(1)
        self.admin = self.make_admin()
        self.database.write("UPDATE members SET password_hash = ?", quick_hash(PASSWORD))
        for role, email in MEMBERS.items():
            self.add_member(email, role)
        self.editor, self.viewer = (self.browser(MEMBERS[role]) for role in ("editor", "viewer"))
        self.routes = json.loads(command(placard, "routes", "--json"))["routes"]
        self.document = Client(self.port).get("/openapi.json").json
        self.campaign_ids = []
        self.fill()
        self.start_bytes, self.start_descriptors = self.server.resident_bytes, self.server.descriptor_count

    def revive(self):
        """Returns what is wrong with the server after an attack; one that died is started again."""
        problem = self.health()
        if not self.server.is_running:
            self.server.process.stdout.close()
            self.server.start()
        return problem

    def is_bounded(self):
        """Fails where the server holds more memory or files than all of it may have left."""
        time.sleep(1)
        mebibytes, files = self.server.resident_bytes >> 20, self.server.descriptor_count
        if mebibytes > 600:
            raise Broken(f"it has {mebibytes} MiB of memory, and began with {self.start_bytes >> 20}")
        if files > self.start_descriptors + 60:
            raise Broken(f"it has {files} files open, and began with {self.start_descriptors}")

    def address_of_this_machine(self):
        """Returns an address of the loopback network from which no one has called yet."""
        number = next(self.numbers)
        return f"127.{10 + number // 60000}.{1 + number // 250 % 240}.{1 + number % 250}"

    def add_member(self, email, role, password=PASSWORD):
        """Adds a member to the team whose password is quick to check.

        A debug build takes two seconds for each real hash, and hashes say themselves what they cost.
        """
        self.database.write(
            "INSERT INTO members (email, password_hash, created_at, name, role) VALUES (?, ?, ?, ?, ?)",
            email,
            quick_hash(password),
            time.time(),
            f"A {role}",
            role,
        )

    def invite_member(self, email, role, password=PASSWORD):
        """Adds a member to the team as an admin does, with a hash of the full cost."""
        reply = self.admin.post("/dashboard/team", {"name": f"A {role}", "email": email, "role": role})
        found = re.search(r'id="password-link">[^<]*\?token=([^<]+)<', reply.text)
        assert found, f"{email} could not be added: {reply}"
        browser = Browser(self.port, self.address_of_this_machine())
        token = browser.token(f"/dashboard/password?token={found[1]}")
        reply = browser.post("/dashboard/password", {"token": found[1], "password": password}, token=token)
        assert reply.status == 303, f"{email} could not choose a password: {reply}"

    @contextlib.contextmanager
    def instance(self, name, *flags, environment=None, keeps_limits=False):
        """Another server for an attack that would spoil this one."""
        instance = Instance(self.placard, self.root, name, *flags, environment=environment, keeps_limits=keeps_limits)
        try:
            yield instance
            if not instance.server.is_running:
                raise Broken(f"the server died with status {instance.server.process.returncode}")
        finally:
            if instance.server.is_running:
                self.ended_seconds += instance.server.processor_seconds
            instance.stop()

    @property
    def processor_seconds(self):
        """The processor time of this server and of the others that have ended."""
        return self.ended_seconds + (self.server.processor_seconds if self.server.is_running else 0)

    # MARK: Data

    def campaign(self, title="Hello", **more):
        """A campaign with one card; fields of the card by `card`."""
        card = {"type": "classic", "title": title, "description": "For you", **more.pop("card", {})}
        return {"id": f"c-{next(self.numbers)}", "name": "Check", "variants": [{"id": "a", "card": card}], **more}

    def launch(self, title="Hello", **more):
        """Creates and launches a campaign, and returns its id."""
        made = self.campaign(title, **more)
        self.api.must("POST", "/v1/campaigns", made)
        self.api.must("POST", f"/v1/campaigns/{made['id']}/launch", {"force": True})
        return made["id"]

    def retire(self, campaign):
        """Stops a campaign and takes its cards back, so that it slows no one down."""
        self.api.call("POST", f"/v1/campaigns/{campaign}/stop", {"withdraw": True})
        self.api.call("POST", f"/v1/campaigns/{campaign}/archive", {})

    def fill(self):
        """Makes what pages show."""
        self.api.must(
            "POST",
            "/v1/segments",
            {"id": "members", "name": "Members", "audience": {"attribute": "plan", "value": "gold"}},
        )
        self.welcome = self.launch("Hello {{${first_name} | default: 'you'}}", id="welcome", name="Welcome")
        self.launch("Tile", id="triggered", name="Triggered", delivery={"type": "api_triggered"})
        self.api.must("POST", "/v1/campaigns", self.campaign("Draft", id="draft", name="Draft"))
        self.api.must("PUT", "/v1/content-blocks/footer", {"content": "Regards"})
        self.api.must(
            "POST",
            "/users/track",
            {
                "attributes": [
                    {"external_id": USER, "first_name": "Kate", "plan": "gold", "secret_note": SECRET_ATTRIBUTE},
                    {"external_id": "spare", "first_name": "Sam"},
                ]
            },
        )
        self.device.call(
            "PUT",
            "/v1/content-types",
            {"types": [{"class_type": "coupon", "fields": [{"name": "code", "type": "string", "required": True}]}]},
        )
        cards = self.device.sync(USER).json["cards"]
        now = time.time()
        self.device.must(
            "POST",
            "/v1/events",
            {
                "user_id": USER,
                "device_id": "device-kate",
                "events": [
                    {
                        "id": f"00000000-0000-4000-8000-00000000000{n}",
                        "type": kind,
                        "at": now,
                        "card_id": cards[0]["id"],
                    }
                    for n, kind in enumerate(("impression", "click"))
                ],
            },
        )

    # MARK: Addresses

    NAMES = {
        "campaigns": "welcome",
        "segments": "members",
        "users": "spare",
        "keys": "key_none",
        "content-blocks": "footer",
        "team": urllib.parse.quote(MEMBERS["viewer"]),
        "assets": "none.css",
    }

    def filled(self, path):
        """A path with ids that exist for its parameters."""
        parts = path.strip("/").split("/")
        known = [self.NAMES[part] for part in parts if part in self.NAMES]
        return "/" + "/".join(
            ("1" if part == "{version}" else known[-1] if known else "none") if part.startswith("{") else part
            for part in parts
        )

    def api_for(self, method, path):
        """The key that opens a route by the table of routes: apps' for devices, the backend's for everything else."""
        return (
            self.device
            if any(
                (route["method"], route["path"], route["surface"]) == (method, path, "device") for route in self.routes
            )
            else self.api
        )

    def of_surface(self, is_dashboard):
        """The routes of the dashboard, or those of the API."""
        return [route for route in self.routes if (route["surface"] == "dashboard") == is_dashboard]

    @property
    def pages(self):
        """Every page of members with ids filled in, but those that stream, lead elsewhere or are files."""
        skipped = ("/dashboard/live", "/dashboard/media/list", "/dashboard/resume", "/dashboard/assets/{file}", "/")
        return [
            self.filled(route["path"])
            for route in self.of_surface(True)
            if route["method"] == "GET" and route["path"] not in skipped and route["needs"]
        ]
