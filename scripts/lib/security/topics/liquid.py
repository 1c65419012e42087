"""Templates that take long, take much, or go on for ever; and what they may not do to other users."""

import json
import threading
import time
import uuid

from ..client import Api
from ..clock import is_not_held_up, until
from ..suite import Topic, check

topic = Topic("Templates")
# Templates that must be refused or read in no time.
PARSED = {
    "2,000 nested ifs": "{% if a %}" * 2_000 + "{% endif %}" * 2_000,
    "6,000 ifs that never end": "{% if a %}" * 6_000,
    "1,000 nested loops": "{% for i in a %}" * 1_000 + "{% endfor %}" * 1_000,
    "2,000 nested captures": "{% capture a %}" * 2_000 + "{% endcapture %}" * 2_000,
    "30,000 opening braces": "{{" * 15_000,
    "20,000 openings of tags": "{%" * 20_000,
    "5,000 openings of raw": "{% raw %}" * 5_000,
    "4,000 openings of comments": "{% comment %}" * 4_000,
    "a chain of 6,000 filters": "{{ a" + " | upcase" * 6_000 + " }}",
    "a path of 12,000 names": "{{ a" + ".b" * 12_000 + " }}",
    "brackets 8,000 deep": "{{ " + "a[" * 8_000 + "0" + "]" * 8_000 + " }}",
    "parentheses 10,000 deep": "{{ " + "(" * 10_000 + "1" + ")" * 10_000 + " }}",
    "a name of 60,000 letters": "{{ " + "a" * 60_000 + " }}",
    "a number of 60,000 digits": "{{ " + "9" * 60_000 + " }}",
    "a condition of 5,000 ands": "{% if a" + " and a" * 5_000 + " %}x{% endif %}",
    "a case of 3,000 whens": "{% case a %}" + "{% when 1 %}x" * 3_000 + "{% endcase %}",
    "a text that never ends": "{{ '" + "a" * 60_000,
    "a text of 30,000 quotes": "{{ " + "''" * 15_000 + " }}",
    "4,000 elsifs": "{% if a %}" + "{% elsif a %}" * 4_000 + "{% endif %}",
    "tags that nobody knows": "{% zzz %}" * 5_000,
    "a filter with 8,000 arguments": "{{ a | replace: " + "1," * 8_000 + "1 }}",
    "dollar braces 8,000 deep": "{{ " + "${" * 8_000 + "}" * 8_000 + " }}",
    "NULs and other marks": "{{ a\u0000 }}{%\u202e if %}\ufeff{{\u2028}}" * 1_000,
    "the ends of tags alone": "%}" * 20_000,
    "whitespace of 60,000 blanks": "{{" + " " * 60_000 + "a }}",
    "2,000 connected contents": "{% connected_content https://x.example/ %}" * 1_500,
    "a liquid tag of 8,000 lines": "{% liquid" + "\nassign a = 1" * 4_500 + " %}",
}
DOUBLE = "".join("{% assign a = a | append: a %}" for _ in range(40))
# Templates that must end, withheld or cut, soon and in little memory; `big` is a text of 32 KB, `min` is −2⁶³.
RENDERED = {
    "a loop of 10⁹ rounds": "{% for i in (1..1000000000) %}x{% endfor %}",
    "a loop up to 2⁶³ − 1": "{% for i in (1..9223372036854775807) %}x{% endfor %}",
    "a loop from −2⁶³": "{% for i in (-9223372036854775808..9223372036854775807) %}{{ i }}{% endfor %}",
    "a loop with an offset of 2⁶³ − 1": (
        "{% for i in (1..9) offset: 9223372036854775807 limit: 9223372036854775807 %}{{ i }}{% endfor %}"
    ),
    "four nested loops": (
        "{% for a in (1..999) %}{% for b in (1..999) %}{% for c in (1..999) %}{% for d in (1..999) %}{% endfor %}{%"
        " endfor %}{% endfor %}{% endfor %}"
    ),
    "a table of 10⁷ cells": "{% tablerow i in (1..10000000) cols: 9223372036854775807 %}x{% endtablerow %}",
    "a text that doubles 40 times": "{% assign a = 'xxxxxxxx' %}" + DOUBLE + "{{ a | size }}",
    "a capture that doubles 30 times": (
        "{% assign a = 'xxxxxxxx' %}" + "{% capture a %}{{ a }}{{ a }}{% endcapture %}" * 30 + "{{ a | size }}"
    ),
    "a replacement of 32 KB by 16 KB each": "{% assign b = big | slice: 0, 16000 %}{{ big | replace: 'a', b | size }}",
    "a replacement of nothing by 32 KB": "{{ big | replace: '', big | size }}",
    "a removal of what is nearly there": (
        "{% assign b = big | slice: 0, 15000 | append: 'b' %}{{ big | remove: b | size }}"
    ),
    "a list that doubles 40 times": (
        "{% assign a = big | split: '' %}" + "{% assign a = a | concat: a %}" * 40 + "{{ a | size }}"
    ),
    "a joined list of 32 KB separators": "{% assign a = big | split: '' %}{{ a | join: big | size }}",
    "a list in a list 60 times": (
        "{% assign a = 'x' | split: '' %}" + "{% assign a = a | concat: a | join: ',' | split: ',' %}" * 60
    ),
    "32,000 parts sorted and compared": (
        "{% assign a = big | split: '' %}{{ a | sort | uniq | reverse | sort_natural | size }}"
    ),
    "32,000 parts mapped and filtered": (
        "{% assign a = big | split: '' %}{{ a | map: 'x' | where: 'x', 'y' | compact | size }}"
    ),
    "a strip of 32,000 brackets": "{% assign b = big | replace: 'a', '<' %}{{ b | strip_html | size }}",
    "a strip of comments that never end": (
        "{% assign b = big | slice: 0, 8000 | replace: 'a', '<!--' %}{{ b | strip_html | size }}"
    ),
    "an escape of 32,000 ampersands, ten times": (
        "{% assign b = big | replace: 'a', '&' %}{{ b | escape | escape | escape | escape | escape | escape | escape |"
        " escape | escape | escape | size }}"
    ),
    "an encoding, twenty times": (
        "{% assign b = big | replace: 'a', '%' %}" + "{% assign b = b | url_encode %}" * 20 + "{{ b | size }}"
    ),
    "a date with a width of 10⁹": "{{ 'now' | date: '%1000000000Y' }}",
    "a date with a width below none": "{{ 'now' | date: '%-9223372036854775808d%^#10000000B' }}",
    "a date of 16,000 parts": "{% assign f = big | replace: 'a', '%c' %}{{ 'now' | date: f | size }}",
    "dates of 2⁶³ − 1 and beyond": (
        "{{ 9223372036854775807 | date: '%Y' }}{{ 99999999999999999999.5 | date: '%Y' }}{{ min | date: '%s' }}"
    ),
    "a truncation to −2⁶³": "{{ big | truncate: -9223372036854775808 }}{{ big | truncatewords: -9223372036854775808 }}",
    "a slice from −2⁶³": (
        "{{ big | slice: -9223372036854775808, 9223372036854775807 | size }}{{ big | slice: min, min }}"
    ),
    "a division of −2⁶³ by −1": "{{ min | divided_by: -1 }}{{ min | modulo: -1 }}{{ min | times: -1 }}",
    "the absolute value of −2⁶³": "{{ min | abs }}{{ min | times: 1.0 }}{{ min | minus: 1 }}{{ min | plus: min }}",
    "rounding to ±2⁶³ places": (
        "{{ 1.5 | round: 9223372036854775807 }}{{ 1.5 | round: -9223372036854775808 }}{{ min | round: min }}{{ min |"
        " round }}{{ min | ceil }}{{ min | floor }}"
    ),
    "numbers of 30,000 digits": (
        "{% assign b = big | replace: 'a', '9' %}{{ b | plus: 1 }}{{ b | times: b }}{{ b | divided_by: 3 }}{{ b |"
        " round }}"
    ),
    "a multiplication, 500 times": "{% assign a = 9.9 %}" + "{% assign a = a | times: a %}" * 500 + "{{ a }}",
    "a counter beyond 2⁶³": "{% assign n = 9223372036854775807 %}{% increment n %}{% decrement n %}{{ n | plus: 1 }}",
    "a cycle of 8,000": (
        "{% for i in (1..2000) %}{% cycle " + ",".join(f"'{n}'" for n in range(2_000)) + " %}{% endfor %}"
    ),
    "hashes of 32 KB, 300 times": "{% for i in (1..300) %}{{ big | sha256 | size }}{{ big | md5 | size }}{% endfor %}",
    "blocks that call others twice": "{{content_blocks.${loop-a}}}",
    "a division by zero": "{{ 1 | divided_by: 0 }}{{ 1.0 | divided_by: 0.0 }}{{ 1 | modulo: 0 }}",
}


