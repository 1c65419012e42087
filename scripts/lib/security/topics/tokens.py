"""User tokens: nobody reads the feed of a user whose token they do not have."""

import json
import time
import unicodedata
import uuid

from ..client import Api, Client
from ..clock import until
from ..base64url import encode
from ..jwt import Signer, claims
from ..raw import connect, read, read_head
from ..suite import Topic, check

topic = Topic("User tokens")
VICTIM, EVE = "kate", "eve"
CURVE_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class Case:
    """A server that requires tokens, and tokens for it."""

    def __init__(self, instance):
        self.instance, self.signer = instance, Signer()
        self.set_keys(self.keys)
        card = {"type": "classic", "title": "For {{${user_id}}}", "description": "Private"}
        instance.api.must("POST", "/v1/campaigns", {"id": "private", "name": "P", "variants": [{"card": card}]})
        instance.api.must("POST", "/v1/campaigns/private/launch", {"force": True})

    @property
    def keys(self):
        return [{"id": "rsa", "pem": Signer.pem(self.signer.rsa)}, {"id": "ec", "pem": Signer.pem(self.signer.ec)}]

    def set_keys(self, keys, **more):
        self.instance.set(user_tokens="required", public_keys=keys, **more)

    def sync(self, token, user=VICTIM, body=None):
        body = body or json.dumps({"user_id": user, "device_id": "d"})
        api = Api(
            self.instance.port, self.instance.publishable, token=token.encode().decode("latin-1") if token else None
        )
        return api.call("POST", "/v1/sync", body)

    def is_refused(self, token, user=VICTIM, body=None):
        """Checks that a token opens nothing, on each of the device's routes."""
        try:
            reply = self.sync(token, user, body)
        except (ValueError, ConnectionError):
            return  # No library sends it, or the server ends the connection.
        check(reply.status in (400, 401, 413, 431), f"sync: {reply}")
        check("Private" not in reply.text, "a card is shown")


@topic.family
def everything(world):
    with world.instance("tokens") as instance:
        case = Case(instance)
        for name, function in each(case):
            yield name, function
        problem = instance.health()
        yield "The server that requires tokens is still well after all of it", lambda: check(not problem, problem)


def each(case):
    yield from controls(case)
    for group in (algorithms, headers, claim_forms, forms, subjects):
        for name, token, *user in group(case.signer):
            yield name, lambda token=token, user=user: case.is_refused(token, *user)
    yield from routes(case)
    yield from changes_of_keys(case)


def controls(case):
    for algorithm in ("RS256", "ES256"):
        token = case.signer.token(claims(VICTIM), algorithm)
        yield (
            f"A good token signed by {algorithm} opens its user's feed, so that refusals mean something",
            (lambda token=token: check(case.sync(token).status == 200, f"{case.sync(token)}")),
        )
    yield "Without a token nothing opens where tokens are required", lambda: case.is_refused(None)
    yield "An empty token opens nothing", lambda: case.is_refused("")


