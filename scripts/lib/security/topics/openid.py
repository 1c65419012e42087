"""Signing in with an OpenID provider: its answers, its tokens, its documents, and who they are taken for."""

import concurrent.futures
import contextlib
import json
import os
import re
import time
import unicodedata
import urllib.parse

from ..browser import PASSWORD, Browser
from ..clock import until
from ..base64url import encode
from ..jwt import Signer
from ..listener import Listener
from ..provider import CALLBACK, CLIENT, SECRET, Provider
from ..suite import Topic, check
from ..world import ADMIN, quick_hash

topic = Topic("OpenID Connect")
START = "/dashboard/sign-in/provider"


class Case:
    """A server that trusts a provider, and what browsers do at both."""

    def __init__(self, world, instance, provider):
        self.world, self.instance, self.provider = world, instance, provider

    def browser(self):
        return Browser(self.instance.port, self.world.address_of_this_machine())

    def begin(self, browser, after="/dashboard/keys"):
        """Begins to sign in, and returns where the browser is sent."""
        return browser.page(f"{START}?next={urllib.parse.quote(after, safe='')}").header("location")

    def sign_in(self, browser=None, **changes):
        """Signs in, and returns the browser and the reply to the provider's answer."""
        browser = browser or self.browser()
        address = self.begin(browser)
        check(address and address.startswith(self.provider.issuer), f"it doesn't begin: {address}")
        return browser, browser.page(self.provider.authorize(address, **changes))

    @contextlib.contextmanager
    def lie(self, make=None, **changes):
        """Has the provider's next tokens say something else."""
        self.provider.changes, self.provider.make = changes, make
        try:
            yield
        finally:
            self.provider.changes, self.provider.make = {}, None

    @contextlib.contextmanager
    def person(self, **changes):
        """Another person at the provider."""
        before = self.provider.person
        self.provider.person = {**before, **changes}
        try:
            yield
        finally:
            self.provider.person = before

    def refused(self, statuses=(401,), **changes):
        """Fails unless signing in is refused by a page, without a session."""
        browser, reply = self.sign_in(**changes)
        self.is_out(browser, reply, statuses)

    @staticmethod
    def is_out(browser, reply, statuses):
        check(reply.status in statuses, f"answered {reply}")
        check(browser.session_cookie[0] is None and not browser.is_signed_in, "it signed in")

    def works(self):
        browser, reply = self.sign_in()
        check(reply.status == 303 and browser.is_signed_in, f"the honest sign-in: {reply}")
        return browser

    def add_member(self, email, role):
        self.instance.database.write(
            "INSERT INTO members (email, password_hash, created_at, name, role) VALUES (?, ?, ?, ?, ?)",
            email,
            quick_hash(PASSWORD),
            time.time(),
            f"A {role}",
            role,
        )

    def members(self):
        return {
            email: (role, subject)
            for email, role, subject in self.instance.database.rows("SELECT email, role, identity_subject FROM members")
        }


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


def elsewhere(listener, status=302):
    return lambda handler: Provider.send(handler, {}, status, Location=f"http://127.0.0.1:{listener.port}/")


def endless(handler):
    handler.send_response(200)
    handler.end_headers()
    for _ in range(4_000):
        handler.wfile.write(b" " * 65_536)


def dripping(handler):
    handler.send_response(200)
    handler.end_headers()
    for _ in range(60):
        handler.wfile.write(b" ")
        time.sleep(0.5)


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


def requests(case):
    def attack():
        queries = [
            dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(case.begin(case.browser())).query)) for _ in range(4)
        ]
        for name in ("state", "nonce", "code_challenge"):
            check(
                len({query[name] for query in queries}) == 4 and all(len(query[name]) == 43 for query in queries), name
            )
        for query in queries:
            check(query["response_type"] == "code" and query["code_challenge_method"] == "S256", f"{query}")
            check(query["redirect_uri"] == "https://cards.example.com" + CALLBACK, f"{query}")
            check(SECRET not in str(query), "the secret is in an address")

    yield (
        "State, nonce and PKCE's challenge are random and new each time, and the browser is sent back here only",
        attack,
    )

    def host():
        for headers in (
            {"Host": "evil.example"},
            {"X-Forwarded-Host": "evil.example"},
            {"Forwarded": "host=evil.example"},
        ):
            reply = case.browser().request("GET", START, headers=headers)
            check("evil.example" not in (reply.header("location") or ""), f"{headers}: {reply}")

    yield "The address to come back to doesn't follow the Host header", host

    def cookie():
        reply = case.browser().page(START)
        line = next(line for line in reply.all("set-cookie") if "provider" in line).lower()
        check("httponly" in line and "samesite=lax" in line and "max-age=600" in line, line)

    yield (
        "What ties the sign-in to the browser is in a cookie that scripts don't see and that ends after ten minutes",
        cookie,
    )