def preview(world, template, api=None, **more):
    card = {"type": "classic", "title": "t", "description": template}
    return (api or world.api).call(
        "POST", "/v1/preview", {"card": card, "custom_attributes": {"min": -(2**63)}, **more}
    )


def with_names(template):
    """Assigns the names that templates here use: a text of 32 KB is made by doubling."""
    double = "{% assign big = big | append: big %}" * 12
    return "{% assign big = 'aaaaaaaa' %}" + double + "{% assign min = custom_attribute.${min} %}" + template


@topic.family
def everything(world):
    settings = world.api.must("GET", "/v1/settings")
    world.api.must("PUT", "/v1/settings", {**settings, "card_size_limit": 65_536})
    replies = []
    for name, other in (("loop-b", "footer"), ("loop-a", "loop-b"), ("loop-b", "loop-a")):
        text = f"{{{{content_blocks.${{{other}}}}}}}"
        replies.append(world.api.call("PUT", f"/v1/content-blocks/{name}", {"content": text + text}))
    yield (
        "A content block that would contain itself by way of another is refused",
        lambda: check(replies[-1].code == "template_invalid", f"answered {replies[-1]}"),
    )
    yield (
        "A template of 32 KB of text is rendered at all, so that what is refused means something",
        lambda: control(world),
    )
    for name, template in PARSED.items():
        yield f"A template of {name} is refused or read in no time", parsed(world, template)
    for name, template in RENDERED.items():
        yield f"A template with {name} ends soon, in little memory", rendered(world, template)
    for name, value in VALUES.items():
        yield f"An attribute that is {name}, set by a device, is rendered by every filter", attribute(world, value)
        yield f"A trigger property that is {name} is rendered by every filter", trigger(world, value)
    yield "While templates take all they may, another user's sync is not held up", lambda: isolation(world)
    yield "A template that does not end keeps its card from its user and from nobody else", lambda: withheld(world)
    yield "A template cannot read what is not its user's: keys, settings, files, the environment", lambda: reach(world)
    world.api.must("PUT", "/v1/settings", settings)


