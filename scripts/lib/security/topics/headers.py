"""Where a browser is sent, and what texts do in headers and files."""

import re
import urllib.parse

from ..browser import PASSWORD, Browser
from ..client import Api, Client
from ..raw import HOST, exchange
from ..suite import Topic, check
from ..world import MEMBERS

topic = Topic("Redirects, headers and files")
ELSEWHERE = [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/dashboard//evil.example/..//",
    "/dashboard\\@evil.example",
    "https:evil.example",
    "/%09/evil.example",
    "javascript:alert(1)",
    "/dashboard\r\nSet-Cookie: a=b",
    "/dashboard%0d%0aSet-Cookie:%20a=b",
    "/dashboard\nLocation: https://evil.example",
    "/dashboardevil",
    "/dashboard/../..//evil.example",
    "/dashboard?next=//evil.example",
    "\u2028//evil.example",
    "/dashboard/%2e%2e/%2e%2e//evil.example",
    "///evil.example",
    "/dashboard/\u0000",
    "/dashboard/" + "a" * 5_000,
    "http://127.0.0.1@evil.example/dashboard",
    "/dashboard.evil.example",
    " /dashboard",
    "/dashboard/\u202eevil",
    "data:text/html,x",
]


def stays(reply, name):
    """Whether a redirect, if it is one, leads to a page of the dashboard."""
    location = reply.header("location") or "/dashboard"
    target = urllib.parse.urljoin("http://here.example/dashboard/sign-in", location.replace("\\", "/"))
    parts = urllib.parse.urlsplit(target)
    check(parts.netloc == "here.example" and parts.scheme == "http", f"{name!r} leads to {location!r}")
    check(re.match(r"^/dashboard([/?#]|$)", location), f"{name!r} leads to {location!r}")
    check(
        reply.header("set-cookie") is None or not any(line.startswith("a=b") for line in reply.all("set-cookie")),
        f"{name!r} sets a cookie",
    )
    check(reply.status < 500, f"{name!r}: {reply}")


@topic.family
def nexts(world):
    for target in ELSEWHERE:
        yield f"Signing in leads nowhere but the dashboard with next={target[:50]!r}", after_sign_in(world, target)


def after_sign_in(world, target):
    def attack():
        browser = Browser(world.port)
        page = browser.page("/dashboard/sign-in?next=" + urllib.parse.quote(target))
        check(page.status == 200, f"the page: {page}")
        shown = re.search(r'name="next" value="([^"]*)"', page.text)
        token = re.search(r'name="csrf" value="([^"]+)"', page.text)[1]
        for value in {target, shown[1] if shown else "/dashboard"}:
            token = browser.token("/dashboard/sign-in")
            stays(
                browser.post(
                    "/dashboard/sign-in", {"email": MEMBERS["viewer"], "password": PASSWORD, "next": value}, token=token
                ),
                target,
            )

    return attack


@topic.family
def backs(world):
    for target in ELSEWHERE:
        yield (
            f"A form that leads back leads nowhere but the dashboard with back={target[:50]!r}",
            lead_back(world, target),
        )


def lead_back(world, target):
    def attack():
        for path in ("/dashboard/theme", "/dashboard/language"):
            for name in ("back", "next", "return", "redirect", "url"):
                stays(world.admin.post(path, {"theme": "dark", "language": "en", name: target}), target)
        reply = world.admin.page(
            "/dashboard/resume?" + urllib.parse.urlencode({"to": target, "form": "a=b", "signature": "AAAA"})
        )
        check(reply.status in (400, 403, 404), f"resume: {reply}")

    return attack


@topic.attack("The page that asks for the sign-in is asked for with a path of ours alone")
def asked_page(world):
    for path in (
        "/dashboard/keys?x=//evil.example",
        "//dashboard/keys",
        "/dashboard//evil.example",
        "/dashboard/%0d%0aSet-Cookie:a=b",
        "/dashboard/campaigns/x%0aLocation:%20y",
    ):
        reply = Client(world.port).get(path)
        if reply.status == 303:
            stays(reply, path)


# Texts that end up in headers.


