"""What must happen once and is asked for many times at the same moment."""

import threading
import time
import uuid

from ..browser import PASSWORD, Browser
from ..client import Api
from ..clock import until
from ..raw import connect, read, read_head
from ..suite import Topic, check
from .sign_in import at_once

topic = Topic("Races")


def statuses(world, method, path, body, count=12, key=None):
    """The statuses of a request that is sent many times at once, each on a connection of its own."""
    apis = [Api(world.port, key or world.secret) for _ in range(count)]
    [api.call("GET", "/healthz") for api in apis]
    return at_once(
        lambda number: apis[number].call(method, path, body(number) if callable(body) else body).status, count
    )


@topic.attack("Of four who make the first account at once, one makes it")
def first_admin(world):
    with world.instance("first-admin") as instance:
        browsers = [Browser(instance.port) for _ in range(4)]
        tokens = [browser.token(f"/dashboard/setup?code={instance.setup_code}") for browser in browsers]

        def make(number):
            fields = {"code": instance.setup_code, "name": "A", "email": f"a{number}@example.com", "password": PASSWORD}
            browsers[number].post("/dashboard/setup", fields, token=tokens[number])
            return browsers[number].is_signed_in

        check(sum(at_once(make, 4)) == 1, "not one alone is signed in")
        check(len(instance.database.rows("SELECT 1 FROM members")) == 1, "there are several")


@topic.attack("A form that is sent twelve times at once is done once")
def form(world):
    token = world.admin.token()
    browsers = []
    for _ in range(12):
        browser = Browser(world.port)
        browser.cookies = dict(world.admin.cookies)
        browsers.append(browser)
    at_once(
        lambda number: browsers[number].post(
            "/dashboard/keys", {"name": "Raced", "kind": "secret", "permission": "users.track"}, token=token
        ),
        12,
    )
    check(len(world.database.rows("SELECT 1 FROM keys WHERE name = 'Raced'")) == 1, "it was done several times")


@topic.attack("Twelve campaigns with one id that are made at once are one campaign")
def same_id(world):
    found = statuses(world, "POST", "/v1/campaigns", lambda number: {**world.campaign(str(number)), "id": "raced"})
    check(sorted(set(found)) == [201, 409] and found.count(201) == 1, f"answered {found}")


@topic.attack("Of twelve edits of one version at once, one is kept and the others are told")
def edits(world):
    made = world.campaign(id="edited-at-once")
    version = world.api.must("POST", "/v1/campaigns", made)["version"]
    found = statuses(
        world,
        "PUT",
        "/v1/campaigns/edited-at-once",
        lambda number: {
            **{key: value for key, value in made.items() if key != "id"},
            "name": f"Edit {number}",
            "version": version,
        },
    )
    check(found.count(200) == 1 and set(found) == {200, 409}, f"answered {found}")


@topic.attack("A launch of a version that was edited since is refused")
def stale_launch(world):
    made = world.campaign(id="stale-launch")
    version = world.api.must("POST", "/v1/campaigns", made)["version"]
    world.api.must(
        "PUT",
        "/v1/campaigns/stale-launch",
        {**{key: value for key, value in made.items() if key != "id"}, "name": "New", "version": version},
    )
    reply = world.api.call("POST", "/v1/campaigns/stale-launch/launch", {"version": version})
    check(reply.status == 409, f"answered {reply}")


@topic.attack("A launch that races with an edit launches nothing that was not checked")
def launch_and_edit(world):
    bad = "{{content_blocks.${raced-block}}}"
    for number in range(6):
        world.api.must("PUT", "/v1/content-blocks/raced-block", {"content": "x"})
        made = world.campaign(id=f"raced-launch-{number}")
        version = world.api.must("POST", "/v1/campaigns", made)["version"]
        edit = {
            **{key: value for key, value in world.campaign(card={"description": bad}).items() if key != "id"},
            "version": version,
        }
        one, two = Api(world.port, world.secret), Api(world.port, world.secret)
        [api.call("GET", "/healthz") for api in (one, two)]
        path = f"/v1/campaigns/raced-launch-{number}"
        replies = at_once(
            lambda which: (
                one.call("PUT", path, edit) if which else two.call("POST", f"{path}/launch", {"version": version})
            ),
            2,
        )
        check(sum(reply.status < 300 for reply in replies) == 1, f"both were done: {replies}")
        world.retire(f"raced-launch-{number}")


