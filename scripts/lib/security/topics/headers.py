"""Where a browser is sent, and what texts do in headers and files."""

import re
import urllib.parse

from ..browser import Browser
from ..client import Client
from ..raw import exchange
from ..suite import Topic, check
from ..parts.header_texts import (
    ELSEWHERE,
    FILES,
    FORMULAS,
    TYPES,
    after_sign_in,
    api_header,
    body_type,
    insecure,
    lead_back,
    no_file,
    secure,
    spoofed,
    stays,
)

topic = Topic("Redirects, headers and files")


@topic.family
def nexts(world):
    for target in ELSEWHERE:
        yield f"Signing in leads nowhere but the dashboard with next={target[:50]!r}", after_sign_in(world, target)


@topic.family
def backs(world):
    for target in ELSEWHERE:
        yield (
            f"A form that leads back leads nowhere but the dashboard with back={target[:50]!r}",
            lead_back(world, target),
        )


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


# Files.


@topic.family
def files(world):
    for file in FILES:
        yield f"/dashboard/assets/{file[:40]} is no file", no_file(world, file)


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


@topic.family
def body_types(world):
    for kind in TYPES:
        yield (
            f"A body that calls itself {kind[:40]!r} is refused by every route, and nothing is done",
            body_type(world, kind),
        )
