"""What a key reaches by a way around its permissions, and a client by another way to write an address or a path."""

import time
import uuid

from ..client import Api
from .. import listener
from ..parts.late_impressions import late_cards, late_impressions
from ..raw import exchange
from ..suite import Topic, check
from ..world import USER

topic = Topic("Ways around permissions")
# Nothing that is random or a time looks like it.
PIN = "pin-4711-of-alice"
VICTIM = {"external_id": "victim-1", "email": "alice.private@example.com", "pin": PIN}
TELLING = "{% capture m %}{{${email_address}}} {{custom_attribute.${pin}}}{% endcapture %}{% abort_message(m) %}"


def holder(world, *permissions):
    """A caller whose key has those permissions alone."""
    world.api.must("POST", "/users/track", {"attributes": [VICTIM]})
    return Api(
        world.port,
        world.api.must("POST", "/v1/keys", {"name": "narrow", "kind": "secret", "permissions": list(permissions)})[
            "secret"
        ],
    )


@topic.attack("A key that may read campaigns finds out no attribute of a user by counting")
def counting(world):
    key = holder(world, "read")
    address = {"attribute": "email", "comparison": "matches_regex", "value": "^a"}
    for audience in (
        {"all": [{"attribute": "user_id", "comparison": "equals", "value": "victim-1"}, address]},
        {
            "all": [
                {"users": ["victim-1"]},
                {"custom_attribute": {"custom_attribute_name": "pin", "comparison": "equals", "value": PIN}},
            ]
        },
        address,
        {"none": [{"none": [{"attribute": "phone", "comparison": "exists"}]}]},
    ):
        reply = key.call("POST", "/v1/audience/reach", {"audience": audience, "exact": True})
        check(reply.status == 403, f"{audience}: {reply}")
    check(
        key.call(
            "POST", "/v1/audience/reach", {"audience": {"attribute": "country", "comparison": "equals", "value": "JP"}}
        ).status
        == 200,
        "it can't count at all",
    )


@topic.attack("A segment that names a user is no way around it")
def counting_a_segment(world):
    world.api.must("POST", "/v1/segments", {"id": "only-victim", "name": "One", "audience": {"users": ["victim-1"]}})
    reply = holder(world, "read").call(
        "POST",
        "/v1/audience/reach",
        {
            "audience": {
                "all": [
                    {"segment": "only-victim"},
                    {"custom_attribute": {"custom_attribute_name": "pin", "comparison": "equals", "value": PIN}},
                ]
            }
        },
    )
    check(reply.status == 403, f"{reply}")


@topic.attack("A key that may write campaigns finds out no attribute by a test send, and not who exists")
def test_send(world):
    key = holder(world, "campaigns")
    key.must("POST", "/v1/campaigns", {**world.campaign(TELLING), "id": "telling"})
    for user in ("victim-1", "nobody"):
        reply = key.call("POST", "/v1/campaigns/telling/test-send", {"users": [user]})
        check(reply.status == 403 and "alice" not in reply.text, f"{reply}")
    world.api.must("PUT", "/v1/test-users", {"users": ["victim-1"]})
    for method, body in (("GET", None), ("PUT", {"users": ["nobody"]})):
        reply = key.call(method, "/v1/test-users", body)
        check(reply.status == 403 and "victim" not in reply.text, f"{method}: {reply}")


@topic.attack("A template tells a key that may write campaigns and read reports nothing of a user in a report")
def reporting(world):
    key = holder(world, "campaigns", "report")
    key.must("POST", "/v1/campaigns", {**world.campaign(TELLING), "id": "reported"})
    key.must("POST", "/v1/campaigns/reported/launch", {"force": True})
    world.device.sync("victim-1")
    reply = key.call("GET", "/v1/campaigns/reported/report")
    check(reply.status == 200 and "{{m}}" in reply.text, f"the abort isn't counted: {reply}")
    check("alice" not in reply.text, f"{reply}")


@topic.attack("A key that may send changes no attribute and makes no user where it may not track")
def sending(world):
    world.api.must(
        "POST", "/v1/campaigns", {**world.campaign("Hi"), "id": "sent", "delivery": {"type": "api_triggered"}}
    )
    world.api.must("POST", "/v1/campaigns/sent/launch", {"force": True})
    for permission in ("trigger", "campaigns.trigger.send"):
        for user in ("victim-1", "made-by-send"):
            body = {
                "campaign_id": "sent",
                "recipients": [
                    {
                        "external_user_id": user,
                        "send_to_existing_only": False,
                        "attributes": {"email": "owned@evil.example"},
                    }
                ],
            }
            reply = holder(world, permission).call("POST", "/campaigns/trigger/send", body)
            check(reply.status == 403, f"{permission}: {reply}")
    check("owned" not in world.api.call("GET", "/v1/users/victim-1").text, "the address was changed")
    check(world.api.call("GET", "/v1/users/made-by-send").status == 404, "a user was made")


