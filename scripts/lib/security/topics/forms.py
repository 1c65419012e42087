"""Every field of every form, and every name in a page's query, with what no field was made for."""

import urllib.parse

from ..page import Page
from ..suite import Topic, check

topic = Topic("Forms and queries")
MIXED = "\u0000\u202e\ufeff<a \"'>{{ {% %}\r\n"
NUMBERS = [
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "1e400",
    "-1e308",
    "NaN",
    "-1",
    "0.5",
    "",
    "٣",
    "1" * 400,
    "\u0000",
    "2026-02-30",
    "9999-12-31T23:59:60",
    "275760-09-13T00:00:01",
    "x" * 30_000,
    MIXED,
]
RAW = ["%ff%fe", "%00", "%", "%c0%80"]
SKIPPED = ("/sign-out", "/theme", "/remove", "/revoke", "/rotate", "/delete", "%40example.com/password")
RICH = {
    "id": "rich",
    "audience": {"all": [{"attribute": "plan", "value": "x"}]},
    "conversions": [{"id": "a", "on": {"event": "x"}}],
    "delivery": {"type": "action", "trigger": {"event": "x"}},
}


def is_page(reply):
    """A page that says something, and no failure."""
    check(reply.status < 500, f"answered {reply}")


def forms(world):
    """A form of each route and kind, with a path that it can be sent to; those that end something are left out."""
    found = {}
    world.api.call("POST", "/v1/campaigns", world.campaign("Rich", **RICH))
    for path in [*world.pages, "/dashboard/campaigns/rich/edit", "/dashboard/campaigns/draft/launch"]:
        reply = world.admin.page(path)
        for form in Page(reply.text).forms if reply.status == 200 else []:
            key = urllib.parse.urlsplit(form.action).path.replace("/rich/", "/welcome/").replace("/draft/", "/welcome/")
            is_wanted = form.method == "post" and not key.endswith(SKIPPED) and key != "/dashboard/campaigns/new"
            if is_wanted and len(form.names) > len(found[key].names if key in found else []):
                found[key] = form
    return list(found.values())


@topic.family
def fields(world):
    for form in forms(world):
        yield (
            f"POST {form.action}: no number or text in one of its {len(form.names)} fields does harm",
            each_field(world, form),
        )
        yield f"POST {form.action}: no number or text in all of its fields at once does harm", all_fields(world, form)


def kinds(form):
    """A field of each kind: rows of one kind are read by the same code."""
    seen = {}
    for name in form.names:
        seen.setdefault("".join("#" if letter.isdigit() else letter for letter in name), name)
    return [name for name in seen.values() if name != "csrf"]


def each_field(world, form):
    def attack():
        for number, name in enumerate(kinds(form)):
            fields = [(key, kept) for key, kept in form.fields.items() if key not in (name, "csrf")]
            is_page(world.admin.post(form.action, [*fields, (name, (NUMBERS[1], MIXED)[number % 2])]))
        check(world.admin.is_signed_in, "the session is over")

    return attack


def all_fields(world, form):
    def attack():
        for value in NUMBERS:
            is_page(world.admin.post(form.action, {name: value for name in form.names if name != "csrf"}))
        names = [urllib.parse.quote(name) for name in form.names if name != "csrf"]
        for raw in RAW:
            body = "".join(f"&{name}={raw}" for name in names)
            is_page(world.admin.post_raw(form.action, f"csrf={world.admin.token()}{body}"))
        for path in ("/dashboard", "/dashboard/settings", "/dashboard/campaigns", "/dashboard/segments"):
            check(world.admin.page(path).status == 200, f"{path} can no longer be shown")

    return attack


@topic.family
def queries(world):
    for path in world.pages:
        reply = world.admin.page(path)
        own = Page(reply.text).query_names if reply.status == 200 else set()
        names = sorted(
            {name for name in own if name not in ("csrf", "")}
            | {"before", "after", "page", "limit", "at", "q", "done", "error"}
        )
        yield f"GET {path}: nothing in its query does harm: {', '.join(names)}", query(world, path, names)


