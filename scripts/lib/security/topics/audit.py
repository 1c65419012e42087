"""The audit log: what is in it, that nobody else writes it, and that a change of it shows."""

import json
import re
import subprocess
import uuid

from ..browser import Browser
from ..clock import until
from ..suite import Topic, check
from ..world import ADMIN, MEMBERS

topic = Topic("Audit")


def entries(world, limit=100):
    return world.api.must("GET", f"/v1/audit?limit={limit}")["entries"]


def newest(world, do, wanted=None):
    """The entries that something adds; some are written after the reply, so a wanted action is waited for."""
    before = world.database.rows("SELECT max(position) FROM audit")[0][0] or 0
    do()
    actions = "SELECT action FROM audit WHERE position > ?"
    if wanted:
        until(
            lambda: any(re.search(wanted, action) for (action,) in world.database.rows(actions, before)),
            lambda: f"no entry like {wanted}: {world.database.rows(actions, before)}",
        )
    else:
        world.database.settled_counts
    return [
        dict(zip(world.database.columns("audit"), row))
        for row in world.database.rows("SELECT * FROM audit WHERE position > ? ORDER BY position", before)
    ]


def has(world, do, wanted, subject=None, actor=None):
    """Checks that an entry appears whose action matches, about a subject and by an actor."""
    found = [entry for entry in newest(world, do, wanted) if re.search(wanted, entry["action"])]
    if subject:
        check(any(subject in str(entry) for entry in found), f"not about {subject}: {found}")
    if actor:
        check(any(actor in str(entry["actor"]) for entry in found), f"not by {actor}: {found}")
    return found


def fail_to_sign_in(world):
    Browser(world.port, world.address_of_this_machine()).sign_in(MEMBERS["viewer"], "wrong password")


CASES = {
    "a failed sign-in": (fail_to_sign_in, r"session\.(refused|failed)|sign", None, None),
    "a sign-in": (lambda world: world.browser(ADMIN), r"session|sign", ADMIN, None),
    "a deletion of a user by a key": (
        lambda world: (
            world.api.call("PATCH", "/v1/users/audited-a", {}),
            world.api.call("DELETE", "/v1/users/audited-a"),
        ),
        r"user.*delet|delet.*user|erase",
        None,
        "key",
    ),
    "a deletion of users by the documented API": (
        lambda world: (
            world.api.call("PATCH", "/v1/users/audited-b", {}),
            world.api.call("POST", "/users/delete", {"external_ids": ["audited-b"]}),
        ),
        r"user.*delet|erase",
        None,
        "key",
    ),
    "a deletion of a user by a member": (
        lambda world: (
            world.api.call("PATCH", "/v1/users/audited-c", {}),
            world.admin.post("/dashboard/users/audited-c/delete", {}),
        ),
        r"user.*delet|erase",
        None,
        ADMIN,
    ),
    "an export of users": (
        lambda world: world.api.call("POST", "/users/export/ids", {"external_ids": ["kate"]}),
        r"export|read",
        None,
        "key",
    ),
    "an export of events": (lambda world: world.api.call("GET", "/v1/events/export"), r"export|read", None, "key"),
    "a member's look at a user": (
        lambda world: world.viewer.page("/dashboard/users/kate"),
        r"user.*(read|view|show)|read",
        None,
        MEMBERS["viewer"],
    ),
    "a member's look at the event log": (
        lambda world: world.admin.page("/dashboard/events"),
        r"event\.list",
        None,
        ADMIN,
    ),
    "a member's look at the events of a user": (
        lambda world: world.admin.page("/dashboard/events?user=kate"),
        r"user\.read",
        None,
        ADMIN,
    ),
    "a new key": (
        lambda world: world.api.call(
            "POST", "/v1/keys", {"name": "Audited", "kind": "secret", "permissions": ["users.track"]}
        ),
        r"key\.create",
        None,
        "key",
    ),
    "a new role": (
        lambda world: world.admin.post("/dashboard/team/vera%40example.com/role", {"role": "viewer"}),
        r"member|role",
        MEMBERS["viewer"],
        ADMIN,
    ),
    "a change of settings": (
        lambda world: world.api.call(
            "PUT", "/v1/settings", {**world.api.must("GET", "/v1/settings"), "card_limit": 249}
        ),
        r"settings",
        None,
        "key",
    ),
    "a launch": (lambda world: world.retire(world.launch("Audited")), r"campaign\.launch", None, "key"),
    "a form that was forged": (
        lambda world: world.admin.post("/dashboard/keys", {"name": "x"}, token="AAAA"),
        r"request\.forged",
        "/dashboard/keys",
        ADMIN,
    ),
    "a page that a role may not see": (
        lambda world: world.viewer.page("/dashboard/campaigns/new"),
        r"request\.forbidden",
        None,
        MEMBERS["viewer"],
    ),
}


@topic.family
def actions(world):
    for name, (do, wanted, subject, actor) in CASES.items():
        yield (
            f"The audit log has {name}",
            lambda do=do, wanted=wanted, subject=subject, actor=actor: has(
                world, lambda: do(world), wanted, subject, actor
            ),
        )


