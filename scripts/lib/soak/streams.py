"""The live streams: each is open for a while, is closed in one way or another, and opened again by another user.

Prints how many were opened, how many signals came, and what was wrong.
"""

import asyncio
import json
import random
import sys
import time

from flood.wire import request

PATIENCE = 120
WAYS = ("close", "abort", "half")


class Stream:
    """One app after the other that listens."""

    def __init__(self, plan, number, found):
        self.plan, self.number, self.found = plan, number, found
        self.random = random.Random(number)

    async def run(self, end):
        # They don't all come at once.
        await asyncio.sleep(self.random.random() * self.plan["ramp"])
        life = 0
        while time.time() < end:
            life += 1
            try:
                await asyncio.wait_for(
                    self.live(f"stream-{self.number}-{life % 5}", end), self.plan["longest"] + PATIENCE
                )
            except (OSError, EOFError, asyncio.TimeoutError) as error:
                self.found["wrong"].append(f"a stream: {type(error).__name__} {error}")
                await asyncio.sleep(1)

    async def live(self, user, end):
        reader, writer = await asyncio.open_connection(*self.plan["target"])
        try:
            writer.write(request("GET", f"/v1/live?user_id={user}&device_id={user}", self.plan["key"]))
            head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)).decode("latin-1")
            status = int(head.split(" ", 2)[1])
            if status != 200:
                self.found["wrong"].append(f"a stream: status {status}")
                await asyncio.sleep(1)
                return
            self.found["opened"] += 1
            until = min(end, time.time() + self.random.uniform(self.plan["shortest"], self.plan["longest"]))
            await self.listen(reader, until)
            way = self.random.choice(WAYS)
            if way == "abort":
                writer.transport.abort()
            elif way == "half":
                writer.write_eof()
        finally:
            writer.close()

    async def listen(self, reader, until):
        while (left := until - time.time()) > 0:
            try:
                piece = await asyncio.wait_for(reader.read(4_096), left)
            except asyncio.TimeoutError:
                return
            if not piece:
                raise EOFError("it ended by itself")
            self.found["signals"] += piece.count(b"event: changed")


async def main(plan):
    found = {"opened": 0, "signals": 0, "wrong": []}
    await asyncio.gather(*(Stream(plan, number, found).run(plan["end"]) for number in range(plan["streams"])))
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))