def answers(case):
    provider = case.provider
    for name, changes in {
        "no state": {"state": None},
        "an empty state": {"state": ""},
        "another state": {"state": "A" * 43},
        "a state in other letters": {"state": "swap"},
    }.items():

        def attack(changes=changes):
            browser = case.browser()
            address = case.begin(browser)
            path = provider.authorize(address, **changes)
            if changes["state"] == "swap":
                state = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))["state"]
                path = path.replace("state=swap", "state=" + state.swapcase())
            before = provider.asked("/token")
            case.is_out(browser, browser.page(path), (400,))
            check(provider.asked("/token") == before, "the code was sent to the provider")

        yield f"An answer with {name} is refused before its code goes anywhere", attack

    def stranger():
        browser = case.browser()
        before = provider.asked("/token")
        case.is_out(browser, browser.page(provider.authorize(case.begin(case.browser()))), (400,))
        check(provider.asked("/token") == before, "the code was sent to the provider")

    yield "An answer is nothing in a browser that didn't begin", stranger

    def forced():
        victim = case.works()
        attacker, mine = case.browser(), case.works()
        path = provider.authorize(case.begin(attacker))
        reply = victim.page(path)
        check(reply.status == 400 and victim.is_signed_in, f"the victim's own session: {reply}")
        other = case.browser()
        case.begin(other)
        case.is_out(other, other.page(path), (400,))
        check(mine.is_signed_in, "another session ended")

    yield (
        "No one is signed in as the attacker by the attacker's answer (login CSRF), with a sign-in begun or without",
        forced,
    )

    def injected(checks):
        def attack():
            provider.checks_challenge = checks
            try:
                stolen = dict(urllib.parse.parse_qsl(provider.authorize(case.begin(case.browser())).split("?")[1]))[
                    "code"
                ]
                browser = case.browser()
                address = case.begin(browser)
                case.is_out(browser, browser.page(provider.authorize(address, code=stolen)), (401,))
            finally:
                provider.checks_challenge = True

        return attack

    yield "Another session's code under this one's state is refused by PKCE", injected(True)
    yield "Another session's code is refused by the nonce where the provider doesn't check PKCE", injected(False)

    def replayed():
        browser = case.browser()
        path = provider.authorize(case.begin(browser))
        kept = dict(browser.cookies)
        query = next(reversed(provider.codes.values()))
        code = dict(urllib.parse.parse_qsl(path.split("?")[1]))["code"]
        check(browser.page(path).status == 303, "the first is refused")
        again = case.browser()
        again.cookies = dict(kept)
        case.is_out(again, again.page(path), (400, 401))
        # A provider that gives a token for the same code again.
        provider.codes[code] = query
        again.cookies = dict(kept)
        case.is_out(again, again.page(path), (400,))

    yield "An answer counts once, also where the provider takes its code twice", replayed

    def race():
        browser = case.browser()
        path = provider.authorize(case.begin(browser))
        kept, code = dict(browser.cookies), dict(urllib.parse.parse_qsl(path.split("?")[1]))["code"]

        class Lasting(dict):
            def pop(self, key, default=None):
                return self.get(key, default)

        codes, provider.codes = provider.codes, Lasting(provider.codes)

        def one(_):
            other = case.browser()
            other.cookies = dict(kept)
            return other.page(path).status

        try:
            with concurrent.futures.ThreadPoolExecutor(12) as pool:
                statuses = list(pool.map(one, range(12)))
        finally:
            provider.codes = codes
        check(code and statuses.count(303) == 1, f"{statuses}")

    yield (
        "Of twelve that bring the same answer at once, one is signed in, though the provider takes its code each time",
        race,
    )

    for name, issuer in {
        "names another issuer": "https://evil.example",
        "names the issuer with a slash": provider.issuer + "/",
        "names no issuer, though the provider says that it does": None,
        "names an empty issuer": "",
    }.items():

        def mixed(issuer=issuer):
            before = provider.asked("/token")
            case.refused(iss=issuer)
            check(provider.asked("/token") == before, "the code was sent to the provider")

        yield f"An answer that {name} is refused before its code goes anywhere (mix-up)", mixed

    def error():
        browser = case.browser()
        address = case.begin(browser)
        probe = "<script>probe()</script>"
        reply = browser.page(
            provider.authorize(
                address, code=None, error=probe, error_description=probe, error_uri="https://evil.example"
            )
        )
        case.is_out(browser, reply, (401,))
        check("probe" not in reply.text and "evil.example" not in reply.text, "what it says is on the page")

    yield "What an answer says of an error is not on the page", error

    for name, code in {
        "of 5,000 characters": "x" * 5_000,
        "with a line break": "a\r\nX-Injected: 1",
        "with another field": "a&grant_type=password",
        "that is empty": "",
    }.items():
        yield f"A code {name} signs no one in", lambda code=code: case.refused(code=code)