def query(world, path, names):
    def attack():
        for value in [urllib.parse.quote(value) for value in NUMBERS[:9] + NUMBERS[12:15]] + RAW + ["x" * 3000]:
            is_page(world.admin.page(path + "?" + "&".join(f"{urllib.parse.quote(name)}={value}" for name in names)))
        for name in names:
            is_page(world.admin.page(f"{path}?{urllib.parse.quote(name)}={NUMBERS[1]}"))

    return attack


# Forms that are larger than any page makes them.

ROWS = {
    "key-value pairs": "c.variants[0].card.extras[{}].key",
    "variants": "c.variants[{}].name",
    "conditions": "c.audience.items[{}].name",
    "languages": "c.variants[0].card.translations[{}].language",
    "conversions": "c.conversions[{}].id",
    "removal events": "c.rules.remove_on[{}].name",
    "nothing that it knows": "c.unknown[{}].x",
}
EDITORS = ("new", "reshape", "preview", "check")


@topic.family
def rows(world):
    for kind, name in ROWS.items():
        yield f"An editor's form with 3,000 rows of {kind} is answered or refused in seconds", many_rows(world, name)


def many_rows(world, name):
    def attack():
        fields = [(name.format(number), f"v{number}") for number in range(3000)]
        for editor in EDITORS:
            with world.effort(3, editor):
                is_page(world.admin.post(f"/dashboard/campaigns/{editor}", fields))

    return attack


NAMES = {
    "an index of 2⁶³ − 1": "c.variants[9223372036854775807].name",
    "an index of 2⁶⁴": "c.variants[18446744073709551616].name",
    "a negative index": "c.variants[-1].name",
    "a name 100,000 deep": "c" + ".a" * 100_000,
    "an index 100,000 deep": "c" + "[0]" * 100_000,
    "a name of brackets": "c.[[[]]]..[",
    "an empty name": "",
    "a name of a NUL": "c.\u0000",
    "a value where rows are": "c.variants",
    "rows where a value is": "c.name[0].x",
    "names of Unicode": "c.v\u0430riants[٣].name",
}


@topic.family
def names(world):
    for kind, name in NAMES.items():
        yield f"A form with {kind} is answered or refused", odd_name(world, name)


def odd_name(world, name):
    def attack():
        for path in (
            "/dashboard/campaigns/new",
            "/dashboard/campaigns/reshape",
            "/dashboard/segments/new",
            "/dashboard/segments/reshape",
            "/dashboard/settings",
            "/dashboard/keys",
        ):
            with world.effort(2, path):
                is_page(world.admin.post(path, [("c.name", "N"), (name, "1"), (name, "2")]))

    return attack


SIZES = {
    "100,000 fields": "&".join(["a=b"] * 100_000),
    "one field of 900 KB": "a=" + "b" * 900_000,
    "900 KB of ampersands": "&" * 900_000,
    "900 KB of percent signs": "a=" + "%" * 900_000,
    "900 KB of encoded NULs": "a=" + "%00" * 300_000,
    "10,000 other names": "&".join(f"n{number}=1" for number in range(10_000)),
}


@topic.family
def sizes(world):
    for kind, body in SIZES.items():
        yield f"A form of {kind} is answered or refused in a second or two", sized(world, body)


def sized(world, body):
    def attack():
        for path in ("/dashboard/sign-in", "/dashboard/campaigns/reshape", "/dashboard/keys"):
            token = world.admin.token()
            with world.effort(3, path):
                reply = world.admin.post_raw(path, f"csrf={token}&{body}")
            is_page(reply)
            check(len(reply.body) < 2_000_000, f"{path} answered {len(reply.body)} bytes")

    return attack


@topic.attack("A form of 30 MB is refused without being kept in memory")
def huge(world):
    with world.memory(80):
        try:
            reply = world.admin.post_raw("/dashboard/keys", "a=" + "b" * 30_000_000)
            check(reply.status in (400, 403, 413), f"answered {reply}")
        except ConnectionError:
            pass
        world.admin.close()