@topic.attack("A key for keys revokes none that may do more than itself")
def revoking(world):
    strong = world.api.must("POST", "/v1/keys", {"name": "strong", "kind": "secret", "permissions": ["users"]})
    reply = holder(world, "keys").call("DELETE", f"/v1/keys/{strong['id']}")
    check(reply.status == 403, f"{reply}")


@topic.attack(
    "A key for settings gets neither the events of the past by a webhook nor the signature of another receiver"
)
def webhook(world):
    key = holder(world, "settings")
    first = key.must("PUT", "/v1/webhook", {"url": "https://one.example/in"})
    check(
        key.call("PUT", "/v1/webhook", {"url": "https://evil.example/in", "after": 0}).status == 403,
        "it gets what was sent before",
    )
    moved = key.must("PUT", "/v1/webhook", {"url": "https://evil.example/in"})
    check(moved.get("secret") not in (None, first["secret"]), "the secret went along")
    key.must("DELETE", "/v1/webhook")


@topic.attack("A path with empty parts reaches nothing: no limit, metric, log or proxy knows it")
def paths(world):
    for path in ("/v1/sync/", "//v1/sync", "/v1//sync", "/v1/events/", "/v1/content-types/", "/v1/live/?user_id=a"):
        method = "GET" if "live" in path else "POST"
        reply = world.device.call(method, path, {"user_id": "slashes", "device_id": "d"})
        check(reply.status == 404, f"{path}: {reply}")
    for path in ("/metrics/", "//metrics", "/readyz/", "/openapi.json/", "/v1/users//victim-1", "/v1/keys/"):
        check(world.api.call("GET", path).status == 404, f"{path} is answered")
    for path in ("//evil.example/dashboard", "//evil.example", "/dashboard//evil.example/", "///dashboard"):
        reply = world.api.call("GET", path)
        place = reply.header("location") or "/dashboard"
        check(place.startswith("/") and not place.startswith("//"), f"{path} leads to {place}")


@topic.attack("Users whose ids only look alike are told no answer of each other")
def lookalikes(world):
    with world.instance("lookalikes", "--private-content") as instance, listener.Listener() as host:
        # What names the user, as bytes.
        host.answer = lambda request: listener.reply(
            request.split(b"andr", 1)[-1][:3].hex().encode(), content_type="text/plain"
        )
        instance.set(connected_content_hosts=[f"localhost:{host.port}"])
        for option in (':headers {"X-User":"{{${user_id}}}"}', ":method post :cache_max_age 300 :body {{${user_id}}}"):
            title = "{% connected_content http://localhost:%d/me %s :save b %}{{b}}".replace(
                "%d", str(host.port)
            ).replace("%s", option)
            id = f"alike-{uuid.uuid4()}"
            instance.api.must("POST", "/v1/campaigns", {**world.campaign(title), "id": id})
            instance.api.must("POST", f"/v1/campaigns/{id}/launch", {"force": True})
            seen = {
                user: [card["title"] for card in instance.device.sync(user).json["cards"] if card["campaign_id"] == id]
                for user in ("andr\u00e9", "andre\u0301")
            }
            check(len(set(map(tuple, seen.values()))) == 2 and all(seen.values()), f"{seen}")


@topic.attack("Behind a proxy that appends, no character in front of its comma makes a client another one")
def joined(world):
    with world.instance("appending", "--trusted-proxies", "127.0.0.1") as instance:
        key = instance.api.must(
            "POST",
            "/v1/keys",
            {"name": "bound", "kind": "secret", "permissions": ["read"], "allowed_addresses": ["203.0.113.7"]},
        )["secret"]

        def status(*headers):
            lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
            answer = exchange(
                instance.port,
                b"GET /v1/campaigns HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
                + key.encode()
                + b"\r\n"
                + lines
                + b"\r\n",
            )
            return answer.statuses

        check(status((b"X-Forwarded-For", b"203.0.113.7")) == [200], "the key doesn't work")
        for mark in (":\u0600", "\u0600", "\u0301", "\u200d", ";x=\u0600", "\U0001f1e6", "\u1100", "\u0d4e"):
            for text in ("203.0.113.7" + mark, "[203.0.113.7]" + mark, "for=203.0.113.7" + mark):
                for comma in (b",", b", "):
                    name, rest = (
                        (b"Forwarded", b"for=198.51.100.9")
                        if text.startswith("for")
                        else (b"X-Forwarded-For", b"198.51.100.9")
                    )
                    found = status((name, text.encode() + comma + rest))
                    check(found in ([403], [400]), f"{name} {text!a}: {found}")


