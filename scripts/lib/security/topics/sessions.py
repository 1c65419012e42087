"""Sessions: how they begin, what they hang on, and that they end."""

import os
import re
import time

from ..browser import PASSWORD, Browser
from ..client import Client
from ..suite import Topic, check
from ..world import ADMIN
from .csrf import decode, encode

topic = Topic("Sessions")


@topic.attack("The session's cookie is HttpOnly, SameSite, for the dashboard alone, and of 256 bits of chance")
def cookie_flags(world):
    browser = Browser(world.port)
    reply = browser.sign_in(ADMIN)
    name, value = browser.session_cookie
    line = next(line for line in reply.all("set-cookie") if line.startswith(name))
    for wanted in ("httponly", "samesite="):
        check(wanted in line.lower(), line)
    check("domain=" not in line.lower(), f"other hosts get it too: {line}")
    path = re.search(r"path=([^;]+)", line, re.IGNORECASE)[1]
    check(path == "/dashboard" or name.startswith("__Host-"), line)
    check(len(decode(value)) >= 32, f"{value} is short")


@topic.attack("A session that was planted before signing in is worth nothing afterwards")
def fixation(world):
    browser = Browser(world.port)
    browser.page("/dashboard/sign-in")
    planted = encode(b"p" * 32)
    browser.cookies["placard_session"] = planted
    check(browser.sign_in(ADMIN).status == 303, "signing in failed")
    check(browser.session_cookie[1] != planted, "the planted session was kept")
    other = Browser(world.port)
    other.cookies[browser.session_cookie[0]] = planted
    check(not other.is_signed_in, "the planted session is signed in")


@topic.attack("Two sign-ins get two sessions, and signing out ends the one that did, on the server")
def sign_out(world):
    one, two = world.browser(ADMIN), world.browser(ADMIN)
    check(one.session_cookie[1] != two.session_cookie[1], "they share a session")
    kept = dict(one.cookies)
    token = one.token()
    reply = one.post("/dashboard/sign-out", {}, token=token)
    check(reply.status == 303, f"signing out: {reply}")
    check('"cache"' in (reply.header("clear-site-data") or ""), "pages that the browser keeps are not cleared")
    thief = Browser(world.port)
    thief.cookies = kept
    check(not thief.is_signed_in, "the cookie still works")
    check(
        thief.post("/dashboard/theme", {"theme": "dark"}, token=token).status in (303, 401, 403), "a form still works"
    )
    check(two.is_signed_in, "the other session ended too")


@topic.attack("A session that has run out is over, though its cookie is still sent")
def expiry(world):
    browser = world.browser(ADMIN)
    token = browser.token()
    set_session(world, browser, "expires_at", time.time() - 1)
    check(not browser.is_signed_in, "a page is still shown")
    reply = browser.post("/dashboard/keys", {"name": "Late", "kind": "secret"}, token=token)
    check(reply.status in (303, 401, 403), f"a form: {reply}")
    check(not world.database.rows("SELECT 1 FROM keys WHERE name = 'Late'"), "a key was made")


def set_session(world, browser, column, value):
    """Changes a session in the database, as time would."""
    import hashlib

    hashed = hashlib.sha256(decode(browser.session_cookie[1])).digest()
    changed = world.database.write(f"UPDATE sessions SET {column} = ? WHERE hash = ?", value, hashed)
    check(changed == 1, "the session is not where it was looked for")


@topic.attack("A session ends some weeks after it began, however often it is used")
def absolute_end(world):
    browser = world.browser(ADMIN)
    set_session(world, browser, "created_at", time.time() - 400 * 86400)
    check(not browser.is_signed_in, "a session of more than a year still works")


@topic.attack("A new password signs every other browser out")
def new_password(world):
    world.add_member("changer@example.com", "viewer")
    one, two = world.browser("changer@example.com"), world.browser("changer@example.com")
    fields = {"current": PASSWORD, "password": PASSWORD + " too", "email": "changer@example.com"}
    reply = one.post("/dashboard/account/password", fields)
    check(reply.status < 400, f"the change: {reply}")
    check(not two.is_signed_in, "the other browser is still signed in")
    check(Browser(world.port).sign_in("changer@example.com").status == 401, "the old password still works")


