"""What people and apps write stays text on every page, and texts stay inside of what they are put into."""

import re
import urllib.parse
import uuid

from ..client import Client
from ..page import Page
from ..suite import Topic, check
from ..parts.marked_data import CARD_MARK, DANGEROUS, MARK, fill

topic = Topic("Markup")


def is_harmless(page, path):
    """No element, attribute or script has come of the mark."""
    for tag, attributes in page.elements:
        check(
            tag not in ("xss-probe", "svg") or "onload" not in attributes and tag == "svg",
            f"{path} has an element of the mark",
        )
        for name, value in attributes.items():
            check(not name.startswith("on"), f"{path}: <{tag} {name}=…>")
            check(name != "style", f"{path}: <{tag} style=…>")
            check(name != "srcdoc", f"{path}: <{tag} srcdoc=…>")
    for tag, name, value in page.links:
        check(not DANGEROUS.match(value), f"{path}: <{tag} {name}={value[:60]}>")
    for script in page.scripts:
        check(not script.strip(), f"{path} has a script in it: {script[:80]}")
    check("49<!--" not in "".join(page.texts), f"{path} computes what stands in braces")


@topic.family
def pages(world):
    fill(world)
    marked = {"campaigns": "marked", "segments": "marked", "users": urllib.parse.quote(MARK, safe="")}
    for route in world.of_surface(True):
        path = route["path"]
        if route["method"] != "GET" or not route["needs"] or path.endswith(("/live", "/resume", "/export")):
            continue
        parts = path.split("/")
        filled = "/".join(marked.get(parts[2], "none") if part.startswith("{") else part for part in parts)
        yield f"What was written shows as text on GET {path}", page(world, filled)
        yield (
            f"What stands in the query shows as text on GET {path}",
            page(
                world,
                f"{filled}?"
                + "&".join(
                    f"{name}={urllib.parse.quote(MARK)}"
                    for name in (
                        "q",
                        "status",
                        "type",
                        "user",
                        "campaign",
                        "tag",
                        "error",
                        "notice",
                        "done",
                        "next",
                        "back",
                        "at",
                        "before",
                        "to",
                        "from",
                    )
                ),
            ),
        )


def page(world, path):
    def attack():
        reply = world.admin.page(path)
        check(reply.status < 500, f"answered {reply}")
        if (reply.header("content-type") or "").startswith("text/html"):
            is_harmless(Page(reply.text), path.split("?")[0])

    return attack


@topic.attack("What was written is shown at all on ten pages or more, so that the checks of pages mean something")
def control(world):
    shown = 0
    for path in [
        *world.pages,
        "/dashboard/campaigns/marked",
        "/dashboard/campaigns/marked/edit",
        "/dashboard/segments/marked",
        "/dashboard/campaigns/marked/versions",
        "/dashboard/users?q=",
    ]:
        shown += "&lt;xss-probe" in world.admin.page(path).text
    check(shown >= 10, f"it is shown on {shown} pages")


@topic.family
def open_pages(world):
    quoted = urllib.parse.quote(MARK)
    for path in (
        f"/dashboard/sign-in?next=/dashboard/{quoted}",
        f"/dashboard/setup?code={quoted}",
        f"/dashboard/{quoted}",
        f"/{quoted}",
        f"/dashboard/sign-in?email={quoted}&error={quoted}&resume={quoted}",
    ):
        yield (
            (
                f"What stands in the address shows as text to strangers on {path.split('?')[0].replace(quoted, '…')}"
                f" ({len(path)} bytes)"
            ),
            open_page(world, path),
        )


def open_page(world, path):
    def attack():
        reply = Client(world.port).get(path)
        check(reply.status < 500, f"answered {reply}")
        kind = reply.header("content-type") or ""
        if kind.startswith("text/html"):
            is_harmless(Page(reply.text), path)
        else:
            check("<xss-probe" not in reply.text or kind.startswith("application/json"), f"answered {reply}")

    return attack


@topic.attack("A sign-in that fails shows what was typed as text")
def sign_in(world):
    from ..browser import Browser

    browser = Browser(world.port, world.address_of_this_machine())
    token = browser.token("/dashboard/sign-in")
    reply = browser.post(
        "/dashboard/sign-in", {"email": MARK, "password": MARK, "next": MARK, "resume": MARK}, token=token
    )
    is_harmless(Page(reply.text), "sign-in")
    token = browser.token("/dashboard/sign-in")
    reply = browser.post("/dashboard/sign-in/code", {"ticket": MARK, "code": MARK, "next": MARK}, token=token)
    is_harmless(Page(reply.text), "code")


