"""Bodies that are too deep, too large, of the wrong type, or no JSON."""

import json
import threading

from ..client import Api
from ..clock import is_not_held_up, until
from ..schema import Schemas
from ..suite import Topic, check

topic = Topic("Bodies")
# Where a body that got lost would undo something.
MUST_HAVE_BODY = ("/v1/settings", "/v1/campaigns", "/v1/segments", "/v1/keys", "/v1/webhook")
DEEP = {
    "lists": "[" * 100_000 + "]" * 100_000,
    "objects": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "lists that never close": "[" * 900_000,
}
NOT_JSON = {
    "nothing": b"",
    "a byte order mark": b"\xef\xbb\xbf{}",
    "invalid UTF-8": b'{"name":"\xff\xfe"}',
    "overlong UTF-8": b'{"name":"\xc0\x80"}',
    "an encoded surrogate": b'{"name":"\xed\xa0\x80"}',
    "UTF-16": '{"name":"x"}'.encode("utf-16"),
    "two values": b"{}{}",
    "a comment": b"{/* */}",
    "single quotes": b"{'a':1}",
    "a trailing comma": b'{"a":1,}',
    "a NUL": b'{"a":"\x00"}',
    "a lone surrogate": b'{"name":"\\ud800"}',
    "a half escape": b'{"name":"\\u12"}',
    "an open text": b'{"name":"',
}
# Whatever filters requests before the server may take the other of two values.
REPEATED = ['{"x":1,"x":1}', '{"x":[{"y":{"z":1,"\\u007a":2}}]}']
REPEATED_USER = ['{"user_id":"a","user_id":"b","device_id":"d"}', '{"user_id":"a","device_id":"d","device_id":"e"}']
WRONG = ["[]", "null", "1", '"x"', "true", "[[]]", "-0"]


@topic.family
def each_route(world):
    schemas = Schemas(world.document)
    for method, path, operation, schema in schemas.operations():
        if not schema:
            continue
        api = world.api_for(method, path)
        target, is_optional = world.filled(path), not operation["requestBody"].get("required")
        yield (
            f"{method} {path} refuses what is no JSON: broken UTF-8, lone surrogates, comments, two values",
            not_json(api, method, target, is_optional),
        )
        yield (
            f"{method} {path} refuses JSON nested 100,000 deep, and JSON of the wrong type, in a second",
            wrong(world, api, method, target),
        )
        yield (
            f"{method} {path} refuses an object in which a name stands twice",
            repeated(api, method, target, REPEATED_USER if path in ("/v1/sync", "/v1/events") else REPEATED),
        )
        yield (
            f"{method} {path} refuses a body of 40 MB, and takes one name 20,000 times as once or not at all",
            large(world, api, method, target),
        )


def not_json(api, method, target, is_optional):
    def attack():
        for name, body in NOT_JSON.items():
            if not body and (is_optional or target not in MUST_HAVE_BODY):
                continue
            reply = api.call(method, target, body)
            check(400 <= reply.status < 500, f"{name}: {reply}")

    return attack


def wrong(world, api, method, target):
    def attack():
        for name, body in DEEP.items():
            with world.effort(2, name):
                reply = api.call(method, target, body)
            check(reply.status in (400, 413), f"{name}: {reply}")
        for body in WRONG:
            reply = api.call(method, target, body)
            is_answer = (
                reply.status == 200 and b'"valid":false' in reply.body
            )  # That is what POST /v1/checks says of it.
            check(400 <= reply.status < 500 or is_answer, f"{body}: {reply}")

    return attack


def repeated(api, method, target, bodies):
    def attack():
        for body in bodies:
            reply = api.call(method, target, body)
            check(reply.status == 400 and b'"field_repeated"' in reply.body, f"{body}: {reply}")

    return attack


def large(world, api, method, target):
    def attack():
        with world.memory(100):
            try:
                reply = api.call(method, target, b'{"name":"' + b"x" * 40_000_000 + b'"}')
                check(reply.status == 413, f"answered {reply}")
            except ConnectionError:
                pass  # Closed while it was being sent.
            api.close()
        repeated = '{"name":"x"' + ',"name":"y"' * 20_000 + "}"
        many = "{" + ",".join(f'"n{number}":1' for number in range(40_000)) + "}"
        for name, body in (("a repeated name", repeated), ("many names", many)):
            with world.effort(3, name):
                check(api.call(method, target, body).status < 500, name)

    return attack


