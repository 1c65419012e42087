"""Much of everything, from one address, one key or for one user; a short form of the flood test."""

import resource
import socket
import time
import uuid

from ..client import Api
from ..clock import LONG, is_not_held_up, until
from ..raw import connect, read, read_head
from ..suite import Topic, check

topic = Topic("Floods")


class Flood:
    """A server with its default limits, and callers from addresses of their own.

    What a bucket has lost does not come back, so that the speed of this machine decides nothing.
    """

    def __init__(self, instance, world):
        self.instance, self.world = instance, world
        settings = instance.api.must("GET", "/v1/settings")
        for limit in settings["device_limits"].values():
            if isinstance(limit, dict):
                limit["per_second"] = 0.001
        instance.api.must("PUT", "/v1/settings", settings)
        instance.api.must("POST", "/v1/campaigns", {**world.campaign("Flooded"), "id": "flooded"})
        instance.api.must("POST", "/v1/campaigns/flooded/launch", {"force": True})

    def caller(self, source=None):
        return Api(self.instance.port, self.instance.publishable, source or self.world.address_of_this_machine())

    def connection(self, source):
        return connect(self.instance.port, source)

    def honest(self, flooded=None, control=None):
        """Checks that an honest app at another address is served at the same time, as soon as by a server without a
        flood."""
        flooded, control, user = (
            flooded or self.caller(),
            control or self.world.device,
            f"honest-{next(self.world.numbers)}",
        )

        def sync(api):
            reply = api.sync(user)
            check(reply.status == 200, f"an honest app is told {reply}")

        is_not_held_up(lambda: sync(flooded), lambda: sync(control), "the sync of an honest app", 15)


@topic.family
def all_of_them(world):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    with world.instance("floods", *deadlines(world), keeps_limits=True) as instance:
        flood = Flood(instance, world)
        start = instance.server.resident_bytes
        yield "Of 80 live streams for one user, some stay open and not all", lambda: streams_of_user(flood)
        yield (
            "Of 400 live streams from one address, not all are opened, and others are served",
            lambda: streams_of_address(flood),
        )
        yield (
            "Of 60 live pages of one session at six addresses, ten are open, and one that is closed makes room",
            lambda: streams_of_session(flood),
        )
        yield "Of 1,500 idle connections from one address, not all are kept, and others are served", lambda: idle(flood)
        yield (
            "400 users that one address invents are not all made, and it is told when to come again",
            lambda: invented(flood),
        )
        yield (
            "1,000 requests for one user are not all answered, and the reply says when to come again",
            lambda: requests_of_user(flood),
        )
        yield (
            "Events that change many arrays are refused, and those that change ten count as what they cost",
            lambda: edits(flood),
        )
        yield "A request whose head comes byte by byte is ended in seconds", lambda: slow_head(flood)
        yield "A request whose body comes byte by byte is ended in seconds", lambda: slow_body(flood)
        yield "A connection on which nothing comes is ended", lambda: silent(flood)
        yield "A live stream whose reader reads nothing takes little memory", lambda: unread(flood)
        yield (
            "1,000 readers who ask for 60 answers ahead and read hardly any take little memory",
            lambda: unread_answers(flood),
        )
        yield "10 MB of attributes that a device sets on one user are not kept", lambda: attributes(flood)
        yield "20,000 names of events of one user are not all kept", lambda: names(flood)
        yield "Reports of errors with invented classes and fields are bounded in number", lambda: content_errors(flood)
        yield (
            "An app cannot publish types without end, and changes no check of a launch by it",
            lambda: content_types(flood),
        )
        yield "Content types are bounded, and what goes beyond changes none", lambda: published_types(flood)
        yield (
            "The events of ever new users from one address do not fill the disk",
            lambda: event_bytes(flood),
        )
        yield (
            "60 wrong keys a second from one address are slowed down, and right keys elsewhere are not",
            lambda: wrong_keys(flood),
        )
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
        head = (
            f"GET /v1/live?user_id={name}&device_id=d{number} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer"
            f" {flood.instance.publishable}\r\n\r\n"
        )
        try:
            connection.sendall(head.encode())
        except OSError:
            pass
        opened.append(connection)
    return opened