def cookies(case):
    def changed(edit):
        def attack():
            browser = case.browser()
            path = case.provider.authorize(case.begin(browser))
            name = next(name for name in browser.cookies if "provider" in name)
            parts = browser.cookies[name].split(".")
            value = edit(parts)
            browser.cookies[name] = value if isinstance(value, str) else ".".join(value)
            before = case.provider.asked("/token")
            case.is_out(browser, browser.page(path), (400,))
            check(case.provider.asked("/token") == before, "the code was sent to the provider")

        return attack

    def at(index, value):
        return lambda parts: [*parts[:index], value, *parts[index + 1 :]]

    for name, edit in {
        "has ended": at(0, str(int(time.time()) - 1)),
        "ends in a year": at(0, str(int(time.time()) + 31_536_000)),
        "ends at 2⁶³ − 1": at(0, str(2**63 - 1)),
        "ends at −2⁶³": at(0, str(-(2**63))),
        "ends never": at(0, "inf"),
        "has another state": at(1, "A" * 43),
        "has a short verifier": at(3, "AAAA"),
        "is empty": lambda _: "",
        "is dots": lambda _: "." * 3_000,
        "has seven parts": lambda parts: [*parts, "x"],
        "is 6 KB": lambda _: "A" * 6_000,
        "has no letters of base 64": at(5, "%%%"),
    }.items():
        yield f"A provider's cookie that {name} is none", changed(edit)


PLACES = [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/dashboard//evil.example",
    "/dashboard/..//evil.example",
    "\\\\evil.example",
    "/dashboard\\@evil.example",
    "javascript:alert(1)",
    "/dashboard@evil.example",
    "/dashboard.evil.example",
    "/dashboardevil",
    "dashboard",
    "/",
    "/v1/users",
    "/dashboard/\r\nX-Injected: 1",
    "/dashboard/\u2028",
    "/dashboard/é",
    "/dashboard/" + "a" * 3_000,
]


def redirects(case):
    def attack():
        for place in PLACES:
            browser = case.browser()
            reply = browser.page(case.provider.authorize(case.begin(browser, place)))
            target = reply.header("location") or ""
            check(reply.status == 303 and reply.header("x-injected") is None, f"{place!r}: {reply}")
            check(
                target == "/dashboard"
                or (target.startswith("/dashboard/") and "//" not in target and "\\" not in target),
                f"{place!r} leads to {target!r}",
            )

    yield f"After the sign-in, none of {len(PLACES)} addresses leads off the dashboard", attack

    def edited():
        for place in PLACES[:10]:
            browser = case.browser()
            path = case.provider.authorize(case.begin(browser))
            name = next(name for name in browser.cookies if "provider" in name)
            browser.cookies[name] = browser.cookies[name].rpartition(".")[0] + "." + encode(place.encode())
            check(
                (browser.page(path).header("location") or "").split("?")[0].split("#")[0] == "/dashboard",
                f"{place!r} leads elsewhere",
            )

    yield "Neither does one that was written into the cookie", edited


