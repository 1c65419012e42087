"""The users and cards that every server has, and the requests that ask for them."""

import io
import itertools
import json
import os
import subprocess
import time
import uuid

from . import load

SHELVES = {1: 100, 5: 100, 10: 1000, 20: 100, 50: 200}
"""How many users have how many cards."""
EVENT_USERS = 200
TRIGGER_USERS = 5000
MOST_CARDS = max(SHELVES)
BATCH = 50


def users_with(cards):
    return [f"shelf-{cards}-{number}" for number in range(SHELVES[cards])]


def event_users():
    return [f"event-{number}" for number in range(EVENT_USERS)]


def trigger_users():
    return [f"trigger-{number}" for number in range(TRIGGER_USERS)]


def crowd(first, last):
    """Users, a quarter of which is reached by launches."""
    for number in range(first, last):
        yield f"crowd-{number}", {"plan": "pro" if number % 4 == 1 else "free", "level": number % 80}


def import_users(server, folder, users):
    """Imports users by the command, and returns how many a second."""
    file, count = os.path.join(folder, "users.jsonl"), 0
    with open(file, "w") as lines:
        for user, attributes in users:
            lines.write(
                json.dumps(
                    {
                        "user_id": user,
                        "attributes": {"first_name": "Ann", "country": "JP", "email": f"{user}@example.com"},
                        "custom_attributes": attributes,
                    }
                )
                + "\n"
            )
            count += 1
    start = time.monotonic()
    server.run("users", "import", file)
    os.remove(file)
    return count / (time.monotonic() - start)


def card(title):
    return {
        "type": "captioned_image",
        "title": title,
        "description": "What a marketer writes: a sentence or two that says what there is to gain today.",
        "image": "https://images.example/cards/spring.jpg",
        "image_aspect_ratio": 1.33,
        "url": "https://shop.example/spring",
        "domain": "shop.example",
        "extras": {"class_type": "home_tile", "tile_id": "7"},
    }


def campaign(name, audience=None, title="A card for everybody", **more):
    body = {"id": name, "name": name, "variants": [{"card": card(title)}], **more}
    return {**body, "audience": audience} if audience else body


def create(server, name, audience=None, **more):
    server.call("POST", "/v1/campaigns", campaign(name, audience, **more))


PRO = {"attribute": "plan", "value": "pro"}


def fill(server, folder):
    """Users and campaigns, so that each user has as many cards as the shelf says."""
    people = [(user, {"shelf": f"shelf-{cards}"}) for cards in SHELVES for user in users_with(cards)]
    people += [(user, {"shelf": "shelf-10"}) for user in event_users()]
    import_users(server, folder, people)
    for number in range(MOST_CARDS):
        shelves = [f"shelf-{cards}" for cards in SHELVES if cards > number]
        create(
            server,
            f"card-{number}",
            {"attribute": "shelf", "comparison": "is_any_of", "value": shelves},
            title=f"A card for everybody, number {number}",
        )
        server.launch(f"card-{number}")


def sync_body(user, cursor=None):
    body = {
        "user_id": user,
        "device_id": f"device of {user}",
        "locale": "ja-JP",
        "time_zone": "Asia/Tokyo",
        "app_version": "3.1",
    }
    return {**body, "cursor": cursor} if cursor else body


def sync_all(server, users):
    """The replies to the users' first syncs."""
    from placard_server import Connection

    connection = Connection(server.port, server.key)
    return {user: connection.call("POST", "/v1/sync", sync_body(user)) for user in users}


def unchanged(server, replies):
    """Syncs that find nothing new."""
    return [
        load.request(server.key, "POST", "/v1/sync", sync_body(user, reply["cursor"]))
        for user, reply in replies.items()
    ]


def whole(server, users):
    """Syncs for which the feed is sent as a whole."""
    return [load.request(server.key, "POST", "/v1/sync", sync_body(user)) for user in users]


rounds = itertools.count(1)
TYPES = ["impression", "impression", "impression", "click"]


def event_batches(server, replies, count):
    """Batches of events that were never sent before."""
    people = [(user, [card["id"] for card in reply["cards"]]) for user, reply in replies.items()]
    now, turn = time.time(), next(rounds)
    stamp = f"{int(now * 1000):012x}"
    for number in range(count):
        user, cards = people[number % len(people)]
        events = ",".join(
            '{"id":"%s-%s-7%03x-8%03x-%012x","type":"%s","card_id":"%s","at":%d}'
            % (stamp[:8], stamp[8:], place, turn, number, TYPES[place % 4], cards[place % len(cards)], now)
            for place in range(BATCH)
        )
        yield load.request(
            server.key, "POST", "/v1/events", f'{{"user_id":"{user}","device_id":"d","events":[{events}]}}'
        )


def prepare(server, folder):
    """Gives a server everything that requests ask for, and returns the replies to its users' first syncs."""
    fill(server, folder)
    import_users(server, folder, ((user, {"plan": "none"}) for user in trigger_users()))
    create(server, "triggered", delivery={"type": "api_triggered"})
    server.launch("triggered")
    return sync_all(server, [user for cards in SHELVES for user in users_with(cards)] + event_users())


def triggers(server, name, users):
    return [
        load.request(
            server.secret,
            "POST",
            "/campaigns/trigger/send",
            {"campaign_id": name, "recipients": [{"external_user_id": user}]},
        )
        for user in users
    ]


# What the peers' rows say is what the server's replies say.

STATE = {"id", "campaign_id", "created_at", "viewed", "clicked", "dismissed"}


def copy(postgres, database, table, columns, rows):
    """Fills a table from rows of texts."""
    text = io.StringIO()
    for row in rows:
        text.write(
            "\t".join(value.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n") for value in row) + "\n"
        )
    subprocess.run(
        [
            os.path.join(postgres.programs, "psql"),
            "-X",
            "-q",
            "-h",
            postgres.folder,
            "-U",
            "placard",
            "-d",
            database,
            "-v",
            "ON_ERROR_STOP=1",
            "-c",
            f"COPY {table} ({columns}) FROM STDIN",
        ],
        input=text.getvalue(),
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def fill_peer(postgres, database, replies):
    """The same users, campaigns and cards, with ids of their own."""
    from .servers import PEERS

    postgres.create(database)
    with open(os.path.join(PEERS, "tables.sql")) as file:
        postgres.sql(file.read(), database=database)
    contents = {one["campaign_id"]: one for reply in replies.values() for one in reply["cards"]}
    copy(
        postgres,
        database,
        "campaigns",
        "id, content",
        (
            (name, json.dumps({key: value for key, value in one.items() if key not in STATE}))
            for name, one in contents.items()
        ),
    )
    copy(postgres, database, "users", "id, plan", ((user, "none") for user in replies))
    copy(
        postgres,
        database,
        "cards",
        "user_id, id, campaign_id",
        (
            (user, str(uuid.UUID(one["id"])), one["campaign_id"])
            for user, reply in replies.items()
            for one in reply["cards"]
        ),
    )
    postgres.sql("VACUUM ANALYZE", database=database)


def fill_peer_crowd(postgres, database, first, last):
    copy(
        postgres, database, "users", "id, plan", ((user, attributes["plan"]) for user, attributes in crowd(first, last))
    )
    postgres.sql("VACUUM ANALYZE", database=database)


def create_for_peer(postgres, database, name, plan="none"):
    content = json.dumps(card("A card for everybody")).replace("'", "''")
    postgres.sql(f"INSERT INTO campaigns VALUES ('{name}', '{plan}', '{content}')", database=database)
