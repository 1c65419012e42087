"""Audiences that take long: expressions, depths, numbers of conditions, segments that mean each other."""

from ..suite import Topic, check

topic = Topic("Audiences")
LONG = "a" * 30_000
PATTERNS = {
    "(a+)+$": "(a+)+$",
    "(a*)*b": "(a*)*b",
    "(a|aa)+$": "(a|aa)+$",
    "(a|a?)+$": "(a|a?)+$",
    "(.*a){30}": "(.*a){30}",
    "((a{1,50}){1,50}){1,50}": "((a{1,50}){1,50}){1,50}",
    "a repetition of 10⁹": "a{1000000000}",
    "a repetition up to 2⁶³": "a{0,9223372036854775808}",
    "20,000 parentheses": "(" * 20_000 + "a" + ")" * 20_000,
    "20,000 alternatives": "|".join(["a"] * 20_000),
    "a class of 20,000 letters": "[" + "ab" * 10_000 + "]*$",
    "a back reference": "(a*)*\\1b",
    "a look ahead": "(?=(a+))a*b\\1",
    "an open class": "[a",
    "an open group": "(a",
    "a star alone": "*",
    "^(([a-z])+.)+[A-Z]([a-z])+$": "^(([a-z])+.)+[A-Z]([a-z])+$",
    "nested counts": "((((a{99}){99}){99}){99}){99}",
    "an empty text, often": "(){1000000}",
    "a NUL": "a\u0000+",
    "a pattern of a megabyte": "a" * 900_000,
}


@topic.family
def patterns(world):
    world.api.must("PATCH", "/v1/users/long", {"custom_attributes": {"text": LONG[:2_000] + "!"}})
    for name, pattern in PATTERNS.items():
        yield f"The expression {name} is refused, or matched in no time", expression(world, pattern)


def expression(world, pattern):
    def attack():
        for comparison in ("matches_regex", "does_not_match_regex"):
            bounded(world, {"attribute": "text", "comparison": comparison, "value": pattern}, f"{comparison}")

    return attack


def bounded(world, audience, name="it"):
    """Everything that reads an audience takes or refuses it, in little time and memory."""
    made = world.campaign(audience=audience)
    with world.memory(150, name), world.effort(6, name):
        for path, body in (
            ("/v1/audience/explain", {"user_id": "long", "audience": audience}),
            ("/v1/audience/reach", {"audience": audience}),
            ("/v1/campaigns", made),
            ("/v1/checks", {key: value for key, value in made.items()}),
        ):
            reply = world.api.call("POST", path, body)
            check(reply.status < 500, f"{path}: {reply}")
    return made["id"]


def nested(kind, depth):
    text = f'{{"{kind}":[' * depth + "{}" + "]}" * depth
    import json

    return json.loads(text) if depth < 400 else text


SIZES = {
    "20,000 conditions": {"any": [{"attribute": "a", "value": number} for number in range(10_000)]},
    "50,000 users": {"users": [f"user-{number}" for number in range(50_000)]},
    "a list of 50,000 values": {
        "attribute": "a",
        "comparison": "is_any_of",
        "value": [str(number) for number in range(50_000)],
    },
    "300 levels": nested("all", 300),
    "3,000 segments": {"any": [{"segment": f"s{number}"} for number in range(3_000)]},
    "10,000 campaigns": {"any": [{"campaign": {"id": f"c{number}", "contact": "clicked"}} for number in range(8_000)]},
    "1,000 expressions": {
        "any": [
            {"attribute": "text", "comparison": "matches_regex", "value": f"(a+)+{number}$"} for number in range(1_000)
        ]
    },
    "empty groups": {"all": [{"any": []}, {"none": []}, {"all": [{}]}]},
    "all kinds at once": {"all": [], "any": [], "attribute": "a", "users": [], "segment": "x"},
}


@topic.family
def sizes(world):
    for name, audience in SIZES.items():
        yield (
            f"An audience of {name} is refused, or read in no time",
            lambda audience=audience, name=name: bounded(world, audience, name),
        )


@topic.attack("Segments that mean each other, or themselves, end nothing")
def circles(world):
    for name in ("circle-a", "circle-b"):
        world.api.must("POST", "/v1/segments", {"id": name, "name": name})
    replies = [
        world.api.call(
            "PUT",
            f"/v1/segments/{one}",
            {"name": one, "version": 1, "audience": {"any": [{"segment": two}, {"none": [{"segment": two}]}]}},
        )
        for one, two in (("circle-a", "circle-b"), ("circle-b", "circle-a"), ("circle-b", "circle-b"))
    ]
    check(all(reply.status < 500 for reply in replies), f"{replies}")
    check(any(reply.status == 400 for reply in replies), f"a circle was taken: {replies}")
    with world.effort(2):
        bounded(world, {"segment": "circle-a"})
        check(world.device.sync("kate").status == 200, "the sync")


@topic.attack("Segments that double at each of 40 steps are refused, or read in no time")
def doubling(world):
    world.api.must("POST", "/v1/segments", {"id": "d-0", "name": "d", "audience": {"attribute": "a", "value": "b"}})
    for step in range(1, 41):
        body = {
            "id": f"d-{step}",
            "name": "d",
            "audience": {"all": [{"segment": f"d-{step - 1}"}, {"any": [{"segment": f"d-{step - 1}"}]}]},
        }
        with world.effort(2, f"step {step}"):
            reply = world.api.call("POST", "/v1/segments", body)
        check(reply.status < 500, f"step {step}: {reply}")
        if reply.status >= 400:
            return
    bounded(world, {"segment": "d-40"}, "the last of them")


@topic.attack("An audience nested 100,000 deep is refused")
def deep(world):
    for kind in ("all", "any", "none", "AND"):
        for path in ("/v1/audience/reach", "/v1/campaigns", "/v1/segments"):
            body = '{"name":"d","audience":' + f'{{"{kind}":[' * 60_000 + "{}" + "]}" * 60_000 + "}"
            with world.effort(2):
                check(world.api.call("POST", path, body).status in (400, 413), f"{path} {kind}")


@topic.attack("Numbers that no column can hold are compared without harm")
def numbers(world):
    world.api.must("PATCH", "/v1/users/long", {"custom_attributes": {"n": -(2**63), "m": 1e308}})
    for value in ("9223372036854775807", "-9223372036854775808", "1e308", "-1e308", "9223372036854775808", "-0.0"):
        for comparison in (
            "greater_than",
            "less_than",
            "equals",
            "less_than_x_days_ago",
            "greater_than_x_days_in_the_future",
            "before",
            "after",
        ):
            for name in ("n", "m", "last_seen_at", "created_at"):
                body = f'{{"user_id":"long","audience":{{"attribute":"{name}","comparison":"{comparison}","value":{value}}}}}'
                check(world.api.call("POST", "/v1/audience/explain", body).status < 500, f"{name} {comparison} {value}")
    for part in ("within_days", "within_calendar_days", "value"):
        for value in ("9223372036854775807", "-9223372036854775808", "1e308", "0"):
            body = f'{{"user_id":"long","audience":{{"event":{{"name":"x","comparison":"greater_than","value":1,"{part}":{value}}}}}}}'
            check(world.api.call("POST", "/v1/audience/explain", body).status < 500, f"{part} {value}")
