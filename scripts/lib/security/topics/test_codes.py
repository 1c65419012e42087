"""Codes by which a test reaches a device: nobody guesses one, asks for one of another user, or fills the store with
them."""

import hashlib
import json
import re

from ..client import Api
from ..jwt import Signer, claims
from ..suite import Topic, check

topic = Topic("Codes for tests")
SEND = "/v1/campaigns/coded/test-send"


def draft(world):
    if world.api.call("GET", "/v1/campaigns/coded").status == 404:
        world.api.must("POST", "/v1/campaigns", {**world.campaign("Coded"), "id": "coded"})


def ask(world, user, device, api=None):
    body = {"user_id": user, "device_id": device}
    return (api or Api(world.port, world.publishable)).call("POST", "/v1/test-codes", body)


def code(world, user, device):
    world.device.sync(user)
    reply = ask(world, user, device)
    check(reply.status == 201 and re.fullmatch("[A-Z0-9]{4}-[A-Z0-9]{4}", reply.json["code"]), f"{reply}")
    return reply.json["code"]


def secret(world, *permissions):
    return Api(
        world.port,
        world.api.must("POST", "/v1/keys", {"name": "coder", "kind": "secret", "permissions": list(permissions)})[
            "secret"
        ],
    )


@topic.attack("A code is in the store neither as it is nor as its hash")
def stored(world):
    text = code(world, "coded-1", "coded-device-1")
    for form in (text, text.replace("-", "")):
        for hidden in (form.encode(), hashlib.sha256(form.encode()).digest()):
            check(not world.database.contains(hidden), f"{hidden!r} is in the database")


@topic.attack("Codes that are guessed are slowed down, and the right one is then not let in either")
def guessing(world):
    draft(world)
    right, key = code(world, "coded-2", "coded-device-2"), secret(world, "campaigns", "users")
    replies = [key.call("POST", SEND, {"code": f"BBBB-BBB{letter}"}) for letter in "BCDFGHJKMNPQ"]
    check(
        [reply.status for reply in replies[:10]] == [404] * 10 and replies[-1].status == 429,
        f"{[reply.status for reply in replies]}",
    )
    check(key.call("POST", SEND, {"code": right}).status == 429, "a guesser goes on")
    check(
        secret(world, "campaigns", "users").call("POST", SEND, {"code": right}).status == 200, "another key is held up"
    )


@topic.attack("A code is used by none that may not test, and a key that may reads nothing of its user")
def permissions(world):
    draft(world)
    text = code(world, "coded-3", "coded-device-3")
    for key in (secret(world, "campaigns"), secret(world, "users"), Api(world.port, world.publishable)):
        check(key.call("POST", SEND, {"code": text}).status == 403, "it was used")
    for key in (world.api, secret(world, "users"), Api(world.port, None)):
        check(ask(world, "coded-3", "coded-device-3", key).status in (401, 403), "a code for no app")


@topic.attack("Codes of hostile forms are refused, and never an error of the server")
def forms(world):
    draft(world)
    key = secret(world, "campaigns", "users")
    for value in (
        "",
        "K",
        "KM4T-9XW\0",
        "K" * 100_000,
        "\u202eKM4T9XWD",
        "KM4T9XW\u0301D",
        "'; DROP",
        ["KM4T-9XWD"],
        {"a": 1},
        True,
        1e308,
    ):
        reply = key.call("POST", SEND, {"code": value})
        check(reply.status == 400, f"{str(value)[:40]!r}: {reply}")
    for user, device in (
        ("nobody-here", "d"),
        ("", "d"),
        ("coded-1", ""),
        ("coded-1", "d\0"),
        ("coded-1", "d" * 513),
        ([], "d"),
        ("coded-1", {}),
    ):
        reply = ask(world, user, device)
        check(reply.status in (400, 404), f"{str(user)[:40]!r}, {str(device)[:40]!r}: {reply}")
    check(world.api.call("GET", "/v1/users/nobody-here").status == 404, "a user was made")


@topic.attack("One device and one user leave a bounded number of codes, however many they ask for")
def flood(world):
    world.device.sync("coded-4")
    table = "test_codes"
    before = world.database.settled_counts.get(table, 0)
    for number in range(30):
        check(ask(world, "coded-4", f"flood-{number % 10}").status == 201, "it is refused")
    after = world.database.settled_counts.get(table, 0)
    check(after - before <= 5, f"{after - before} codes of one user")


@topic.attack("Where tokens are required, nobody asks for the code of a user whose token they don't have")
def tokens(world):
    with world.instance("test-codes") as instance:
        signer = Signer()
        instance.device.sync("kate")
        instance.set(user_tokens="required", public_keys=[{"id": "ec", "pem": Signer.pem(signer.ec)}])
        body = json.dumps({"user_id": "kate", "device_id": "phone"})
        for user, status in ((None, 401), ("eve", 401), ("kate", 201)):
            token = signer.token(claims(user), "ES256") if user else None
            reply = Api(instance.port, instance.publishable, token=token).call("POST", "/v1/test-codes", body)
            check(reply.status == status, f"{user}: {reply}")
