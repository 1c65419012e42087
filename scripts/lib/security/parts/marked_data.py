"""Data whose texts are markup, and what a page may have of it."""

import re
import time
import urllib.parse
import uuid

# To some programs, the letter U+0D4E and the sign behind it are one character, which isn't escaped then.
MARK = "\"'>\u0d4e<xss-probe onx=1>{{7*7}}<!--`-->]]></script><svg/onload=alert(1)>"

# Braces with nothing valid between them are refused in a template, so a card has the mark without them.
CARD_MARK = MARK.replace("{{7*7}}", "{{ 7 | times: 7 }}-")

DANGEROUS = re.compile(r"^\s*(javascript|data|vbscript|blob|file)\s*:", re.IGNORECASE)


def fill(world):
    """Puts the mark wherever a text can be put: by the API, by a device, by the dashboard."""
    card = {
        "type": "classic",
        "title": CARD_MARK,
        "description": CARD_MARK,
        "domain": CARD_MARK,
        "extras": {CARD_MARK: CARD_MARK},
        "image_alt": CARD_MARK,
        "translations": {"ja": {"title": CARD_MARK}},
    }
    world.api.must(
        "POST",
        "/v1/campaigns",
        {
            "id": "marked",
            "name": MARK,
            "tags": [MARK],
            "salt": "s",
            "variants": [
                {"id": "a", "name": MARK, "card": card},
                {"id": "c", "name": MARK, "weight": 1, "control": True},
            ],
            "conversions": [{"id": "m", "name": MARK, "on": {"event": MARK}}],
            "audience": {"any": [{"attribute": MARK, "value": MARK}, {"event": {"name": MARK}}, {"users": [MARK]}, {}]},
        },
    )
    world.api.must("POST", "/v1/campaigns/marked/launch", {"force": True})
    world.api.must(
        "POST",
        "/v1/segments",
        {
            "id": "marked",
            "name": MARK,
            "description": MARK,
            "tags": [MARK],
            "audience": {"attribute": MARK, "value": MARK},
        },
    )
    world.api.must("POST", "/v1/keys", {"name": MARK, "kind": "secret", "permissions": ["users.track"]})
    world.api.call("PUT", "/v1/content-blocks/marked", {"content": CARD_MARK, "description": MARK})
    world.api.call(
        "PATCH",
        f"/v1/users/{urllib.parse.quote(MARK, safe='')}",
        {"attributes": {"first_name": MARK, "last_name": MARK, "email": MARK}, "custom_attributes": {MARK: MARK}},
    )
    world.device.call(
        "PUT",
        "/v1/content-types",
        {"types": [{"class_type": MARK, "fields": [{"name": MARK, "type": "enum", "values": [MARK]}]}]},
    )
    reply = world.device.sync(MARK, MARK, locale=MARK[:100], time_zone=MARK[:100], app_version=MARK[:100])
    given = reply.json["cards"][0]["id"] if reply.status == 200 and reply.json["cards"] else MARK
    event = {"at": time.time(), "card_id": given}
    world.device.call(
        "POST",
        "/v1/events",
        {
            "user_id": MARK,
            "device_id": MARK,
            "events": [
                {
                    "id": str(uuid.uuid4()),
                    "type": "content_error",
                    "class_type": MARK,
                    "field": MARK,
                    "message": MARK,
                    **event,
                },
                {"id": str(uuid.uuid4()), "type": "custom", "name": MARK, "properties": {MARK: MARK}, **event},
                {
                    "id": str(uuid.uuid4()),
                    "type": "purchase",
                    "product_id": MARK,
                    "currency": "EUR",
                    "price": 1,
                    **event,
                },
                {"id": str(uuid.uuid4()), "type": "attributes", "attributes": {MARK: MARK}, **event},
            ],
        },
    )
    world.add_member("marked@example.com", "viewer")
    world.database.write("UPDATE members SET name = ? WHERE email = 'marked@example.com'", MARK)
