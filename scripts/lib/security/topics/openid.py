"""Signing in with an OpenID provider: its answers, its tokens, its documents, and who they are taken for."""

import concurrent.futures
import os
import re
import time
import urllib.parse

from ..browser import PASSWORD, Browser
from ..clock import until
from ..base64url import encode
from ..listener import Listener
from ..provider import CALLBACK, CLIENT, SECRET, Provider
from ..suite import Topic, check
from ..world import ADMIN, quick_hash
from ..parts.openid_case import Case, START, dripping, elsewhere, endless
from ..parts.openid_answers import answers, cookies, redirects, requests
from ..parts.openid_tokens import groups, identities, tokens

topic = Topic("OpenID Connect")


@topic.family
def all_attacks(world):
    provider = Provider()
    folder = os.path.join(world.root, "openid-settings")
    os.makedirs(folder)
    settings = os.path.join(folder, "placard.yaml")
    with open(settings, "w", encoding="utf-8") as file:
        file.write(
            "\n".join(
                [
                    "public_url: https://cards.example.com",
                    f"oidc_issuer: {provider.issuer}",
                    f"oidc_client_id: {CLIENT}",
                    "oidc_admin_groups: [heads]",
                    "oidc_editor_groups: [marketing]",
                    "oidc_create_members: true",
                    "",
                ]
            )
        )
    with world.instance("openid", "--config", settings, environment={"PLACARD_OIDC_CLIENT_SECRET": SECRET}) as instance:
        case = Case(world, instance, provider)
        for part in (
            before_setup,
            documents,
            key_sets,
            requests,
            answers,
            cookies,
            redirects,
            tokens,
            token_answers,
            identities,
            groups,
            sessions,
            floods,
            traces,
        ):
            yield from ((sentence, attack) for sentence, attack in part(case))
    provider.close()


def before_setup(case):
    def attack():
        browser = case.browser()
        check("sign-in" in (case.begin(browser) or ""), "it leads to the provider")
        check(browser.page(f"{CALLBACK}?code=x&state=y").status == 303, "the answer is looked at")
        check(not case.instance.database.rows("SELECT 1 FROM members"), "an account was made")

    yield "Before there is a first account, a provider's member isn't made one", attack
    case.instance.make_admin()


def faulty(case, path, fault, answers=(503,)):
    """An attack in which the provider answers something else at a path."""

    def attack():
        case.provider.faults[path] = fault
        try:
            with case.instance.memory(48), case.instance.effort(3):
                browser = case.browser()
                address = case.begin(browser)
                if path == "/.well-known/openid-configuration":
                    check(address is None, f"it leads to {address}")
                    return
                check(address is not None, "it doesn't begin")
                case.is_out(browser, browser.page(case.provider.authorize(address)), answers)
        finally:
            case.provider.faults = {}

    return attack


def documents(case):
    path, good = "/.well-known/openid-configuration", case.provider.document
    for name, body in {
        "is no JSON": b"{",
        "is a list": [good],
        "is empty": b"",
        "is nested 100,000 deep": b"[" * 100_000,
        "is no UTF-8": b'{"issuer":"\xff"}',
        "names another issuer": {**good, "issuer": "https://evil.example"},
        "names the issuer with a slash": {**good, "issuer": good["issuer"] + "/"},
        "names the issuer in a list": {**good, "issuer": [good["issuer"]]},
        "names no token endpoint": {**good, "token_endpoint": None},
        "sends the secret to a host without encryption": {**good, "token_endpoint": "http://evil.example/token"},
        "sends browsers to a script": {**good, "authorization_endpoint": "javascript:alert(1)"},
        "sends browsers to data": {**good, "authorization_endpoint": "data:text/html,x"},
        "has its keys in a file": {**good, "jwks_uri": "file:///etc/passwd"},
        "hides a host behind a user": {**good, "token_endpoint": "https://127.0.0.1@evil.example/token"},
        "is larger than 128 KiB": {**good, "more": "x" * 200_000},
    }.items():
        yield f"A provider's document that {name} is refused", faulty(case, path, (body,))
    yield "A provider's document that never ends is cut off", faulty(case, path, endless)
    yield "A provider's document that drips is given up after ten seconds", faulty(case, path, dripping)

    def moved():
        with Listener() as other:
            for status in (301, 302, 307, 308):
                faulty(case, path, elsewhere(other, status))()
            check(other.count == 0, "a redirect was followed")

    yield "A provider's document that is a redirect isn't followed", moved

    def once():
        before = case.provider.asked(path)
        with concurrent.futures.ThreadPoolExecutor(24) as pool:
            places = list(pool.map(lambda _: case.begin(case.browser()), range(24)))
        check(all(place and place.startswith(case.provider.issuer) for place in places), f"{places[:3]}")
        check(case.provider.asked(path) == before + 1, f"asked {case.provider.asked(path) - before} times")

    yield "Of 24 who begin to sign in at once, the provider's document is fetched once", once