@topic.attack("No id or name of a campaign, segment or user puts a line into a header")
def injected_names(world):
    for name in (
        "a\r\nSet-Cookie: a=b",
        "a\nX-Injected: 1",
        "a%0d%0aX-Injected: 1",
        "a\u010aX-Injected: 1",
        "a\u2028X-Injected: 1",
    ):
        made = {**world.campaign(), "id": name, "name": name}
        created = world.api.call("POST", "/v1/campaigns", made)
        quoted = urllib.parse.quote(name, safe="")
        for path in (
            f"/dashboard/campaigns/{quoted}",
            f"/dashboard/campaigns/{quoted}/export",
            f"/dashboard/segments/{quoted}",
            f"/dashboard/users/{quoted}",
        ):
            reply = world.admin.page(path)
            check(reply.status < 500, f"{path}: {reply}")
            check(
                reply.header("x-injected") is None
                and not any(line.startswith("a=b") for line in reply.all("set-cookie")),
                f"{path} has {reply.headers}",
            )
        if created.status == 201:
            for step in ("duplicate", "pause", "archive"):
                reply = world.admin.post(f"/dashboard/campaigns/{quoted}/{step}", {})
                check(reply.header("x-injected") is None and reply.status < 500, f"{step}: {reply}")


@topic.attack("The name of a file that is sent is quoted: no quotation mark, line or path of an id gets out")
def file_names(world):
    for identifier in ('a"; filename="b.exe', "../../etc/cron", "a;b", "ü", "a\\b", "=cmd", "a/b"):
        world.api.call("POST", "/v1/campaigns", {**world.campaign(), "id": identifier})
        reply = world.admin.page(f"/dashboard/campaigns/{urllib.parse.quote(identifier, safe='')}/export")
        disposition = reply.header("content-disposition") or ""
        check(reply.status < 500, f"{identifier!r}: {reply}")
        names = re.findall(r'filename="((?:[^"\\]|\\.)*)"', disposition)
        check(disposition.count("filename=") <= 1, f"{identifier!r}: {disposition}")
        for name in names:
            check("/" not in name and ".." not in name, f"{identifier!r}: {disposition}")


@topic.attack("Headers of the request do not come back in the reply's headers or pages")
def echoed(world):
    for name in (
        "User-Agent",
        "Referer",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "Accept-Language",
        "X-Request-ID",
        "Forwarded",
        "X-Forwarded-Proto",
        "Origin",
        "Accept",
    ):
        for path in ("/dashboard/sign-in", "/v1/keys", "/nothing", "/dashboard"):
            reply = Client(world.port).send("GET", path, headers={name: 'probe-echo"><x>'})
            check("probe-echo" not in reply.text, f"{name} comes back on {path}")
            check(
                not any("probe-echo" in value for _, value in reply.headers), f"{name} comes back in a header of {path}"
            )


@topic.attack("A caller who says that he comes by HTTPS, without a proxy that is trusted, is not believed")
def forwarded(world):
    for headers in ({"X-Forwarded-Proto": "https"}, {"Forwarded": "proto=https;for=192.0.2.7"}):
        browser = Browser(world.port)
        reply = browser.request("GET", "/dashboard/sign-in", headers=headers)
        check(
            not any("secure" in line.lower() for line in reply.all("set-cookie")),
            f"{headers}: {reply.all('set-cookie')}",
        )
        check(reply.header("strict-transport-security") is None, f"{headers}: {reply.headers}")


@topic.family
def behind_proxy(world):
    with world.instance("proxied", "--trusted-proxies", "127.0.0.1") as instance:
        yield (
            "Behind a proxy that is trusted and came by HTTPS, cookies are Secure and HSTS is sent",
            lambda: secure(instance),
        )
        yield "A proxy that is trusted and came by HTTP gets no Secure cookies", lambda: insecure(instance)
        yield "Addresses before the last that is trusted are not believed", lambda: spoofed(instance)


