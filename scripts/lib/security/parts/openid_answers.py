"""What a provider's answers are taken for: requests, answers, cookies and redirects."""

import concurrent.futures
import time
import urllib.parse

from ..base64url import encode
from ..parts.openid_case import START
from ..provider import CALLBACK, SECRET
from ..suite import check


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