def key_sets(case):
    for name, fault in {
        "are no JSON": (b"{",),
        "are a list": ([],),
        "are an error": ({}, 500),
        "are 10,000": ({"keys": case.provider.keys["keys"][:1] * 10_000},),
        "never end": endless,
    }.items():
        yield f"A provider whose keys {name} signs no one in", faulty(case, "/keys", fault)

    def moved():
        with Listener() as other:
            faulty(case, "/keys", elsewhere(other))()
            check(other.count == 0, "a redirect was followed")

    yield "A redirect in place of the provider's keys isn't followed", moved


def token_answers(case):
    for name, fault, statuses in (
        ("no JSON", (b"<html>",), (503,)),
        ("a list", ([],), (401,)),
        ("no token", ({"access_token": "a"},), (401,)),
        ("a token that is a list", ({"id_token": ["a"]},), (401,)),
        ("nesting 100,000 deep", (b"[" * 100_000,), (503,)),
        ("an error", ({"error": "invalid_client"}, 401), (401,)),
        ("more than 128 KiB", (b" " * 200_000,), (503,)),
        ("no end", endless, (503,)),
    ):
        yield f"A token endpoint that answers {name} signs no one in", faulty(case, "/token", fault, statuses)

    def moved():
        with Listener() as other:
            for status in (302, 307, 308):
                faulty(case, "/token", elsewhere(other, status), (401,))()
            check(other.count == 0, "code and secret were sent elsewhere")

    yield "Code and secret don't follow a redirect of the token endpoint", moved


def sessions(case):
    def left():
        with case.person(sub="leaver", email="leaver@example.com"):
            browsers = [case.sign_in()[0] for _ in range(2)]
            check(all(browser.is_signed_in for browser in browsers), "it doesn't sign in")
        with case.person(sub="leaver", email="leaver@example.com", groups=[]):
            case.refused((403,))
        check(not any(browser.is_signed_in for browser in browsers), "a session is left")

    yield "Whoever has left the groups is signed out everywhere at the next sign-in", left

    def ends():
        with case.person(sub="ending", email="ending@example.com"):
            browser, _ = case.sign_in()
        check(browser.is_signed_in, "it doesn't sign in")
        case.instance.database.write(
            "UPDATE sessions SET created_at = created_at - 43201 WHERE email = 'ending@example.com'"
        )
        until(lambda: not browser.is_signed_in, "it is still signed in")

    yield (
        (
            "Whoever is removed at the provider is signed out twelve hours after the sign-in, however much the session"
            " is used"
        ),
        ends,
    )

    def removed():
        with case.person(sub="removed", email="removed@example.com"):
            browser, _ = case.sign_in()
            check(browser.is_signed_in, "it doesn't sign in")
            # As Team does; sessions belong to the member.
            case.instance.database.write("DELETE FROM sessions WHERE email = 'removed@example.com'")
            case.instance.database.write("DELETE FROM members WHERE email = 'removed@example.com'")
            until(lambda: not browser.is_signed_in, "it is still signed in")

    yield "A member who is removed here is signed out, whatever the provider says", removed

    def lowered():
        with case.person(sub="riser", email="riser@example.com", groups=["heads"]):
            high, _ = case.sign_in()
        with case.person(sub="riser", email="riser@example.com", groups=["marketing"]):
            case.sign_in()
        check(case.members()["riser@example.com"][0] == "editor", "the role is the old one")
        check(high.page("/dashboard/team").status != 200, "the old session has the old role")

    yield "A role that the groups no longer give ends with the next sign-in, in older sessions too", lowered

    def confirmation():
        with case.person(sub="chief", email="chief@example.com", groups=["heads"]):
            browser, _ = case.sign_in()
            token = browser.token()
            fields = {"name": "Stolen", "kind": "secret"}
            check(browser.post("/dashboard/keys", fields, token=token).status == 401, "a silent sign-in confirms")

            def confirm(**changes):
                address = browser.request(
                    "GET", f"{START}?confirm=1", headers={"Sec-Fetch-Site": "same-origin"}
                ).header("location")
                query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
                check(query["prompt"] == "login" and query["max_age"] == "0", f"{query}")
                with case.lie(**changes):
                    return browser.page(case.provider.authorize(address)).status

            now = int(time.time())
            for changes in (
                {},
                {"auth_time": now - 900},
                {"auth_time": str(now)},
                {"auth_time": now + 900},
                {"auth_time": 0},
                {"auth_time": -1e300},
            ):
                check(confirm(**changes) == 401, f"{changes} confirms")
            check(confirm(auth_time=int(time.time()), sub="emil") == 403, "another member confirms")
            check(browser.post("/dashboard/keys", fields).status == 401, "it is confirmed")
            other = browser.request("GET", f"{START}?confirm=1", headers={"Sec-Fetch-Site": "cross-site"}).header(
                "location"
            )
            check(other == "/dashboard/sign-in", f"another site's link leads to {other}")
            check(confirm(auth_time=int(time.time())) == 200, "the member can't confirm")

    yield (
        "Keys need a sign-in that has just happened: not a silent, an old, a made-up one or another member's",
        confirmation,
    )


