"""HTTP over one kept connection, by hand: the check sends hundreds of thousands of small requests."""

from decimal import Decimal
import json
import re
import socket

from .amounts import number


def encode(value):
    """The JSON text of a value, in which decimals are numbers."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_mark)
    return re.sub(r'"\\u0001([-+.0-9E]+)"', r"\1", text)


def _mark(value):
    return f"\u0001{value}" if isinstance(value, Decimal) else str(value)


def decode(text):
    """The value of a JSON text, with decimals where no float says the number."""
    return json.loads(text, parse_float=number)


class Reply:
    """What the server answered."""

    def __init__(self, status, body):
        self.status = status
        self.body = body

    @property
    def json(self):
        return json.loads(self.body) if self.body else None


class Connection:
    """A connection to a server, opened when it is needed and again when it broke."""

    def __init__(self, port):
        self.port = port
        self.socket = None
        self.buffer = b""

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None
        self.buffer = b""

    def request(self, method, path, key, body=None):
        """Sends a request and returns the reply; a broken connection raises OSError, and nothing is sent again."""
        data = b"" if body is None else encode(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        try:
            if not self.socket:
                self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=120)
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.socket.sendall(head.encode() + data)
            return self._read()
        except OSError:
            self.close()
            raise

    def _read(self):
        while b"\r\n\r\n" not in self.buffer:
            self._receive()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        fields = dict((name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines[1:]))
        status = int(lines[0].split(" ")[1])
        if fields.get("transfer-encoding") == "chunked":
            body = self._read_chunks()
        else:
            body = self._take(0 if status == 204 else int(fields.get("content-length", 0)))
        if fields.get("connection", "").lower() == "close":
            self.close()
        return Reply(status, body)

    def _read_chunks(self):
        parts = []
        while True:
            while b"\r\n" not in self.buffer:
                self._receive()
            size, self.buffer = self.buffer.split(b"\r\n", 1)
            part = self._take(int(size, 16) + 2)[:-2]
            if not part:
                return b"".join(parts)
            parts.append(part)

    def _take(self, size):
        while len(self.buffer) < size:
            self._receive()
        body, self.buffer = self.buffer[:size], self.buffer[size:]
        return body

    def _receive(self):
        data = self.socket.recv(1 << 18)
        if not data:
            raise ConnectionResetError("The server closed the connection.")
        self.buffer += data
