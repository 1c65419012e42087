"""What each kind of key opens: the list of routes is the server's own."""

import json
import unicodedata

from ..client import Api
from ..database import changes
from ..suite import Topic, check

topic = Topic("API keys")
DEVICE, OPEN = "device", None


def needs_of(world):
    """The routes of the API with what each needs."""
    return [(route["method"], route["path"], route["surface"], route["needs"]) for route in world.of_surface(False)]


def call(world, key, method, path, **headers):
    """Calls a route so that nothing happens where it is opened: with a body that is no JSON and ids that do not
    exist."""
    filled = world.filled(path).replace("welcome", "none").replace("members", "none").replace("spare", "none-such")
    body = None if method in ("GET", "DELETE") else "-"
    if path == "/v1/live":
        filled += "?user_id="
    return Api(world.port, key).call(method, filled.replace("footer", "none"), body, **headers)


@topic.family
def each_route(world):
    revoked = world.key("secret", name="Revoked")
    world.api.must("DELETE", f"/v1/keys/{key_id(world, 'Revoked')}")
    forged = "sk_" + "A" * 43
    for method, path, surface, needs in needs_of(world):
        if needs:
            yield (
                (
                    f"{method} {path} needs a {needs}: none, a forged, a cut off, a revoked one and one of the other"
                    " kind are refused"
                ),
                guarded(world, method, path, surface, forged, revoked),
            )
        else:
            yield (
                f"{method} {path}, which needs no key, tells no id, name, key or path of the machine",
                silent(world, path),
            )


def key_id(world, name):
    return next(key["id"] for key in world.api.must("GET", "/v1/keys")["keys"] if key["name"] == name)


def guarded(world, method, path, surface, forged, revoked):
    def attack():
        before = world.database.fingerprint
        wanted = world.publishable if surface == DEVICE else world.secret
        for name, key in (
            ("no", None),
            ("a forged", forged),
            ("a cut off", wanted[:-1]),
            ("a revoked", revoked),
            ("an empty", ""),
        ):
            reply = call(world, key, method, path)
            check(reply.status == 401, f"{name} key: {reply}")
            check(reply.code in ("key_missing", "key_invalid", "unauthorized"), f"{name} key: {reply}")
        other = world.secret if surface == DEVICE else world.publishable
        reply = call(world, other, method, path)
        if surface != DEVICE:
            check(reply.status == 403, f"a publishable key: {reply}")
        check(not changes(before, world.database.fingerprint), "something changed")

    return attack


def silent(world, path):
    def attack():
        reply = call(world, None, "GET", path)
        # A path with a place for an id is one of something that doesn't exist.
        check(reply.status == (404 if "{" in path else 200), f"answered {reply}")
        for text in (
            "kate",
            "welcome",
            "members@",
            key_id(world, "Backend"),
            world.folder,
            "anna@example.com",
            "/home/",
        ):
            check(text not in reply.text.replace("welcome screen", ""), f"tells {text}")

    return attack


@topic.family
def each_permission(world):
    schema = json.dumps(world.document["components"]["schemas"]["NewKey"])
    names = sorted({name for name in permission_names(json.loads(schema)) if name != DEVICE})
    check(len(names) > 5, f"the document lists no permissions: {schema}")
    opened = {}
    for name in names:
        key = world.key("secret", name, name=f"Only {name}")
        yield (
            f"A key with the permission {name} alone opens the routes of that permission and no other",
            narrow(world, key, name, opened),
        )


def permission_names(node):
    """The values of the permissions in the schema of a new key."""
    if isinstance(node, dict):
        if "enum" in node:
            return [value for value in node["enum"] if value not in ("publishable", "secret")]
        return [name for value in node.values() for name in permission_names(value)]
    return [name for value in node for name in permission_names(value)] if isinstance(node, list) else []


def narrow(world, key, name, opened):
    def attack():
        is_documented = "." in name
        for method, path, surface, needs in needs_of(world):
            if not needs:
                continue
            reply = call(world, key, method, path)
            is_open = reply.status not in (401, 403)
            if is_documented:
                wanted = path.strip("/").removeprefix("v1/").replace("/", ".") == name
                check(is_open == wanted, f"{method} {path}: {reply}")
            # Apps propose what their content types are; a key for campaigns publishes it.
            publishes = path == "/v1/content-types" and name in ("campaigns", "manage")
            if surface == DEVICE and not publishes:
                check(not is_open, f"{method} {path}: {reply}")
            if is_open:
                opened.setdefault(name, set()).add((method, path))
        check(opened.get(name), "it opens nothing")

    return attack