def floods(case):
    def callbacks():
        source, before = case.world.address_of_this_machine(), case.provider.asked("/token")
        rows = case.instance.database.rows("SELECT count(*) FROM spent_forms")[0][0]
        statuses = []
        for number in range(150):
            browser = Browser(case.instance.port, source)
            state = encode(number.to_bytes(32, "big"))
            browser.cookies["placard_provider"] = (
                f"{int(time.time()) + 300}.{state}.{state}.{state}.s.{encode(b'/dashboard')}"
            )
            reply = browser.page(
                f"{CALLBACK}?code=made-up&state={state}&iss={urllib.parse.quote(case.provider.issuer, safe='')}"
            )
            statuses.append(reply.status)
            if reply.status == 429:
                check(int(reply.header("retry-after")) >= 1, f"{reply.headers}")
                break
        check(statuses[-1] == 429 and set(statuses) <= {401, 429}, f"{statuses}")
        check(
            case.provider.asked("/token") - before < 140,
            f"the provider was asked {case.provider.asked('/token') - before} times",
        )
        left = case.instance.database.rows("SELECT count(*) FROM spent_forms")[0][0]
        check(left <= rows, f"{left - rows} rows are left in the store")
        # A place becomes free every half a second, so on a slow machine the first may find one; forty at once can't.
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            begun = list(pool.map(lambda _: Browser(case.instance.port, source).page(START).status, range(40)))
        check(429 in begun, f"it may begin again at once: {begun}")
        case.works()

    yield (
        (
            "A stranger's made-up answers ask the provider a bounded number of times, leave no rows, and hold no one"
            " else up"
        ),
        callbacks,
    )


def traces(case):
    def log():
        case.works()
        text = case.instance.log
        for name, found in {
            # With its dot: random ids may have such letters.
            "a token": r"eyJ[\w-]{8,}\.[\w-]{8,}",
            "a code": "grant-",
            "the secret": re.escape(SECRET),
            "the secret, encoded": re.escape(urllib.parse.quote(SECRET, safe="")),
        }.items():
            check(not re.search(found, text), f"the log has {name}")
        check(
            not case.instance.database.contains(SECRET) and not case.instance.database.contains("eyJhbGci"),
            "the database has it",
        )

    yield "Neither log nor database has a code, a token or the client's secret", log

    def told():
        for path, headers in case.provider.seen:
            check(
                "Cookie" not in headers and ("Authorization" not in headers or path == "/token"),
                f"{path} was sent {list(headers)}",
            )

    yield "The secret goes to the token endpoint alone, and no cookie to the provider", told

    def down():
        members = Browser(case.instance.port, case.world.address_of_this_machine())
        case.provider.faults = {path: ({}, 500) for path in ("/token", "/keys")}
        try:
            case.refused((401, 503))
            case.instance.database.write(
                "UPDATE members SET password_hash = ? WHERE email = ?", quick_hash(PASSWORD), ADMIN
            )
            check(members.sign_in(ADMIN).status == 303, "a member with a password can't sign in")
        finally:
            case.provider.faults = {}

    yield "While the provider is down, members who have a password sign in", down
