"""What keys and members may create without end: keys, large campaigns and segments, requests for approval, reviews."""

import concurrent.futures
import os

from ..browser import Browser
from ..client import Api
from ..suite import Topic, check
from ..world import ADMIN, MEMBERS

topic = Topic("Amounts")
CARD = {"type": "classic", "title": "t", "description": "d"}
MEBIBYTE = 1 << 20


def campaign(name, **more):
    return {"name": name, "variants": [{"id": "a", "name": "A", "weight": 100, "card": CARD}], **more}


def audience(size):
    """An audience of so many bytes that means nobody."""
    return {
        "all": [
            {
                "attribute": "plan",
                "comparison": "is_any_of",
                "value": ["x" * 1000 + str(number) for number in range(size // 1010)],
            }
        ]
    }


@topic.family
def of_one_workspace(world):
    with world.instance("amounts") as instance:
        yield (
            "A key that may create keys has a thousand that work and 200 that were revoked, and no more",
            lambda: keys(instance),
        )
        yield "Segments of a megabyte each fill 16 MiB of every node's memory, and no more", lambda: segments(instance)
        yield "Launched campaigns fill 128 MiB of every node's memory, and no more", lambda: campaigns(instance)


def keys(instance):
    instance.database.write(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 990) "
        "INSERT INTO keys (id, name, kind, permissions, hash, hint, created_at) "
        "SELECT 'key_' || n, 'many', 'publishable', 'device', randomblob(32), 'wxyz', 1 FROM numbers"
    )
    maker = Api(instance.port, instance.secret)
    replies = [maker.call("POST", "/v1/keys", {"name": f"k{number}", "kind": "publishable"}) for number in range(20)]
    check({reply.status for reply in replies} == {201, 409}, f"answered {replies[-1]}")
    check(replies[-1].code == "limit_reached", f"answered {replies[-1]}")
    working = "SELECT count(*) FROM keys WHERE revoked_at IS NULL"
    check(instance.database.rows(working) == [(1_000,)], f"{instance.database.rows(working)} work")
    instance.database.write("UPDATE keys SET revoked_at = position WHERE name = 'many' AND position <= 300")
    maker.must("DELETE", "/v1/keys/key_900")
    check(
        maker.call("POST", "/v1/keys", {"name": "again", "kind": "publishable"}).status == 201,
        "one that was revoked leaves no room",
    )
    check(
        instance.database.rows("SELECT count(*) FROM keys WHERE revoked_at IS NOT NULL") == [(200,)],
        "those that were revoked pile up",
    )


def segments(instance):
    replies = []
    with instance.memory(300, "twenty segments"):
        for number in range(20):
            replies.append(
                instance.api.call("POST", "/v1/segments", {"name": f"s{number}", "audience": audience(950_000)})
            )
    check(replies[0].status == 201 and replies[-1].status == 409, f"answered {replies[0].status}, then {replies[-1]}")
    check(replies[-1].code == "limit_reached", f"answered {replies[-1]}")
    kept = instance.database.rows("SELECT sum(length(CAST(content AS BLOB))) FROM segments")[0][0]
    check(kept <= 16 * MEBIBYTE, f"{kept} bytes are kept")


def campaigns(instance):
    api = instance.api
    made = api.must("POST", "/v1/campaigns", campaign("small"))
    # All but a few bytes, in a row that is left out: those of real ones would take the memory that is to be spared.
    instance.database.write(
        "INSERT INTO campaigns (id, content, status, withdrawn, version, generation, created_at, updated_at,"
        " launched_at) "
        """SELECT 'large', '{"name":"large","rest":"' || hex(zeroblob(67108800)) || '"}', 'stopped', 0, 1, 0, 0, 0, 0"""
    )
    reply = api.call("POST", f"/v1/campaigns/{made['id']}/launch", {})
    check(reply.status == 409 and reply.code == "limit_reached", f"answered {reply}")
    check(api.call("POST", "/v1/campaigns", campaign("draft")).status == 201, "a draft isn't kept")
    check(instance.device.sync("honest").status == 200, "devices aren't served")
    instance.database.write("DELETE FROM campaigns WHERE id = 'large'")
    reply = api.call("POST", f"/v1/campaigns/{made['id']}/launch", {})
    check(reply.status == 200, f"with room, {reply}")


@topic.attack("A key that asks for approval hundreds of times has few messages sent to administrators")
def requests_for_approval(world):
    folder = os.path.join(world.root, "approval-mail-settings")
    os.makedirs(folder)
    settings = os.path.join(folder, "placard.yaml")
    with open(settings, "w", encoding="utf-8") as file:
        # Nothing listens there, so that messages wait.
        file.write(
            "\n".join(
                [
                    "public_url: https://cards.example.com",
                    "smtp_host: 127.0.0.1",
                    "smtp_port: 9",
                    "smtp_security: none",
                    "smtp_from: Placard <cards@example.com>",
                    "",
                ]
            )
        )
    with world.instance("approval-mail", "--config", settings) as instance:
        instance.make_admin()
        instance.set(launch_approval="editors")
        made = instance.api.must("POST", "/v1/campaigns", campaign("asked for"))
        asking = Api(instance.port, instance.key("secret", "campaigns", "read"))
        for _ in range(200):
            asking.must("POST", f"/v1/campaigns/{made['id']}/approvals", {"comment": "again"})
        rows = instance.database.rows("SELECT count(*) FROM mails WHERE recipient = ?", ADMIN)
        check(0 < rows[0][0] <= 25, f"{rows[0][0]} messages wait")


@topic.attack("Many reviews at the same time are answered or told to come again, and none is a failure")
def reviews(world):
    made = world.api.must("POST", "/v1/campaigns", campaign("reviewed", audience=audience(100_000)))
    editor = world.browser(MEMBERS["editor"])

    def review(_):
        browser = Browser(world.port)
        browser.cookies = dict(editor.cookies)
        return browser.page(f"/dashboard/campaigns/{made['id']}/launch").status

    with concurrent.futures.ThreadPoolExecutor(60) as pool:
        statuses = set(pool.map(review, range(120)))
    check(200 in statuses and statuses <= {200, 503}, f"answered {statuses}")
