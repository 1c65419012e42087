"""Forms that no page of ours was shown for."""

import hashlib
import hmac
import os
import time

from ..base64url import decode, encode
from ..browser import PASSWORD, Browser
from ..client import Client
from ..database import changes
from ..suite import Topic, check
from ..world import ADMIN

topic = Topic("Forged forms")


def forge(key, expires_at, nonce=None):
    """A form token as the server makes them, signed with a key that an attacker has."""
    signed = (nonce or os.urandom(16)) + (int(expires_at) % 2**64).to_bytes(8, "big")
    return encode(signed + hmac.new(key, signed, hashlib.sha256).digest())


def session_key(world, browser):
    """The key of a session's forms, as a reader of the database has it."""
    cookie = browser.session_cookie[1]
    rows = world.database.rows("SELECT form_key FROM sessions WHERE hash = ?", hashlib.sha256(decode(cookie)).digest())
    return rows[0][0] if rows else None


@topic.family
def each_form(world):
    other = world.browser(ADMIN)
    foreign = other.token()
    own_key = session_key(world, world.admin)
    old = forge(own_key, time.time() - 1) if own_key else None
    for route in world.of_surface(True):
        if route["method"] == "POST" and route["needs"]:
            path = world.filled(route["path"])
            yield (
                (
                    f"POST {route['path']} does nothing without a token, or with one that is forged, foreign, old, cut"
                    " off or stretched"
                ),
                without_token(world, path, foreign, old),
            )


def without_token(world, path, foreign, old):
    def attack():
        before = world.database.fingerprint
        own = world.admin.token()
        flipped = own[:-8] + ("A" if own[-8] != "A" else "B") + own[-7:]
        tokens = {
            "no": False,
            "an empty": "",
            "a short": "AAAA",
            "a foreign": foreign,
            "an old": old,
            "a changed": flipped,
            "a cut off": own[:-4],
            "a stretched": own + "AAAA",
            "a forged": forge(os.urandom(32), time.time() + 60),
        }
        for name, token in tokens.items():
            if token is not None:
                reply = world.admin.post(path, {"role": "viewer", "name": "X"}, token=token)
                check(reply.status == 403, f"{name} token: {reply}")
        check(not changes(before, world.database.fingerprint), "something changed")

    return attack


@topic.attack("A form that was sent is not taken a second time")
def replay(world):
    token = world.admin.token()
    fields = {"name": "Once", "kind": "secret", "permission": "users.track"}
    first = world.admin.post("/dashboard/keys", fields, token=token)
    check(first.status < 400, f"the form itself: {first}")
    second = world.admin.post("/dashboard/keys", fields, token=token)
    check(second.status in (403, 409), f"the second time: {second}")
    check(len(world.database.rows("SELECT 1 FROM keys WHERE name = 'Once'")) == 1, "there are two keys")


@topic.attack("A token is not taken from the query, a header or a cookie")
def token_elsewhere(world):
    before = world.database.fingerprint
    token = world.admin.token()
    reply = world.admin.post(f"/dashboard/keys?csrf={token}", {"name": "Query", "kind": "secret"}, token=False)
    check(reply.status == 403, f"in the query: {reply}")
    reply = world.admin.post(
        "/dashboard/keys",
        {"name": "Header", "kind": "secret"},
        token=False,
        headers={"X-CSRF-Token": token, "csrf": token},
    )
    check(reply.status == 403, f"in a header: {reply}")
    check(not changes(before, world.database.fingerprint), "something changed")


@topic.family
def content_types(world):
    for kind in ("text/plain", "multipart/form-data; boundary=x", "application/json", ""):
        yield f"A form sent as “{kind}” without a token does nothing", other_type(world, kind)


def other_type(world, kind):
    def attack():
        before = world.database.fingerprint
        bodies = (
            "name=Typed&kind=secret",
            '{"name":"Typed","kind":"secret"}',
            '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nTyped\r\n--x--\r\n',
        )
        for body in bodies:
            reply = world.admin.post_raw(
                "/dashboard/keys", body, {"Content-Type": kind, "Origin": "https://evil.example"}
            )
            check(reply.status in (400, 403, 415), f"answered {reply}")
        check(not changes(before, world.database.fingerprint), "something changed")

    return attack