@topic.attack("Members can see their sessions and sign out everywhere")
def everywhere(world):
    world.add_member("nomad@example.com", "viewer")
    one, two = world.browser("nomad@example.com"), world.browser("nomad@example.com")
    path = next(
        (
            route["path"]
            for route in world.of_surface(True)
            if route["method"] == "POST"
            and re.search(r"everywhere|sessions", route["path"])
            and "{" not in route["path"]
        ),
        None,
    )
    check(path, "no form does it")
    check("ession" in one.page("/dashboard/account").text, "the account does not list sessions")
    reply = one.post(path, {"current": PASSWORD, "password": PASSWORD})
    check(reply.status < 400, f"the form: {reply}")
    check(not two.is_signed_in, "the other browser is still signed in")


@topic.attack("Cookies of another length, alphabet or kind are no session and no error")
def odd_cookies(world):
    name = world.admin.session_cookie[0]
    value = world.admin.session_cookie[1]
    odd = [
        "",
        "A",
        value[:-1],
        value + "A",
        value.swapcase(),
        encode(os.urandom(32)),
        "A" * 4000,
        "%00",
        '"' + value[:-3] + '"',
        "../../etc/passwd",
        "' OR 1=1 --",
        encode(b"\x00" * 32),
        "null",
        "[]",
        f"{value}.{value}",
    ]
    for cookie in odd:
        reply = Client(world.port).get("/dashboard/keys", Cookie=f"{name}={cookie}")
        check(reply.status in (303, 400, 401, 431), f"{cookie[:40]}: {reply}")


@topic.attack("A session is not taken from the query, a header or a form")
def session_elsewhere(world):
    name, value = world.admin.session_cookie
    for path, headers in (
        (f"/dashboard/keys?{name}={value}", {}),
        ("/dashboard/keys", {"Authorization": f"Bearer {value}"}),
        ("/dashboard/keys", {"X-Session": value, name: value}),
    ):
        check(Client(world.port).send("GET", path, headers=headers).status == 303, path)


@topic.attack("A session opens no route of the API: browsers hold no keys")
def session_on_api(world):
    cookie = "; ".join(f"{name}={value}" for name, value in world.admin.cookies.items())
    for path in ("/v1/keys", "/v1/campaigns", "/v1/audit", "/v1/users/kate"):
        check(Client(world.port).get(path, Cookie=cookie).status == 401, path)


@topic.attack("Every page of members tells browsers and proxies not to store it")
def not_cached(world):
    for path in world.pages + ["/dashboard/sign-in"]:
        reply = world.admin.page(path)
        check("no-store" in (reply.header("cache-control") or ""), f"{path}: {reply.header('cache-control')}")


@topic.attack("Of two cookies of one name, the one that was planted does not take the other's place in silence")
def two_cookies(world):
    name, value = world.admin.session_cookie
    for cookies in (f"{name}=AAAA; {name}={value}", f"{name}={value}; {name}=AAAA"):
        reply = Client(world.port).get("/dashboard/account", Cookie=cookies)
        check(reply.status in (200, 303, 400), f"answered {reply}")
        check(reply.status != 200 or ADMIN in reply.text, "another's page is shown")


@topic.attack("Signing out needs its form: a link, an image or a frame of another site does not do it")
def forced_sign_out(world):
    browser = world.browser(ADMIN)
    browser.page("/dashboard/sign-out")
    browser.post("/dashboard/sign-out", {}, token=False, headers={"Origin": "https://evil.example"})
    check(browser.is_signed_in, "the session is over")


@topic.attack("Keys, team and settings ask for the password again when a session is old")
def step_up(world):
    browser = world.browser(ADMIN)
    browser.password = None
    set_session(world, browser, "created_at", time.time() - 2 * 86400)
    columns = world.database.columns("sessions")
    for column in [name for name in columns if re.search(r"confirm|verified|step|password|authenticated", name)]:
        set_session(world, browser, column, time.time() - 2 * 86400)
    check(browser.is_signed_in, "the session is over")
    for path, fields in (
        ("/dashboard/keys", {"name": "Stepped", "kind": "secret"}),
        ("/dashboard/team", {"email": "stepped@example.com", "name": "S", "password": PASSWORD, "role": "admin"}),
    ):
        browser.post(path, fields)
    check(not world.database.rows("SELECT 1 FROM keys WHERE name = 'Stepped'"), "a key was made without the password")
    check(
        not world.database.rows("SELECT 1 FROM members WHERE email = 'stepped@example.com'"),
        "an admin was made without the password",
    )