@topic.attack("Forms that are refused show what was typed as text")
def refused_forms(world):
    for path in (
        "/dashboard/keys",
        "/dashboard/team",
        "/dashboard/settings",
        "/dashboard/campaigns/new",
        "/dashboard/campaigns/reshape",
        "/dashboard/campaigns/preview",
        "/dashboard/campaigns/check",
        "/dashboard/segments/new",
        "/dashboard/segments/reshape",
        "/dashboard/account/password",
        "/dashboard/account/factor",
        "/dashboard/theme",
        "/dashboard/language",
    ):
        names = (
            "name",
            "email",
            "password",
            "role",
            "kind",
            "permission",
            "time_zone",
            "public_keys",
            "content_hosts",
            "card_limit",
            "cap.0.tag",
            "c.name",
            "c.tags",
            "c.variants[0].name",
            "c.variants[0].card.title",
            "c.variants[0].card.image",
            "c.variants[0].card.url",
            "c.audience.items[0].name",
            "c.audience.items[0].value",
            "audience_json",
            "base",
            "user",
            "secret",
            "code",
            "current",
            "theme",
            "language",
            "back",
            "do",
            "c.description",
        )
        reply = world.admin.post(path, [(name, MARK) for name in names])
        check(reply.status < 500, f"{path}: {reply}")
        if (reply.header("content-type") or "").startswith("text/html"):
            is_harmless(Page(reply.text), path)


@topic.attack("Every page has a policy that runs no script but our own, and no type is guessed")
def policies(world):
    for path in [*world.pages, "/dashboard/sign-in", "/dashboard/nothing"]:
        reply = world.admin.page(path)
        policy = reply.header("content-security-policy") or ""
        check("default-src 'none'" in policy, f"{path}: {policy}")
        for word in ("unsafe-inline", "unsafe-eval", "*", "data: ;", "strict-dynamic"):
            check(word not in policy.replace("img-src 'self' data: https: http:", ""), f"{path}: {policy}")
        check("base-uri 'none'" in policy and ("form-action" in policy), f"{path}: {policy}")
        check(reply.header("x-content-type-options") == "nosniff", f"{path}")
        check(
            reply.header("referrer-policy")
            in ("same-origin", "no-referrer", "strict-origin", "strict-origin-when-cross-origin"),
            f"{path}",
        )


@topic.attack("Replies of the API and files say what they are, and are not guessed to be pages")
def types(world):
    for path in (
        "/v1/keys",
        "/v1/nothing",
        "/healthz",
        "/metrics",
        "/openapi.json",
        "/v1/users/" + urllib.parse.quote(MARK, safe=""),
    ):
        reply = world.api.call("GET", path)
        kind = reply.header("content-type") or ""
        check(kind.startswith(("application/json", "text/plain")), f"{path}: {kind}")
        check("<xss-probe" not in reply.text or kind.startswith("application/json"), f"{path}")


URLS = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://a/b",
    "javascript&colon;alert(1)",
    "\u00a0javascript:alert(1)",
    "javascript\u200b:alert(1)",
    "{{ 'java' }}script:alert(1)",
    "{{custom_attribute.${link}}}",
    "view-source:javascript:alert(1)",
]


@topic.family
def card_urls(world):
    for url in URLS:
        yield f"A card's address {url!r} does not reach an app as a script", card_url(world, url)


def card_url(world, url):
    def attack():
        user = f"linked-{uuid.uuid4()}"
        world.api.call("PATCH", f"/v1/users/{user}", {"custom_attributes": {"link": "javascript:alert(1)"}})
        made = world.campaign("t", card={"url": url, "image": url}, audience={"users": [user]})
        reply = world.api.call("POST", "/v1/campaigns", made)
        check(reply.status in (201, 400), f"answered {reply}")
        if reply.status == 201:
            world.api.call("POST", f"/v1/campaigns/{made['id']}/launch", {"force": True})
            for card in world.device.sync(user).json["cards"]:
                for name in ("url", "image"):
                    plain = re.sub(r"[\x00-\x20]", "", card.get(name) or "").lower()
                    check(
                        not plain.startswith(("javascript:", "data:text", "vbscript:", "file:", "blob:")),
                        f"the card's {name} is {card.get(name)!r}",
                    )
            world.retire(made["id"])

    return attack


@topic.attack("A card's preview is in a sandboxed frame of no origin, with a policy that runs nothing")
def preview(world):
    form = {
        "c.name": "P",
        "c.variants[0].id": "a",
        "c.variants[0].card.type": "classic",
        "c.variants[0].card.title": CARD_MARK,
        "c.variants[0].card.description": CARD_MARK,
    }
    reply = world.admin.post("/dashboard/campaigns/preview", form)
    check(reply.status == 200, f"answered {reply}")
    feed = world.admin.page("/dashboard/users/kate/feed")
    for answer in (reply, feed):
        policy = answer.header("content-security-policy") or ""
        if (answer.header("content-type") or "").startswith("text/html"):
            check("sandbox" in policy and "allow-scripts" not in policy and "allow-same-origin" not in policy, policy)
            check("<xss-probe" not in answer.text, "the mark is an element")
    for path in ("/dashboard/users/kate", "/dashboard/campaigns/marked/edit"):
        for tag, attributes in Page(world.admin.page(path).text).elements:
            check(tag != "iframe" or attributes.get("sandbox") == "", f"{path}: {attributes}")


@topic.family
def after_all(world):
    world.retire("marked")
    yield "Campaigns of markup can be taken back", lambda: check(world.device.sync("kate").status == 200, "the sync")
