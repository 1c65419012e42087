"""What callers without a key or an account leave behind, and what they are told."""

import re
import time
import uuid

from ..browser import Browser
from ..client import Api, Client
from ..clock import in_turns
from ..suite import Topic, check

topic = Topic("Strangers")


def growth(world, work):
    """The rows by table and the bytes that something adds.

    An entry of the audit log that only says how many reads or refusals of earlier minutes were left out is none of it.
    """
    summaries = "SELECT count(*) FROM audit WHERE details LIKE '{\"more\":%'"
    (before,), size = world.database.rows(summaries)[0], world.database.size
    counts = world.database.settled_counts
    work()
    after = world.database.settled_counts
    (later,) = world.database.rows(summaries)[0]
    after["audit"] -= later - before
    return {
        table: after[table] - counts.get(table, 0) for table in after if after[table] > counts.get(table, 0)
    }, world.database.size - size


def visit(world, count, work):
    """Requests from one address, each by a browser without cookies."""
    source = world.address_of_this_machine()
    for number in range(count):
        work(Browser(world.port, source), number)


def few(world, name, count, work, limit):
    """Checks that so many requests leave few rows and bytes."""
    rows, size = growth(world, lambda: visit(world, count, work))
    check(sum(rows.values()) <= limit, f"{count} × {name} left {rows}")
    check(size < 600_000, f"{count} × {name} left {size} bytes")


@topic.attack("Visits of the sign-in page leave nothing behind")
def visits(world):
    few(world, "a visit", 60, lambda browser, _: browser.page("/dashboard/sign-in"), 0)


@topic.attack("Sign-ins with forged tokens leave nothing behind but some entries of the audit log")
def forged(world):
    few(
        world,
        "a forged form",
        60,
        lambda browser, n: browser.post(
            "/dashboard/sign-in", {"email": f"{n}@x.example", "password": "x"}, token="AAAA"
        ),
        10,
    )


@topic.attack("Sign-in forms that their sender signed for a century leave nothing behind")
def own_tokens(world):
    from .csrf import decode, forge

    def work(browser, number):
        browser.page("/dashboard/sign-in")
        value = next(value for name, value in browser.cookies.items() if "session" not in name)
        browser.post(
            "/dashboard/sign-in",
            {"email": f"{number}@x.example", "password": "x"},
            token=forge(decode(value), time.time() + 3e9),
        )

    few(world, "a form", 40, work, 10)


@topic.attack("Failed sign-ins of many invented accounts from one address leave a bounded number of rows")
def failures(world):
    def work(browser, number):
        token = browser.token("/dashboard/sign-in")
        browser.post("/dashboard/sign-in", {"email": f"{uuid.uuid4()}@x.example", "password": "x"}, token=token)

    # A token that was spent is kept until it would have ended; what is refused at once is not.
    few(world, "a failure", 36, work, 120)


@topic.attack("Nothing of the failed sign-ins is kept that has no end")
def ends(world):
    for table in world.database.tables:
        columns = world.database.columns(table)
        for column in columns:
            if re.search(r"expires|until", column) and re.search(r"form|session|throttle|failure|attempt|spent", table):
                latest = world.database.rows(f'SELECT max("{column}") FROM "{table}"')[0][0]
                check(latest is None or latest < time.time() + 60 * 86400, f"{table}.{column} goes on to {latest}")


@topic.attack("Requests without a key leave nothing behind, whatever they ask for")
def no_key(world):
    paths = [world.filled(route["path"]) for route in world.of_surface(False)]

    def work():
        for path in paths:
            for method in ("GET", "POST", "PUT", "DELETE", "PATCH"):
                Api(world.port, None).call(
                    method, path, {"user_id": str(uuid.uuid4()), "device_id": "d"} if method != "GET" else None
                )

    rows, size = growth(world, work)
    check(not rows, f"rows were made: {rows}")
    check(size < 200_000, f"the file grew by {size} bytes")


