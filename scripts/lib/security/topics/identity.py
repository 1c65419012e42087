"""Ids that look alike, for everything that has an id: two spellings are two things, or the second is refused."""

import unicodedata
import urllib.parse
import uuid

from ..suite import Topic, check

topic = Topic("Identity")
PAIRS = {
    "the KELVIN SIGN and K": ("\u212aey", "Key"),
    "é in one and in two parts": ("caf\u00e9", "cafe\u0301"),
    "the ANGSTROM SIGN and Å": ("\u212bngstrom", "\u00c5ngstrom"),
    "Hangul in one and in parts": ("가나", unicodedata.normalize("NFD", "가나")),
    "another case": ("ABC", "abc"),
    "full-width letters": ("ａｂ", "ab"),
    "a zero-width space": ("a\u200bb", "ab"),
    "a dotless ı": ("ıd", "id"),
    "marks in another order": ("q\u0307\u0323", "q\u0323\u0307"),
    "Cyrillic and Latin letters": ("\u0430dmin", "admin"),
    "a space after it": ("user ", "user"),
    "a line break after it": ("user\n", "user"),
    "a NUL after it": ("user\u0000x", "user"),
    "a soft hyphen": ("u\u00adser", "user"),
    "a mark for the direction": ("user\u200e", "user"),
}
REFUSED = (400, 404, 409, 422)


def quote(text):
    return urllib.parse.quote(text, safe="")


def each_pair(title, attack):
    """Makes an attack of each pair for one kind of thing."""

    @topic.family
    def family(world):
        for number, (name, (one, two)) in enumerate(PAIRS.items()):
            yield title.format(name), lambda one=f"{number}{one}", two=f"{number}{two}": attack(world, one, two)


def users(world, one, two):
    for user in (one, two):
        reply = world.api.call(
            "PATCH", f"/v1/users/{quote(user)}", {"custom_attributes": {"name": user.encode().hex()}}
        )
        if reply.status in REFUSED:
            return
        check(reply.status == 200, f"{user!r}: {reply}")
    for user in (one, two):
        read = world.api.must("GET", f"/v1/users/{quote(user)}")
        check(
            read["custom_attributes"]["name"] == user.encode().hex(), f"{user!r} reads as {read['custom_attributes']}"
        )
    check(world.api.call("DELETE", f"/v1/users/{quote(one)}").status == 204, "the first cannot be deleted")
    check(world.api.call("GET", f"/v1/users/{quote(two)}").status == 200, "the other was deleted too")


def feeds(world, one, two):
    # The users of the other attacks were deleted, which devices cannot undo.
    one, two = "feed-" + one, "feed-" + two
    made = world.campaign("For {{${user_id}}}", audience={"users": [one]})
    reply = world.api.call("POST", "/v1/campaigns", made)
    if reply.status in REFUSED:
        return
    check(reply.status == 201, f"{reply}")
    campaign = made["id"]
    world.api.must("POST", f"/v1/campaigns/{campaign}/launch", {"force": True})
    try:
        replies = {user: world.device.sync(user, f"d{number}") for number, user in enumerate((one, two))}
        if any(reply.status in REFUSED for reply in replies.values()):
            return
        cards = {user: [card["campaign_id"] for card in reply.json["cards"]] for user, reply in replies.items()}
        check(campaign in cards[one], f"{one!r} has no card: {cards}")
        check(campaign not in cards[two], f"{two!r} has the card of {one!r}")
    finally:
        world.retire(campaign)


def events(world, one, two):
    def event(user):
        return world.device.call(
            "POST",
            "/v1/events",
            {
                "user_id": user,
                "device_id": "d",
                "events": [{"id": str(uuid.uuid4()), "type": "custom", "at": 1, "name": "x" + user.encode().hex()}],
            },
        )

    replies = [event(user) for user in (one, two)]
    if any(reply.status in REFUSED for reply in replies):
        return
    for user in (one, two):
        listed = world.api.must("GET", f"/v1/users/{quote(user)}/events")["events"]
        check(
            all(
                "x" + user.encode().hex() == entry.get("name", entry.get("details", {}).get("name")) for entry in listed
            ),
            f"{user!r} has {listed}",
        )


def things(path, make):
    def attack(world, one, two):
        replies = [world.api.call("POST", path, make(world, name)) for name in (one, two)]
        if any(reply.status in REFUSED for reply in replies):
            return
        for name in (one, two):
            read = world.api.must("GET", f"{path}/{quote(name)}")
            check(
                read["id"].encode() == name.encode() and read["name"] == name.encode().hex(),
                f"{name!r} reads as {read['id']!r}, {read['name']}",
            )

    return attack


def tracked(world, one, two):
    """The same by the documented API: attributes, aliases and deletions of one are not those of the other."""
    for user in (one, two):
        reply = world.api.call(
            "POST", "/users/track", {"attributes": [{"external_id": user, "mark": user.encode().hex()}]}
        )
        if reply.status in REFUSED or b'"errors"' in reply.body:
            return
    reply = world.api.call("POST", "/users/export/ids", {"external_ids": [one]})
    check(
        two.encode().hex() + '"' not in reply.text.replace(one.encode().hex() + '"', ""),
        f"the export of {one!r} has the other: {reply}",
    )
    world.api.call("POST", "/users/delete", {"external_ids": [one]})
    check(world.api.call("GET", f"/v1/users/{quote(two)}").status == 200, f"{two!r} was deleted too")


def blocks(world, one, two):
    replies = [
        world.api.call("PUT", f"/v1/content-blocks/{quote(name)}", {"content": name.encode().hex()})
        for name in (one, two)
    ]
    if any(reply.status in REFUSED for reply in replies):
        return
    for name in (one, two):
        read = world.api.must("GET", f"/v1/content-blocks/{quote(name)}")
        check(read["content"] == name.encode().hex(), f"{name!r} reads as {read}")


def class_types(world, one, two):
    for name in (one, two):
        reply = world.device.call(
            "PUT", "/v1/content-types", {"types": [{"class_type": name, "fields": [{"name": name, "type": "string"}]}]}
        )
        if reply.status in REFUSED + (401, 403):
            return
    # An app sends all of its types at once; the second of two that look alike must not pass for the first.
    listed = [kind["class_type"] for kind in world.api.must("GET", "/v1/content-types")["types"]]
    check(len(listed) == len({name.encode() for name in listed}), f"listed twice: {listed}")


each_pair("Two user ids that differ by {} are two users", users)
each_pair("Two user ids that differ by {} have each their own feed", feeds)
each_pair("Two user ids that differ by {} have each their own events", events)
each_pair(
    "Two campaign ids that differ by {} are two campaigns",
    things("/v1/campaigns", lambda world, name: {**world.campaign(), "id": name, "name": name.encode().hex()}),
)
each_pair(
    "Two segment ids that differ by {} are two segments",
    things("/v1/segments", lambda world, name: {"id": name, "name": name.encode().hex()}),
)
each_pair("Two external ids that differ by {} are two users to the documented API", tracked)
each_pair("Two names of content blocks that differ by {} are two blocks", blocks)
each_pair("Two class types that differ by {} are two types", class_types)
