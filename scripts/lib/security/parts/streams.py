"""Streams of the live API that are opened, limited and left idle."""

import socket

from ..client import Api
from ..clock import is_not_held_up, until
from ..raw import connect, read_head
from ..suite import check


class Flood:
    """A server with its default limits, and callers from addresses of their own.

    What a bucket has lost does not come back, so that the speed of this machine decides nothing.
    """

    def __init__(self, instance, world):
        self.instance, self.world = instance, world
        settings = instance.api.must("GET", "/v1/settings")
        for limit in settings["device_limits"].values():
            if isinstance(limit, dict):
                limit["per_second"] = 0.001
        instance.api.must("PUT", "/v1/settings", settings)
        instance.api.must("POST", "/v1/campaigns", {**world.campaign("Flooded"), "id": "flooded"})
        instance.api.must("POST", "/v1/campaigns/flooded/launch", {"force": True})

    def caller(self, source=None):
        return Api(self.instance.port, self.instance.publishable, source or self.world.address_of_this_machine())

    def connection(self, source):
        return connect(self.instance.port, source)

    def honest(self, flooded=None, control=None):
        """Checks that an honest app at another address is served at the same time, as soon as by a server without a
        flood."""
        flooded, control, user = (
            flooded or self.caller(),
            control or self.world.device,
            f"honest-{next(self.world.numbers)}",
        )

        def sync(api):
            reply = api.sync(user)
            check(reply.status == 200, f"an honest app is told {reply}")

        is_not_held_up(lambda: sync(flooded), lambda: sync(control), "the sync of an honest app", 15)


def deadlines(world):
    """Flags of shorter deadlines, so that nobody waits for the real ones."""
    import subprocess

    words = subprocess.run([world.placard, "serve", "--help"], capture_output=True, text=True).stdout
    wanted = {"--head-timeout": "2", "--body-timeout": "3", "--idle-timeout": "4"}
    return [part for flag, value in wanted.items() if flag in words for part in (flag, value)]


def open_streams(flood, count, source, user):
    """Opens live streams, and returns the connections with what each was told."""
    opened = []
    for number in range(count):
        connection = flood.connection(source)
        name = user(number)
        head = (
            f"GET /v1/live?user_id={name}&device_id=d{number} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer"
            f" {flood.instance.publishable}\r\n\r\n"
        )
        try:
            connection.sendall(head.encode())
        except OSError:
            pass
        opened.append(connection)
    return opened


def alive(streams):
    """How many streams that began were not closed since."""
    count = 0
    for connection in streams:
        try:
            connection.setblocking(False)
            while connection.recv(65536):
                pass
        except BlockingIOError:
            count += 1
        except OSError:
            pass
    return count


def limited_streams(flood, count, user, limit):
    """Opens live streams, and checks that some stay open and no more than a limit."""
    connections = open_streams(flood, count, flood.world.address_of_this_machine(), user)
    try:
        streams = [connection for connection in connections if head_of(connection).startswith(b"HTTP/1.1 200")]
        # A stream that has to go for another may end a little after that one has begun.
        until(lambda: alive(streams) <= limit, lambda: f"{alive(streams)} of {count} are open")
        check(alive(streams) > 0, "none is open")
        flood.honest()
    finally:
        close(connections)


def head_of(connection):
    try:
        return read_head(connection)
    except ConnectionError:
        return b""


def close(connections):
    for connection in connections:
        connection.close()


def streams_of_user(flood):
    limited_streams(flood, 80, lambda number: "kate", 40)


def streams_of_address(flood):
    limited_streams(flood, 400, lambda number: f"u{number}", 320)


def streams_of_session(flood):
    """On the main server, which has members."""
    world = flood.world
    cookie = "; ".join(f"{name}={value}" for name, value in world.browser("vera@example.com").cookies.items())
    head = f"GET /dashboard/live HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n".encode()
    sources = [world.address_of_this_machine() for _ in range(6)]
    connections = []

    def ask(number):
        connection = connect(world.port, sources[number % len(sources)])
        connections.append(connection)
        connection.sendall(head)
        return connection, head_of(connection)

    try:
        replies = [ask(number) for number in range(60)]
        opened = [connection for connection, reply in replies if reply.startswith(b"HTTP/1.1 200")]
        refused = [reply for _, reply in replies if reply.startswith(b"HTTP/1.1 429")]
        check(len(opened) == 10 and len(refused) == 50, f"{len(opened)} are open, and {len(refused)} refused")
        check(all(b"retry-after" in reply.lower() for reply in refused), "the reply does not say when")
        opened[0].close()
        until(lambda: ask(0)[1].startswith(b"HTTP/1.1 200"), "a page that was closed keeps its place")
    finally:
        close(connections)


def idle(flood):
    """On the main server, whose connections may be idle for longer than this takes."""
    world, connections = flood.world, []
    source = world.address_of_this_machine()
    try:
        for _ in range(1500):
            try:
                connections.append(connect(world.port, source))
            except OSError:
                break
        until(
            lambda: sum(map(is_open, connections)) < 1300, lambda: f"{sum(map(is_open, connections))} of 1,500 are kept"
        )
        flood.honest(Api(world.port, world.publishable, world.address_of_this_machine()), flood.caller())
    finally:
        close(connections)


def is_open(connection):
    """Whether a connection is kept: one that is not was closed, or told that there is no room."""
    try:
        connection.recv(64, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False