def algorithms(signer):
    good = claims(VICTIM)
    for none in ("none", "None", "NONE", "nOnE", ""):
        yield (
            f"A token without a signature whose algorithm is “{none}” is refused",
            signer.token(good, "RS256", {"alg": none, "typ": "JWT"}, signature=b""),
        )
    yield (
        "A token of algorithm none with a signature is refused",
        signer.token(good, "RS256", {"alg": "none"}, signature=b"x" * 256),
    )
    for name, key in (("RSA", signer.rsa), ("EC", signer.ec)):
        pem = Signer.pem(key)
        for form, secret in (
            ("PEM", pem.encode()),
            ("PEM without its last line break", pem.strip().encode()),
            ("DER", Signer.der(key)),
            ("PEM on one line", pem.replace("\n", "").encode()),
        ):
            yield (
                f"A token signed by HS256 with the public {name} key in {form} as the secret is refused",
                signer.token(good, "HS256", key=secret),
            )
    yield "A token signed by HS256 with an empty secret is refused", signer.token(good, "HS256", key=b"")
    yield (
        "A token signed by HS512 with the public key is refused",
        signer.token(good, "HS512", key=Signer.pem(signer.rsa).encode()),
    )
    for algorithm in ("RS384", "RS512", "PS256", "PS512"):
        yield (
            f"A token signed with the right key by {algorithm}, which is not taken, is refused",
            signer.token(good, algorithm),
        )
    yield "A token signed by RS256 with another key is refused", signer.token(good, "RS256", key=signer.other_rsa)
    yield "A token signed by ES256 with another key is refused", signer.token(good, "ES256", key=signer.other_ec)
    yield "A token that says RS256 and is signed by ES256 is refused", signer.token(good, "ES256", {"alg": "RS256"})
    yield "A token that says ES256 and is signed by RS256 is refused", signer.token(good, "RS256", {"alg": "ES256"})
    yield "A token that says ES384 and is signed by ES256 is refused", signer.token(good, "ES256", {"alg": "ES384"})
    yield "A token of EdDSA is refused", signer.token(good, "EdDSA")
    yield "A token signed on the curve secp256k1 is refused", signer.token(good, "ES256", key=signer.k1)
    for name, r, s in (
        ("zeros", 0, 0),
        ("the order of the curve", CURVE_ORDER, CURVE_ORDER),
        ("one and zero", 1, 0),
        ("the largest number", 2**256 - 1, 2**256 - 1),
    ):
        yield (
            f"A signature by ES256 that is {name} is refused",
            signer.token(good, "ES256", signature=r.to_bytes(32, "big") + s.to_bytes(32, "big")),
        )
    data = signer.token(good, "ES256", signature=b"").rstrip(".").encode()
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec

    yield (
        "A signature by ES256 in DER is refused",
        data.decode() + "." + encode(signer.ec.sign(data, ec.ECDSA(hashes.SHA256()))),
    )
    yield "A signature of zeros by RS256 is refused", signer.token(good, signature=b"\0" * 256)
    yield (
        "A signature by RS256 that is the padding alone is refused",
        signer.token(good, signature=b"\0\1" + b"\xff" * 253 + b"\0"),
    )
    yield "A signature of a megabyte is refused", signer.token(good, signature=b"A" * 750_000)


def headers(signer):
    good = claims(VICTIM)
    kids = {
        "unknown": "nobody",
        "a path": "../../../../dev/null",
        "SQL": "x' UNION SELECT 'key' --",
        "a URL": "http://127.0.0.1:9/key",
        "a list": ["rsa"],
        "a number": 0,
        "of a megabyte": "k" * 200_000,
        "a NUL": "rsa\0",
        "empty": "",
        "an object": {"a": 1},
        "in other letters": "RSA",
    }
    for name, kid in kids.items():
        yield (
            f"A token whose kid is {name}, signed with another key, is refused",
            signer.token(good, "RS256", {"alg": "RS256", "kid": kid}, signer.other_rsa),
        )
    for kid in ("nobody", "", "RSA", "rsa\u0301"):
        yield (
            f"A token signed with the right key that names the key “{kid}” is refused",
            signer.token(good, "RS256", {"alg": "RS256", "kid": kid}),
        )
    yield (
        "A token signed by the EC key that names the RSA key is refused",
        signer.token(good, "ES256", {"alg": "ES256", "kid": "rsa"}),
    )
    numbers = signer.other_rsa.public_key().public_numbers()
    jwk = {"kty": "RSA", "n": encode(numbers.n.to_bytes(256, "big")), "e": encode(b"\1\0\1"), "alg": "RS256"}
    yield (
        "A token that brings its own key in jwk is refused",
        signer.token(good, "RS256", {"alg": "RS256", "jwk": jwk}, signer.other_rsa),
    )
    for name in ("jku", "x5u"):
        yield (
            f"A token that says by {name} where its key is, is refused",
            signer.token(good, "RS256", {"alg": "RS256", name: "http://127.0.0.1:9/keys"}, signer.other_rsa),
        )
    yield (
        "A token that brings a certificate in x5c is refused",
        signer.token(good, "RS256", {"alg": "RS256", "x5c": [encode(Signer.der(signer.other_rsa))]}, signer.other_rsa),
    )
    for name, crit in (
        ("names what nobody knows", ["exp", "x-unknown"]),
        ("is empty", []),
        ("is a text", "exp"),
        ("names b64", ["b64"]),
    ):
        yield (
            f"A token whose crit {name} is refused",
            signer.token(good, "RS256", {"alg": "RS256", "crit": crit, "b64": False, "x-unknown": 1}),
        )
    for name, head in (
        ("is a list", "[]"),
        ("is a text", '"RS256"'),
        ("is empty", ""),
        ("is no JSON", "{alg"),
        ("has no algorithm", '{"typ":"JWT"}'),
        ("has a list of algorithms", '{"alg":["RS256"]}'),
        ("has the algorithm twice, none last", '{"alg":"RS256","alg":"none"}'),
        ("has the algorithm twice, none first", '{"alg":"none","alg":"RS256"}'),
        ("has an unknown encryption", '{"alg":"RSA-OAEP","enc":"A256GCM"}'),
    ):
        unsigned = "none" in head
        yield (
            f"A token whose header {name} is refused",
            signer.token(good, "RS256", head, None if not unsigned else signer.other_rsa),
        )


