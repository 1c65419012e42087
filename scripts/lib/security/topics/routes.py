"""Who may reach which page and form: strangers none, each role its own."""

import re

from ..browser import Browser
from ..client import Client
from ..database import changes
from ..suite import Topic, check

topic = Topic("Roles and routes")
RANK = {"viewer": 0, "editor": 1, "admin": 2}


def is_refused(reply):
    """Whether a caller without a session got nothing."""
    location = reply.header("location") or ""
    return reply.status in (401, 403, 404, 405) or (reply.status == 303 and "/sign-in" in location)


@topic.family
def strangers(world):
    for route in world.of_surface(True):
        if route["needs"]:
            yield f"{route['method']} {route['path']} is nothing for who is not signed in", stranger(world, route)


def stranger(world, route):
    def attack():
        before = world.database.fingerprint
        reply = Client(world.port).send(
            route["method"],
            world.filled(route["path"]),
            "role=admin&email=x%40y.example",
            {"Content-Type": "application/x-www-form-urlencoded"},
        )
        check(is_refused(reply), f"answered {reply}")
        check(not changes(before, world.database.fingerprint), "something changed")

    return attack


@topic.family
def lower_roles(world):
    for route in world.of_surface(True):
        for role, browser in (("viewer", world.viewer), ("editor", world.editor)):
            if route["needs"] and RANK[route["needs"]] > RANK[role]:
                yield (
                    f"{route['method']} {route['path']} is refused to a member who is {role}",
                    lower(world, route, browser),
                )


def lower(world, route, browser):
    def attack():
        before = world.database.fingerprint
        path = world.filled(route["path"])
        if route["method"] == "GET":
            reply = browser.page(path)
        else:
            reply = browser.post(path, {"role": "admin", "email": "x@y.example", "name": "X", "kind": "secret"})
        check(reply.status == 403, f"answered {reply}")
        check(not changes(before, world.database.fingerprint), "something changed")
        entry = world.api.must("GET", "/v1/audit?limit=1")
        check("request.forbidden" in str(entry), f"the refusal is not in the audit log: {entry}")

    return attack


# What a viewer saves for themselves; the attack on filters tries what is others'.
OWN_FILTERS = ("/dashboard/filters", "/dashboard/filters/{id}", "/dashboard/filters/{id}/delete")


@topic.attack("A viewer has no form that changes anything but the own account and the own filters")
def viewer_forms(world):
    # What is undone of others' things needs the role that it took, which is looked at again.
    own = ("/dashboard/account", "/dashboard/sign-out", "/dashboard/theme", "/dashboard/language", "/dashboard/undo")
    for route in world.of_surface(True):
        if route["method"] == "POST" and route["needs"] == "viewer" and route["path"] not in OWN_FILTERS:
            check(route["path"].startswith(own), f"{route['path']} needs a viewer only")


@topic.attack("A viewer shares no filter and changes none of others, and one that isn't shared is its owner's alone")
def filters(world):
    def saved():
        return world.database.rows("SELECT id, owner, shared, name FROM saved_filters ORDER BY name")

    search = {"list": "campaigns", "query": "q=a"}
    world.viewer.post("/dashboard/filters", {**search, "name": "Shared by a viewer", "share": "on"})
    check(not saved(), f"a viewer shared a filter: {saved()}")
    for name, share in (("Plan", {}), ("Team", {"share": "on"})):
        world.editor.post("/dashboard/filters", {**search, "name": name, **share})
    before = saved()
    check([(shared, name) for _, _, shared, name in before] == [(0, "Plan"), (1, "Team")], f"saved were {before}")
    (plan, team), change = (row[0] for row in before), {"name": "Stolen", "share": "on"}
    for browser, filters in ((world.viewer, (plan, team)), (world.admin, (plan,))):
        check("Plan" not in browser.page("/dashboard/filters").text, "a filter that isn't shared is shown to others")
        for path in (f"/dashboard/filters/{filter}" for filter in filters):
            for reply in (browser.post(path, change), browser.post(f"{path}/delete", {})):
                check(reply.status in (403, 404), f"{path} answered {reply}")
    world.viewer.post("/dashboard/filters", {**search, "name": "Own"})
    own = next(row[0] for row in saved() if row[3] == "Own")
    world.viewer.post(f"/dashboard/filters/{own}", {"name": "Own", "share": "on"})
    check([row for row in saved() if row[0] != own] == before, f"filters became {saved()}")
    check([row[2] for row in saved() if row[0] == own] == [0], "a viewer shared their own filter")


# What editors import from a file is theirs to start; who may only look has none of it.
IMPORTS = "/dashboard/users/imports/"


@topic.attack("Forms of the team, keys and settings and deletions of users need an admin, and imports an editor")
def admin_forms(world):
    for route in world.of_surface(True):
        if route["method"] == "POST" and route["path"].startswith(
            ("/dashboard/team", "/dashboard/keys", "/dashboard/settings", "/dashboard/users")
        ):
            needed = "editor" if route["path"].startswith(IMPORTS) else "admin"
            check(route["needs"] == needed, f"{route['path']} needs {route['needs']}")


@topic.attack("Every route of the API is in the list of routes, and the list in the API")
def lists(world):
    listed = {(route["method"], route["path"]) for route in world.of_surface(False)}
    described = {(method.upper(), path) for path, methods in world.document["paths"].items() for method in methods}
    check(listed == described, f"{listed ^ described}")


