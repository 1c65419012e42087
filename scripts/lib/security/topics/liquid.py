"""Templates that take long, take much, or go on for ever; and what they may not do to other users."""

import threading
import time
import uuid

from ..client import Api
from ..clock import is_not_held_up, until
from ..suite import Topic, check
from ..parts.liquid_texts import PARSED, RENDERED, VALUES, every_filter, preview, with_names

topic = Topic("Templates")


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
