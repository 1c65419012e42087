"""Requests whose bytes come slowly, or never."""

from ..clock import LONG, until
from ..raw import read
from ..suite import check


def dribble(flood, first, part):
    """Sends bytes slowly until the server ends it."""
    with flood.connection(flood.world.address_of_this_machine()) as connection:

        def is_ended():
            try:
                connection.sendall(part)
                connection.settimeout(0.25)
                return not connection.recv(4096)
            except TimeoutError:
                return False
            except OSError:
                return True

        connection.sendall(first)
        until(is_ended, f"it is still open after {LONG} s")


def slow_head(flood):
    dribble(flood, b"GET /healthz HTTP/1.1\r\nHost: x\r\n", b"X: a\r\n")


def slow_body(flood):
    head = (
        f"POST /v1/sync HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {flood.instance.publishable}\r\nContent-Length:"
        " 100000\r\n\r\n"
    )
    dribble(flood, head.encode(), b" ")


def silent(flood):
    with flood.connection(flood.world.address_of_this_machine()) as connection:
        check(read(connection).is_closed, f"it is still open after {LONG} s")
