"""All other callers: devices that sync and log events, new users, a backend that tracks, and people who manage
campaigns.

Prints the seconds of each kind of request, the ids of the events that were confirmed, and what was wrong.
"""

import asyncio
import json
import random
import sys
import time

from flood.wire import connect, event_id, reply, request

PERIOD = 1.25
PATIENCE = 120
CAMPAIGNS = 5
CARD = {
    "type": "classic",
    "title": "Hello {{${user_id}}}",
    "description": "Welcome {{custom_attribute.${plan} | default: 'back'}}",
}


class Caller:
    """One connection with one key."""

    def __init__(self, plan, key, found):
        self.plan, self.key, self.found, self.streams = plan, key, found, None

    async def call(self, kind, method, path, body=None, expected=(200, 201, 204)):
        """Asks, and returns the answer; notes one that isn't as it should be."""
        start = time.monotonic()
        try:
            status, text = await asyncio.wait_for(self.ask(method, path, body), PATIENCE)
        except (OSError, EOFError, asyncio.TimeoutError) as error:
            self.streams = None
            self.found["wrong"].append(f"{kind}: {type(error).__name__} {error}")
            return None
        self.found["seconds"].setdefault(kind, []).append(time.monotonic() - start)
        if status not in expected:
            self.found["wrong"].append(f"{kind}: {status} {text[:200].decode(errors='replace')}")
            return None
        return text

    async def ask(self, method, path, body):
        if not self.streams:
            self.streams = await connect(self.plan["target"], "127.0.0.1")
        reader, writer = self.streams
        content = b"" if body is None else json.dumps(body).encode()
        writer.write(request(method, path, self.key, content, "Content-Type: application/json\r\n"))
        status, headers, text = await reply(reader)
        if headers.get("connection") == "close":
            writer.close()
            self.streams = None
        return status, text


async def paced(period, end, work):
    """Works once a period, or as often as it can."""
    await asyncio.sleep(random.random() * period)
    while time.time() < end:
        start = time.monotonic()
        await work()
        await asyncio.sleep(max(0, period * random.uniform(0.9, 1.1) - (time.monotonic() - start)))


class Load:
    def __init__(self, plan):
        self.plan, self.end = plan, plan["end"]
        self.found = {"seconds": {}, "wrong": [], "confirmed": [], "users": 0}

    async def run(self):
        await asyncio.gather(
            *(self.device(number) for number in range(self.plan["devices"])),
            self.newcomers(),
            self.backend(),
            self.manager(),
            self.reader(),
        )
        return self.found

    async def device(self, number):
        caller, state = Caller(self.plan, self.plan["key"], self.found), {"cursor": None}

        async def sync():
            event = {"id": event_id(), "type": "custom", "name": "opened", "at": time.time()}
            body = {
                "user_id": f"soak-{number}",
                "device_id": f"phone-{number}",
                "cursor": state["cursor"],
                "events": [event],
            }
            text = await caller.call("sync", "POST", "/v1/sync", body)
            if text is None:
                return
            answer = json.loads(text)
            state["cursor"] = answer["cursor"]
            if answer["events"]["accepted"] != 1:
                self.found["wrong"].append(f"sync: an event wasn't accepted: {answer['events']}")
            else:
                self.found["confirmed"].append(event["id"])

        await paced(PERIOD, self.end, sync)

    async def newcomers(self):
        caller = Caller(self.plan, self.plan["key"], self.found)

        async def first():
            self.found["users"] += 1
            user = f"new-{self.found['users']}"
            text = await caller.call(
                "first sync", "POST", "/v1/sync", {"user_id": user, "device_id": user, "cursor": None}
            )
            if text is not None and not json.loads(text)["cards"]:
                self.found["wrong"].append(f"first sync: {user} has no card")

        await paced(0.2, self.end, first)

    async def backend(self):
        caller = Caller(self.plan, self.plan["secret"], self.found)

        async def track():
            users = [
                {"external_id": f"soak-{random.randrange(self.plan['devices'])}", "plan": random.choice("abc")}
                for _ in range(20)
            ]
            await caller.call("track", "POST", "/users/track", {"attributes": users}, (200, 201))

        await paced(1, self.end, track)

    async def manager(self):
        caller, number = Caller(self.plan, self.plan["secret"], self.found), 0

        async def change():
            nonlocal number
            number += 1
            campaign = f"soak-{number % CAMPAIGNS}"
            # One that is paused gives no new cards, and one that is launched again tells every stream.
            await caller.call("pause", "POST", f"/v1/campaigns/{campaign}/pause")
            await caller.call("launch", "POST", f"/v1/campaigns/{campaign}/launch", {"force": True})

        await paced(5, self.end, change)

    async def reader(self):
        caller = Caller(self.plan, self.plan["secret"], self.found)
        paths = [
            "/v1/campaigns",
            "/v1/campaigns/soak-0/report",
            "/v1/users/soak-0/explain",
            "/v1/users/soak-0/feed",
            "/v1/settings",
            "/metrics",
            "/readyz",
        ]

        async def read():
            for path in paths:
                await caller.call(f"read {path}", "GET", path)

        await paced(5, self.end, read)


if __name__ == "__main__":
    json.dump(asyncio.run(Load(json.loads(sys.argv[1])).run()), sys.stdout)