def claim_forms(signer):
    now = int(time.time())
    exps = {
        "is missing": None,
        "has passed": now - 1,
        "is a text": str(now + 300),
        "is true": True,
        "is null": "null",
        "is a list": [now + 300],
        "is an object": {"a": 1},
        "is 0": 0,
        "is negative": -now,
        "is −2⁶³": -(2**63),
    }
    for name, exp in exps.items():
        payload = claims(VICTIM, exp=exp) if exp != "null" else {"sub": VICTIM, "exp": None}
        yield f"A token whose exp {name} is refused", signer.token(payload)
    for name, text in (
        ("is 1e400", "1e400"),
        ("is NaN", "NaN"),
        ("is Infinity", "Infinity"),
        ("is −1e400", "-1e400"),
        ("has 5,000 digits", "9" * 5000),
    ):
        yield f"A token whose exp {name} is refused", signer.token('{"sub":"%s","exp":%s}' % (VICTIM, text))
    for name, exp in (("is 2⁶³ − 1", 2**63 - 1), ("is 1e308", 1e308), ("is ten years away", now + 10 * 365 * 86400)):
        yield (
            f"A token whose exp {name} lives longer than any token may, and is refused",
            signer.token(claims(VICTIM, exp=exp)),
        )
    for name, nbf in (("is an hour away", now + 3600), ("is a text", "soon"), ("is 2⁶³ − 1", 2**63 - 1)):
        yield f"A token whose nbf {name} is refused", signer.token(claims(VICTIM, nbf=nbf))
    yield (
        "A token whose exp is there twice, the last of them passed, is refused",
        signer.token('{"sub":"%s","exp":%d,"exp":1}' % (VICTIM, now + 300)),
    )
    yield (
        "A token whose exp is there twice, the first of them passed, is refused",
        signer.token('{"sub":"%s","exp":1,"exp":%d}' % (VICTIM, now + 300)),
    )
    for first, last in ((VICTIM, EVE), (EVE, VICTIM)):
        yield (
            f"A token whose sub is there twice, {first} and then {last}, is refused for {VICTIM}",
            signer.token('{"sub":"%s","sub":"%s","exp":%d}' % (first, last, now + 300)),
        )
    yield (
        "A token whose sub is escaped and there twice is refused",
        signer.token('{"sub":"%s","s\\u0075b":"%s","exp":%d}' % (EVE, VICTIM, now + 300)),
    )


def forms(signer):
    good = signer.token(claims(VICTIM))
    head, body, signature = good.split(".")
    changed = {
        "without a signature": f"{head}.{body}.",
        "of two parts": f"{head}.{body}",
        "of one part": head,
        "of four parts": good + "." + signature,
        "of five parts, as encrypted": ".".join([head, "", "", body, signature]),
        "of dots": "..",
        "with the signature cut": good[:-10],
        "with a changed body": f"{head}.{encode(json.dumps(claims(VICTIM, role='admin')).encode())}.{signature}",
        "with a line break": good[:30] + "\n" + good[30:],
        "with its parts swapped": f"{body}.{head}.{signature}",
        "with Bearer before it": "Bearer " + good,
        "in the other alphabet of base 64": good.replace("-", "+").replace("_", "/") + "+",
        "with a NUL after it": good + "\0",
        "twice, with a comma": f"{good},{good}",
        "of a megabyte": "A" * 1_000_000,
        "of dots alone, 100,000": "." * 100_000,
    }
    for name, token in changed.items():
        yield f"A token {name} is refused", token
    bodies = {
        "is no JSON": "{sub",
        "is a list": '["kate"]',
        "is a text": '"kate"',
        "is empty": "",
        "is nested 100,000 deep": "[" * 100_000,
        "is no UTF-8": b'{"sub":"kate\xff","exp":9999999999}',
    }
    for name, payload in bodies.items():
        yield f"A token whose body {name} is refused", signer.token(payload)


