"""Much of everything, from one address, one key or for one user; a short form of the flood test."""

import concurrent.futures
import json
import resource
import socket
import threading
import time
import uuid

from ..client import Api
from ..raw import connect, read
from ..suite import Topic, check

topic = Topic("Floods")


class Flood:
    """A server with the limits that it has by default, and callers from addresses of their own."""

    def __init__(self, instance, world):
        self.instance, self.world = instance, world
        instance.api.must("POST", "/v1/campaigns", {**world.campaign("Flooded"), "id": "flooded"})
        instance.api.must("POST", "/v1/campaigns/flooded/launch", {"force": True})

    def caller(self, source=None):
        return Api(self.instance.port, self.instance.publishable, source or self.world.address_of_this_machine(), timeout=20)

    def connection(self, source):
        return connect(self.instance.port, source)

    def honest(self, count=15, limit=1.5):
        """Checks that an honest app at another address is served meanwhile, soon."""
        caller, slowest, user = self.caller(), 0, f"honest-{next(self.world.numbers)}"
        for number in range(count):
            start = time.monotonic()
            reply = caller.sync(user)
            slowest = max(slowest, time.monotonic() - start)
            check(reply.status == 200, f"an honest app is told {reply}")
        check(slowest < limit, f"an honest app waits {slowest:.1f} s")


@topic.family
def all_of_them(world):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    with world.instance("floods", *deadlines(world), keeps_limits=True) as instance:
        flood = Flood(instance, world)
        start = instance.server.resident_bytes
        yield "Of 80 live streams for one user, some stay open and not all", lambda: streams_of_user(flood)
        yield "Of 400 live streams from one address, not all are opened, and others are served", lambda: streams_of_address(flood)
        yield "Of 1,500 idle connections from one address, not all are kept, and others are served", lambda: idle(flood)
        yield "400 users that one address invents are not all made, and it is told when to come again", lambda: invented(flood)
        yield "1,000 requests for one user are not all answered, and the reply says when to come again", lambda: requests_of_user(flood)
        yield "A request whose head comes byte by byte is ended in seconds", lambda: slow_head(flood)
        yield "A request whose body comes byte by byte is ended in seconds", lambda: slow_body(flood)
        yield "A connection on which nothing comes is ended", lambda: silent(flood)
        yield "A live stream whose reader reads nothing takes little memory", lambda: unread(flood)
        yield "10 MB of attributes that a device sets on one user are not kept", lambda: attributes(flood)
        yield "20,000 names of events of one user are not all kept", lambda: names(flood)
        yield "Reports of errors with invented classes and fields are bounded in number", lambda: content_errors(flood)
        yield "An app cannot publish types without end, and changes no check of a launch by it", lambda: content_types(flood)
        yield "60 wrong keys a second from one address are slowed down, and right keys elsewhere are not", lambda: wrong_keys(flood)
        yield "After the floods the server has closed what it had opened", lambda: settled(flood, start)


def deadlines(world):
    """Flags of shorter deadlines, so that nobody waits for the real ones."""
    import subprocess
    words = subprocess.run([world.placard, "serve", "--help"], capture_output=True, text=True).stdout
    wanted = {"--head-timeout": "2", "--body-timeout": "3", "--idle-timeout": "4"}
    return [part for flag, value in wanted.items() if flag in words for part in (flag, value)]


def open_streams(flood, count, source, user):
    """Opens live streams, and returns the connections with what each was told."""
    opened = []
    for number in range(count):
        connection = flood.connection(source)
        name = user(number)
        head = f"GET /v1/live?user_id={name}&device_id=d{number} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {flood.instance.publishable}\r\n\r\n"
        try:
            connection.sendall(head.encode())
        except OSError:
            pass
        opened.append(connection)
    return opened


def alive(connections):
    """How many streams are open: those that began and were not closed."""
    count = 0
    for connection in connections:
        connection.settimeout(0.02)
        data, is_open = b"", True
        try:
            while True:
                part = connection.recv(65536)
                if not part:
                    is_open = False
                    break
                data += part
        except TimeoutError:
            pass
        except OSError:
            is_open = False
        count += is_open and data.startswith(b"HTTP/1.1 200")
    return count