def alive(streams):
    """How many streams that began were not closed since."""
    count = 0
    for connection in streams:
        try:
            connection.setblocking(False)
            while connection.recv(65536):
                pass
        except BlockingIOError:
            count += 1
        except OSError:
            pass
    return count


def limited_streams(flood, count, user, limit):
    """Opens live streams, and checks that some stay open and no more than a limit."""
    connections = open_streams(flood, count, flood.world.address_of_this_machine(), user)
    try:
        streams = [connection for connection in connections if head_of(connection).startswith(b"HTTP/1.1 200")]
        # A stream that has to go for another may end a little after that one has begun.
        until(lambda: alive(streams) <= limit, lambda: f"{alive(streams)} of {count} are open")
        check(alive(streams) > 0, "none is open")
        flood.honest()
    finally:
        close(connections)


def head_of(connection):
    try:
        return read_head(connection)
    except ConnectionError:
        return b""


def close(connections):
    for connection in connections:
        connection.close()


def streams_of_user(flood):
    limited_streams(flood, 80, lambda number: "kate", 40)


def streams_of_address(flood):
    limited_streams(flood, 400, lambda number: f"u{number}", 320)


def streams_of_session(flood):
    """On the main server, which has members."""
    world = flood.world
    cookie = "; ".join(f"{name}={value}" for name, value in world.browser("vera@example.com").cookies.items())
    head = f"GET /dashboard/live HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n".encode()
    sources = [world.address_of_this_machine() for _ in range(6)]
    connections = []

    def ask(number):
        connection = connect(world.port, sources[number % len(sources)])
        connections.append(connection)
        connection.sendall(head)
        return connection, head_of(connection)

    try:
        replies = [ask(number) for number in range(60)]
        opened = [connection for connection, reply in replies if reply.startswith(b"HTTP/1.1 200")]
        refused = [reply for _, reply in replies if reply.startswith(b"HTTP/1.1 429")]
        check(len(opened) == 10 and len(refused) == 50, f"{len(opened)} are open, and {len(refused)} refused")
        check(all(b"retry-after" in reply.lower() for reply in refused), "the reply does not say when")
        opened[0].close()
        until(lambda: ask(0)[1].startswith(b"HTTP/1.1 200"), "a page that was closed keeps its place")
    finally:
        close(connections)


def idle(flood):
    """On the main server, whose connections may be idle for longer than this takes."""
    world, connections = flood.world, []
    source = world.address_of_this_machine()
    try:
        for _ in range(1500):
            try:
                connections.append(connect(world.port, source))
            except OSError:
                break
        until(
            lambda: sum(map(is_open, connections)) < 1300, lambda: f"{sum(map(is_open, connections))} of 1,500 are kept"
        )
        flood.honest(Api(world.port, world.publishable, world.address_of_this_machine()), flood.caller())
    finally:
        close(connections)


