"""Bytes on a socket, as no HTTP library would send them."""

import socket
import time

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
        statuses, rest = [], self.data
        while rest.startswith(b"HTTP/1."):
            head, separator, rest = rest.partition(b"\r\n\r\n")
            statuses.append(int(head.split(b" ", 2)[1]))
            if not separator:
                break
            length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n")
                           if line.lower().startswith(b"content-length:")), None)
            if length is not None and statuses[-1] not in (204, 304):
                rest = rest[length:]
            elif b"transfer-encoding: chunked" in head.lower():
                rest = rest.partition(b"0\r\n\r\n")[2]
        return statuses


def connect(port, source=None, timeout=5.0):
    """Opens a connection."""
    return socket.create_connection(("127.0.0.1", port), timeout, (source, 0) if source else None)


def read(connection, quiet=0.4, limit=5.0):
    """Reads until the server has closed or has been quiet for a while."""
    data, end = b"", time.monotonic() + limit
    while time.monotonic() < end:
        connection.settimeout(quiet if data else min(2.0, limit))
        try:
            part = connection.recv(65536)
        except TimeoutError:
            return Answer(data, False)
        except ConnectionError:
            return Answer(data, True)
        if not part:
            return Answer(data, True)
        data += part
    return Answer(data, False)


def exchange(port, *parts, source=None, pause=0.0, quiet=0.4, closes=False):
    """Sends parts and returns the answer; with `closes`, no more is sent afterwards."""
    with connect(port, source) as connection:
        try:
            for part in parts:
                connection.sendall(part)
                if pause:
                    time.sleep(pause)
            if closes:
                connection.shutdown(socket.SHUT_WR)
        except ConnectionError:
            pass
        return read(connection, quiet)
