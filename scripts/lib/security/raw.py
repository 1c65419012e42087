"""Bytes on a socket, as no HTTP library would send them."""

import socket
import time

from .clock import LONG

HOST = b"Host: 127.0.0.1\r\n"


class Answer:
    """What came back on a connection."""

    def __init__(self, data, is_closed):
        self.data, self.is_closed = data, is_closed

    def __repr__(self):
        return f"{'closed' if self.is_closed else 'open'} after {self.data[:300]!r}"

    @property
    def statuses(self):
        """The status of each reply, by their framing: a status line inside of a body is none."""
        return self.parsed[0]

    @property
    def complete(self):
        """The number of replies that have arrived to their end."""
        return self.parsed[1]

    @property
    def parsed(self):
        statuses, complete, rest = [], 0, self.data
        while rest.startswith(b"HTTP/1."):
            head, separator, rest = rest.partition(b"\r\n\r\n")
            statuses.append(int(head.split(b" ", 2)[1]))
            if not separator:
                break
            length = next(
                (
                    int(line.split(b":")[1])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length:")
                ),
                None,
            )
            is_whole = True
            if length is not None and statuses[-1] not in (204, 304):
                is_whole, rest = len(rest) >= length, rest[length:]
            elif b"transfer-encoding: chunked" in head.lower():
                _, ending, rest = rest.partition(b"0\r\n\r\n")
                is_whole = bool(ending)
            complete += is_whole and statuses[-1] >= 200
        return statuses, complete


def connect(port, source=None):
    """Opens a connection."""
    return socket.create_connection(("127.0.0.1", port), LONG, (source, 0) if source else None)


def read(connection, replies=None, limit=LONG):
    """Reads until the server has closed, or until so many replies are complete."""
    data, end = b"", time.monotonic() + limit
    while replies is None or Answer(data, False).complete < replies:
        remaining = end - time.monotonic()
        if remaining <= 0:
            break
        connection.settimeout(remaining)
        try:
            part = connection.recv(65536)
        except TimeoutError:
            break
        except ConnectionError:
            return Answer(data, True)
        if not part:
            return Answer(data, True)
        data += part
    return Answer(data, False)


def read_head(connection):
    """Reads until the head of a reply is complete, for replies that do not end."""
    data = b""
    connection.settimeout(LONG)
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            break
        data += part
    return data


def exchange(port, *parts, source=None, replies=None):
    """Sends parts and returns the answer.

    Without a number of replies to wait for, it says that no more is sent and reads to the end: the server then answers
    what it takes for requests, and closes, so that what does not come is known not to come.
    """
    with connect(port, source) as connection:
        try:
            for part in parts:
                connection.sendall(part)
            if replies is None:
                connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        return read(connection, replies)
