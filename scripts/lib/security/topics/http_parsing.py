"""Requests that no library sends: framing, heads, and what one connection may do to the next request on it."""

import json

from ..raw import HOST, connect, exchange, read_head
from ..suite import Topic, check
from ..world import USER
from ..parts.http_texts import (
    FRAMINGS,
    HEADS,
    TARGETS,
    big,
    framed,
    post,
    refused,
    smuggled,
    targeted,
)

topic = Topic("HTTP")


@topic.family
def framings(world):
    for name, (head, body) in FRAMINGS.items():
        yield f"A request {name} is refused, and what follows is not read as a request", framed(world, head, body)


@topic.family
def heads(world):
    for name, head in HEADS.items():
        yield (
            f"A request {name} is refused",
            lambda head=head: refused(exchange(world.port, head.replace(b"KEY", world.secret.encode()))),
        )


@topic.family
def sizes(world):
    head = b"GET /healthz HTTP/1.1\r\n" + HOST
    yield "A path of a megabyte is refused", big(world, b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n")
    yield "A header of a megabyte is refused", big(world, head + b"X-A: " + b"a" * 1_000_000 + b"\r\n\r\n")
    yield "A header name of a megabyte is refused", big(world, head + b"a" * 1_000_000 + b": a\r\n\r\n")
    yield (
        "A head of 20,000 headers is refused",
        big(world, head + b"".join(b"X-%d: 1\r\n" % n for n in range(20_000)) + b"\r\n"),
    )
    yield (
        "A head of 3,000 headers of one name is refused or bounded",
        big(world, head + b"Cookie: a=b\r\n" * 3_000 + b"\r\n", (200, 400, 431)),
    )
    yield "A head that never ends is refused", big(world, head + b"X-A: a\r\n" * 200_000)
    yield "A method of 100 KB is refused", big(world, b"G" * 100_000 + b" / HTTP/1.1\r\n\r\n")
    yield (
        "A chunk's extension of a megabyte is refused",
        big(
            world,
            post(b"Transfer-Encoding: chunked\r\n", b"2;" + b"a" * 1_000_000 + b"\r\n{}\r\n0\r\n\r\n"),
            (400, 401, 413, 431),
        ),
    )
    yield (
        "100,000 trailers are refused or dropped",
        big(
            world,
            post(b"Transfer-Encoding: chunked\r\n", b"2\r\n{}\r\n0\r\n" + b"X-A: a\r\n" * 100_000 + b"\r\n"),
            (400, 401, 413, 431),
        ),
    )
    yield "A body of 64 MB without a key is refused before it is read", lambda: refuse_early(world)


def refuse_early(world):
    before, body = world.server.resident_bytes, b"x" * (1 << 20)
    with world.effort(2):
        answer = exchange(world.port, post(b"Content-Length: 67108864\r\n"), *[body] * 64, replies=1)
    check(answer.is_closed or answer.statuses, "no reply")
    check(all(status in (400, 401, 413) for status in answer.statuses), f"answered {answer}")
    check(world.server.resident_bytes - before < 48 << 20, "it was kept in memory")


@topic.attack(
    "Two requests before the sender ends are answered both, so that a reply which does not come means something"
)
def control(world):
    answer = exchange(world.port, get(b"/healthz") + smuggled(world))
    check(answer.statuses == [200, 200] and b'"keys"' in answer.data, f"answered {answer}")


# What a connection that stays open may not mix up.


def get(path=b"/healthz", head=b"", method=b"GET"):
    return method + b" " + path + b" HTTP/1.1\r\n" + HOST + head + b"\r\n"


@topic.attack("The reply to HEAD has no body, so that the next reply on the connection is read rightly")
def head_then_get(world):
    for path in (b"/healthz", b"/openapi.json", b"/nothing", b"/dashboard/sign-in", b"/v1/keys", b"/dashboard"):
        answer = exchange(world.port, get(path, method=b"HEAD") + get(b"/healthz", b"Connection: close\r\n"))
        first, _, rest = answer.data.partition(b"\r\n\r\n")
        check(rest.startswith(b"HTTP/1.1 200"), f"HEAD {path.decode()}: {answer}")
        check(b'"status":"ok"' in rest, f"HEAD {path.decode()}: {rest[-80:]!r}")


@topic.attack("HEAD of a stream opens none, says no length, and the next reply on the connection is read rightly")
def head_of_streams(world):
    live = f"/v1/live?user_id=head-{next(world.numbers)}".encode()
    for path, key in (
        (b"/v1/audit/export", world.secret),
        (b"/v1/events/export", world.secret),
        (live, world.publishable),
    ):
        authorization = f"Authorization: Bearer {key}\r\n".encode()
        # More than one user may have open: none of them is.
        for _ in range(12 if path == live else 1):
            answer = exchange(
                world.port, get(path, authorization, method=b"HEAD") + get(b"/healthz", b"Connection: close\r\n")
            )
            first, _, rest = answer.data.partition(b"\r\n\r\n")
            check(first.startswith(b"HTTP/1.1 200"), f"HEAD {path.decode()}: {answer}")
            check(b"content-length" not in first.lower(), f"HEAD {path.decode()} says a length: {first}")
            check(not rest or rest.startswith(b"HTTP/1.1 200"), f"HEAD {path.decode()}: {rest[:80]!r}")


@topic.attack("Twenty requests in one packet get twenty replies in their order")
def pipelining(world):
    paths = [b"/healthz" if number % 3 else b"/nothing" for number in range(20)]
    answer = exchange(world.port, b"".join(get(path) for path in paths), replies=20)
    check(answer.statuses == [200 if path == b"/healthz" else 404 for path in paths], f"answered {answer.statuses}")


@topic.attack("A sync in the same packet as a slower request is not answered before it")
def pipelined_sync(world):
    body = json.dumps({"user_id": "kate", "device_id": "device-kate"}).encode()
    key = b"Authorization: Bearer " + world.publishable.encode() + b"\r\n"
    sync = post(key + b"Content-Length: %d\r\n" % len(body), body)
    answer = exchange(
        world.port, get(b"/dashboard/sign-in") + sync + get(b"/nothing") + sync + get(b"/healthz"), replies=5
    )
    check(answer.statuses == [200, 200, 404, 200, 200], f"answered {answer.statuses}")
    check(answer.data.index(b"<!doctype") < answer.data.index(b'"cursor"'), "the sync came first")


@topic.attack("Two users who share a proxy's connection get each their own cards")
def shared_connection(world):
    key = b"Authorization: Bearer " + world.publishable.encode() + b"\r\n"
    requests = b""
    for number in range(12):
        body = json.dumps({"user_id": ("kate", "spare")[number % 2], "device_id": f"d-{number % 2}"}).encode()
        requests += post(key + b"Content-Length: %d\r\n" % len(body), body)
    answer = exchange(world.port, requests, replies=12)
    check(answer.statuses == [200] * 12, f"answered {answer.statuses}")
    bodies = [part for part in answer.data.split(b"HTTP/1.1 200")[1:]]
    for number, text in enumerate(bodies):
        check(
            (b"Kate" in text) >= (b"Sam" in text) if number % 2 == 0 else b"Kate" not in text,
            f"reply {number} is another's",
        )


@topic.attack("After “Connection: close” nothing more of a connection is read")
def after_close(world):
    answer = exchange(world.port, get(head=b"Connection: close\r\n") + smuggled(world), replies=2)
    check(answer.statuses == [200] and answer.is_closed, f"answered {answer}")


@topic.attack("A body that GET or HEAD carries is no request")
def body_of_get(world):
    inner = smuggled(world)
    for method in (b"GET", b"HEAD", b"DELETE", b"OPTIONS"):
        answer = exchange(world.port, get(head=b"Content-Length: %d\r\n" % len(inner), method=method) + inner)
        check(b'"keys"' not in answer.data, f"{method.decode()}: {answer}")
        check(len(answer.statuses) <= 1, f"{method.decode()}: {answer}")


@topic.attack("What an unread body says is no request, where the head was refused already")
def unread_body(world):
    inner = smuggled(world)
    for path in (b"/v1/sync", b"/v1/campaigns", b"/nothing", b"/dashboard/sign-in", b"/healthz"):
        answer = exchange(world.port, post(b"Content-Length: %d\r\n" % len(inner), inner, path))
        check(b'"keys"' not in answer.data and len(answer.statuses) <= 1, f"{path.decode()}: {answer}")


@topic.attack("A request that ends before its body does, does nothing")
def half_body(world):
    before = world.database.fingerprint
    body = json.dumps({"attributes": [{"external_id": "half", "plan": "x"}]}).encode()
    key = b"Authorization: Bearer " + world.secret.encode() + b"\r\n"
    answer = exchange(world.port, post(key + b"Content-Length: %d\r\n" % (len(body) + 10), body, b"/users/track"))
    check(not any(200 <= status < 300 for status in answer.statuses), f"answered {answer}")
    answer = exchange(
        world.port, post(key + b"Transfer-Encoding: chunked\r\n", b"%x\r\n%s\r\n" % (len(body), body), b"/users/track")
    )
    check(not any(200 <= status < 300 for status in answer.statuses), f"answered {answer}")
    check(before == world.database.fingerprint, "something was kept")


@topic.attack("A header in a trailer is none: no key, no length, no host")
def trailers(world):
    data = post(
        b"Transfer-Encoding: chunked\r\nTrailer: Authorization\r\n",
        b"0\r\nAuthorization: Bearer " + world.secret.encode() + b"\r\nContent-Length: 5\r\n\r\n",
        b"/v1/campaigns",
    )
    answer = exchange(world.port, data)
    check(answer.statuses in ([401], [400], [], [401, 400]), f"answered {answer}")


@topic.attack("Of two keys in two headers none counts")
def two_authorizations(world):
    def heads(name, good, bad):
        good, bad = (name + value + b"\r\n" for value in (good, bad))
        return (good + bad, bad + good, good + good)

    for head in heads(b"Authorization: Bearer ", world.secret.encode(), b"sk_bad"):
        answer = exchange(world.port, get(b"/v1/keys", head))
        check(answer.statuses in ([400], [401]), f"answered {answer}")
    # What apps send most is answered another way than the rest.
    device = {"user_id": USER, "device_id": "device-two-keys"}
    known = world.device.must("POST", "/v1/sync", device)["cursor"]
    for path, more in ((b"/v1/sync", {"cursor": known}), (b"/v1/events", {"events": []})):
        body = json.dumps({**device, **more}).encode()
        length = b"Content-Length: %d\r\n" % len(body)
        for head in heads(b"Authorization: Bearer ", world.publishable.encode(), b"pk_bad"):
            answer = exchange(world.port, post(head + length, body, path))
            check(answer.statuses in ([400], [401]), f"{path.decode()} answered {answer}")


@topic.family
def targets(world):
    for target, statuses in TARGETS.items():
        yield f"The target {target[:40]} leads nowhere that needs a key", targeted(world, target, statuses)


@topic.attack("A request for an upgrade gets no other protocol")
def upgrades(world):
    for head in (
        b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n",
        (
            b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key:"
            b" dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        ),
    ):
        answer = exchange(world.port, get(head=head))
        check(101 not in answer.statuses, f"answered {answer}")
        check(answer.statuses in ([200], [400], [426]), f"answered {answer}")


@topic.attack("Expect: 100-continue, in any spelling, does not hold a connection up")
def expectations(world):
    for value in (b"100-continue", b"100-Continue", b"200-ok", b"x" * 4000):
        answer = exchange(world.port, post(b"Expect: " + value + b"\r\nContent-Length: 2\r\n", b"{}"), replies=1)
        check(answer.complete and answer.statuses[-1] >= 400, f"{value[:20].decode()}: {answer}")


@topic.attack("The host of a request is not repeated in redirects or pages")
def host_header(world):
    for host in (b"evil.example", b"evil.example:80@127.0.0.1", b'"><script>', b"evil.example/path", b""):
        for path in (b"/", b"/dashboard", b"/dashboard/sign-in"):
            answer = exchange(
                world.port,
                b"GET " + path + b" HTTP/1.1\r\nHost: " + host + b"\r\nX-Forwarded-Host: evil.example\r\n\r\n",
            )
            check(
                b"evil.example" not in answer.data and b"><script>" not in answer.data, f"{host!r} {path!r}: {answer}"
            )
            check(all(status < 500 for status in answer.statuses), f"{host!r} {path!r}: {answer}")


@topic.attack("2,000 requests on a connection whose replies nobody reads take little memory")
def unread_replies(world):
    before = world.server.resident_bytes
    with connect(world.port) as connection:
        connection.settimeout(1)
        try:
            for _ in range(200):
                connection.sendall(get(b"/openapi.json") * 10)
        except OSError:
            pass
        read_head(connection)
        check(world.server.resident_bytes - before < 96 << 20, "memory grew by more than 96 MiB")
