"""An OpenID provider that is honest, is attacked, or lies, as an attack needs it."""

import base64
import hashlib
import http.server
import json
import threading
import time
import urllib.parse

from .base64url import encode
from .jwt import Signer

CLIENT, SECRET = "placard", "a secret: with a+sign"
CALLBACK = "/dashboard/sign-in/provider/callback"


def number(value):
    return encode(value.to_bytes((value.bit_length() + 7) // 8, "big"))


class Provider:
    """A provider on a port of this machine, at which anyone signs in as its person."""

    def __init__(self, port=0):
        self.signer = Signer()
        self.person = {
            "sub": "emil",
            "email": "emil@example.com",
            "email_verified": True,
            "name": "Emil",
            "groups": ["marketing"],
        }
        # What its token says otherwise, how it is signed, and what it answers in place of what it should, by path.
        self.changes, self.make, self.faults = {}, None, {}
        self.checks_challenge, self.codes, self.seen, self.count = True, {}, [], 0
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                provider.answer(self, b"")

            def do_POST(self):
                provider.answer(self, self.rfile.read(int(self.headers["Content-Length"])))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def asked(self, path):
        """How often a path was asked for."""
        return sum(seen == path for seen, _ in self.seen)

    @property
    def document(self):
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "authorization_response_iss_parameter_supported": True,
        }

    @property
    def keys(self):
        rsa, other = (key.public_key().public_numbers() for key in (self.signer.rsa, self.signer.other_rsa))
        point = self.signer.ec.public_key().public_numbers()
        return {
            "keys": [
                {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "one", "n": number(rsa.n), "e": number(rsa.e)},
                {"kty": "EC", "crv": "P-256", "kid": "two", "x": number(point.x), "y": number(point.y)},
                {"kty": "RSA", "use": "enc", "kid": "sealing", "n": number(other.n), "e": number(other.e)},
                {"kty": "oct", "alg": "HS256", "kid": "shared", "k": encode(b"k" * 32)},
            ]
        }

    def answer(self, handler, body):
        path = urllib.parse.urlsplit(handler.path).path
        self.seen.append((path, dict(handler.headers)))
        fault = self.faults.get(path)
        try:
            if callable(fault):
                return fault(handler)
            if fault is not None:
                return self.send(handler, *fault)
            if path == "/.well-known/openid-configuration":
                return self.send(handler, self.document)
            if path == "/keys":
                return self.send(handler, self.keys)
            if path == "/token":
                return self.send(handler, *self.exchange(handler, dict(urllib.parse.parse_qsl(body.decode()))))
            return self.send(handler, {}, 404)
        except OSError:
            return None

    @staticmethod
    def send(handler, body, status=200, **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    def exchange(self, handler, form):
        """Gives a token for a code, once, to whoever has the secret and the verifier."""
        query = self.codes.pop(form.get("code"), None)
        user = base64.b64encode(f"{CLIENT}:{urllib.parse.quote(SECRET, safe='')}".encode()).decode()
        challenge = encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        is_own = query is not None and (not self.checks_challenge or challenge == query["code_challenge"])
        if not is_own or handler.headers["Authorization"] != f"Basic {user}":
            return {"error": "invalid_grant"}, 400
        return ({"access_token": "access", "token_type": "Bearer", "id_token": self.token(query)},)

    def token(self, query):
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": query["nonce"],
            **self.person,
            **self.changes,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        if self.make:
            return self.make(self.signer, claims)
        return self.signer.token(claims, "RS256", {"alg": "RS256", "kid": "one"})

    def authorize(self, address, **changes):
        """Signs the person in at the address to which a browser was sent, and returns the path back."""
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
        self.count += 1
        code = f"grant-{self.count}-{self.server.server_port}"
        self.codes[code] = query
        back = {"code": code, "state": query["state"], "iss": self.issuer, **changes}
        return (
            CALLBACK + "?" + urllib.parse.urlencode({name: value for name, value in back.items() if value is not None})
        )