@topic.attack("A change of settings says what was changed")
def what_changed(world):
    settings = world.api.must("GET", "/v1/settings")
    found = has(world, lambda: world.api.call("PUT", "/v1/settings", {**settings, "card_limit": 248}), "settings")
    check("card_limit" in str(found), f"it says {found}")
    world.api.must("PUT", "/v1/settings", settings)


@topic.attack("A stranger writes no name of a member into the audit log as the actor")
def forged_actor(world):
    added = newest(world, lambda: fail_to_sign_in(world))
    check(added, "nothing was noted")
    for entry in added:
        check(
            entry["actor"] not in (MEMBERS["viewer"], f"member:{MEMBERS['viewer']}"),
            f"a failed sign-in stands as done by the member: {entry}",
        )


@topic.attack("Strangers' attempts add little to the audit log: no long texts, and no row for each")
def bounded(world):
    before = world.database.size
    source = world.address_of_this_machine()

    def attempts():
        for number in range(60):
            browser = Browser(world.port, source)
            token = browser.token("/dashboard/sign-in")
            browser.post(
                "/dashboard/sign-in",
                {"email": f"{number}" + "x" * 5_000 + "@example.com", "password": "x"},
                token=token,
            )

    added = newest(world, attempts)
    check(all(len(str(value)) < 600 for entry in added for value in entry.values()), "long texts were kept")
    check(len(added) <= 45, f"{len(added)} entries of 60 attempts")
    check(world.database.size - before < 1 << 20, "the file grew by more than 1 MiB")


@topic.attack("Nobody changes or deletes an entry: there is no route for it")
def no_route(world):
    for route in world.routes:
        check("audit" not in route["path"] or route["method"] == "GET", f"{route}")


@topic.attack("The whole log can be read, page by page, without end")
def paging(world):
    seen, before = set(), None
    for _ in range(400):
        page = world.api.must("GET", "/v1/audit?limit=50" + (f"&before={before}" if before else ""))
        new = {json.dumps(entry, sort_keys=True) for entry in page["entries"]}
        if not page["entries"] or new <= seen:
            break
        seen |= new
        last = page["entries"][-1]
        before = page.get("next") or page.get("before") or last.get("position") or last.get("id")
        check(before, f"a page does not say where the next begins: {list(page)} {list(last)}")
    count = world.database.counts["audit"]
    check(len(seen) >= min(count, 20_000) * 0.95, f"{len(seen)} of {count} entries can be read")


def verify(world, path=None):
    """The exit status and words of the command that checks the chain."""
    done = subprocess.run(
        [world.placard, "audit", "verify", "--database", f"sqlite:{path or world.path}"], capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


@topic.attack("The chain of the audit log verifies as it is")
def chain(world):
    status, words = verify(world)
    check(status == 0, f"{words}")


@topic.attack(
    "A refused form about a user doesn't write the user's id into the database, where it would outlive the user"
)
def refused_form(world):
    mark = f"refused-{uuid.uuid4()}"
    path = f"/dashboard/users/{mark}/delete"
    check(world.viewer.post(path, {}).status == 403, "a viewer deletes users")
    check(world.viewer.post(path, {}, token="forged").status == 403, "a forged form is taken")
    # What was left out of earlier minutes may have got its entry in between.
    entries = world.api.must("GET", "/v1/audit?limit=6")["entries"]
    own = [entry for entry in entries if not (entry.get("details") or {}).get("more")][:2]
    check({entry["action"] for entry in own} == {"request.forbidden", "request.forged"}, f"{entries}")
    check(not world.database.contains(mark) and mark not in world.log, "the id is kept")


CHANGES = {
    "changed": "UPDATE audit SET subject = subject || 'x' WHERE position = ?",
    "deleted": "DELETE FROM audit WHERE position = ?",
    "moved": "UPDATE audit SET at = at - 1000 WHERE position = ?",
    "put to another's name": "UPDATE audit SET actor = 'eve' WHERE position = ?",
}


@topic.family
def tampering(world):
    for name, statement in CHANGES.items():
        yield f"An entry that was {name} in the file is found", tampered(world, name, statement)
    yield "Entries that were cut off at the end of the log are found", lambda: cut_off(world)


def copy(world, name):
    import os
    from ..database import Database

    path = os.path.join(world.folder, f"audit-{name.replace(' ', '-').replace(chr(39), '')}.sqlite")
    subprocess.run(
        [world.placard, "backup", path, "--database", f"sqlite:{world.path}"], check=True, capture_output=True
    )
    return Database(path)


def tampered(world, name, statement):
    def attack():
        database = copy(world, name)
        check(verify(world, database.path)[0] == 0, "the copy does not verify as it is")
        positions = [row[0] for row in database.rows("SELECT position FROM audit ORDER BY position")]
        database.write(statement, positions[len(positions) // 2])
        status, words = verify(world, database.path)
        check(status != 0, f"it verifies: {words}")

    return attack


def cut_off(world):
    database = copy(world, "cut")
    check(verify(world, database.path)[0] == 0, "the copy does not verify as it is")
    database.write("DELETE FROM audit WHERE position > (SELECT max(position) - 5 FROM audit)")
    status, words = verify(world, database.path)
    check(status != 0, f"it verifies: {words}")
