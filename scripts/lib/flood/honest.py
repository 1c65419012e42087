"""The honest clients: each syncs about once a second, sends an event each time, and notes how long it waited.

Prints what they saw as JSON: the seconds of each sync, what was refused, and the ids of the events that were confirmed.
"""

import asyncio
import json
import random
import sys
import time

from .wire import connect, event_id, reply, request

# The limit of requests for one user is one a second.
PERIOD = 1.25
PATIENCE = 30


class Client:
    """One device of one user."""

    def __init__(self, plan, number):
        self.plan, self.user = plan, f"honest-{number}"
        self.source = plan["addresses"][number % len(plan["addresses"])]
        self.cursor, self.streams = None, None
        self.seconds, self.refused, self.broken, self.confirmed = [], [], 0, []

    async def run(self, end):
        await asyncio.sleep(random.random() * PERIOD)
        while time.time() < end:
            start = time.monotonic()
            await self.sync({"id": event_id(), "type": "custom", "name": "opened", "at": time.time()})
            await asyncio.sleep(max(0, PERIOD * random.uniform(0.9, 1.1) - (time.monotonic() - start)))
        if self.streams:
            self.streams[1].close()

    async def sync(self, event):
        """Syncs until the event is confirmed, as the SDK does: again after a pause, with the same id."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            body = {"user_id": self.user, "device_id": f"{self.user}-phone", "cursor": self.cursor, "events": [event]}
            start = time.monotonic()
            try:
                status, headers, text = await asyncio.wait_for(self.ask(json.dumps(body).encode()), PATIENCE)
            except (OSError, EOFError, TimeoutError, asyncio.TimeoutError):
                self.seconds.append(time.monotonic() - start)
                self.broken, self.streams = self.broken + 1, None
                await asyncio.sleep(0.2)
                continue
            self.seconds.append(time.monotonic() - start)
            if status == 200:
                answer = json.loads(text)
                self.cursor = answer["cursor"]
                if answer["events"]["accepted"] + answer["events"]["duplicate"] == 1:
                    self.confirmed.append(event["id"])
                    return
            self.refused.append(f"{status} {text[:200].decode()}")
            await asyncio.sleep(min(5, int(headers.get("retry-after", 1))))

    async def ask(self, body):
        if not self.streams:
            self.streams = await connect(self.plan["target"], self.source)
        reader, writer = self.streams
        writer.write(request("POST", "/v1/sync", self.plan["key"], body))
        status, headers, text = await reply(reader)
        if headers.get("connection") == "close":
            writer.close()
            self.streams = None
        return status, headers, text


async def main(plan):
    clients = [Client(plan, number) for number in range(plan["clients"])]
    # The first sync creates the user, and is no part of what is measured.
    end = time.time() + plan["seconds"]
    await asyncio.gather(*(client.run(end) for client in clients))
    json.dump(
        {
            "seconds": [seconds for client in clients for seconds in client.seconds],
            "refused": [text for client in clients for text in client.refused],
            "broken": sum(client.broken for client in clients),
            "confirmed": [id for client in clients for id in client.confirmed],
        },
        sys.stdout,
    )


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))