def close(connections):
    for connection in connections:
        connection.close()


def streams_of_user(flood):
    connections = open_streams(flood, 80, flood.world.address_of_this_machine(), lambda number: "kate")
    try:
        time.sleep(1)
        count = alive(connections)
        check(0 < count <= 40, f"{count} of 80 are open")
        flood.honest()
    finally:
        close(connections)


def streams_of_address(flood):
    connections = open_streams(flood, 400, flood.world.address_of_this_machine(), lambda number: f"u{number}")
    try:
        time.sleep(1)
        count = alive(connections)
        check(0 < count <= 320, f"{count} of 400 are open")
        flood.honest()
    finally:
        close(connections)


def idle(flood):
    source, connections = flood.world.address_of_this_machine(), []
    before = flood.instance.server.descriptor_count
    try:
        for _ in range(1500):
            try:
                connections.append(flood.connection(source))
            except OSError:
                break
        time.sleep(0.5)
        kept = flood.instance.server.descriptor_count - before
        check(kept < 1300, f"{kept} of 1,500 are kept")
        flood.honest()
    finally:
        close(connections)


def invented(flood):
    caller = flood.caller()
    replies = [caller.sync(f"invented-{uuid.uuid4()}") for _ in range(400)]
    refused = [reply for reply in replies if reply.status == 429]
    check(refused, "all were made")
    check({reply.status for reply in replies} <= {200, 429}, f"{ {reply.status for reply in replies} }")
    check(all(reply.header("retry-after") for reply in refused), "the reply does not say when")
    flood.honest()


def requests_of_user(flood):
    caller = flood.caller()
    replies = [caller.sync("hammered", "d") for _ in range(1000)]
    refused = [reply for reply in replies if reply.status == 429]
    check(refused and replies[0].status == 200, "all were answered")
    check(all(reply.header("retry-after") for reply in refused), "the reply does not say when")
    flood.honest()


def dribble(flood, first, part, limit):
    """Sends bytes slowly until the server ends it."""
    source = flood.world.address_of_this_machine()
    start = time.monotonic()
    with flood.connection(source) as connection:
        try:
            connection.sendall(first)
            while time.monotonic() - start < limit:
                connection.sendall(part)
                connection.settimeout(0.25)
                try:
                    if not connection.recv(4096):
                        return
                except TimeoutError:
                    continue
        except OSError:
            return
    check(False, f"it is still open after {limit} s")


def slow_head(flood):
    dribble(flood, b"GET /healthz HTTP/1.1\r\nHost: x\r\n", b"X: a\r\n", 8)


def slow_body(flood):
    head = f"POST /v1/sync HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {flood.instance.publishable}\r\nContent-Length: 100000\r\n\r\n"
    dribble(flood, head.encode(), b" ", 10)


def silent(flood):
    start = time.monotonic()
    with flood.connection(flood.world.address_of_this_machine()) as connection:
        check(read(connection, 12, 12).is_closed or time.monotonic() - start < 12, "it is still open after 12 s")


def unread(flood):
    connections = open_streams(flood, 30, flood.world.address_of_this_machine(), lambda number: f"unread-{number}")
    before = flood.instance.server.resident_bytes
    try:
        for number in range(60):
            flood.instance.api.call("POST", "/v1/campaigns/flooded/pause" if number % 2 == 0 else "/v1/campaigns/flooded/launch", {"force": True} if number % 2 else {})
        check(flood.instance.server.resident_bytes - before < 64 << 20, "memory grew by more than 64 MiB")
        flood.honest()
    finally:
        close(connections)


def kept_bytes(flood, user):
    rows = [row for table in flood.instance.database.tables for row in flood.instance.database.rows(f'SELECT * FROM "{table}"') if user in map(str, row[:3])]
    return sum(len(str(value)) for row in rows for value in row)


def event(kind, **more):
    return {"id": str(uuid.uuid4()), "type": kind, "at": time.time(), **more}