def tokens(case):
    now, issuer = int(time.time()), case.provider.issuer
    wrong = {
        "nonce is another's": {"nonce": "A" * 43},
        "nonce is missing": {"nonce": None},
        "nonce is a list": {"nonce": ["A"]},
        "issuer is another": {"iss": "https://evil.example"},
        "issuer has a slash at its end": {"iss": issuer + "/"},
        "issuer is in capitals": {"iss": issuer.upper()},
        "issuer is missing": {"iss": None},
        "issuer is a list": {"iss": [issuer]},
        "audience is another client": {"aud": "other"},
        "audience is missing": {"aud": None},
        "audience is an empty list": {"aud": []},
        "audience has several clients and no azp": {"aud": [CLIENT, "other"]},
        "azp is another client": {"azp": "other"},
        "azp is a list": {"azp": [CLIENT]},
        "audience only looks like the client": {"aud": "ｐlacard"},
        "audience has the client in capitals": {"aud": CLIENT.upper()},
        "exp has passed": {"exp": now - 120},
        "exp is missing": {"exp": None},
        "exp is a text": {"exp": str(now + 300)},
        "exp is 1e308": {"exp": 1e308, "iat": None},
        "iat is missing": {"iat": None},
        "iat is an hour ago": {"iat": now - 3_600},
        "iat is to come": {"iat": now + 3_600},
        "nbf is to come": {"nbf": now + 3_600},
        "subject is missing": {"sub": None},
        "subject is empty": {"sub": ""},
        "subject is a number": {"sub": 7},
        "subject has 256 letters": {"sub": "s" * 256},
        "subject has a control character": {"sub": "emil\0"},
        "at_hash is another token's": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
        "at_hash is a number": {"at_hash": 1},
        "auth_time is a text": {"auth_time": "now"},
        "auth_time is to come": {"auth_time": now + 7_200},
        "auth_time is 1e308": {"auth_time": 1e308},
    }
    for name, changes in wrong.items():

        def attack(changes=changes):
            with case.lie(**changes):
                case.refused()

        yield f"An ID token whose {name} signs no one in", attack

    def forged(make):
        def attack():
            with case.lie(make):
                # 503 where the whole answer is too large to be one.
                case.refused((401, 503))

        return attack

    pem = Signer.pem(case.provider.signer.rsa).encode()
    makers = {
        "of algorithm none": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "none", "kid": "one"}, signature=b""
        ),
        "of algorithm NONE with a signature": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "NONE", "kid": "one"}
        ),
        "without a signature": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "RS256", "kid": "one"}, signature=b""
        ),
        "of HS256 with the public key as the secret": lambda signer, claims: signer.token(
            claims, "HS256", {"alg": "HS256", "kid": "one"}, key=pem
        ),
        "of HS256 with the client's secret": lambda signer, claims: signer.token(
            claims, "HS256", {"alg": "HS256"}, key=SECRET.encode()
        ),
        "of HS256 with a shared key that the provider publishes": lambda signer, claims: signer.token(
            claims, "HS256", {"alg": "HS256", "kid": "shared"}, key=b"k" * 32
        ),
        "of another key under the provider's name for its own": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "RS256", "kid": "one"}, key=signer.ed and Signer().rsa
        ),
        "of the RSA key under the name of the EC key": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "RS256", "kid": "two"}
        ),
        "of the key that the provider has for sealing": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "RS256", "kid": "sealing"}, key=signer.other_rsa
        ),
        "of RS512": lambda signer, claims: signer.token(claims, "RS512", {"alg": "RS512", "kid": "one"}),
        "of PS256": lambda signer, claims: signer.token(claims, "PS256", {"alg": "PS256", "kid": "one"}),
        "with a critical header that is unknown": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "RS256", "kid": "one", "crit": ["x"], "x": 1}
        ),
        "whose subject is there twice": lambda signer, claims: signer.token(
            json.dumps(claims)[:-1] + ',"sub":"anna"}', "RS256", {"alg": "RS256", "kid": "one"}
        ),
        "that is a list": lambda signer, claims: signer.token([claims], "RS256", {"alg": "RS256", "kid": "one"}),
        "of 200 KB": lambda signer, claims: signer.token(
            {**claims, "more": "x" * 200_000}, "RS256", {"alg": "RS256", "kid": "one"}
        ),
    }
    for name, make in makers.items():
        yield f"An ID token {name} signs no one in", forged(make)

    def own_keys():
        with Listener() as other:
            address = f"http://127.0.0.1:{other.port}/keys"
            for header in ({"jku": address}, {"x5u": address}, {"jwk": case.provider.keys["keys"][2]}):
                with case.lie(
                    lambda signer, claims, header=header: signer.token(
                        claims, "RS256", {"alg": "RS256", **header}, key=signer.other_rsa
                    )
                ):
                    case.refused()
            check(other.count == 0, "the token's address was asked")

    yield "A token that brings its own key, or says where one is, signs no one in, and no one is asked", own_keys

    def storm():
        before = case.provider.asked("/keys")
        with case.lie(
            lambda signer, claims: signer.token(claims, "RS256", {"alg": "RS256", "kid": f"new-{time.time()}"})
        ):
            with concurrent.futures.ThreadPoolExecutor(10) as pool:
                list(pool.map(lambda _: case.refused((401, 503)), range(30)))
        check(case.provider.asked("/keys") <= before + 1, f"fetched {case.provider.asked('/keys') - before} times")
        case.works()

    yield "Thirty tokens that name unknown keys have the keys fetched once at the most", storm


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


