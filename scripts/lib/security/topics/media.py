"""Pictures that are none, are too large, are something else too, or come from people who may not upload."""

import base64
import json
import os
import random
import socket
import struct
import zlib

from ..browser import Browser
from ..client import Api
from ..clock import pace
from ..suite import Topic, check

topic = Topic("Pictures")
PIXEL_GIF = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==")
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
PAGE = b"<html><script>alert(1)</script></html>"


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width, height, rows=None, *extra):
    """A picture of one bit a pixel."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    data = zlib.compress(rows if rows is not None else bytes((1 + (width + 7) // 8) * height), 9)
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(extra) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


class OwnKeys:
    """Keys of this topic alone, and another one before the uploads of one are slowed down: a key has thirty at once."""

    def __init__(self):
        self.key, self.left = None, 0

    def next(self, world):
        if not self.left:
            self.key, self.left = world.key("secret", name="Pictures"), 25
        self.left -= 1
        return self.key


own_keys = OwnKeys()


def upload(world, body, query="", key=None, **headers):
    return Api(world.port, key or own_keys.next(world)).call(
        "POST", "/v1/media" + query, body, **{"Content-Type": "image/png", **headers}
    )


def path_of(reply):
    return "/media/" + reply.json["url"].split("/media/")[1]


@topic.attack("Strangers who load large pictures, read none of them, or ask for their heads keep nobody from a picture")
def crowd(world):
    # A line begins with its filter, none.
    lines = [b"\0" + random.Random(number).randbytes(3_000 // 8) for number in range(3_000)]
    paths = [path_of(upload(world, png(3_000, 3_000, b"".join(lines[i:] + lines[:i])))) for i in range(3)]
    wanted = path_of(upload(world, png(300, 200)))
    connections = [socket.create_connection(("127.0.0.1", world.port), timeout=60) for _ in range(48)]
    try:
        for number, connection in enumerate(connections):
            method, path = ("GET", "HEAD")[number % 2], paths[number % 3]
            connection.sendall(f"{method} {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode() * 8)
        for _ in range(50):
            reply = Api(world.port, None).call("GET", wanted)
            check(reply.status == 200, f"a small picture: {reply}")
    finally:
        for connection in connections:
            connection.close()


@topic.attack("What is no picture is refused, whatever its name and type say: SVG, a page, a program, a text, nothing")
def no_picture(world):
    for body in (
        SVG,
        b"<?xml version='1.0'?>" + SVG,
        PAGE,
        b"\x7fELF" + bytes(100),
        b"hello",
        b"GIF89a",
        b"RIFF\0\0\0\0WEBP",
        b"\xff\xd8\xff",
        b"\x89PNG\r\n\x1a\n",
        b"\0",
    ):
        reply = upload(world, body, "?name=a.png")
        check(reply.status in (415, 422), f"{body[:20]!r}: {reply}")


@topic.attack(
    "A picture with a page or a program in it or behind it is served without these, as a picture that isn't sniffed"
)
def polyglot(world):
    for body in (PIXEL_GIF + PAGE, png(3, 3, None, chunk(b"tEXt", b"Comment\0" + PAGE)) + PAGE):
        reply = upload(world, body, "?name=x.html")
        check(reply.status in (200, 201), reply)
        file = Browser(world.port).page(path_of(reply))
        check(file.status == 200 and b"script" not in file.body, f"{file.status} {file.body[:200]!r}")
        check(file.header("content-type") in ("image/gif", "image/png"), file.header("content-type"))
        check(file.header("x-content-type-options") == "nosniff", "it may be sniffed")
        check("sandbox" in (file.header("content-security-policy") or ""), "it may run")


@topic.attack("A picture that becomes too large in memory is refused, and costs the server less than 60 MB")
def bomb(world):
    with world.memory(60):
        for body in (
            png(60_000, 60_000, b""),
            png(16_000, 16_000, bytes(2_001 * 16_000)),
            png(2**31 - 1, 2**31 - 1, b""),
        ):
            reply = upload(world, body)
            check(reply.status == 422, f"{len(body)} bytes: {reply}")
        # Within the bounds of pixels: another process decodes it.
        reply = upload(world, png(7_000, 7_000))
        check(reply.status in (200, 201, 422), reply)
    frame = bytes([0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0])
    head = b"GIF89a" + bytes([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
    reply = upload(world, head + frame * 100_000 + b";")
    check(reply.status == 422, reply)


def worker_seconds(world):
    """The processor time of the processes in which the server has had pictures decoded."""
    with open(f"/proc/{world.server.process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


@topic.attack("A PNG with a text or a profile that unpacks to a gigabyte takes no more time than without them")
def packed_texts(world):
    packed = zlib.compress(bytes(128 << 20), 9)
    bombs = {
        "zTXt": chunk(b"zTXt", b"Comment\0\0" + packed) * 8,
        "iTXt": chunk(b"iTXt", b"Comment\0\1\0\0\0" + packed) * 8,
        "iCCP": chunk(b"iCCP", b"Profile\0\0" + zlib.compress(bytes(1 << 29), 9)),
    }
    for name, extra in bombs.items():
        before = worker_seconds(world)
        reply = upload(world, png(40, 50 + len(name), None, extra))
        check(reply.status in (200, 201), f"{name}: {reply}")
        taken = worker_seconds(world) - before
        check(taken < 1 * max(1, pace()), f"{name} of {len(extra)} bytes took {taken:.1f} s")


@topic.attack("Damaged pictures are refused, and none of them ends the server")
def damaged(world):
    whole = png(40, 40)
    for place in range(8, len(whole), 5):
        body = bytearray(whole)
        body[place] ^= 0xFF
        reply = upload(world, bytes(body))
        check(reply.status in (200, 201, 415, 422), f"{place}: {reply}")


@topic.attack("A picture of more than 10 MB is refused before it has arrived, said to be so or in chunks")
def oversize(world):
    reply = upload(world, b"\xff" * (10 * 1024 * 1024 + 1))
    check(reply.status == 413, reply)
    head = (
        f"POST /v1/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {world.secret}\r\nContent-Type: image/png\r\n"
        "Content-Length: 9999999999\r\n\r\n"
    ).encode()
    with socket.create_connection(("127.0.0.1", world.port), 30) as connection:
        connection.sendall(head)
        check(b" 413 " in connection.recv(4096).split(b"\r\n")[0], "a length of ten gigabytes is accepted")


@topic.attack("Names and addresses with .. and other tricks lead to no file but the picture's own")
def traversal(world):
    for name in (
        "../../../etc/passwd",
        "..%2f..%2fx",
        "%00.png",
        "C:\\\\x.png",
        "a%0d%0aX-Evil:1",
        "%F0%9F%92%A9",
        "x" * 3000,
    ):
        reply = upload(world, png(5, 5), f"?name={name}&crop=0,0,{len(name) % 4 + 1},5")
        check(reply.status in (200, 201), f"{name[:40]}: {reply}")
        tail = path_of(reply).split("/")
        check(
            len(tail) == 4 and tail[3].replace("-", "").replace(".", "").isalnum() and len(tail[3]) < 80, path_of(reply)
        )
    identity = path_of(reply).split("/")[2]
    browser = Browser(world.port)
    for path in (
        f"/media/{identity}/../../placard.sqlite",
        "/media/..%2fplacard.sqlite/x",
        f"/media/{identity}%2f..%2fx/x.png",
        f"/media/{identity}/..%2f1440/x.png",
        f"/media/{identity}/x.html",
        f"/media/{identity}",
        "/media/",
        f"/media/{'0' * 32}/x.png",
        f"/media/{identity}/x.png/99999999999999999999",
    ):
        check(browser.page(path).status in (400, 404), path)


@topic.attack("Uploads need a secret key with the permission to write campaigns")
def keys(world):
    for key, statuses in (
        ("nonsense", (401,)),
        (world.publishable, (403,)),
        (world.key("secret", "read"), (403,)),
        (world.key("secret", "users"), (403,)),
    ):
        reply = upload(world, PIXEL_GIF, key=key)
        check(reply.status in statuses, reply)


@topic.attack("In the dashboard nobody uploads without the page's token, from another site, or as a viewer")
def dashboard(world):
    viewer = world.browser("vera@example.com")
    own = {"Content-Type": "image/gif", "Sec-Fetch-Site": "same-origin"}
    before = world.api.must("GET", "/v1/media")["count"]
    fresh = png(11, 7)
    attempts = {
        "a viewer": (viewer, {**own, "Placard-Form": viewer.token()}),
        "no token": (world.admin, own),
        "a wrong token": (world.admin, {**own, "Placard-Form": "AAAA"}),
        "another's token": (world.admin, {**own, "Placard-Form": viewer.token()}),
        "another site": (world.admin, {**own, "Placard-Form": world.admin.token(), "Sec-Fetch-Site": "cross-site"}),
        "a stranger": (Browser(world.port), {**own, "Placard-Form": world.admin.token()}),
    }
    for name, (browser, headers) in attempts.items():
        reply = browser.request("POST", "/dashboard/media/upload?name=a.gif", fresh, headers)
        check(reply.status == 403, f"{name}: {reply}")
    check(world.api.must("GET", "/v1/media")["count"] == before, "a picture was added")
    reply = world.admin.request(
        "POST", "/dashboard/media/upload?name=a.gif", fresh, {**own, "Placard-Form": world.admin.token()}
    )
    check(reply.status in (200, 201), reply)


@topic.attack("An alternative text with markup is text, in the library and in its API")
def markup(world):
    reply = upload(world, png(9, 9), "?alt=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
    check(json.loads(reply.body)["alt"].startswith('">'), reply)
    check("<script>alert" not in world.admin.page("/dashboard/media").text, "the page has the script")


@topic.attack("A flood of uploads of one key is slowed down, and a sync is answered in the meantime")
def flood(world):
    statuses = [upload(world, png(20, number + 1), key=world.secret).status for number in range(60)]
    check(429 in statuses, f"{sorted(set(statuses))}")
    check(world.device.sync("flooded").status == 200, "a sync is refused")