def attributes(flood):
    caller, user = flood.caller(), "loaded"
    for batch in range(40):
        events = [event("attributes", attributes={f"a{batch}-{number}-{field}": "x" * 1000 for field in range(10)}) for number in range(25)]
        reply = caller.call("POST", "/v1/events", {"user_id": user, "device_id": "d", "events": events})
        check(reply.status in (200, 400, 413, 429), f"answered {reply}")
    sizes = [sum(len(str(value)) for value in row) for row in flood.instance.database.rows("SELECT * FROM users WHERE id = ?", user)]
    check(sum(sizes) < 1 << 20, f"{sum(sizes)} bytes are kept of the user")
    flood.honest()


def names(flood):
    caller, user = flood.caller(), "talkative"
    for batch in range(40):
        events = [event("custom", name=f"n-{batch}-{number}") for number in range(500)]
        reply = caller.call("POST", "/v1/events", {"user_id": user, "device_id": "d", "events": events})
        check(reply.status in (200, 400, 429), f"answered {reply}")
    rows = flood.instance.database.rows("SELECT count(*) FROM histories WHERE user_id = ?", user)[0][0]
    check(rows <= 5_000, f"{rows} histories are kept of the user")
    flood.honest()


def content_errors(flood):
    caller, user = flood.caller(), "faulty"
    reply = caller.sync(user)
    card = reply.json["cards"][0]["id"]
    for batch in range(10):
        events = [event("content_error", card_id=card, class_type=f"c-{batch}-{number}", field="f" * 200 + str(number), message="m" * 500) for number in range(300)]
        caller.call("POST", "/v1/events", {"user_id": user, "device_id": "d", "events": events})
    rows = flood.instance.database.counts["problems"]
    check(rows <= 1_500, f"{rows} reports are kept")
    check(flood.instance.api.call("GET", "/v1/campaigns/flooded/report").status == 200, "the report cannot be read")


def content_types(flood):
    made = flood.instance.api.must("GET", "/v1/content-types")
    key = flood.instance.publishable
    types = [{"class_type": f"type-{number}", "fields": [{"name": f"f{field}", "type": "string", "required": True} for field in range(20)]} for number in range(300)]
    for batch in range(10):
        renamed = [{**kind, "class_type": f"{kind['class_type']}-{batch}"} for kind in types]
        Api(flood.instance.port, key, flood.world.address_of_this_machine()).call("PUT", "/v1/content-types", {"types": renamed})
    check(flood.instance.database.size < 60 << 20, "the file has grown beyond 60 MB")
    before = flood.instance.api.must("GET", "/v1/campaigns/flooded/checks")
    Api(flood.instance.port, key).call("PUT", "/v1/content-types", {"types": [{"class_type": "hostile", "fields": [{"name": "must", "type": "integer", "required": True}]}]})
    body = {"name": "x", "variants": [{"card": {"type": "classic", "title": "t", "description": "d", "extras": {"class_type": "hostile"}}}]}
    checks = flood.instance.api.must("POST", "/v1/checks", body)
    check(not [item for item in checks["checks"] if item["severity"] == "error"], f"what an app publishes forbids a launch: {checks}")
    check(flood.instance.api.must("GET", "/v1/campaigns/flooded/checks") == before and made is not None, "the checks of a campaign changed")


def wrong_keys(flood):
    source = flood.world.address_of_this_machine()
    statuses = [Api(flood.instance.port, f"pk_{number:043}", source).sync("x").status for number in range(150)]
    check(set(statuses) <= {401, 429}, f"answered {set(statuses)}")
    check(429 in statuses, "none was slowed down")
    flood.honest()


def settled(flood, start):
    end = time.monotonic() + 10
    while flood.instance.server.descriptor_count > 120 and time.monotonic() < end:
        time.sleep(0.2)
    check(flood.instance.server.descriptor_count <= 120, f"{flood.instance.server.descriptor_count} files and connections are open")
    grown = (flood.instance.server.resident_bytes - start) >> 20
    check(grown < 250, f"memory grew by {grown} MiB")
    problem = flood.instance.health()
    check(not problem, problem)
