"""What a reader of the disk, the log or a backup finds."""

import base64
import os
import re
import stat
import subprocess
import time
import uuid

from ..browser import PASSWORD, Browser
from ..client import Api
from ..database import Database
from ..suite import Topic, check
from ..world import SECRET_ATTRIBUTE
from .csrf import decode

topic = Topic("Data at rest and logs")


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


@topic.attack("The database and its log and index are for their owner alone, whatever the umask")
def modes(world):
    check(len(world.database.files) >= 2, f"{world.database.files}")
    for file in world.database.files:
        check(mode(file) & 0o077 == 0, f"{os.path.basename(file)} has {mode(file):o}")
    old = os.umask(0)
    try:
        with world.instance("umask") as instance:
            instance.api.must("PATCH", "/v1/users/a", {"custom_attributes": {"a": 1}})
            for file in instance.database.files:
                check(mode(file) & 0o077 == 0, f"with umask 0, {os.path.basename(file)} has {mode(file):o}")
    finally:
        os.umask(old)


@topic.attack("A backup is for its owner alone, whatever the umask")
def backup(world):
    target = os.path.join(world.folder, "backup.sqlite")
    subprocess.run(
        [world.placard, "backup", target, "--database", f"sqlite:{world.path}"],
        check=True,
        capture_output=True,
        umask=0,
    )
    for file in Database(target).files:
        check(mode(file) & 0o077 == 0, f"{os.path.basename(file)} has {mode(file):o}")
    check(Database(target).counts["users"] == world.database.counts["users"], "it is not whole")


@topic.family
def clear_text(world):
    from .second_factor import Member

    member = Member(world, "at-rest@example.com")
    cookie = member.browser.session_cookie[1]
    secret = world.api.must("PUT", "/v1/webhook", {"url": "https://192.0.2.1/hook"}).get("secret")
    form = member.browser.token()
    kept = {
        "a secret key": [world.secret],
        "a publishable key": [world.publishable],
        "a password": [PASSWORD],
        "the cookie of a session": [cookie, decode(cookie)],
        "a form's token": [form],
        "the secret of a second factor": [
            member.secret,
            base64.b32encode(member.secret).rstrip(b"="),
            base64.b64encode(member.secret).rstrip(b"="),
        ],
        "a recovery code": [text for code in member.recovery for text in (code, re.sub(r"\W", "", code))],
        "the secret of a webhook": [secret, secret.removeprefix("whsec_")] if secret else [b"\0" * 40],
        "the setup code": [world.setup_code],
    }
    for name, texts in kept.items():
        yield f"The database's files do not have {name} in clear", lambda texts=texts: not_in_files(world, texts)
    world.api.call("DELETE", "/v1/webhook")


def not_in_files(world, texts):
    for text in texts:
        found = world.database.contains(text)
        check(not found, f"{text!r} is in {found}")


@topic.attack("What recovery codes are kept as is slow to try")
def slow_codes(world):
    """Ten digits hashed fast are tried in minutes; the hash has to say that it costs something."""
    for table in world.database.tables:
        for column in world.database.columns(table):
            if "recovery" in column or ("recovery" in table and "hash" in column):
                for (value,) in world.database.rows(f'SELECT "{column}" FROM "{table}" WHERE length("{column}") > 0'):
                    data = value if isinstance(value, bytes) else str(value).encode()
                    check(
                        b"scrypt" in data or len(data) > 10 * 40,
                        f"{table}.{column} has plain hashes of {len(data)} bytes",
                    )


@topic.attack("A user who is deleted is gone from the files once the server has ended")
def erased(world):
    mark = f"erase-{uuid.uuid4()}"
    with world.instance("erased") as instance:
        instance.api.must(
            "PATCH",
            f"/v1/users/{mark}",
            {"attributes": {"first_name": f"name-{mark}"}, "custom_attributes": {f"attribute-{mark}": f"value-{mark}"}},
        )
        instance.device.call(
            "POST",
            "/v1/events",
            {
                "user_id": mark,
                "device_id": f"device-{mark}",
                "events": [
                    {
                        "id": str(uuid.uuid4()),
                        "type": "custom",
                        "name": f"event-{mark}",
                        "at": time.time(),
                        "properties": {"a": f"property-{mark}"},
                    }
                ],
            },
        )
        instance.device.sync(mark, f"device-{mark}")
        check(instance.database.contains(mark), "it was never there")
        check(instance.api.call("DELETE", f"/v1/users/{mark}").status == 204, "it cannot be deleted")
        for text in ("name-", "attribute-", "value-", "property-", "event-"):
            rows = [
                table
                for table in instance.database.tables
                for row in instance.database.rows(f'SELECT * FROM "{table}"')
                if text + mark in repr(row)
            ]
            check(not rows, f"{text}… is still a row of {rows}")
        path = instance.database
        instance.server.stop()
        found = [
            text for text in ("name-", "attribute-", "value-", "property-", "event-") if path.contains(text + mark)
        ]
        instance.server.start()
    check(not found, f"{found} are still in the file")