SPELLINGS = [
    "//dashboard/keys",
    "/dashboard//keys",
    "/dashboard/keys/",
    "/dashboard/./keys",
    "/dashboard/assets/../keys",
    "/dashboard/%6beys",
    "/Dashboard/keys",
    "/dashboard/keys;a=b",
    "/dashboard/keys%00",
    "/dashboard%2fkeys",
    "/./dashboard/keys",
    "/dashboard/sign-in/../keys",
    "/dashboard\\keys",
    "/dashboard/sign-in/%2e%2e/keys",
]


@topic.family
def spellings(world):
    for path in SPELLINGS:
        yield f"The page of keys spelled {path} is not shown to who is not signed in", spelled(world, path)


def spelled(world, path):
    def attack():
        reply = Client(world.port).get(path)
        check("Backend" not in reply.text and "…" not in reply.text, f"shown: {reply}")
        check(reply.status != 200 or "sign-in" in reply.text, f"answered {reply}")
        check(reply.status < 500, f"answered {reply}")

    return attack


@topic.family
def methods(world):
    for method in ("HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "post", "GETS"):
        yield f"The method {method} opens no page and does nothing that a form does", other_method(world, method)


def other_method(world, method):
    def attack():
        before = world.database.fingerprint
        for path in ("/dashboard/keys", "/dashboard/team", "/dashboard/settings", "/dashboard/users/spare/delete"):
            headers = {"Cookie": "; ".join(f"{n}={v}" for n, v in world.admin.cookies.items())}
            reply = Client(world.port).send(method, path, None, headers)
            check(reply.status < 500, f"{path} answered {reply}")
            check("Backend" not in reply.text, f"{path} was shown")
            check(method != "TRACE" or headers["Cookie"] not in reply.text, f"{path} sent the cookie back")
        check(not changes(before, world.database.fingerprint), "something changed")

    return attack


@topic.attack("A form's address does nothing when it is opened as a link, even by an admin")
def forms_by_get(world):
    before = world.database.fingerprint
    for route in world.of_surface(True):
        if route["method"] == "POST" and not route["path"].endswith("sign-out"):
            reply = world.admin.page(world.filled(route["path"]) + "?csrf=x&role=admin&email=x%40y.example")
            check(reply.status < 500, f"{route['path']} answered {reply}")
    check(not changes(before, world.database.fingerprint), "something changed")


@topic.family
def overrides(world):
    for name in ("X-HTTP-Method-Override", "X-Method-Override", "X-Original-URL", "X-Rewrite-URL"):
        yield f"The header {name} makes no other request of a request", override(world, name)


def override(world, name):
    def attack():
        before = world.database.fingerprint
        value = "DELETE" if "Method" in name else "/dashboard/keys"
        reply = Client(world.port).send("GET", "/dashboard/sign-in", headers={name: value})
        check("Backend" not in reply.text, "the keys are shown")
        reply = world.api.call("GET", "/v1/users/spare", **{name: value})
        check(reply.status == 200, f"answered {reply}")
        check(not changes(before, world.database.fingerprint), "something changed")

    return attack


@topic.attack("A role that is taken back is gone with the next request")
def demotion(world):
    world.add_member("demoted@example.com", "editor")
    demoted = world.browser("demoted@example.com")
    check(demoted.page("/dashboard/campaigns/new").status == 200, "an editor cannot make a campaign")
    token = demoted.token()
    world.admin.post("/dashboard/team/demoted%40example.com/role", {"role": "viewer"})
    check(
        demoted.post("/dashboard/campaigns/draft/duplicate", {}, token=token).status in (401, 403),
        "an old form still works",
    )
    check(demoted.page("/dashboard/campaigns/new").status in (303, 403), "the page is still shown")


@topic.attack("A member who is removed is signed out everywhere, with the next request")
def removal(world):
    world.add_member("removed@example.com", "admin")
    removed = world.browser("removed@example.com")
    token = removed.token()
    world.admin.post("/dashboard/team/removed%40example.com/remove", {})
    check(removed.page("/dashboard/keys").status != 200, "the keys are still shown")
    reply = removed.post("/dashboard/keys", {"name": "X", "kind": "secret"}, token=token)
    check(reply.status in (303, 401, 403) and not re.search(r"(?<![\w-])sk_", reply.text), f"answered {reply}")
    again = Browser(world.port, world.address_of_this_machine()).sign_in("removed@example.com")
    check(again.status == 401, f"signing in again answered {again}")


@topic.attack("Nobody makes an account, or themselves an admin, without the setup code once there is an admin")
def second_setup(world):
    browser = Browser(world.port)
    fields = {"code": world.setup_code, "name": "Eve", "email": "eve@example.com", "password": "tin-kettle 48 harbours"}
    reply = browser.post("/dashboard/setup", fields, token=browser.token("/dashboard/sign-in"))
    check(reply.status in (303, 403, 404), f"answered {reply}")
    check(not world.database.rows("SELECT 1 FROM members WHERE email LIKE 'eve%'"), "an account was made")
    reply = world.editor.post("/dashboard/team/emil%40example.com/role", {"role": "admin"})
    check(reply.status == 403, f"an editor became admin: {reply}")


@topic.attack("The last admin cannot be removed or demoted, so that nobody is left without one")
def last_admin(world):
    for path, fields in (("role", {"role": "viewer"}), ("remove", {})):
        world.admin.post(f"/dashboard/team/anna%40example.com/{path}", fields)
        check(world.admin.page("/dashboard/keys").status == 200, f"{path} took the last admin away")
        roles = world.database.rows("SELECT role FROM members WHERE email = 'anna@example.com'")
        check(roles == [("admin",)], f"{path} made the admin {roles}")