def identities(case):
    def unverified():
        case.add_member("owner@example.com", "admin")
        for verified in (False, None, "true", "True", 1, [True], {"verified": True}):
            with case.person(sub="thief", email="owner@example.com", email_verified=verified, groups=["heads"]):
                case.refused((403,))
        check(case.members()["owner@example.com"][1] is None, "the account is connected")

    yield "An e-mail address that isn't verified by a boolean true takes no account over", unverified

    def given_on():
        with case.person(sub="first", email="owner@example.com", groups=["heads"]):
            _, reply = case.sign_in()
            check(reply.status == 303, f"the owner: {reply}")
        with case.person(sub="second", email="owner@example.com", groups=["heads"]):
            case.refused((403,))
        check(case.members()["owner@example.com"][1] == "first", "the account changed hands")

    yield "An address that was given to another account at the provider doesn't sign in as its last owner", given_on

    def looks():
        case.add_member("kate@example.com", "viewer")
        for number, email in enumerate(
            (
                "\u212aate@example.com",
                "kate@example.com\0",
                "ka\u200dte@example.com",
                "k\u0430te@example.com",
                "\uff4bate@example.com",
                ["kate@example.com"],
                {"a": "kate@example.com"},
            )
        ):
            with case.person(sub=f"look-{number}", email=email):
                case.sign_in()
        check(case.members()["kate@example.com"][1] is None, f"{case.members()['kate@example.com']} took it over")

    yield "An address that only looks like a member's doesn't take the member over", looks

    def subjects():
        forms = [unicodedata.normalize(form, "zo\u00eb") for form in ("NFC", "NFD")] + ["ZOË", "zoë ", "zoe"]
        for number, subject in enumerate(forms):
            with case.person(sub=subject, email=f"zoe{number}@example.com"):
                browser, reply = case.sign_in()
                check(
                    reply.status == 303 and f"zoe{number}@example.com" in browser.page("/dashboard/account").text,
                    f"{subject!r}: {reply}",
                )
        subjects = [subject for email, (_, subject) in case.members().items() if email.startswith("zoe")]
        check(len(subjects) == len(forms), f"{subjects}")

    yield "Subjects that are equal in Unicode's eyes are members of their own", subjects

    def name():
        with case.person(sub="markup", email="markup@example.com", name="<script>probe()</script>" + "x" * 50):
            browser, reply = case.sign_in()
            check(reply.status == 303 and "<script>probe" not in browser.page("/dashboard/account").text, f"{reply}")
        with case.person(sub="control", email="control@example.com", name="a\r\nb\x1b[2J"):
            check(case.sign_in()[1].status == 303, "refused")
        names = dict(case.instance.database.rows("SELECT email, name FROM members WHERE email = 'control@example.com'"))
        check("\r" not in names["control@example.com"] and "\x1b" not in names["control@example.com"], f"{names}")

    yield "A name from the provider is text, and has no control characters", name


def groups(case):
    strange = {
        "missing": None,
        "a number": 1,
        "true": True,
        "an object": {"0": "heads"},
        "a list in a list": [["heads"]],
        "a list of objects": [{"name": "heads"}],
        "JSON in a text": '["heads"]',
        "two in one text": "heads marketing",
        "in capitals": ["HEADS"],
        "with a space": [" heads"],
        "with a NUL": ["heads\0"],
        "in full width": ["ｈeads"],
        "a pattern": ["*"],
        "a path": ["/heads"],
        "an empty text": [""],
        "past the thousandth": [f"g{number}" for number in range(1_000)] + ["heads"],
    }
    for number, (name, value) in enumerate(strange.items()):

        def attack(number=number, value=value):
            email = f"group{number}@example.com"
            with case.person(sub=f"group-{number}", email=email, groups=value):
                case.refused((403,))
            check(email not in case.members(), "a member was made")

        yield f"A groups claim that is {name} gives no role", attack

    def many():
        with case.person(sub="many", email="many@example.com", groups=["x" * 20] * 4_000), case.instance.effort(2):
            case.refused((403,))

    yield "Four thousand groups are refused without much work", many


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