@topic.family
def spellings(world):
    key = world.secret
    forms = {
        "in the query": ("/v1/keys?key=" + key, {}),
        "as a password": ("/v1/keys", {"Authorization": f"Basic {key}"}),
        "in a cookie": ("/v1/keys", {"Cookie": f"placard_session={key}; key={key}"}),
        "without its scheme": ("/v1/keys", {"Authorization": key}),
        "in X-API-Key": ("/v1/keys", {"X-API-Key": key}),
        "in other letters": ("/v1/keys", {"Authorization": "Bearer " + key.swapcase()}),
        "with a line of another after it": ("/v1/keys", {"Authorization": f"Bearer {key}, Bearer {key}"}),
        "with something after it": ("/v1/keys", {"Authorization": f"Bearer {key}x"}),
        "with full-width letters": (
            "/v1/keys",
            {"Authorization": "Bearer " + "".join(chr(ord(c) + 0xFEE0) for c in key)},
        ),
        "with a NUL in its place": ("/v1/keys", {"Authorization": f"Bearer {key[:-1]}\x00"}),
        "of a megabyte": ("/v1/keys", {"Authorization": "Bearer sk_" + "A" * 1_000_000}),
        "that is its hash": ("/v1/keys", {"Authorization": f"Bearer {key_hash(key)}"}),
        "that is its id": ("/v1/keys", {"Authorization": f"Bearer {key_id(world, 'Backend')}"}),
    }
    for name, (path, headers) in forms.items():
        yield f"A key {name} opens nothing", spelled(world, path, headers)


def key_hash(key):
    import hashlib

    return hashlib.sha256(key.encode()).hexdigest()


def spelled(world, path, headers):
    def attack():
        encoded = {name: value.encode("utf-8").decode("latin-1") for name, value in headers.items()}
        try:
            reply = Api(world.port, None).call("GET", path, None, **encoded)
        except ValueError:
            return  # The client itself cannot send it; raw bytes are another topic.
        except ConnectionError:
            return
        check(reply.status in (400, 401, 403, 431), f"answered {reply}")

    return attack


@topic.attack("A key is revoked with the next request, and for good")
def revocation(world):
    key = world.key("secret", name="To revoke")
    check(Api(world.port, key).call("GET", "/v1/keys").status == 200, "the key does not work")
    identifier = key_id(world, "To revoke")
    world.api.must("DELETE", f"/v1/keys/{identifier}")
    check(Api(world.port, key).call("GET", "/v1/keys").status == 401, "the key still works")
    check(world.api.call("DELETE", f"/v1/keys/{identifier}").status in (204, 404), "a second revocation fails")


@topic.attack("A publishable key cannot be given more than the device permission, by the API or the form")
def publishable_permissions(world):
    for permissions in (["manage"], ["device", "manage"], ["users.track"], ["device", "device", "users.delete"]):
        reply = world.api.call("POST", "/v1/keys", {"name": "X", "kind": "publishable", "permissions": permissions})
        check(reply.status == 400, f"{permissions}: {reply}")
    reply = world.admin.post("/dashboard/keys", [("name", "Sly"), ("kind", "publishable"), ("permission", "manage")])
    rows = world.database.rows("SELECT kind, permissions FROM keys WHERE name = 'Sly'")
    check(all("manage" not in permissions for kind, permissions in rows), f"a key was made with {rows}: {reply.status}")


@topic.attack("A key that may not manage cannot make a key that may")
def escalation(world):
    key = world.key("secret", "users.track", name="Narrow")
    reply = Api(world.port, key).call("POST", "/v1/keys", {"name": "Wide", "kind": "secret"})
    check(reply.status == 403, f"answered {reply}")


@topic.attack("No reply but the one that made a key shows its secret")
def secret_once(world):
    made = world.api.must("POST", "/v1/keys", {"name": "Seen once", "kind": "secret", "permissions": ["users.track"]})
    for path in ("/v1/keys", "/v1/audit?limit=50", "/v1/settings"):
        check(made["secret"] not in world.api.call("GET", path).text, f"{path} shows it")
    for path in ("/dashboard/keys", "/dashboard/audit", "/dashboard"):
        check(made["secret"] not in world.admin.page(path).text, f"{path} shows it")


@topic.attack("Keys that look alike are told apart by their bytes")
def lookalikes(world):
    made = world.api.must("POST", "/v1/keys", {"name": "é", "kind": "secret", "permissions": ["users.track"]})
    for form in ("NFD", "NFKD"):
        other = unicodedata.normalize(form, made["secret"]) + "\u0301"
        reply = Api(world.port, other.encode().decode("latin-1")).call("POST", "/users/track", {})
        check(reply.status == 401, f"answered {reply}")