def is_open(connection):
    """Whether a connection is kept: one that is not was closed, or told that there is no room."""
    try:
        connection.recv(64, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


def invented(flood):
    caller = flood.caller()
    replies = [caller.sync(f"invented-{uuid.uuid4()}") for _ in range(400)]
    refused = [reply for reply in replies if reply.status == 429]
    check(refused, "all were made")
    check({reply.status for reply in replies} <= {200, 429}, f"{ {reply.status for reply in replies} }")
    check(all(reply.header("retry-after") for reply in refused), "the reply does not say when")
    made = flood.instance.database.rows("SELECT count(*) FROM users WHERE id LIKE 'invented-%'")[0][0]
    check(
        made == len(replies) - len(refused),
        f"{made} users are made, and {len(refused)} of {len(replies)} requests refused",
    )
    flood.honest()


def requests_of_user(flood):
    caller = flood.caller()
    replies = [caller.sync("hammered", "d") for _ in range(1000)]
    refused = [reply for reply in replies if reply.status == 429]
    check(refused and replies[0].status == 200, "all were answered")
    check(all(reply.header("retry-after") for reply in refused), "the reply does not say when")
    flood.honest()


def edits(flood):
    device = flood.caller()

    def send(arrays):
        changes = {f"set-{number}": {"add": ["x"], "remove": ["y"]} for number in range(arrays)}
        events = [
            {"id": str(uuid.uuid4()), "type": "attributes", "at": time.time(), "attributes": changes}
            for _ in range(400)
        ]
        return device.call("POST", "/v1/events", {"user_id": "editor", "device_id": "d", "events": events})

    reply = send(50)
    check(reply.text.count("field_invalid") == 400, f"events that change 50 arrays are taken: {reply.status}")
    check(send(10).status == 200, "ten arrays can't be changed at all")
    reply = send(10)
    check(reply.status == 429 and reply.header("retry-after"), f"8,000 arrays are changed with no wait: {reply.status}")
    flood.honest()


def dribble(flood, first, part):
    """Sends bytes slowly until the server ends it."""
    with flood.connection(flood.world.address_of_this_machine()) as connection:

        def is_ended():
            try:
                connection.sendall(part)
                connection.settimeout(0.25)
                return not connection.recv(4096)
            except TimeoutError:
                return False
            except OSError:
                return True

        connection.sendall(first)
        until(is_ended, f"it is still open after {LONG} s")


def slow_head(flood):
    dribble(flood, b"GET /healthz HTTP/1.1\r\nHost: x\r\n", b"X: a\r\n")


def slow_body(flood):
    head = (
        f"POST /v1/sync HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {flood.instance.publishable}\r\nContent-Length:"
        " 100000\r\n\r\n"
    )
    dribble(flood, head.encode(), b" ")


def silent(flood):
    with flood.connection(flood.world.address_of_this_machine()) as connection:
        check(read(connection).is_closed, f"it is still open after {LONG} s")


def unread(flood):
    connections = open_streams(flood, 30, flood.world.address_of_this_machine(), lambda number: f"unread-{number}")
    before = flood.instance.server.resident_bytes
    try:
        for number in range(60):
            flood.instance.api.call(
                "POST",
                "/v1/campaigns/flooded/pause" if number % 2 == 0 else "/v1/campaigns/flooded/launch",
                {"force": True} if number % 2 else {},
            )
        check(flood.instance.server.resident_bytes - before < 64 << 20, "memory grew by more than 64 MiB")
        flood.honest()
    finally:
        close(connections)


def unread_answers(flood):
    """Of one path that needs no key and has the longest answer, and of one that is made anew each time."""
    requests = b"".join(
        b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n" for path in [b"/openapi.json", b"/dashboard/sign-in"] * 30
    )
    connections, before = [], flood.instance.server.resident_bytes
    try:
        for number in range(1000):
            if number % 125 == 0:
                source = flood.world.address_of_this_machine()
            connection = socket.socket()
            connections.append(connection)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            connection.settimeout(LONG)
            connection.bind((source, 0))
            connection.connect(("127.0.0.1", flood.instance.port))
            connection.sendall(requests)
        flood.honest()
        grown = (flood.instance.server.resident_bytes - before) >> 20
        check(grown < 120, f"memory grew by {grown} MiB")
    finally:
        close(connections)


def kept_bytes(flood, user):
    rows = [
        row
        for table in flood.instance.database.tables
        for row in flood.instance.database.rows(f'SELECT * FROM "{table}"')
        if user in map(str, row[:3])
    ]
    return sum(len(str(value)) for row in rows for value in row)


def event(kind, **more):
    return {"id": str(uuid.uuid4()), "type": kind, "at": time.time(), **more}


def attributes(flood):
    caller, user = flood.caller(), "loaded"
    for batch in range(40):
        events = [
            event("attributes", attributes={f"a{batch}-{number}-{field}": "x" * 1000 for field in range(10)})
            for number in range(25)
        ]
        reply = caller.call("POST", "/v1/events", {"user_id": user, "device_id": "d", "events": events})
        check(reply.status in (200, 400, 413, 429), f"answered {reply}")
    sizes = [
        sum(len(str(value)) for value in row)
        for row in flood.instance.database.rows("SELECT * FROM users WHERE id = ?", user)
    ]
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
        events = [
            event(
                "content_error",
                card_id=card,
                class_type=f"c-{batch}-{number}",
                field="f" * 200 + str(number),
                message="m" * 500,
            )
            for number in range(300)
        ]
        caller.call("POST", "/v1/events", {"user_id": user, "device_id": "d", "events": events})
    rows = flood.instance.database.counts["problems"]
    check(rows <= 1_500, f"{rows} reports are kept")
    check(flood.instance.api.call("GET", "/v1/campaigns/flooded/report").status == 200, "the report cannot be read")


def content_types(flood):
    made = flood.instance.api.must("GET", "/v1/content-types")
    key = flood.instance.publishable
    types = [
        {
            "class_type": f"type-{number}",
            "fields": [{"name": f"f{field}", "type": "string", "required": True} for field in range(20)],
        }
        for number in range(300)
    ]
    for batch in range(10):
        renamed = [{**kind, "class_type": f"{kind['class_type']}-{batch}"} for kind in types]
        Api(flood.instance.port, key, flood.world.address_of_this_machine()).call(
            "PUT", "/v1/content-types", {"types": renamed}
        )
    check(flood.instance.database.size < 60 << 20, "the file has grown beyond 60 MB")
    before = flood.instance.api.must("GET", "/v1/campaigns/flooded/checks")
    Api(flood.instance.port, key).call(
        "PUT",
        "/v1/content-types",
        {"types": [{"class_type": "hostile", "fields": [{"name": "must", "type": "integer", "required": True}]}]},
    )
    body = {
        "name": "x",
        "variants": [
            {"card": {"type": "classic", "title": "t", "description": "d", "extras": {"class_type": "hostile"}}}
        ],
    }
    checks = flood.instance.api.must("POST", "/v1/checks", body)
    check(
        not [item for item in checks["checks"] if item["severity"] == "error"],
        f"what an app publishes forbids a launch: {checks}",
    )
    check(
        flood.instance.api.must("GET", "/v1/campaigns/flooded/checks") == before and made is not None,
        "the checks of a campaign changed",
    )


def wrong_keys(flood):
    source = flood.world.address_of_this_machine()
    statuses = [Api(flood.instance.port, f"pk_{number:043}", source).sync("x").status for number in range(150)]
    check(set(statuses) <= {401, 429}, f"answered {set(statuses)}")
    check(429 in statuses, "none was slowed down")
    flood.honest()


def published_types(flood):
    def types(batch):
        return {"types": [{"class_type": f"t{batch}-{number}", "fields": []} for number in range(100)]}

    replies = [flood.instance.api.call("PUT", "/v1/content-types", types(batch)) for batch in range(7)]
    check(replies[0].status == 200, f"the first are told {replies[0]}")
    check(replies[-1].code == "limit_reached", f"the last are told {replies[-1]}")
    count = len(flood.instance.api.must("GET", "/v1/content-types")["types"])
    check(count <= 500, f"there are {count}")


def event_bytes(flood):
    settings = flood.instance.api.must("GET", "/v1/settings")
    settings["device_limits"]["event_bytes_per_address"] = {"burst": 1_000_000, "per_second": 0.001}
    flood.instance.api.must("PUT", "/v1/settings", settings)
    before, caller = flood.instance.database.size, flood.caller()
    replies = []
    for number in range(30):
        events = [
            {
                "id": str(uuid.uuid4()),
                "type": "custom",
                "name": "n",
                "at": time.time(),
                "properties": {f"p{index}": "x" * 200 for index in range(20)},
            }
            for _ in range(20)
        ]
        body = {"user_id": f"bytes-{number}", "device_id": "d", "events": events}
        replies.append(caller.call("POST", "/v1/events", body))
    check(replies[0].status == 200, f"the first is told {replies[0]}")
    check(replies[-1].status == 429 and replies[-1].header("Retry-After"), f"the last is told {replies[-1]}")
    grown = flood.instance.database.size - before
    check(grown < 4 << 20, f"the file grew by {grown} bytes")
    flood.honest()


def settled(flood, start):
    until(
        lambda: flood.instance.server.descriptor_count <= 120,
        lambda: f"{flood.instance.server.descriptor_count} files and connections are open",
    )
    grown = (flood.instance.server.resident_bytes - start) >> 20
    check(grown < 250, f"memory grew by {grown} MiB")
    problem = flood.instance.health()
    check(not problem, problem)
