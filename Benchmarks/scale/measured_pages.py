"""The pages of the dashboard that are measured."""

import os
import re
import sys
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))

# Every page of members, with its parameters in braces.
ROUTES = os.path.join(HERE, "../../docs/routes.md")

# A stream that doesn't end, and pages of an import and a key that the database doesn't have.
UNMEASURED = {
    "/dashboard/live",
    "/dashboard/users/imports/:id",
    "/dashboard/users/imports/:id/errors",
    "/dashboard/keys/:id",
}


def pages(sample):
    """What is measured: the route, what is asked of it, and the address."""
    quote = urllib.parse.quote
    user, guest = f"user-{sample.users // 2 + 1:07}", f"お客様-{sample.users // 200 * 100 + 7:07}"
    campaign = "/dashboard/campaigns/"
    found = [
        ("/dashboard", "overview", "/dashboard"),
        ("/dashboard", "overview, its numbers again", "/dashboard?part=numbers"),
        ("/dashboard/campaigns", "campaigns", "/dashboard/campaigns"),
        *[
            ("/dashboard/campaigns", f"campaigns, {status}", f"/dashboard/campaigns?status={status}")
            for status in ("active", "draft", "archived")
        ],
        *[
            ("/dashboard/campaigns", f"campaigns with “{text}”", f"/dashboard/campaigns?q={quote(text)}")
            for text in ("New range", "range 7", "クーポン", "no such name")
        ],
        *[
            ("/dashboard/campaigns", f"campaigns sorted by {key}", f"/dashboard/campaigns?sort={key}")
            for key in ("name", "-delivered")
        ],
        ("/dashboard/campaigns", "campaigns with a tag", f"/dashboard/campaigns?tag={quote(sample.tag)}"),
        (campaign + "new", "new campaign", campaign + "new"),
        (campaign + ":id", "report, two texts and a control", campaign + sample.large),
        (campaign + ":id", "report, three texts", campaign + sample.three),
        (campaign + ":id", "report, its numbers again", f"{campaign}{sample.large}?part=numbers"),
        (campaign + ":id", "report of an old campaign", campaign + sample.old),
        (campaign + ":id/export", "report as CSV", f"{campaign}{sample.large}/export"),
        (campaign + ":id/versions", "versions", f"{campaign}{sample.old}/versions"),
        (campaign + ":id/edit", "editor", f"{campaign}{sample.large}/edit"),
        (campaign + "names", "editor, names to choose from", campaign + "names"),
        *[
            (campaign + ":id/launch", f"launch, to {what}", f"{campaign}{draft}/launch")
            for what, draft in sample.drafts.items()
        ],
        (campaign + ":id/card", "card of a variant", f"{campaign}{sample.large}/card"),
        (campaign + ":id/approval", "approval", f"{campaign}{sample.large}/approval"),
        (campaign + ":id/test", "test send", f"{campaign}{sample.large}/test"),
        (campaign + "bulk", "campaigns, several chosen", campaign + "bulk"),
        *[
            ("/dashboard/calendar", f"calendar{what}", f"/dashboard/calendar{query}")
            for what, query in (
                ("", ""),
                (", a week", "?show=week"),
                (", a quarter", "?show=quarter"),
                (", users in common", "?overlap=1"),
            )
        ],
        ("/dashboard/filters", "saved filters", "/dashboard/filters"),
        ("/dashboard/content-blocks", "content blocks", "/dashboard/content-blocks"),
        ("/dashboard/content-blocks", "content blocks, searched", "/dashboard/content-blocks?q=block&sort=name"),
        ("/dashboard/content-blocks/new", "new content block", "/dashboard/content-blocks/new"),
        ("/dashboard/content-blocks/:id", "a content block", "/dashboard/content-blocks/bench-block"),
        (
            "/dashboard/content-blocks/:id/delete",
            "deleting a content block",
            "/dashboard/content-blocks/bench-block/delete",
        ),
        ("/dashboard/media", "media", "/dashboard/media"),
        *[
            ("/dashboard/media", f"media{what}", f"/dashboard/media?{query}")
            for what, query in (
                (", the page of the logo", f"page={(sample.pictures + 47) // 48}"),
                (", unused", "show=unused"),
                (", unused, nothing found", "show=unused&q=nothing"),
                (" with “chairs 7”", "q=chairs+7"),
                (" with “セール”", f"q={quote('セール')}"),
            )
        ],
        ("/dashboard/media/list", "media, for the editor", "/dashboard/media/list"),
        ("/dashboard/media/list", "media, searched in the editor", "/dashboard/media/list?q=tree"),
        ("/dashboard/media/:id/delete", "deleting the logo", f"/dashboard/media/{sample.picture}/delete"),
        ("/dashboard/search", "search", f"/dashboard/search?q={quote('range 7')}"),
        (campaign + ":id/stop", "stop", f"{campaign}{sample.large}/stop"),
        ("/dashboard/content-types", "content types", "/dashboard/content-types"),
        ("/dashboard/segments", "segments", "/dashboard/segments"),
        ("/dashboard/segments", "segments with “7”", "/dashboard/segments?q=7&sort=name"),
        ("/dashboard/segments/new", "new segment", "/dashboard/segments/new"),
        ("/dashboard/segments/:id", "a segment", f"/dashboard/segments/{sample.segment}"),
        ("/dashboard/users", "users", "/dashboard/users"),
        *[
            ("/dashboard/users", f"users that begin with “{text}”", f"/dashboard/users?q={quote(text)}")
            for text in ("u", user[:8], user, "a", "m.1", "お客様-", "nobody")
        ],
        ("/dashboard/users", "users, far on", f"/dashboard/users?after={user}"),
        (
            "/dashboard/users",
            "users with “e.”, far on",
            f"/dashboard/users?q=e.&after=user-{sample.users * 9 // 10:07}",
        ),
        ("/dashboard/users/:id", "a user", f"/dashboard/users/{user}"),
        ("/dashboard/users/:id", "a user, in Japanese", f"/dashboard/users/{quote(guest)}"),
        (
            "/dashboard/users/:id",
            "a user, last month",
            f"/dashboard/users/{user}?at={time.strftime('%Y-%m-%dT%H:%M', time.gmtime(time.time() - 30 * 86_400))}",
        ),
        ("/dashboard/users/imports", "imports", "/dashboard/users/imports"),
        ("/dashboard/users/:id/feed", "a user's feed", f"/dashboard/users/{user}/feed"),
        ("/dashboard/events", "events", "/dashboard/events"),
        ("/dashboard/events", "events, its lines again", "/dashboard/events?part=lines"),
        ("/dashboard/events", "events, far back", f"/dashboard/events?before={sample.events // 2}"),
        *[
            ("/dashboard/events", f"events, {what}", f"/dashboard/events?{query}")
            for what, query in (
                ("impressions", "type=impression"),
                ("decode errors", "type=content_error"),
                ("of a large campaign", f"campaign={sample.large}"),
                ("of a campaign long over", f"campaign={sample.old}"),
                ("of a user", f"user={user}"),
                ("of a user, purchases", f"user={user}&type=purchase"),
                ("decode errors of a campaign", f"type=content_error&campaign={sample.old}"),
            )
        ],
        ("/dashboard/team", "team", "/dashboard/team"),
        ("/dashboard/keys", "keys", "/dashboard/keys"),
        ("/dashboard/audit", "audit log", "/dashboard/audit"),
        ("/dashboard/audit", "audit log, far back", f"/dashboard/audit?before={sample.audit // 2}"),
        ("/dashboard/audit/export", "audit log as CSV", "/dashboard/audit/export"),
        ("/dashboard/settings", "settings", "/dashboard/settings"),
        ("/dashboard/account", "account", "/dashboard/account"),
        ("/dashboard/resume", "resume", "/dashboard/resume"),
    ]
    return found + plain_pages({route for route, _, _ in found})


def plain_pages(covered):
    """The pages that nothing else measures, as far as their addresses name nothing; others need an address above."""
    with open(ROUTES, encoding="utf-8") as file:
        paths = re.findall(r"^\| `GET (/dashboard[^`]*)` \| (?!nothing)", file.read(), re.MULTILINE)
    routes = {re.sub(r"{(\w+)}", r":\1", path) for path in paths} - UNMEASURED
    missing = {route for route in routes - covered if ":" in route}
    if missing or covered - routes:
        sys.exit(f"not measured: {sorted(missing)}; no such page: {sorted(covered - routes)}")
    return [(route, route.removeprefix("/dashboard/"), route) for route in sorted(routes - covered)]
