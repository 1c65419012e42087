"""Much of everything, from one address, one key or for one user; a short form of the flood test."""

import resource
import socket
import time
import uuid

from ..client import Api
from ..clock import LONG, until
from ..suite import Topic, check
from ..parts.streams import (
    Flood,
    close,
    deadlines,
    idle,
    open_streams,
    streams_of_address,
    streams_of_session,
    streams_of_user,
)
from ..parts.slow_requests import silent, slow_body, slow_head

topic = Topic("Floods")


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
    """Of one path that needs no key and has the longest answer, and of one that is made again each time."""
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
