"""As much HTTP as the flood needs, on asyncio's streams."""

import asyncio
import os
import time


def request(method, path, key="", body=b"", headers=""):
    """The bytes of a request."""
    authorization = f"Authorization: Bearer {key}\r\n" if key else ""
    head = f"{method} {path} HTTP/1.1\r\nHost: placard\r\n{authorization}{headers}"
    if body or method != "GET":
        head += f"Content-Length: {len(body)}\r\n"
    return f"{head}\r\n".encode() + body


async def reply(reader):
    """Reads a reply, and returns its status, its headers by their names in lower case and its body."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    line, *lines = head.split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return int(line.split(" ", 2)[1]), headers, body


async def connect(target, source):
    """Opens a connection to an address and port, from an address."""
    return await asyncio.open_connection(*target, local_addr=(source, 0))


def event_id():
    """A UUID of version 7."""
    number = int(time.time() * 1000) << 80 | int.from_bytes(os.urandom(10), "big")
    number = number & ~(0xF << 76) | 7 << 76
    text = f"{number & ~(3 << 62) | 2 << 62:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