@topic.attack("Paths and keys that strangers invent add no line to the metrics")
def metrics(world):
    def lines():
        return len(Client(world.port).get("/metrics").text.splitlines())

    Client(world.port).get("/nothing")
    before = lines()
    for number in range(120):
        Client(world.port).send(
            "GET" if number % 2 else f"M{number}",
            f"/nothing-{number}/{uuid.uuid4()}",
            headers={"Authorization": f"Bearer sk_{number}"},
        )
    check(lines() - before < 10, f"{lines() - before} lines more")


# What strangers are told.


@topic.attack("Without a key nobody learns which ids exist")
def existence(world):
    for one, other in (
        ("/v1/users/kate", "/v1/users/nobody-at-all"),
        ("/v1/campaigns/welcome", "/v1/campaigns/none"),
        ("/v1/segments/members", "/v1/segments/none"),
        ("/v1/content-blocks/footer", "/v1/content-blocks/none"),
        ("/v1/live?user_id=kate", "/v1/live?user_id=nobody-at-all"),
        ("/dashboard/users/kate", "/dashboard/users/nobody-at-all"),
        ("/dashboard/campaigns/welcome", "/dashboard/campaigns/none"),
    ):
        replies = [Client(world.port).get(path) for path in (one, other)]
        check(replies[0].status == replies[1].status, f"{one}: {replies}")
        # Every request has an id of its own.
        own = r'"request_id":"[0-9a-f]{20}"|kate|nobody-at-all|welcome|none|members|footer'
        bodies = [re.sub(own, "", reply.text) for reply in replies]
        check(bodies[0] == bodies[1], f"{one}: {bodies}")


@topic.attack("A publishable key cannot tell which users exist")
def users_exist(world):
    replies = [world.device.call("GET", f"/v1/users/{user}") for user in ("kate", "nobody-at-all")]
    check({reply.status for reply in replies} == {403}, f"{replies}")


BAD = [
    ("GET", "/v1/campaigns/%00", None),
    ("POST", "/v1/campaigns", "{"),
    ("POST", "/v1/campaigns", '{"name":1}'),
    ("GET", "/v1/users/%ff", None),
    ("POST", "/v1/sync", "x"),
    ("GET", "/v1/campaigns?limit=x", None),
    ("GET", "/v1/campaigns?limit=" + "9" * 300, None),
    ("PUT", "/v1/settings", '{"time_zone":"../../etc/passwd"}'),
    ("POST", "/v1/campaigns", '{"name":"x","variants":[{"card":{"type":"classic","title":"{% if"}}]}'),
    ("GET", "/campaigns/list?page='", None),
    ("GET", "/v1/users/'%20OR%201=1--", None),
    ("POST", "/v1/audience/reach", '{"audience":{"attribute":"x","comparison":"matches_regex","value":"("}}'),
    ("GET", "/v1/events/export?type=%27", None),
    ("POST", "/v1/preview", "[]"),
    ("DELETE", "/v1/keys/%27;DROP TABLE keys", None),
    ("PUT", "/v1/webhook", '{"url":"http://["}'),
    ("GET", "/v1/campaigns/welcome/report?time_zone=x", None),
    ("GET", "/v1/campaigns/welcome/report?from=0000-99-99", None),
    ("POST", "/users/track", '{"attributes":"x"}'),
    ("GET", "/nothing", None),
]
TELLS = re.compile(
    r"/home/|/root|/tmp/|\.swift|SQLite|sqlite|SELECT |GRDB|NIO|Hummingbird|Fatal|Thread \d|0x[0-9a-f]{6}|Error"
    r" Domain|NSCocoa|Swift\.|DecodingError|stack",
    re.IGNORECASE,
)
# Tokens of forms, nonces and request ids: their letters are random, and spell "nio" now and then.
RANDOM = re.compile(r"(?<![\w-])(?=[\w-]*\d)[\w-]{20,}")


def told(text):
    """What a text tells of the inside of the server, or None."""
    found = TELLS.search(RANDOM.sub("", text))
    return found and found[0]


@topic.family
def errors(world):
    for method, path, body in BAD:
        yield (
            f"The refusal of {method} {path[:50]} {(body or '')[:30]} tells nothing of the inside",
            refusal(world, method, path, body),
        )