@topic.attack("A device that was offline does not bring a deleted user's past back")
def tombstone(world):
    world.api.must("PATCH", "/v1/users/forgotten", {"custom_attributes": {"a": 1}})
    old = {
        "id": str(uuid.uuid4()),
        "type": "custom",
        "name": "from-the-past",
        "at": time.time() - 3600,
        "properties": {"secret": "past"},
    }
    attributes = {
        "id": str(uuid.uuid4()),
        "type": "attributes",
        "at": time.time() - 3600,
        "attributes": {"first_name": "Past"},
    }
    check(world.api.call("DELETE", "/v1/users/forgotten").status == 204, "it cannot be deleted")
    world.device.call("POST", "/v1/events", {"user_id": "forgotten", "device_id": "d", "events": [old, attributes]})
    read = world.api.call("GET", "/v1/users/forgotten")
    check("Past" not in read.text, f"the attributes are back: {read}")
    listed = world.api.call("GET", "/v1/users/forgotten/events")
    check("from-the-past" not in listed.text, f"the event is back: {listed}")


# Logs.


@topic.family
def logs(world):
    for level, form in (("trace", "json"), ("debug", "text")):
        with world.instance(f"logs-{level}", "--log-level", level, "--log-format", form) as instance:
            told = tell(instance)
            log = instance.log
            for name, texts in told.items():
                yield (
                    f"The log at the level {level} has {name} nowhere",
                    lambda texts=texts, log=log: not_in_log(log, texts),
                )
            yield (
                f"The log at the level {level} has whole lines alone: nobody writes one",
                lambda log=log, form=form: lines(log, form),
            )


def not_in_log(log, texts):
    for text in texts:
        place = log.find(text)
        check(place < 0, f"{text!r} is in it: …{log[max(0, place - 100) : place + 60]!r}")


def tell(instance):
    """Says everything to a server that its log must not repeat."""
    browser = instance.make_admin()
    user, mail, password = "user-4711-logged", "logged@example.com", "harbour kettle 94 tin"
    instance.api.call("PATCH", f"/v1/users/{user}", {"attributes": {"first_name": SECRET_ATTRIBUTE}})
    for path in (
        f"/v1/users/{user}",
        f"/v1/users/{user}/feed",
        f"/v1/users/{user}/explain",
        f"/v1/users/{user}/events",
        f"/v1/users/none-{user}",
        f"/v1/live?user_id={user}&token=tok-en-in-query",
    ):
        Api(instance.port, "sk_" + "wrong" * 8).call("GET", path)
        if "live" not in path:
            instance.api.call("GET", path)
    instance.device.token = "token.of-a-user.logged"
    instance.device.sync(user)
    instance.device.call("POST", "/v1/sync", f'{{"user_id":"{user}","device_id":7}}')
    other = Browser(instance.port)
    other.sign_in(mail, password)
    other.post("/dashboard/keys", {"name": "n"}, token="forged-form-token")
    browser.page(f"/dashboard/users/{user}")
    browser.post(f"/dashboard/users/{user}/delete", {}, token="forged")
    browser.post("/dashboard/account/password", {"current": password, "password": "a new " + password, "email": mail})
    instance.api.call("GET", "/v1/users/forged%0a2026-01-01T00:00:00Z%20error%20FORGED-LINE")
    browser.page("/dashboard/users/forged%0aFORGED-LINE")
    Api(instance.port, None).send(
        "GET", "/v1/keys?x=\nFORGED-LINE".replace("\n", "%0A"), None, {"User-Agent": "FORGED-LINE"}
    )
    time.sleep(0.3)
    return {
        "a user's id": [user],
        "an attribute": [SECRET_ATTRIBUTE],
        "a password": [password, PASSWORD],
        "a key": [instance.secret, instance.publishable, "sk_wrongwrong"],
        "a token": ["token.of-a-user", "tok-en-in-query", "forged-form-token"],
        "a session": [browser.session_cookie[1]],
    }


def lines(log, form):
    import json

    check(log.strip(), "it is empty")
    for line in log.splitlines():
        if not line.strip():
            continue
        if form == "json":
            json.loads(line)
        else:
            check(re.match(r"^\d{4}-\d\d-\d\dT", line), f"a line of another's: {line[:80]!r}")


@topic.attack("The main server's log has no key, password, user id or session of all these attacks")
def main_log(world):
    log = world.log
    for text in (
        world.secret,
        world.publishable,
        PASSWORD,
        SECRET_ATTRIBUTE,
        world.admin.session_cookie[1],
        world.setup_code,
    ):
        check(text not in log, f"{text[:12]}… is in it")


@topic.attack("Commands print no secret of what exists, and no password is asked for on the command line")
def commands(world):
    from placard_server import command

    for arguments in (["key", "list", "--json"], ["doctor", "--json"], ["routes", "--json"]):
        done = subprocess.run(
            [world.placard, *arguments, *([] if arguments[0] == "routes" else ["--database", f"sqlite:{world.path}"])],
            capture_output=True,
            text=True,
        )
        for text in (world.secret, world.publishable, PASSWORD, "scrypt$"):
            check(text not in done.stdout + done.stderr, f"{arguments} prints {text[:6]}…")
    text = command(world.placard, "admin", "create", "--help")
    check("--password <" not in text and "--password=" not in text, "a password may stand on the command line")