def subjects(signer):
    others = {
        "the KELVIN SIGN for a K": ("Kate", "\u212aate"),
        "another case": ("kate", "KATE"),
        "a dotless ı": ("wi", "wı"),
        "full-width letters": ("kate", "ｋate"),
        "a letter and a combining mark for one letter": ("é", unicodedata.normalize("NFD", "é")),
        "one letter for a letter and a mark": (unicodedata.normalize("NFD", "é"), "é"),
        "a space after it": ("kate", "kate "),
        "a space before it": ("kate", " kate"),
        "a zero-width joiner": ("kate", "ka\u200dte"),
        "a soft hyphen": ("kate", "ka\u00adte"),
        "a ligature": ("fix", "ﬁx"),
        "the ANGSTROM SIGN": ("Å", "\u212b"),
        "a Hangul syllable in parts": ("가", unicodedata.normalize("NFD", "가")),
        "ohm for omega": ("Ω", "\u2126"),
        "a beginning of it": ("kate", "kat"),
        "a longer text": ("kate", "kate2"),
        "a NUL after it": ("kate", "kate\0"),
        "a pattern": ("kate", "%"),
        "marks in another order": ("a\u0315\u0300", "a\u0300\u0315"),
    }
    for name, (user, subject) in others.items():
        yield (
            f"A token for a user id with {name} does not open the feed of the other",
            signer.token(claims(subject)),
            user,
        )
    for name, sub in (
        ("missing", None),
        ("a number", 42),
        ("a list", [VICTIM]),
        ("an object", {"id": VICTIM}),
        ("empty", ""),
        ("true", True),
    ):
        yield (
            f"A token whose sub is {name} is refused",
            signer.token(claims(sub) if sub is not None else claims(None)),
            "42" if sub == 42 else VICTIM,
        )
    yield "A token of another user is refused", signer.token(claims(EVE))