def refusal(world, method, path, body):
    def attack():
        for api in (world.api, world.device, Api(world.port, None)):
            reply = api.call(method, path.replace(" ", "%20"), body)
            check(reply.status < 500, f"answered {reply}")
            if reply.status >= 400:
                check(not told(reply.text), f"says {told(reply.text)!r}: {reply}")
                check(reply.code, f"has no code: {reply}")

    return attack


@topic.attack("Pages that do not exist tell nothing of the inside, and are refused like others")
def missing_pages(world):
    for path in (
        "/dashboard/nothing",
        "/dashboard/campaigns/%00",
        "/dashboard/users/%ff",
        "/dashboard/segments/'",
        "/dashboard/.env",
        "/.git/config",
        "/server-status",
        "/debug/pprof",
        "/actuator",
        "/admin",
        "/phpinfo.php",
        "/v1/../etc/passwd",
        "/api-docs",
    ):
        for caller in (Client(world.port), world.admin):
            reply = caller.send("GET", path) if caller is not world.admin else caller.page(path)
            check(reply.status in (303, 400, 401, 403, 404), f"{path}: {reply}")
            check(not told(reply.text), f"{path} says {told(reply.text)!r}: {reply}")


@topic.attack("No header tells a version")
def versions(world):
    for path in ("/healthz", "/dashboard/sign-in", "/v1/keys", "/nothing"):
        for name, value in Client(world.port).get(path).headers:
            if name in ("server", "x-powered-by", "via", "x-aspnet-version"):
                check(not re.search(r"\d", value), f"{path}: {name}: {value}")


@topic.attack("A key that is nearly right is refused as fast as one that is all wrong")
def key_timing(world):
    api = Api(world.port, None)

    def caller(key):
        return lambda: api.call("GET", "/v1/keys", None, Authorization=f"Bearer {key}")

    near, far = world.secret[:-1] + ("a" if world.secret[-1] != "a" else "b"), "sk_" + "x" * (len(world.secret) - 3)

    def is_as_fast(times):
        return abs(times[0] - times[1]) < 0.5 * max(times) + 0.0005

    # What the key decides is there each time; what a busy machine does is not.
    tried = []
    while len(tried) < 5 and not (tried and is_as_fast(tried[-1])):
        tried.append(in_turns(caller(near), caller(far), 150))
    check(is_as_fast(tried[-1]), " and ".join(f"{one * 1e6:.0f} µs to {two * 1e6:.0f} µs" for one, two in tried))


# A key, and not the letters of one somewhere in a token of a form, which are random.
KEY = re.compile(r"(?<![\w-])sk_[A-Za-z0-9]{43}(?![\w-])")


@topic.attack("A page of a member tells no other member's secrets")
def other_members(world):
    check(KEY.search(f'"{world.secret}"'), "a key isn't known by its form")
    for path in world.pages:
        text = world.viewer.page(path).text
        check("scrypt$" not in text and not KEY.search(text), f"{path}")
        check(world.secret[:24] not in text, f"{path} has the beginning of a key")


# Bodies that are packed.


@topic.family
def packed(world):
    import gzip
    import zlib
    from ..listener import gzip_bomb

    bomb = gzip_bomb(200)
    for name, encoding, body in (
        ("200 MB of gzip", "gzip", bomb),
        ("200 MB of gzip twice", "gzip, gzip", gzip.compress(bomb)),
        ("gzip that is cut off", "gzip", gzip.compress(b"{}")[:-6]),
        ("gzip that is none", "gzip", b"\x1f\x8bxxxx"),
        ("deflate", "deflate", zlib.compress(b"\0" * 1_000_000)),
        ("an unknown packing", "br", b"xxxx"),
        ("identity", "identity", b"{"),
        ("a list of 1,000 packings", ", ".join(["gzip"] * 1_000), bomb),
    ):
        yield f"A body of {name} is refused, without being unpacked", unpacked(world, encoding, body)


def unpacked(world, encoding, body):
    def attack():
        for api, path in ((world.device, "/v1/sync"), (world.api, "/v1/campaigns"), (world.api, "/users/track")):
            with world.memory(60), world.effort(1):
                reply = api.call("POST", path, body, **{"Content-Encoding": encoding})
            check(400 <= reply.status < 500, f"{path}: {reply}")

    return attack