def parsed(world, template):
    def attack():
        card = {"type": "classic", "title": "t", "description": template}
        body = {"name": "Parsed", "variants": [{"card": card}]}
        for path, sent in (("/v1/checks", body), ("/v1/preview", {"card": card})):
            with world.memory(120), world.effort(1.5, path):
                reply = world.api.call("POST", path, sent)
            check(reply.status < 500, f"{path}: {reply}")
        reply = world.api.call("PUT", "/v1/content-blocks/parsed", {"content": template})
        check(reply.status < 500, f"as a content block: {reply}")
        world.api.call("DELETE", "/v1/content-blocks/parsed")

    return attack


def control(world):
    reply = preview(world, with_names("{{ big | size }} {{ min }}"))
    check("32768 -9223372036854775808" in reply.text, f"answered {reply}")


def rendered(world, template):
    def attack():
        with world.memory(120), world.effort(3):
            reply = preview(world, with_names(template))
        check(reply.status == 200 or reply.code == "template_invalid", f"answered {reply}")
        check(len(reply.body) < 1_000_000, f"answered {len(reply.body)} bytes")

    return attack


VALUES = {
    "−2⁶³": -(2**63),
    "2⁶³ − 1": 2**63 - 1,
    "1e308": 1e308,
    "−1e308": -1e308,
    "the text −9223372036854775808": "-9223372036854775808",
    "the text 1e400": "1e400",
    "the text NaN": "NaN",
    "a text of 8 KB of combining marks": "e" + "\u0301" * 4_000,
    "a text of 4,000 flags": "\U0001f1e9" * 4_000,
    "a list 30 deep": json.loads("[" * 30 + "]" * 30),
    "a text with a NUL": "\u0000\ufffe",
    "a template": "{{ ${user_id} }}{% for %}",
}
FILTERS = [
    "abs",
    "append: v",
    "at_least: v",
    "at_most: v",
    "capitalize",
    "ceil",
    "compact",
    "concat: v",
    "date: '%Y-%m-%d %s'",
    "date: v",
    "default: v",
    "divided_by: v",
    "downcase",
    "escape",
    "escape_once",
    "first",
    "floor",
    "join: v",
    "json",
    "last",
    "lstrip",
    "map: v",
    "minus: v",
    "modulo: v",
    "newline_to_br",
    "plus: v",
    "prepend: v",
    "remove: v",
    "remove_first: v",
    "replace: v, v",
    "replace_first: v, v",
    "reverse",
    "round",
    "round: v",
    "rstrip",
    "size",
    "slice: v",
    "slice: v, v",
    "sort",
    "sort_natural",
    "split: v",
    "strip",
    "strip_html",
    "strip_newlines",
    "sum",
    "times: v",
    "times: 1.0",
    "truncate: v",
    "truncate: 9, v",
    "truncatewords: v",
    "uniq",
    "upcase",
    "url_decode",
    "url_encode",
    "where: v",
    "md5",
    "sha1",
    "sha256",
    "base64_encode",
    "base64_decode",
]


def every_filter(name):
    """Small templates that together put a value through every filter that there is; those unknown are left out."""
    return [
        f"{{% assign v = {name} %}}" + "".join(f"{{{{ v | {one} }}}}" for one in FILTERS[start : start + 10])
        for start in range(0, len(FILTERS), 10)
    ]


