"""The requests that stand beside the operations of the API."""

import pathlib
import time
import urllib.parse

PICTURE = pathlib.Path(__file__).resolve().parents[3] / "Browser/Sources/FeedExample/Images/leaf.png"

DEVICE = "0190b2f0-5f3e-7cc1-8b1e-0d4f6f0c7a11"

EVENT = "0190b2f0-5f3e-7cc1-8b1e-0d4f6f0c7a12"

CARD = {
    "type": "classic",
    "title": "Hello {{${first_name} | default: 'there'}}",
    "description": "Half price until Sunday.",
    "url": "shop://sale",
}

CAMPAIGN = {
    "id": "spring-sale",
    "name": "Spring sale",
    "tags": ["sale"],
    "audience": {"attribute": "plan", "comparison": "equals", "value": "gold"},
    "variants": [{"id": "a", "weight": 9, "card": CARD}, {"id": "control", "weight": 1, "control": True}],
}

TILE = {
    "tile_id": "camp-cup",
    "tile_title": "Camp cup",
    "tile_detail": "Just in.",
    "tile_price": "12.50",
    "tile_image": "enamel-mug",
}

TOMORROW = time.strftime("%Y-%m-%dT09:00:00Z", time.gmtime(time.time() + 86_400))

NEXT_WEEK = time.strftime("%Y-%m-%dT09:00:00Z", time.gmtime(time.time() + 7 * 86_400))