@topic.attack("An event that is sent by twelve connections at once counts once")
def events(world):
    campaign = world.launch("Raced", audience={"users": ["racer"]})
    card = next(card for card in world.device.sync("racer").json["cards"] if card["campaign_id"] == campaign)
    event = {"id": str(uuid.uuid4()), "type": "impression", "at": time.time(), "card_id": card["id"]}
    found = statuses(
        world,
        "POST",
        "/v1/events",
        {"user_id": "racer", "device_id": "d", "events": [event] * 3},
        key=world.publishable,
    )
    check(set(found) == {200}, f"answered {found}")
    report = world.api.must("GET", f"/v1/campaigns/{campaign}/report")
    check(sum(variant["impressions"] for variant in report["variants"]) == 1, f"counted {report['variants']}")
    world.retire(campaign)


@topic.attack("A first sync by twelve devices at once gives a user each card once")
def first_sync(world):
    campaign = world.launch("Once", audience={"users": ["synced-at-once"]})
    found = statuses(
        world,
        "POST",
        "/v1/sync",
        lambda number: {"user_id": "synced-at-once", "device_id": f"d{number}"},
        key=world.publishable,
    )
    check(set(found) == {200}, f"answered {found}")
    rows = world.database.rows(
        "SELECT 1 FROM deliveries WHERE user_id = 'synced-at-once' AND campaign_id = ?", campaign
    )
    check(len(rows) == 1, f"{len(rows)} deliveries")
    world.retire(campaign)


@topic.attack("A send with one id that comes twelve times at once is one send")
def sends(world):
    found = statuses(
        world, "POST", "/v1/campaigns/triggered/trigger", {"send_id": "raced-send", "recipients": [{"user_id": "kate"}]}
    )
    check(all(status < 300 or status == 409 for status in found), f"answered {found}")
    rows = world.database.rows("SELECT 1 FROM triggers WHERE trigger_id LIKE '%raced-send%'")
    check(len(rows) <= 1, f"{len(rows)} triggers")


@topic.attack("After a key is revoked, no request of its holder is answered, however many are under way")
def revocation(world):
    key = world.key("secret", name="Hammer")
    identifier = next(item["id"] for item in world.api.must("GET", "/v1/keys")["keys"] if item["name"] == "Hammer")
    seen, late, revoked_at, end = [], [], [None], threading.Event()

    def hammer(_):
        api = Api(world.port, key)
        while not end.is_set():
            start = time.monotonic()
            status = api.call("GET", "/v1/campaigns?limit=1").status
            (late if revoked_at[0] and start > revoked_at[0] else seen).append(status)

    threads = [threading.Thread(target=hammer, args=(number,)) for number in range(4)]
    [thread.start() for thread in threads]
    try:
        until(lambda: len(seen) > 20, "the key is not used")
        world.api.must("DELETE", f"/v1/keys/{identifier}")
        revoked_at[0] = time.monotonic()
        until(lambda: len(late) > 40, "the key is no longer used")
    finally:
        end.set()
        [thread.join() for thread in threads]
    check(set(seen) <= {200, 401} and set(late) == {401}, f"answered {set(late)}")