@topic.family
def fetch_metadata(world):
    cases = {
        "Sec-Fetch-Site says cross-site": {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
        "Sec-Fetch-Site says same-site": {"Sec-Fetch-Site": "same-site", "Origin": "https://other.example"},
        "the origin is another": {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
        "the origin is null, as of a sandboxed frame": {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
    }
    for name, headers in cases.items():
        yield f"A form without a valid token does nothing where {name}", cross_site(world, headers)


def cross_site(world, headers):
    def attack():
        before = world.database.fingerprint
        for path in ("/dashboard/keys", "/dashboard/settings", "/dashboard/users/spare/delete"):
            reply = world.admin.post(path, {"name": "Cross", "kind": "secret"}, token=False, headers=headers)
            check(reply.status == 403, f"{path}: {reply}")
        check(not changes(before, world.database.fingerprint), "something changed")

    return attack


@topic.attack(
    "Another site cannot have the cookie sent with a form: SameSite is Lax or Strict, and no page allows origins"
)
def same_site(world):
    browser = Browser(world.port)
    reply = browser.sign_in(ADMIN)
    for line in reply.all("set-cookie"):
        check("samesite=lax" in line.lower() or "samesite=strict" in line.lower(), line)
    for path in ("/dashboard", "/dashboard/keys", "/v1/keys", "/v1/sync", "/openapi.json"):
        for method in ("GET", "OPTIONS"):
            reply = Client(world.port).send(
                method, path, headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
            )
            check(reply.header("access-control-allow-origin") is None, f"{path} allows {reply.headers}")


@topic.attack("Pages are not framed by others, and share no window with them")
def framing(world):
    for path in world.pages:
        reply = world.admin.page(path)
        policy = reply.header("content-security-policy") or ""
        wanted = "frame-ancestors 'self'" if path.endswith(("/feed", "/card")) else "frame-ancestors 'none'"
        check(wanted in policy or "frame-ancestors 'none'" in policy, f"{path}: {policy}")
        check(reply.header("cross-origin-opener-policy") == "same-origin", f"{path} shares its window")


# Before there is a session, a browser signs its forms with the key in its own cookie: it can write any expiry.

EXPIRIES = {
    "has passed": time.time() - 10,
    "is a century away": time.time() + 100 * 365 * 86400,
    "is 2⁶³": 2**63,
    "is 2⁶⁴ − 1": 2**64 - 1,
    "is 0": 0,
    "is 2⁶³ − 1": 2**63 - 1,
    "is two days away": time.time() + 2 * 86400,
}


@topic.family
def own_expiry(world):
    for name, expiry in EXPIRIES.items():
        yield (
            f"A sign-in form whose expiry {name}, signed by the browser itself, is refused and not stored",
            signed_by_stranger(world, expiry),
        )


def signed_by_stranger(world, expiry):
    def attack():
        browser = Browser(world.port, world.address_of_this_machine())
        browser.page("/dashboard/sign-in")
        name, value = next((n, v) for n, v in browser.cookies.items() if "session" not in n)
        before = world.database.counts
        for path, fields in (
            ("/dashboard/sign-in", {"email": "x@y.example", "password": "x"}),
            ("/dashboard/sign-in/code", {"ticket": "a.1.x@y.example", "code": "1"}),
            ("/dashboard/forgot", {"email": "x@y.example"}),
            ("/dashboard/setup", {"code": "x"}),
        ):
            reply = browser.post(path, fields, token=forge(decode(value), expiry))
            check(reply.status == 403, f"{path}: {reply}")
        grown = {table for table, count in world.database.counts.items() if count > before[table]}
        check(not {table for table in grown if "form" in table}, f"stored in {grown}")

    return attack


@topic.attack("A sign-in form needs the cookie that its page came with")
def pre_session(world):
    browser, other = Browser(world.port), Browser(world.port)
    token = browser.token("/dashboard/sign-in")
    other.page("/dashboard/sign-in")
    reply = other.post("/dashboard/sign-in", {"email": ADMIN, "password": PASSWORD}, token=token)
    check(reply.status == 403 and not other.session_cookie[0], f"a foreign token: {reply}")
    other.cookies.clear()
    reply = other.post("/dashboard/sign-in", {"email": ADMIN, "password": PASSWORD}, token=token)
    check(reply.status == 403 and not other.session_cookie[0], f"no cookie: {reply}")


@topic.attack("A cookie for forms that is short, long, empty or no base 64 signs nothing")
def odd_visit_cookie(world):
    browser = Browser(world.port)
    browser.page("/dashboard/sign-in")
    name = next(name for name in browser.cookies if "session" not in name)
    for value in ("", "A", "A" * 42, encode(b"k" * 31), encode(b"k" * 33), encode(b"k" * 6000), "%00" * 32, "=" * 43):
        browser.cookies[name] = value
        try:
            key = decode(value)
        except ValueError:
            key = b""
        reply = browser.post(
            "/dashboard/sign-in", {"email": ADMIN, "password": "x"}, token=forge(key, time.time() + 60)
        )
        check(reply.status in (400, 403, 431), f"{value[:20]}: {reply}")
