"""One request for each operation of the API, made to a fresh demo server: the examples of the REST reference are what
it answered."""

import http.client
import json
import pathlib
import re
from .examples import CAMPAIGN, EXAMPLES


PUBLISHABLE = {"POST /v1/sync", "POST /v1/events", "GET /v1/live", "POST /v1/test-codes", "PUT /v1/content-types"}
OPEN = {
    "GET /healthz",
    "GET /readyz",
    "GET /metrics",
    "GET /openapi.json",
    "GET /media/{id}/{name}",
    "GET /media/{id}/{name}/{width}",
}

# What shows how a request is refused.
REFUSALS = [
    ("400", "POST", "/v1/campaigns", {"name": ""}, "sk"),
    ("401", "GET", "/v1/campaigns", None, None),
    ("403", "GET", "/v1/campaigns", None, "pk"),
    ("404", "GET", "/v1/campaigns/nothing-like-it", None, "sk"),
    ("409", "PUT", "/v1/campaigns/demo-coupon", {**CAMPAIGN, "id": None, "version": 1_000}, "sk"),
]


class Example:
    """A request and what came back."""

    def __init__(self, method, target, body, status, kind, reply):
        self.method, self.target, self.body, self.status, self.kind, self.reply = (
            method,
            target,
            body,
            status,
            kind,
            reply,
        )

    def command(self, needs):
        """The request as a command of curl."""
        parts = ["curl"] if self.method == "GET" else [f"curl -X {self.method}"]
        parts.append(f'"$PLACARD_SERVER{self.target}"')
        if needs:
            parts.append(f'-H "Authorization: Bearer ${needs}"')
        if isinstance(self.body, pathlib.Path):
            parts.append(f'-H "Content-Type: image/png" --data-binary @{self.body.name}')
        elif self.body is not None:
            parts.append("-d '" + json.dumps(self.body, indent=2, ensure_ascii=False).replace("'", "'\\''") + "'")
        lines = " \\\n  ".join(parts[:2]) if len(parts[0] + parts[1]) > 70 else " ".join(parts[:2])
        return " \\\n  ".join([lines, *parts[2:]])


def send(port, method, target, body, key):
    """A reply as status, type and text. A live stream is read for its first lines."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    data = body.read_bytes() if isinstance(body, pathlib.Path) else None if body is None else json.dumps(body)
    if isinstance(body, pathlib.Path):
        headers["Content-Type"] = "image/png"
    connection.request(method, target, data, headers)
    reply = connection.getresponse()
    kind = (reply.getheader("Content-Type") or "").partition(";")[0]
    if kind == "text/event-stream":
        text = reply.readline() + reply.readline()
    else:
        text = reply.read()
    connection.close()
    if kind.startswith("image/"):
        return reply.status, kind, f"({len(text):,} bytes)"
    return reply.status, kind, text.decode()


def without_secrets(text):
    return re.sub(r"\b(sk|pk|whsec)_[A-Za-z0-9_-]{12,}", r"\1_…", re.sub(r'("secret": ?")[^"]{16,}"', r'\1…"', text))


def without_nothing(body):
    return {name: value for name, value in body.items() if value is not None} if isinstance(body, dict) else body


def record(server):
    """Makes every request, in order; returns the examples by method and path."""
    seen, examples = {}, {}
    for method, path, values, body in EXAMPLES:
        name = f"{method} {path}"
        try:
            values = values(seen) if callable(values) else values
            body = without_nothing(body(seen) if callable(body) else body)
        except (KeyError, IndexError) as error:
            raise SystemExit(f"the example of {name} needs an answer that did not come: {error!r}") from None
        target = re.sub(r"\{(\w+)\}", lambda match: values[match[1]], path) + (
            "?" + values["?"] if "?" in values else ""
        )
        key = None if name in OPEN else server.publishable if name in PUBLISHABLE else server.secret
        status, kind, text = send(server.port, method, target, body, key)
        if kind == "application/json" and text:
            seen[name] = json.loads(text)
        examples[name] = Example(method, target, body, status, kind, without_secrets(text))
        if status >= 300:
            raise SystemExit(f"the example of {name} was refused: {status} {text}")
        if name == "POST /v1/content-types/proposals/{id}/dismiss":
            propose_again(server, seen)
    return examples


def propose_again(server, seen):
    """A proposal that was dismissed can't be accepted; another one can."""
    body = {
        "app_version": "3.2",
        "types": [{"class_type": "coupon", "fields": [{"name": "code", "type": "string", "required": True}]}],
    }
    send(server.port, "PUT", "/v1/content-types", body, server.publishable)
    seen["GET /v1/content-types"] = json.loads(send(server.port, "GET", "/v1/content-types", None, server.secret)[2])


def refusals(server):
    """What is answered to requests that are wrong, by status."""
    keys = {"sk": server.secret, "pk": server.publishable, None: None}
    made = []
    for expected, method, target, body, kind in REFUSALS:
        status, _, text = send(server.port, method, target, without_nothing(body), keys[kind])
        if str(status) != expected:
            raise SystemExit(f"{method} {target} was answered {status} and not {expected}: {text}")
        made.append(Example(method, target, without_nothing(body), status, "application/json", without_secrets(text)))
    return made