# Method, path as the document has it, what stands in its place, and the body. A function makes what depends on earlier
# replies.
EXAMPLES = [
    ("GET", "/healthz", {}, None),
    ("GET", "/readyz", {}, None),
    ("GET", "/metrics", {}, None),
    ("GET", "/openapi.json", {}, None),
    (
        "POST",
        "/v1/sync",
        {},
        {"user_id": "anna", "device_id": DEVICE, "locale": "en-GB", "time_zone": "Europe/London", "platform": "ios"},
    ),
    (
        "POST",
        "/v1/events",
        {},
        lambda seen: {
            "user_id": "anna",
            "device_id": DEVICE,
            "events": [
                {
                    "id": EVENT,
                    "type": "impression",
                    "card_id": seen["POST /v1/sync"]["cards"][0]["id"],
                    "at": int(time.time()),
                }
            ],
        },
    ),
    ("GET", "/v1/live", {"?": "user_id=anna&device_id=" + DEVICE}, None),
    (
        "PUT",
        "/v1/content-types",
        {},
        {
            "app_version": "3.1",
            "types": [
                {
                    "class_type": "coupon",
                    "fields": [{"name": "discount_percentage", "type": "integer", "required": True}],
                }
            ],
        },
    ),
    ("GET", "/v1/content-types", {}, None),
    ("POST", "/v1/content-types/proposals/{id}/dismiss", lambda seen: {"id": proposal(seen)}, None),
    ("POST", "/v1/content-types/proposals/{id}/accept", lambda seen: {"id": proposal(seen)}, None),
    ("DELETE", "/v1/content-types/{id}", {"id": "coupon"}, None),
    ("POST", "/v1/campaigns", {}, CAMPAIGN),
    ("GET", "/v1/campaigns", {"?": "status=draft&limit=1"}, None),
    ("GET", "/v1/campaigns/{id}", {"id": "spring-sale"}, None),
    (
        "PUT",
        "/v1/campaigns/{id}",
        {"id": "spring-sale"},
        {**CAMPAIGN, "id": None, "name": "Spring sale, second week", "version": 1},
    ),
    ("GET", "/v1/campaigns/{id}/checks", {"id": "spring-sale"}, None),
    ("POST", "/v1/campaigns/{id}/test-send", {"id": "spring-sale"}, {"users": ["anna"], "variant_id": "a"}),
    ("POST", "/v1/test-codes", {}, {"user_id": "anna", "device_id": DEVICE}),
    ("PUT", "/v1/test-users", {}, {"users": ["anna"], "devices": [{"user_id": "anna", "name": "Anna's iPhone"}]}),
    ("GET", "/v1/test-users", {}, None),
    ("POST", "/v1/campaigns/{id}/launch", {"id": "spring-sale"}, {"version": 2}),
    ("GET", "/v1/campaigns/{id}/report", {"id": "demo-coupon"}, None),
    ("POST", "/v1/campaigns/{id}/pause", {"id": "spring-sale"}, {}),
    ("POST", "/v1/campaigns/{id}/stop", {"id": "spring-sale"}, {"withdraw": True}),
    ("POST", "/v1/campaigns/{id}/archive", {"id": "spring-sale"}, {}),
    ("POST", "/v1/campaigns/{id}/restore", {"id": "spring-sale"}, {}),
    ("POST", "/v1/campaigns/{id}/duplicate", {"id": "spring-sale"}, None),
    ("GET", "/v1/campaigns/{id}/versions", {"id": "spring-sale"}, None),
    ("GET", "/v1/campaigns/{id}/versions/{version}", {"id": "spring-sale", "version": "1"}, None),
    (
        "POST",
        "/v1/campaigns/{id}/trigger",
        {"id": "demo-triggered-tile"},
        {"send_id": "camp-cup-1", "recipients": [{"user_id": "anna"}], "trigger_properties": TILE},
    ),
    (
        "POST",
        "/v1/segments",
        {},
        {
            "id": "gold-members",
            "name": "Gold members",
            "audience": {"attribute": "plan", "comparison": "equals", "value": "gold"},
        },
    ),
    ("GET", "/v1/segments", {}, None),
    ("GET", "/v1/segments/{id}", {"id": "gold-members"}, None),
    (
        "PUT",
        "/v1/segments/{id}",
        {"id": "gold-members"},
        {
            "name": "Gold members",
            "version": 1,
            "audience": {"attribute": "plan", "comparison": "is_any_of", "value": ["gold", "platinum"]},
        },
    ),
    ("POST", "/v1/segments/{id}/archive", {"id": "gold-members"}, {}),
    ("POST", "/v1/segments/{id}/restore", {"id": "gold-members"}, {}),
    ("POST", "/v1/segments/{id}/duplicate", {"id": "gold-members"}, None),
    ("POST", "/v1/audience/reach", {}, {"audience": {"attribute": "plan", "comparison": "equals", "value": "gold"}}),
    (
        "POST",
        "/v1/audience/explain",
        {},
        {"audience": {"attribute": "plan", "comparison": "equals", "value": "gold"}, "user_id": "hugo"},
    ),
    (
        "PATCH",
        "/v1/users/{id}",
        {"id": "hugo"},
        {"attributes": {"first_name": "Hugo"}, "custom_attributes": {"visits": 3}},
    ),
    ("GET", "/v1/users/{id}", {"id": "hugo"}, None),
    ("GET", "/v1/users/{id}/events", {"id": "anna"}, None),
    ("GET", "/v1/users/{id}/explain", {"id": "anna", "?": "campaign_id=demo-coupon"}, None),
    ("GET", "/v1/users/{id}/feed", {"id": "anna"}, None),
    ("POST", "/v1/preview", {}, {"card": CARD, "user_id": "anna"}),
    (
        "POST",
        "/v1/checks",
        {},
        {
            "name": "Spring sale",
            "variants": [{"card": {"type": "classic", "title": "Hello {{${first_name}", "description": "…"}}],
        },
    ),
    ("GET", "/v1/templates/names", {}, None),
    ("PUT", "/v1/content-blocks/{id}", {"id": "greeting"}, {"content": "Hello {{${first_name} | default: 'there'}}"}),
    ("GET", "/v1/content-blocks", {}, None),
    ("GET", "/v1/content-blocks/{id}", {"id": "greeting"}, None),
    ("DELETE", "/v1/content-blocks/{id}", {"id": "greeting"}, None),
    ("POST", "/v1/media", {"?": "name=leaf.png&alt=A%20leaf"}, PICTURE),
    ("GET", "/v1/media", {}, None),
    ("GET", "/v1/media/{id}", lambda seen: {"id": picture(seen)["id"]}, None),
    ("PATCH", "/v1/media/{id}", lambda seen: {"id": picture(seen)["id"]}, {"alt": "A green leaf"}),
    ("GET", "/media/{id}/{name}", lambda seen: media(seen), None),
    ("GET", "/media/{id}/{name}/{width}", lambda seen: {**media(seen), "width": str(width(seen))}, None),
    ("DELETE", "/v1/media/{id}", lambda seen: {"id": picture(seen)["id"]}, None),
    ("POST", "/v1/keys", {}, {"name": "shop-backend", "kind": "secret", "permissions": ["track", "trigger"]}),
    ("GET", "/v1/keys", {}, None),
    ("PATCH", "/v1/keys/{id}", lambda seen: {"id": seen["POST /v1/keys"]["id"]}, {"permissions": ["users.track"]}),
    ("POST", "/v1/keys/{id}/rotate", lambda seen: {"id": seen["POST /v1/keys"]["id"]}, {"overlap_seconds": 3600}),
    ("DELETE", "/v1/keys/{id}", lambda seen: {"id": seen["POST /v1/keys"]["id"]}, None),
    ("GET", "/v1/settings", {}, None),
    ("PUT", "/v1/settings", {}, {"time_zone": "Europe/Berlin", "launch_approval": "editors"}),
    ("PATCH", "/v1/settings", {}, {"card_limit": 200}),
    ("POST", "/v1/campaigns/{id}/approvals", {"id": "spring-sale"}, {"comment": "Ready for Friday."}),
    ("GET", "/v1/campaigns/{id}/approvals", {"id": "spring-sale"}, None),
    ("GET", "/v1/approvals", {}, None),
    (
        "POST",
        "/v1/campaigns/{id}/approvals/{approval}/withdraw",
        lambda seen: {"id": "spring-sale", "approval": seen["POST /v1/campaigns/{id}/approvals"]["id"]},
        None,
    ),
    ("GET", "/v1/audit", {"?": "limit=2"}, None),
    ("GET", "/v1/audit/export", {}, None),
    (
        "POST",
        "/users/track",
        {},
        {
            "attributes": [{"external_id": "ann", "first_name": "Ann", "plan": "gold"}],
            "events": [{"external_id": "ann", "name": "watched_trailer", "time": "2026-07-16T19:20:30+01:00"}],
        },
    ),
    (
        "POST",
        "/users/alias/new",
        {},
        {"user_aliases": [{"external_id": "ann", "alias_label": "loyalty_id", "alias_name": "4711"}]},
    ),
    (
        "POST",
        "/users/identify",
        {},
        {
            "aliases_to_identify": [
                {"external_id": "ann", "user_alias": {"alias_label": "loyalty_id", "alias_name": "4711"}}
            ]
        },
    ),
    (
        "POST",
        "/users/export/ids",
        {},
        {"external_ids": ["ann"], "fields_to_export": ["external_id", "first_name", "custom_attributes"]},
    ),
    ("POST", "/users/delete", {}, {"external_ids": ["ann"]}),
    ("GET", "/campaigns/list", {"?": "page=0"}, None),
    ("GET", "/campaigns/details", {"?": "campaign_id=demo-coupon"}, None),
    ("GET", "/campaigns/data_series", {"?": "campaign_id=demo-coupon&length=1"}, None),
    (
        "POST",
        "/campaigns/trigger/send",
        {},
        {
            "campaign_id": "demo-triggered-tile",
            "recipients": [{"external_user_id": "anna"}],
            "trigger_properties": TILE,
        },
    ),
    (
        "POST",
        "/campaigns/trigger/schedule/create",
        {},
        {
            "campaign_id": "demo-triggered-tile",
            "send_id": "good-morning",
            "recipients": [{"external_user_id": "anna"}],
            "trigger_properties": TILE,
            "schedule": {"time": TOMORROW},
        },
    ),
    (
        "POST",
        "/campaigns/trigger/schedule/update",
        {},
        {"campaign_id": "demo-triggered-tile", "schedule_id": "good-morning", "schedule": {"time": NEXT_WEEK}},
    ),
    (
        "POST",
        "/campaigns/trigger/schedule/delete",
        {},
        {"campaign_id": "demo-triggered-tile", "schedule_id": "good-morning"},
    ),
    ("GET", "/segments/list", {}, None),
    ("GET", "/segments/details", {"?": "segment_id=gold-members"}, None),
    ("GET", "/v1/events/export", {"?": "after=0"}, None),
    ("PUT", "/v1/webhook", {}, {"url": "https://example.com/placard", "types": ["click", "purchase"]}),
    ("PATCH", "/v1/webhook", {}, {"types": ["click"]}),
    ("GET", "/v1/webhook", {}, None),
    ("POST", "/v1/webhook/rotate", {}, None),
    ("DELETE", "/v1/webhook", {}, None),
    ("DELETE", "/v1/users/{id}", {"id": "hugo"}, None),
]


def proposal(seen):
    return seen["GET /v1/content-types"]["proposals"][0]["id"]


def picture(seen):
    return seen["POST /v1/media"]


def media(seen):
    return dict(zip(("id", "name"), urllib.parse.urlparse(picture(seen)["url"]).path.split("/")[2:4]))


def width(seen):
    return picture(seen)["sizes"][0]["width"] if picture(seen).get("sizes") else 1
