"""Temporary passwords and links to choose one: they end, are seen once, and open nothing but the choice of a
password."""

import re
import time

from ..browser import PASSWORD, Browser
from ..suite import Topic, check

topic = Topic("Temporary passwords")
CHOSEN = "walrus kettle drawer 58"


def issue(world, email, role="editor"):
    """Adds a member with a temporary password, which the command prints."""
    from placard_server import command

    world.add_member(email, role)
    printed = command(world.placard, "admin", "reset-password", email, "--database", f"sqlite:{world.path}")
    return printed.split()[-1]


def link(reply):
    """The token of the link that a page shows."""
    found = re.search(r'id="password-link">[^<]*/dashboard/password\?token=([A-Za-z0-9_-]+)<', reply.text)
    check(found, f"no link is shown: {reply}")
    return found[1]


def invite(world, email, role="editor"):
    return link(world.admin.post("/dashboard/team", {"name": "T", "email": email, "role": role}))


def choose(browser, token, password):
    form = browser.token(f"/dashboard/password?token={token}")
    return browser.post("/dashboard/password", {"token": token, "password": password}, token=form)


def signed_in(world, email, password):
    browser = Browser(world.port, world.address_of_this_machine())
    return browser, browser.sign_in(email, password)


@topic.attack("Links to choose a password are long, random, and stored and shown nowhere")
def shown_once(world):
    tokens = [invite(world, f"invited{number}@example.com") for number in range(3)]
    check(len(set(tokens)) == 3 and all(len(token) == 43 for token in tokens), f"{tokens}")
    for token in tokens:
        check(not world.database.contains(token) and token not in world.log, "it is kept")
        for path in ("/dashboard/team", "/dashboard/audit"):
            check(token not in world.admin.page(path).text, f"{path} shows it")


@topic.attack("A link works once, not after its time, and not when a letter of it is changed")
def links(world):
    email = "linked@example.com"
    token = invite(world, email)
    browser = Browser(world.port, world.address_of_this_machine())
    for other in (
        "",
        "A" * 43,
        token[:-1],
        token + "A",
        token[:-2] + ("AA" if not token.endswith("AA") else "QA"),
        "%00",
        "../" * 9,
    ):
        check(browser.page(f"/dashboard/password?token={other}").status == 404, f"{other!r} is taken")
    check(choose(browser, token, "short").status == 400, "a short password is taken")
    check(choose(browser, token, CHOSEN).status == 303, "the link doesn't work")
    check(browser.page(f"/dashboard/password?token={token}").status == 404, "it works again")
    token = link(world.admin.post("/dashboard/team/linked%40example.com/password", {}))
    check(signed_in(world, email, CHOSEN)[1].status == 401, "the old password works")
    world.database.write("UPDATE members SET link_expires_at = ? WHERE email = ?", time.time() - 1, email)
    check(browser.page(f"/dashboard/password?token={token}").status == 404, "it works after its time")


@topic.attack("A temporary password opens no page, form or stream but the choice of another, which it can't be itself")
def opens_nothing(world):
    email = "opens-nothing@example.com"
    password = issue(world, email, "admin")
    browser, reply = signed_in(world, email, password)
    check(reply.status == 303, f"the sign-in: {reply}")
    for path in [*world.pages, "/dashboard/live", "/dashboard/resume"]:
        reply = browser.page(path)
        is_account = reply.status == 200 and path.startswith("/dashboard/account")
        check(
            is_account or (reply.status == 303 and reply.header("location") == "/dashboard/account"), f"{path}: {reply}"
        )
    for route in world.of_surface(True):
        path = world.filled(route["path"])
        if (
            route["method"] == "POST"
            and route["needs"]
            and not path.startswith(
                ("/dashboard/account", "/dashboard/sign", "/dashboard/theme", "/dashboard/language", "/dashboard/setup")
            )
        ):
            reply = browser.post(path, {"name": "T", "email": "by-temporary@example.com", "role": "admin"})
            check(reply.status == 403, f"{path}: {reply}")
    check(
        not world.database.rows("SELECT 1 FROM members WHERE email = 'by-temporary@example.com'"), "a member was made"
    )
    for new, status in ((password, 400), ("password1234", 400), (CHOSEN, 303)):
        reply = browser.post("/dashboard/account/password", {"current": password, "password": new, "email": email})
        check(reply.status == status, f"{new!r}: {reply}")
    check(browser.page("/dashboard/campaigns").status == 200, "pages are closed after the choice")


@topic.attack("A temporary password that has expired signs no one in, and a wrong one isn't told so")
def expired(world):
    email = "expired-password@example.com"
    password = issue(world, email)
    world.database.write("UPDATE members SET password_expires_at = ? WHERE email = ?", time.time() - 1, email)
    browser, reply = signed_in(world, email, password)
    check(reply.status == 401 and not browser.is_signed_in and "has expired" in reply.text, f"answered {reply}")
    check("has expired" not in signed_in(world, email, "wrong password")[1].text, "a wrong password is told of it")


@topic.attack("A reset ends the sessions and the password, leaves the second factor on, and is for admins alone")
def reset(world):
    from .second_factor import Member

    member = Member(world, "reset@example.com")
    path = "/dashboard/team/reset%40example.com/password"
    for browser in (world.editor, world.viewer, member.browser):
        check(browser.post(path, {}).status == 403, "another than an admin resets it")
    check(member.browser.is_signed_in, "the session has ended before")
    token = link(world.admin.post(path, {}))
    check(not member.browser.is_signed_in, "the session goes on")
    check(signed_in(world, member.email, PASSWORD)[1].status == 401, "the old password works")
    check(
        choose(Browser(world.port, world.address_of_this_machine()), token, CHOSEN).status == 303,
        "the link doesn't work",
    )
    browser, reply = signed_in(world, member.email, CHOSEN)
    check('name="ticket"' in reply.text and not browser.is_signed_in, f"no code is asked for: {reply}")


@topic.attack("The command resets a password too, and prints it to whoever has the database alone")
def by_command(world):
    from placard_server import command

    world.add_member("by-command@example.com", "viewer")
    printed = command(
        world.placard, "admin", "reset-password", "by-command@example.com", "--database", f"sqlite:{world.path}"
    )
    password = printed.split()[-1]
    browser, reply = signed_in(world, "by-command@example.com", password)
    check(
        reply.status == 303 and browser.page("/dashboard").header("location") == "/dashboard/account",
        f"answered {reply}",
    )


@topic.attack("Passwords of more than 128 characters are refused, of 64 and of any script are taken")
def lengths(world):
    email = "lengths@example.com"
    world.add_member(email, "viewer")
    browser = world.browser(email)
    for password, status in (
        ("kettle walrus " + "aB3 " * 29, 400),
        ("語" * 200, 400),
        ("kettle walrus drawer " + "日本語の合言葉" * 6, 303),
    ):
        reply = browser.post("/dashboard/account/password", {"current": PASSWORD, "password": password, "email": email})
        check(reply.status == status, f"{len(password)} characters: {reply}")
