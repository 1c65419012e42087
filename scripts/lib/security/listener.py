"""A host that Placard may be made to ask: it counts who comes, and answers as an attack needs."""

import socket
import threading
import zlib

from .clock import LONG


class Listener:
    """A port of this machine on every address, IPv4 and IPv6."""

    def __init__(self, answer=None, is_endless=False):
        """Answers each connection with bytes, if any, or with what a function makes of its request; endless bytes are
        repeated until the other side has gone."""
        self.count, self.requests, self.answer, self.is_endless = 0, [], answer, is_endless
        self.socket = socket.socket(socket.AF_INET6)
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        self.socket.bind(("::", 0))
        self.socket.listen(64)
        self.port = self.socket.getsockname()[1]
        self.is_open = True
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while self.is_open:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            if not self.is_open:
                return connection.close()
            self.count += 1
            threading.Thread(target=self.respond, args=(connection,), daemon=True).start()

    def respond(self, connection):
        with connection:
            try:
                connection.settimeout(LONG)
                self.requests.append(connection.recv(65536))
                answer = self.answer(self.requests[-1]) if callable(self.answer) else self.answer
                if answer:
                    connection.sendall(answer)
                while self.is_endless and self.is_open:
                    connection.sendall(b"x" * 65536)
            except OSError:
                pass

    def close(self):
        self.is_open = False
        # Wakes the thread that waits for a connection.
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            pass
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def reply(body, status="200 OK", **headers):
    """The bytes of an HTTP reply."""
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n{lines}\r\n".encode() + body


def gzip_bomb(mebibytes):
    """That many mebibytes of zeros in some hundred KB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    part = b"\0" * (1 << 20)
    return b"".join(packer.compress(part) for _ in range(mebibytes)) + packer.flush()
