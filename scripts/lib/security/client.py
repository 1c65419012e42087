"""HTTP as a hostile caller speaks it: any header, any body, any address of this machine."""

import http.client
import json
import re
import socket

from .clock import LONG


class Reply:
    """A reply that has been read."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, [(name.lower(), value) for name, value in headers], body

    def __repr__(self):
        """The status and what the reply says, of a page only its title and what went wrong."""
        text = self.text
        if text.startswith("<!doctype html"):
            parts = re.findall(r'<title>([^<]*)|role="alert">([^<]*)|<main[^>]*>\s*<h1>([^<]*)', text)
            text = " / ".join(part for found in parts for part in found if part)
        place = f" to {self.header('location')}" if self.header("location") else ""
        return f"{self.status}{place} {text[:200]!r}"

    def header(self, name):
        """The first header of a name, or None."""
        return next((value for known, value in self.headers if known == name.lower()), None)

    def all(self, name):
        """Every header of a name."""
        return [value for known, value in self.headers if known == name.lower()]

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The code of a refusal, or None."""
        try:
            return self.json["error"]["code"]
        except (ValueError, KeyError, TypeError):
            return None


class Client:
    """One caller on one connection that is opened again when it was closed."""

    def __init__(self, port, source=None):
        self.port, self.source = port, source
        self.connection = None

    def open(self):
        source = (self.source, 0) if self.source else None
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG, source_address=source)
        # The path is part of the attack.
        self.connection._validate_path = lambda path: None
        self.connection._encode_request = lambda text: text.encode("latin-1")

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def send(self, method, path, body=None, headers=None):
        """Sends a request and returns its reply; a connection that was idle may be opened once more."""
        was_open = self.connection is not None and self.connection.sock is not None
        try:
            return self.exchange(method, path, body, headers or {})
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            self.close()
            if not was_open:
                raise
        return self.exchange(method, path, body, headers or {})

    def exchange(self, method, path, body, headers):
        if self.connection is None:
            self.open()
        try:
            self.connection.request(method, path, body, headers)
            reply = self.connection.getresponse()
            return Reply(reply.status, reply.getheaders(), reply.read())
        except (socket.timeout, http.client.HTTPException, OSError):
            self.close()
            raise

    def get(self, path, **headers):
        return self.send("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})


class Api(Client):
    """A caller with a key."""

    def __init__(self, port, key, source=None, token=None):
        super().__init__(port, source)
        self.key, self.token = key, token

    def call(self, method, path, body=None, **more):
        """Sends JSON, or the bytes or text of a body as they are."""
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode("utf-8", "surrogatepass")
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        if self.token:
            headers["Placard-User-Token"] = self.token
        return self.send(method, path, body, {**headers, **more})

    def must(self, method, path, body=None):
        """Returns the JSON of a reply that has to be a success: for preparations."""
        reply = self.call(method, path, body)
        assert reply.status < 300, f"{method} {path}: {reply}"
        return reply.json if reply.body else None

    def sync(self, user, device=None, **more):
        """Syncs a user's device."""
        return self.call("POST", "/v1/sync", {"user_id": user, "device_id": device or f"device-{user}"[:500], **more})