@topic.attack("Of two members who make each other a viewer at once, one stays an admin")
def last_admins(world):
    for email in ("duel-a@example.com", "duel-b@example.com"):
        world.add_member(email, "admin")
    one, two = (world.browser(email) for email in ("duel-a@example.com", "duel-b@example.com"))
    tokens = [browser.token() for browser in (one, two)]
    world.database.write("UPDATE members SET role = 'editor' WHERE email = 'anna@example.com'")
    try:
        at_once(
            lambda number: (one, two)[number].post(
                f"/dashboard/team/duel-{'ba'[number]}%40example.com/role", {"role": "viewer"}, token=tokens[number]
            ),
            2,
        )
        check(world.database.rows("SELECT 1 FROM members WHERE role = 'admin'"), "nobody is an admin")
    finally:
        world.database.write("UPDATE members SET role = 'admin' WHERE email = 'anna@example.com'")
        world.database.write("DELETE FROM members WHERE email LIKE 'duel-%'")


# Streams that outlive what they were opened with.


def stream(port, path, headers):
    connection = connect(port)
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n{lines}\r\n".encode())
    head = read_head(connection)
    check(b" 200 " in head[:20], f"the stream does not open: {head}")
    return connection


def ends(connection):
    with connection:
        return read(connection).is_closed


@topic.attack("A live stream ends when its key is revoked")
def stream_of_key(world):
    key = world.key("publishable", name="Streaming")
    identifier = next(item["id"] for item in world.api.must("GET", "/v1/keys")["keys"] if item["name"] == "Streaming")
    connection = stream(world.port, "/v1/live?user_id=kate", {"Authorization": f"Bearer {key}"})
    world.api.must("DELETE", f"/v1/keys/{identifier}")
    check(ends(connection), "it is still open")


@topic.attack("A live stream ends when its user is deleted")
def stream_of_user(world):
    world.api.must("PATCH", "/v1/users/streaming", {"custom_attributes": {"a": 1}})
    connection = stream(world.port, "/v1/live?user_id=streaming", {"Authorization": f"Bearer {world.publishable}"})
    check(world.api.call("DELETE", "/v1/users/streaming").status == 204, "the user cannot be deleted")
    check(ends(connection), "it is still open")


@topic.family
def streams_of_members(world):
    for name, end in (
        ("is removed", lambda email: world.admin.post(f"/dashboard/team/{email.replace('@', '%40')}/remove", {})),
        ("signs out", None),
        ("has a new password elsewhere", "password"),
    ):
        yield f"The live page of a member who {name} ends", member_stream(world, name, end)


def member_stream(world, name, end):
    def attack():
        email = f"stream-{name.split()[0]}-{name.split()[-1]}@example.com"
        world.add_member(email, "viewer")
        browser = world.browser(email)
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        connection = stream(world.port, "/dashboard/live", {"Cookie": cookie})
        if end is None:
            browser.post("/dashboard/sign-out", {})
        elif end == "password":
            world.browser(email).post(
                "/dashboard/account/password", {"current": PASSWORD, "password": PASSWORD + " new", "email": email}
            )
        else:
            end(email)
        check(ends(connection), "it is still open")

    return attack


@topic.attack("A password that a member changes while an admin takes the role away doesn't bring the role back")
def demoted(world):
    email = "demoted@example.com"
    world.add_member(email, "admin")
    browser = world.browser(email)
    fields = {"current": PASSWORD, "password": "walrus kettle drawer 61", "email": email}
    token = browser.token()
    change = threading.Thread(target=lambda: browser.post("/dashboard/account/password", fields, token=token))
    before = world.database.rows("SELECT count(*) FROM spent_forms")
    change.start()
    # The form was let through, and the password is being hashed.
    until(lambda: world.database.rows("SELECT count(*) FROM spent_forms") != before, "the form is not taken")
    reply = world.admin.post("/dashboard/team/demoted%40example.com/role", {"role": "viewer"})
    check(reply.status == 303, f"the role: {reply}")
    change.join()
    check(world.database.rows("SELECT role FROM members WHERE email = ?", email)[0][0] == "viewer", "the role is back")