# A megabyte each, as much as is taken, that takes long to read or to check.
HEAVY = {
    "many keys": (
        "POST",
        "/users/track",
        {"attributes": [{"external_id": "heavy", **{f"k{number}": number for number in range(60_000)}}]},
    ),
    "many objects": (
        "POST",
        "/v1/preview",
        {
            "card": {"type": "classic", "title": "t"},
            "custom_attributes": {"a": [{"b": [number]} for number in range(60_000)]},
        },
    ),
    "many conditions": (
        "POST",
        "/v1/checks",
        {
            "name": "h",
            "audience": {"any": [{"attribute": "a", "value": number} for number in range(25_000)]},
            "variants": [],
        },
    ),
    "many escapes": ("PUT", "/v1/content-blocks/heavy", {"content": "\u0001" * 160_000}),
}


@topic.attack("While backends send bodies of a megabyte, no device waits for its sync")
def apart(world):
    end, sent = threading.Event(), []
    bodies = {name: json.dumps(body).encode() for name, (_, _, body) in HEAVY.items()}
    check(
        all(600_000 < len(body) < 1 << 20 for body in bodies.values()),
        f"{ {name: len(body) for name, body in bodies.items()} }",
    )

    def send(name):
        api, (method, path, _) = Api(world.port, world.secret), HEAVY[name]
        while not end.is_set():
            reply = api.call(method, path, bodies[name])
            check(reply.status < 500 or reply.status == 503, f"{name}: {reply}")
            sent.append(name)

    def sync(device):
        # An event each, so that no event loop answers it by itself.
        event = {
            "id": f"00000000-0000-4000-9000-{next(world.numbers):012}",
            "type": "session_start",
            "at": 1_700_000_000,
        }
        check(device.sync("calm", events=[event]).status == 200, "the sync failed")

    with world.instance("calm-bodies") as calm:
        threads = [threading.Thread(target=send, args=(name,)) for name in HEAVY for _ in range(2)]
        [thread.start() for thread in threads]
        try:
            until(lambda: len(set(sent)) == len(HEAVY), "the bodies are not answered")
            is_not_held_up(lambda: sync(world.device), lambda: sync(calm.device), "a sync")
        finally:
            end.set()
            [thread.join() for thread in threads]


MARKED = "e" + "\u0301" * 100_000
UNBOUNDED = {
    "a name of one letter with 100,000 marks": {"name": MARKED},
    "a tag of 400 KB": {"tags": ["t" * 400_000]},
    "50,000 tags": {"tags": [f"t{number}" for number in range(50_000)]},
    "a line break in its name": {"name": "a\r\nb"},
}
OF_CAMPAIGNS = {
    "a salt of 400 KB": {"salt": "s" * 400_000},
    "a conversion's name of one letter with 100,000 marks": {
        "conversions": [{"id": "c", "name": MARKED, "on": {"session_start": True}}]
    },
    "30,000 variants in its audience": {"audience": {"campaign": {"id": "welcome", "variants": ["a"] * 30_000}}},
}
OF_SEGMENTS = {"a description of one letter with 100,000 marks": {"description": MARKED}}


@topic.family
def texts(world):
    for name, more in {**UNBOUNDED, **OF_CAMPAIGNS}.items():
        yield (
            f"A campaign with {name} is refused",
            lambda more=more: is_refused(world, "/v1/campaigns", {**world.campaign(), **more}),
        )
    for name, more in {**UNBOUNDED, **OF_SEGMENTS}.items():
        yield (
            f"A segment with {name} is refused",
            lambda more=more: is_refused(
                world, "/v1/segments", {"id": f"s-{next(world.numbers)}", "name": "S", **more}
            ),
        )
    key = {"name": "k", "kind": "secret"}
    yield (
        "A key with 50,000 times the same permission is refused",
        lambda: is_refused(world, "/v1/keys", {**key, "permissions": ["read"] * 50_000}),
    )
    yield (
        "A key with a line break in its name is refused",
        lambda: is_refused(world, "/v1/keys", {**key, "name": "a\r\nb"}),
    )


def is_refused(world, path, body):
    reply = world.api.call("POST", path, body)
    check(reply.status == 400, f"answered {reply}")
