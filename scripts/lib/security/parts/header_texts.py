"""Texts that are taken for headers, files, formulas and types, and what is harmless."""

import re
import urllib.parse

from ..browser import PASSWORD, Browser
from ..client import Api
from ..raw import HOST, exchange
from ..suite import check
from ..world import MEMBERS

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
