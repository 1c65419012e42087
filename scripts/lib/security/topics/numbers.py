"""Numbers at the edges of what an integer or a double can hold, in every place of every body, query and path."""

import json
import time
import urllib.parse

from ..schema import Schemas, spell, with_raw
from ..suite import Topic, check

topic = Topic("Numbers")
NUMBERS = [
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "9223372036854774784",
    "18446744073709551616",
    "1e308",
    "-1e308",
    "1e400",
    "-1e400",
    "1e-400",
    "-0",
    "-0.0",
    "-1",
    "0.5",
    "9007199254740993",
    "1" * 400,
]
TEXTS = [
    '"9223372036854775808"',
    '"NaN"',
    '"-Infinity"',
    '"1e400"',
    '""',
    '"-9223372036854775808"',
    "true",
    "null",
    "[]",
    "{}",
]
# Not JSON at all.
BROKEN = ["NaN", "Infinity", "-", "+1", "01", "0x10", ".5", "1.", "1e"]
QUERIES = [
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "1e400",
    "1e308",
    "-1e308",
    "NaN",
    "inf",
    "-0",
    "0.5",
    "",
    "x",
    "1" * 400,
    "٣",
    "%00",
    "1 ",
    "+1",
    "0x7f",
]


def is_sound(reply):
    """A reply that neither failed nor says a number that is none."""
    check(reply.status < 500, f"answered {reply}")
    if reply.status == 200 and (reply.header("content-type") or "").startswith("application/json"):
        json.loads(reply.body, parse_constant=lambda name: check(False, f"says {name}"))


# What a place is tried with where the same part of a body was tried with everything in another route.
FEW = ["9223372036854775808", "-9223372036854775808", "1e400", '"NaN"']


@topic.family
def bodies(world):
    schemas, known = Schemas(world.document), set()
    for method, path, operation, schema in schemas.operations():
        if schema and path != "/v1/keys":
            places = list(dict.fromkeys(schemas.places(schema, ("integer", "number"))))
            # The last three names tell a part that several bodies have, such as an audience.
            new = [place for place in places if place[-3:] not in known]
            known.update(place[-3:] for place in new)
            for place in new:
                yield (
                    f"{method} {path}: no number in {spell(place)} does harm",
                    number(world, schemas, method, path, schema, [place], NUMBERS + TEXTS + BROKEN),
                )
            rest = [place for place in places if place not in new]
            if rest:
                yield (
                    f"{method} {path}: no number in its {len(rest)} other places does harm",
                    number(world, schemas, method, path, schema, rest, FEW),
                )


def number(world, schemas, method, path, schema, places, values):
    def attack():
        base = schemas.base(schema)
        api = world.api_for(method, path)
        settings = world.api.must("GET", "/v1/settings") if path == "/v1/settings" else None
        for place in places:
            for raw in values:
                reply = api.call(method, world.filled(path), with_raw(base, place, raw))
                is_sound(reply)
                check(raw not in BROKEN or reply.status == 400, f"{raw}: {reply}")
        if settings:
            world.api.must("PUT", "/v1/settings", settings)
        if path == "/v1/webhook":
            time.sleep(1.5)  # Its worker reads what was set.
            world.api.call("DELETE", path)
        follow(world, path)

    return attack


def follow(world, path):
    """What was kept must be readable: a stored number that ends the reader would end it at every start."""
    for read in (
        "/v1/campaigns?limit=3",
        "/v1/segments?limit=3",
        "/v1/settings",
        "/v1/users/kate",
        "/v1/users/kate/feed",
    ):
        reply = world.api.call("GET", read)
        check(reply.status in (200, 404), f"{read} afterwards: {reply}")
    reply = world.device.sync("kate")
    check(reply.status == 200, f"a sync afterwards: {reply}")


REQUIRED = {"campaign_id": "welcome", "segment_id": "members", "length": "7"}


@topic.family
def queries(world):
    schemas = Schemas(world.document)
    for method, path, operation, _ in schemas.operations():
        for parameter in operation.get("parameters", []):
            if path not in ("/v1/live",):
                yield (
                    f"{method} {path}: nothing as the {parameter['in']} parameter {parameter['name']} does harm",
                    query(world, method, path, parameter),
                )


def query(world, method, path, parameter):
    def attack():
        name = parameter["name"]
        for value in QUERIES:
            value = value if value == "%00" else urllib.parse.quote(value)
            if parameter["in"] == "path":
                target = world.filled(path.replace("{" + name + "}", value or "%20"))
            else:
                rest = "".join(f"&{key}={kept}" for key, kept in REQUIRED.items() if key != name)
                target = f"{world.filled(path)}?{urllib.parse.quote(name)}={value}{rest}"
            body = "-" if method != "GET" else None
            is_sound(world.api.call(method if method != "DELETE" else "GET", target, body))

    return attack