def routes(case):
    good, eve = case.signer.token(claims(VICTIM)), case.signer.token(claims(EVE))
    port, key = case.instance.port, case.instance.publishable

    def events():
        body = {"user_id": VICTIM, "device_id": "d", "events": []}
        check(Api(port, key, token=eve).call("POST", "/v1/events", body).status == 401, "another's token")
        check(Api(port, key).call("POST", "/v1/events", body).status == 401, "no token")
        check(Api(port, key, token=good).call("POST", "/v1/events", body).status == 200, "the own token is refused too")

    yield "POST /v1/events asks for the token of its user", events

    def live():
        for token in (None, eve):
            check(
                Api(port, key, token=token).call("GET", f"/v1/live?user_id={VICTIM}").status == 401,
                f"opened with {token and 'another'}",
            )
        reply = (
            Client(port).get(
                f"/v1/live?user_id={EVE}&user_id={VICTIM}", Authorization=f"Bearer {key}", Placard_User_Token=eve
            )
            if False
            else None
        )
        check(reply is None or reply.status in (400, 401), f"answered {reply}")

    yield "GET /v1/live asks for the token of its user", live

    def query():
        for path in (f"/v1/sync?token={good}", f"/v1/sync?Placard-User-Token={good}"):
            reply = Api(port, key).call("POST", path, {"user_id": VICTIM, "device_id": "d"})
            check(reply.status == 401, f"{path[:20]}: {reply}")

    yield "A token in the query or in the Authorization header is none", query

    def twice():
        for first, last in ((EVE, VICTIM), (VICTIM, EVE)):
            body = f'{{"user_id":"{first}","user_id":"{last}","device_id":"d"}}'
            reply = case.sync(eve, body=body)
            check(f"For {VICTIM}" not in reply.text, f"{VICTIM}'s cards are shown: {reply}")

    yield "A body that names two users shows a token's holder no other's cards", twice

    def cached():
        # As short a life as this machine needs to show the token before it ends.
        for seconds in (2, 8, 30):
            expiry = int(time.time()) + seconds
            token = case.signer.token(claims(VICTIM, exp=expiry))
            reply = case.sync(token)
            if reply.status == 200:
                break
        check(reply.status == 200, f"the token is refused: {reply}")
        until(lambda: time.time() > expiry and case.sync(token).status == 401, "it still opens after its end")

    yield "A token that was found good is refused once it has expired", cached

    def cached_for_another():
        check(case.sync(good).status == 200, "the token is refused")
        for user in (EVE, "Kate", "\u212aate"):
            check(case.sync(good, user).status == 401, f"it opens {user}")

    yield "A token that was found good for its user is refused for every other", cached_for_another

    def claimed_addresses():
        victim, api, device = "claimed", case.instance.api, Api(port, key, token=eve)
        api.must("POST", "/users/track", {"attributes": [{"external_id": victim, "email": "claimed@example.com"}]})
        for address in ({"email": "CLAIMED@example.com"}, {"phone": "+4915"}):
            event = {"id": str(uuid.uuid4()), "type": "attributes", "at": time.time(), "attributes": address}
            device.must("POST", "/v1/events", {"user_id": EVE, "device_id": "d", "events": [event]})
        api.must(
            "POST",
            "/users/track",
            {
                "attributes": [
                    {"email": "claimed@example.com", "code": "S3"},
                    {"phone": "+4915", "code": "S4", "_update_existing_only": True},
                ]
            },
        )
        codes = {user: api.must("GET", f"/v1/users/{user}")["custom_attributes"].get("code") for user in (victim, EVE)}
        check(codes == {victim: "S3", EVE: None}, f"the codes went to {codes}")
        reply = api.call(
            "POST", "/users/delete", {"email_addresses": ["claimed@example.com"], "phone_numbers": ["+4915"]}
        )
        check(
            reply.json.get("deleted") == 1 and api.call("GET", f"/v1/users/{EVE}").status == 200,
            f"deleted the wrong one: {reply}",
        )

    yield "What a backend sends to an address doesn't reach a user whose device claims it", claimed_addresses

    def new_users():
        before = case.instance.database.counts["users"]
        for number in range(30):
            case.sync(eve, f"invented-{number}")
            case.sync(None, f"invented-{number}")
        check(case.instance.database.counts["users"] == before, "users were made")

    yield "No user is made for who has no token of theirs", new_users


def changes_of_keys(case):
    def stream_ends():
        token = case.signer.token(claims("stream"))
        head = (
            "GET /v1/live?user_id=stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer"
            f" {case.instance.publishable}\r\nPlacard-User-Token: {token}\r\n\r\n"
        )
        with connect(case.instance.port) as connection:
            connection.sendall(head.encode())
            check(b" 200 " in read_head(connection)[:20], "the stream does not open")
            case.set_keys(case.keys[1:])
            check(read(connection).is_closed, "the stream is still open")

    yield "A live stream ends when the key that its token was signed with is taken away", stream_ends

    def taken_away():
        token = case.signer.token(claims(VICTIM))
        case.set_keys(case.keys)
        check(case.sync(token).status == 200, "the token is refused")
        case.set_keys(case.keys[1:])
        check(case.sync(token).status == 401, "it still opens")

    yield "A token that was found good is refused once its key is taken away", taken_away

    def rejected_keys():
        weak = [
            "-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAK\n-----END PUBLIC KEY-----",
            "",
            "x" * 100_000,
            Signer.pem(case.signer.k1),
            small_key(),
        ]
        for pem in weak:
            reply = case.instance.api.call(
                "PUT", "/v1/settings", {"user_tokens": "required", "public_keys": [{"id": "weak", "pem": pem}]}
            )
            check(reply.status == 400, f"{pem[:60]}: {reply}")

    yield "Public keys that are weak, of other curves or none are not taken", rejected_keys


def small_key():
    from cryptography.hazmat.primitives.asymmetric import rsa

    return Signer.pem(rsa.generate_private_key(65537, 1024))