def launch_all(world, name, **more):
    """Launches a campaign for each group of filters that this server knows."""
    ids = []
    for template in every_filter(name):
        made = world.campaign("t", card={"description": template}, **more)
        if world.api.call("POST", "/v1/campaigns", made).status == 201:
            world.api.must("POST", f"/v1/campaigns/{made['id']}/launch", {"force": True})
            ids.append(made["id"])
    check(ids, "no template was taken")
    return ids


def attribute(world, value):
    def attack():
        user = f"hostile-{uuid.uuid4()}"
        world.device.call(
            "POST",
            "/v1/events",
            {
                "user_id": user,
                "device_id": "d",
                "events": [
                    {"id": str(uuid.uuid4()), "type": "attributes", "at": time.time(), "attributes": {"points": value}}
                ],
            },
        )
        world.api.call("PATCH", f"/v1/users/{user}", {"custom_attributes": {"points": value}})
        ids = launch_all(world, "custom_attribute.${points}", audience={"users": [user]})
        try:
            reply = world.device.sync(user)
            check(reply.status in (200, 400), f"the sync: {reply}")
            for path in (
                f"/v1/users/{user}",
                f"/v1/users/{user}/feed",
                f"/v1/users/{user}/explain?campaign_id={ids[0]}",
            ):
                check(world.api.call("GET", path).status < 500, path)
            check(world.admin.page(f"/dashboard/users/{user}").status < 500, "the user's page")
        finally:
            for campaign in ids:
                world.retire(campaign)

    return attack


def trigger(world, value):
    def attack():
        user = f"triggered-{uuid.uuid4()}"
        ids = launch_all(world, "api_trigger_properties.${points}", delivery={"type": "api_triggered"})
        try:
            for campaign in ids:
                reply = world.api.call(
                    "POST",
                    f"/v1/campaigns/{campaign}/trigger",
                    {"recipients": [{"user_id": user}], "create_users": True, "trigger_properties": {"points": value}},
                )
                check(reply.status < 500, f"the trigger: {reply}")
            check(world.device.sync(user).status == 200, "the sync")
        finally:
            for campaign in ids:
                world.retire(campaign)

    return attack


def isolation(world):
    """Other users' syncs are timed while bombs are rendered, in turns with those of a server that renders none."""
    names = (
        "a replacement of 32 KB by 16 KB each",
        "a loop of 10⁹ rounds",
        "a list that doubles 40 times",
        "32,000 parts sorted and compared",
    )
    end, begun, failures = threading.Event(), [], []

    def render(name):
        api = Api(world.port, world.secret)
        while not end.is_set():
            begun.append(name)
            reply = preview(world, with_names(RENDERED[name]), api)
            if reply.status >= 500:
                failures.append(reply)

    def sync(device):
        check(device.sync("calm").status == 200, "the sync failed")

    with world.instance("calm") as calm:
        threads = [threading.Thread(target=render, args=(name,)) for name in names]
        [thread.start() for thread in threads]
        try:
            until(lambda: len(set(begun)) == len(names), "the previews do not begin")
            is_not_held_up(lambda: sync(world.device), lambda: sync(calm.device), "a sync")
        finally:
            end.set()
            [thread.join() for thread in threads]
    check(not failures, f"a preview failed: {failures[:1]}")


def withheld(world):
    user = "bombed"
    bomb = world.launch("t", card={"description": RENDERED["a loop of 10⁹ rounds"]}, audience={"users": [user]})
    good = world.launch("Good", audience={"users": [user, "unbombed"]})
    try:
        for name in (user, "unbombed"):
            cards = [card["campaign_id"] for card in world.device.sync(name).json["cards"]]
            check(good in cards and bomb not in cards, f"{name} has {cards}")
    finally:
        world.retire(bomb), world.retire(good)


def reach(world):
    secrets = [
        "{{ settings }}",
        "{{ keys }}",
        "{{ environment }}",
        "{{ ENV }}",
        "{{ self }}",
        "{{ this }}",
        "{% include '/etc/passwd' %}",
        "{% render '../../etc/passwd' %}",
        "{{ 'x' | class }}",
        "{{content_blocks.${../../etc/passwd}}}",
        "{{ user.password }}",
        "{{ __proto__ }}",
        "{{ ''.constructor }}",
        "{% connected_content file:///etc/passwd :save x %}{{ x }}",
        "{{ custom_attribute }}",
    ]
    for template in secrets:
        reply = preview(world, template, user_id="spare")
        for text in ("root:", "sk_", "scrypt", "Quillfeather", "/bin"):
            check(text not in reply.text, f"{template} shows {text}: {reply}")
