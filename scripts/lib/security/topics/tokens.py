"""User tokens: nobody reads the feed of a user whose token they do not have."""

import json
import time
import unicodedata
import uuid

from ..client import Api, Client
from ..clock import until
from ..jwt import Signer, claims
from ..raw import connect, read, read_head
from ..suite import Topic, check
from ..parts.token_forms import EVE, VICTIM, algorithms, claim_forms, forms, headers

topic = Topic("User tokens")


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