def secure(instance):
    reply = Browser(instance.port).request(
        "GET", "/dashboard/sign-in", headers={"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    )
    reply = (
        reply
        if reply.status == 200
        else Browser(instance.port).request(
            "GET", "/dashboard/setup", headers={"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
        )
    )
    cookies = reply.all("set-cookie")
    check(cookies and all("secure" in line.lower() for line in cookies), f"{cookies}")
    check("max-age" in (reply.header("strict-transport-security") or ""), f"{reply.headers}")
    session = [line for line in cookies if line.startswith("__Host-")]
    check(all("path=/;" in line.lower() or line.lower().endswith("path=/") for line in session), f"{session}")


def insecure(instance):
    reply = Browser(instance.port).request(
        "GET", "/dashboard/setup", headers={"X-Forwarded-Proto": "http", "X-Forwarded-For": "192.0.2.7"}
    )
    check(not any("secure" in line.lower() for line in reply.all("set-cookie")), f"{reply.all('set-cookie')}")


def spoofed(instance):
    """Whoever guesses from behind the proxy writes another first address each time, and is slowed down all the same."""
    instance.make_admin()
    statuses = []
    for number in range(9):
        browser = Browser(instance.port)
        token = browser.token("/dashboard/sign-in")
        reply = browser.post(
            "/dashboard/sign-in",
            {"email": "anna@example.com", "password": "guess"},
            token=token,
            headers={"X-Forwarded-For": f"198.51.100.{number}, 203.0.113.9"},
        )
        statuses.append(reply.status)
    check(429 in statuses, f"answered {statuses}")


# Files.

FILES = [
    "../Package.swift",
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/etc/passwd",
    "....//....//etc/passwd",
    "..\\..\\etc\\passwd",
    "..%5c..%5cetc%5cpasswd",
    "%00",
    "dashboard.css%00.js",
    "/etc/passwd",
    "layout.mustache",
    "dashboard.css/../layout.mustache",
    ".",
    "..",
    "",
    "~root",
    "C:\\windows\\win.ini",
    "%252e%252e%252fetc%252fpasswd",
    "a" * 5_000,
    "\u2025/\u2025/etc/passwd",
    "%c0%ae%c0%ae/etc/passwd",
    "dashboard.css?x=../..",
    "placard.sqlite",
    ".git/config",
    "file:///etc/passwd",
]


@topic.family
def files(world):
    for file in FILES:
        yield f"/dashboard/assets/{file[:40]} is no file", no_file(world, file)


def no_file(world, file):
    def attack():
        for target in (f"/dashboard/assets/{file}", f"/{file}", f"/dashboard/{file}"):
            answer = exchange(
                world.port, b"GET " + target.encode() + b" HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
            )
            check(
                not any(status == 200 for status in answer.statuses) or target.endswith(("?x=../..", "/dashboard/")),
                f"{target}: {answer}",
            )
            check(all(status < 500 for status in answer.statuses), f"{target}: {answer}")
            for text in (b"root:", b"{{", b"SQLite format", b"swift-tools"):
                check(text not in answer.data, f"{target} shows {text}")

    return attack


@topic.attack("Files are sent as what they are, to be kept, and nothing else is")
def assets(world):
    text = world.admin.page("/dashboard").text
    paths = sorted(set(re.findall(r'(?:href|src)="(/dashboard/assets/[^"]+)"', text)))
    check(len(paths) >= 2, f"{paths}")
    for path in paths:
        reply = Client(world.port).get(path)
        check(reply.status == 200 and "immutable" in (reply.header("cache-control") or ""), f"{path}: {reply}")
        check(
            (reply.header("content-type") or "").split(";")[0]
            in ("text/css", "text/javascript", "application/javascript", "image/svg+xml", "image/png"),
            f"{path}: {reply.headers}",
        )
        check(reply.header("set-cookie") is None, f"{path} sets a cookie")


# Files that a spreadsheet opens.

FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "\t=1+1",
    '=HYPERLINK("http://evil.example")',
    "=cmd|' /C calc'!A0",
    '"=1+1',
    ",=1+1",
    "＝1+1",
    ";=1+1",
    " =1+1",
]


@topic.family
def formulas(world):
    import csv
    import io
    import time
    import uuid

    cards = world.device.sync("kate").json["cards"]
    for formula in FORMULAS:
        world.device.call(
            "POST",
            "/v1/events",
            {
                "user_id": formula if formula.isprintable() else "f",
                "device_id": "d",
                "events": [
                    {
                        "id": str(uuid.uuid4()),
                        "type": "custom",
                        "name": formula,
                        "at": time.time(),
                        "properties": {formula: formula},
                    },
                    {
                        "id": str(uuid.uuid4()),
                        "type": "purchase",
                        "product_id": formula,
                        "currency": "EUR",
                        "price": 1,
                        "at": time.time(),
                    },
                ],
            },
        )
    world.api.must(
        "POST",
        "/v1/campaigns",
        {
            **world.campaign(),
            "id": "sheet",
            "name": "=1+1",
            "variants": [{"id": "-1-1", "name": "=1+1", "card": {"type": "classic", "title": "t", "description": "d"}}],
        },
    )

    def sheet(get, path):
        def attack():
            reply = get(path)
            check(reply.status == 200, f"answered {reply}")
            rows = list(csv.reader(io.StringIO(reply.text)))
            check(rows, "it is empty")
            for row in rows:
                for cell in row:
                    plain = cell.lstrip(' \t\r\n"')
                    is_number = re.fullmatch(r"-?\d+(\.\d+)?([eE][-+]?\d+)?", cell)
                    check(
                        is_number or not cell[:1] in ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"),
                        f"the cell {cell!r} ({plain[:20]!r}) begins a formula",
                    )

        return attack

    yield (
        "No cell of the events as CSV begins a formula",
        sheet(lambda path: world.api.call("GET", path), "/v1/events/export?format=csv"),
    )
    for path in ("/dashboard/campaigns/sheet/export", "/dashboard/campaigns/welcome/export"):
        yield f"No cell of {path} begins a formula", sheet(world.admin.page, path)


# What replies of the API tell a browser that is led to one, and what a body may call itself.


@topic.family
def api_headers(world):
    for route in world.of_surface(False):
        if route["path"] != "/v1/live":
            yield (
                f"Every reply of {route['method']} {route['path']} says its type and is neither guessed nor cached",
                api_header(world, route),
            )


def harmless(world, route):
    """A path of a route on which a request that is let through changes nothing that others need."""
    filled = world.filled(route["path"])
    if route["method"] == "GET":
        return filled
    if "{" not in route["path"] and route["method"] == "DELETE":
        return filled + "/none"
    return "/".join("none" if name.startswith("{") else name for name in route["path"].split("/"))


def api_header(world, route):
    def attack():
        path = harmless(world, route)
        for api in (world.api, world.device, Api(world.port, None)):
            for body in (None, "{") if route["method"] != "GET" else (None,):
                reply = api.call(route["method"], path, body)
                check(reply.header("x-content-type-options") == "nosniff", f"{reply.status} {reply.headers}")
                check(reply.header("cache-control") == "no-store", f"{reply.status} {reply.headers}")
                kind = reply.header("content-type") or ""
                check(not reply.body or "charset=utf-8" in kind.lower(), f"{reply.status} is {kind}")
                is_shown = kind.startswith("application/json") and path != "/openapi.json"
                check(
                    not is_shown or (reply.header("content-disposition") or "").startswith("attachment"),
                    f"{reply.status} {reply.headers}",
                )

    return attack


@topic.attack("Replies to what is no request, and to syncs that the event loop answers, say so too")
def early_headers(world):
    for _ in range(3):
        reply = world.device.sync("kate", cursor=world.device.sync("kate").json["cursor"])
        check(
            reply.status == 200
            and reply.header("x-content-type-options") == "nosniff"
            and reply.header("cache-control") == "no-store",
            f"{reply.headers}",
        )
    answer = exchange(world.port, b"GET / HTTP/1.1\r\n\r\n")
    check(b"nosniff" in answer.data and b"no-store" in answer.data, f"{answer}")


TYPES = [
    "multipart/form-data; boundary=x",
    "application/xml",
    "text/html",
    "application/octet-stream",
    "application/json; charset=utf-16",
    "application/jsonx",
    "image/svg+xml",
    "a" * 5_000,
    "application/json, multipart/form-data",
    ";",
    "application/json/x",
]


@topic.family
def body_types(world):
    for kind in TYPES:
        yield (
            f"A body that calls itself {kind[:40]!r} is refused by every route, and nothing is done",
            body_type(world, kind),
        )


def body_type(world, kind):
    def attack():
        settings = world.api.must("GET", "/v1/settings")
        for route in world.of_surface(False):
            if route["method"] in ("POST", "PUT", "PATCH"):
                api = world.api_for(route["method"], route["path"])
                body = {"user_id": "typed", "device_id": "d", "events": []} if api is world.device else {"name": "x"}
                reply = api.call(route["method"], harmless(world, route), body, **{"Content-Type": kind})
                # Some have no body, and some look at what the path names first.
                check(
                    reply.status == 415
                    or (reply.status == 404 and "{" in route["path"])
                    or route["path"] == "/v1/webhook/rotate",
                    f"{route['method']} {route['path']} answered {reply}",
                )
        check(not world.database.rows("SELECT 1 FROM users WHERE id = 'typed'"), "a user was made")
        check(world.api.must("GET", "/v1/settings") == settings, "the settings changed")

    return attack