@topic.attack("A header that the proxy doesn't write gives a client no right of the proxy's address")
def both_headers(world):
    with world.instance("both", "--trusted-proxies", "127.0.0.1") as instance:
        key = instance.api.must(
            "POST",
            "/v1/keys",
            {"name": "bound", "kind": "secret", "permissions": ["read"], "allowed_addresses": ["127.0.0.1"]},
        )["secret"]
        honest = {"X-Forwarded-For": "198.51.100.9", "X-Forwarded-Proto": "https"}
        for headers in (
            {},
            {"Forwarded": "x"},
            {"Forwarded": "proto=https"},
            {"Forwarded": "for=1.2.3.4"},
            {"Forwarded": "for=unknown"},
            {"Forwarded": "for=127.0.0.1"},
        ):
            reply = Api(instance.port, key).call("GET", "/v1/campaigns", **honest, **headers)
            check(reply.status == 403, f"{headers}: {reply}")
        for headers in ({"Forwarded": "x"}, {"X-Forwarded-For": "unknown"}):
            check(
                Api(instance.port, key).call("GET", "/v1/campaigns", **headers).status == 403,
                f"{headers} stand for the proxy",
            )


def attributes(changes):
    return {"id": str(uuid.uuid4()), "type": "attributes", "at": time.time(), "attributes": changes}


@topic.attack("Changes to arrays of objects cost the server what they weigh, however many objects they name")
def objects(world):
    def send(*events):
        return world.device.call("POST", "/v1/events", {"user_id": "objects", "device_id": "d", "events": list(events)})

    for _ in range(5):
        send(attributes({"o": {"$add": [{"k": 1000}] * 1_100}}))
    removal = {"$identifier_key": "k", "$identifier_value": -1}
    with world.effort(1.5, "removing from arrays"):
        reply = send(*[attributes({"o": {"$remove": [removal] * 330}})] * 40)
    check(reply.status in (200, 429), f"{reply}")
    kept = world.api.call("GET", "/v1/users/objects").json["custom_attributes"].get("o", [])
    check(len(kept) <= 500, f"{len(kept)} objects are kept")


topic.attack("Impressions that come late cost the server what they weigh, however much their user has done")(
    late_impressions
)
topic.attack("Impressions that come late for hundreds of cards cost the server what they weigh")(late_cards)


@topic.attack("A key that may send asks no audience about its recipients, and fills no node with broadcasts")
def senders(world):
    key = world.api.must("POST", "/v1/keys", {"name": "sender", "kind": "secret", "permissions": ["trigger"]})["secret"]
    sender = Api(world.port, key)
    audience = {"attribute": "email", "comparison": "matches_regex", "value": "^k"}
    reply = sender.call(
        "POST", "/v1/campaigns/triggered/trigger", {"recipients": [{"user_id": USER}], "audience": audience}
    )
    check(reply.status == 403, f"{reply}")
    for path, more in (
        ("send", {}),
        (
            "schedule/create",
            {"schedule": {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86_400))}},
        ),
    ):
        body = {"campaign_id": "triggered", "recipients": [{"external_user_id": USER}], "audience": audience, **more}
        reply = sender.call("POST", f"/campaigns/trigger/{path}", body)
        check(reply.status == 403, f"{path}: {reply}")
    world.launch("Waits", id="waits", name="Waits", delivery={"type": "api_triggered"})
    large = {
        "all": [
            {"none": [{"attribute": f"x{number}", "comparison": "contains", "value": "y" * 200}]}
            for number in range(490)
        ]
    }
    replies = [
        sender.call("POST", "/v1/campaigns/waits/trigger", {"broadcast": True, "audience": large}) for _ in range(30)
    ]
    check({reply.status for reply in replies} == {202, 409}, f"{sorted(reply.status for reply in replies)}")
    with world.effort(1, "syncs beside broadcasts"):
        for number in range(5):
            check(world.device.sync(USER).status == 200, "a sync failed")
    world.api.must("POST", "/v1/campaigns/waits/stop", {})


@topic.attack("A stranger's form of brackets is refused without being read")
def brackets(world):
    body = "&".join(["]" * 205 + "="] * 4_999)
    with world.effort(1.0, "a form of brackets"):
        for _ in range(3):
            reply = Api(world.port, None).call(
                "POST",
                "/dashboard/campaigns/new",
                body,
                **{"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"},
            )
            check(reply.status in (303, 403), f"{reply}")
