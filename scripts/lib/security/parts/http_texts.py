"""Requests that two programs could read in two ways."""

from ..raw import HOST, exchange
from ..suite import check

SMUGGLED = b"GET /v1/keys HTTP/1.1\r\n" + HOST + b"Authorization: Bearer KEY\r\n\r\n"


def smuggled(world):
    return SMUGGLED.replace(b"KEY", world.secret.encode())


def post(head, body=b"", path=b"/v1/sync"):
    return b"POST " + path + b" HTTP/1.1\r\n" + HOST + head + b"\r\n" + body


def refused(answer):
    """Nothing was done: no reply is a success, and what could follow was not read as a request.

    A head may be refused before the body turns out to be wrong; then a second reply says so, and the connection ends.
    """
    check(all(status >= 400 for status in answer.statuses), f"answered {answer}")
    is_one = len(answer.statuses) <= 1 or (answer.statuses[1:] == [400] and answer.is_closed)
    check(is_one, f"replies {answer.statuses}: {answer}")
    check(b'"keys"' not in answer.data, "the smuggled request was answered")


# Each is a head and body that two readers could frame differently; a request follows that must not be read as one.
FRAMINGS = {
    "with a length and chunks": (b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n"),
    "with chunks and a length": (b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", b"0\r\n\r\n"),
    "with two lengths": (b"Content-Length: 2\r\nContent-Length: 200\r\n", b"{}"),
    "with two lengths in one line": (b"Content-Length: 2, 200\r\n", b"{}"),
    "with a negative length": (b"Content-Length: -1\r\n", b"{}"),
    "with a length that has a plus": (b"Content-Length: +2\r\n", b"{}"),
    "with a hexadecimal length": (b"Content-Length: 0x2\r\n", b"{}"),
    "with a length of 2⁶⁴ + 2": (b"Content-Length: 18446744073709551618\r\n", b"{}"),
    "with an empty length": (b"Content-Length: \r\n", b"{}"),
    "with a length and letters": (b"Content-Length: 2abc\r\n", b"{}"),
    "with a length of two numbers": (b"Content-Length: 2 2\r\n", b"{}"),
    "with an unknown encoding": (b"Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n"),
    "with chunked that is not last": (b"Transfer-Encoding: chunked, identity\r\n", b"0\r\n\r\n"),
    "with two encodings": (
        b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        b"0\r\n\r\n",
    ),
    "with a space before the colon of the encoding": (
        b"Transfer-Encoding : chunked\r\nContent-Length: 5\r\n",
        b"0\r\n\r\n",
    ),
    "with a vertical tab in the encoding": (b"Transfer-Encoding: \x0bchunked\r\nContent-Length: 5\r\n", b"0\r\n\r\n"),
    "with a folded encoding": (b"Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n", b"0\r\n\r\n"),
    "with a NUL in the encoding": (b"Transfer-Encoding: chunked\x00\r\nContent-Length: 5\r\n", b"0\r\n\r\n"),
    "with chunks of a negative size": (b"Transfer-Encoding: chunked\r\n", b"-2\r\n{}\r\n0\r\n\r\n"),
    "with chunks of a size over 2⁶⁴": (b"Transfer-Encoding: chunked\r\n", b"10000000000000002\r\n{}\r\n0\r\n\r\n"),
    "with chunks of a size that is none": (b"Transfer-Encoding: chunked\r\n", b"zz\r\n{}\r\n0\r\n\r\n"),
    "with chunks whose size has 0x": (b"Transfer-Encoding: chunked\r\n", b"0x2\r\n{}\r\n0\r\n\r\n"),
    "with a chunk that is longer than it says": (b"Transfer-Encoding: chunked\r\n", b"1\r\n{}\r\n0\r\n\r\n"),
    "with chunks that end in bare line feeds": (b"Transfer-Encoding: chunked\r\n", b"2\n{}\n0\n\n"),
}


def framed(world, head, body):
    def attack():
        for key in (b"", b"Authorization: Bearer " + world.publishable.encode() + b"\r\n"):
            refused(exchange(world.port, post(key + head, body) + smuggled(world)))

    return attack


# Each is a whole head that is wrong.
HEADS = {
    "whose lines end in line feeds alone": b"GET /v1/keys HTTP/1.1\nHost: x\nAuthorization: Bearer KEY\n\n",
    "with a NUL in a header": b"GET /v1/keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\x00\r\n\r\n",
    "with a bare carriage return in a header": (
        b"GET /v1/keys HTTP/1.1\r\nHost: x\r\nX-A: a\rAuthorization: Bearer KEY\r\n\r\n"
    ),
    "with a header name that has a space": b"GET /v1/keys HTTP/1.1\r\nHost: x\r\nAuthorization : Bearer KEY\r\n\r\n",
    "with a header name that is empty": b"GET /v1/keys HTTP/1.1\r\nHost: x\r\n: x\r\nAuthorization: Bearer KEY\r\n\r\n",
    "with a header without a colon": (
        b"GET /v1/keys HTTP/1.1\r\nHost: x\r\nnonsense\r\nAuthorization: Bearer KEY\r\n\r\n"
    ),
    "with a header name of other bytes": (
        b"GET /v1/keys HTTP/1.1\r\nHost: x\r\nX-\xff: 1\r\nAuthorization: Bearer KEY\r\n\r\n"
    ),
    "with a folded header": b"GET /v1/keys HTTP/1.1\r\nHost: x\r\nAuthorization:\r\n Bearer KEY\r\n\r\n",
    "that begins with a folded line": b"GET /v1/keys HTTP/1.1\r\n Host: x\r\nAuthorization: Bearer KEY\r\n\r\n",
    "with a NUL in its path": b"GET /v1/keys\x00 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\n\r\n",
    "with a space in its path": b"GET /v1/ke ys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\n\r\n",
    "of HTTP/0.9": b"GET /v1/keys\r\n\r\n",
    "of HTTP/2.0": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "of HTTP/1.12": b"GET /v1/keys HTTP/1.12\r\nHost: x\r\nAuthorization: Bearer KEY\r\n\r\n",
    "of http in small letters": b"GET /v1/keys http/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\n\r\n",
    "whose method is in small letters": b"get /v1/keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\n\r\n",
    "whose method has other bytes": b"G\xc3\x8bT /v1/keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\n\r\n",
    "that is a TLS greeting": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64,
    "that is no text": bytes(range(256)) * 4,
    "that is empty lines": b"\r\n" * 2000,
}


def big(world, data, statuses=(400, 413, 414, 431, 494)):
    def attack():
        before = world.server.resident_bytes
        answer = exchange(world.port, data)
        check(all(status in statuses for status in answer.statuses), f"answered {answer}")
        check(answer.is_closed or answer.statuses, "it is waited for more")
        check(world.server.resident_bytes - before < 64 << 20, "memory grew by more than 64 MiB")

    return attack


TARGETS = {
    "http://evil.example/v1/keys": (401, 400, 404),
    "//evil.example/v1/keys": (401, 400, 404),
    "*": (400, 404, 405),
    "evil.example:80": (400, 404, 405),
    "/%2e%2e/%2e%2e/etc/passwd": (400, 404),
    "/v1/keys#x": (400, 401, 404),
    "/v1/keys%0d%0aX: y": (400, 404),
    "?": (400, 404),
    "/v1/users/%ff": (400, 401, 404),
    "/v1/users/%": (400, 401, 404),
    "/v1/users/%zz": (400, 401, 404),
    "\\v1\\keys": (400, 404),
    "http://": (303, 400, 404),
    "http://[::1": (303, 400, 404),
    "/v1/../v1/keys": (400, 401, 404),
    "/\u00e9": (400, 404),
    "/" + "../" * 50 + "etc/passwd": (400, 404),
}


def targeted(world, target, statuses):
    def attack():
        answer = exchange(world.port, target.encode().join((b"GET ", b" HTTP/1.1\r\n" + HOST + b"\r\n")))
        check(all(status in statuses for status in answer.statuses), f"answered {answer}")
        check(b"Location: http" not in answer.data and b"Location: //" not in answer.data, "it leads elsewhere")
        check(b"root:" not in answer.data and b'"keys"' not in answer.data, "something is shown")

    return attack
