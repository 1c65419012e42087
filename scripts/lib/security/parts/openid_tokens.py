"""What a provider's tokens are taken for, and who a person is by them."""

import concurrent.futures
import json
import time
import unicodedata

from ..jwt import Signer
from ..listener import Listener
from ..provider import CLIENT, SECRET
from ..suite import check


def tokens(case):
    now, issuer = int(time.time()), case.provider.issuer
    wrong = {
        "nonce is another's": {"nonce": "A" * 43},
        "nonce is missing": {"nonce": None},
        "nonce is a list": {"nonce": ["A"]},
        "issuer is another": {"iss": "https://evil.example"},
        "issuer has a slash at its end": {"iss": issuer + "/"},
        "issuer is in capitals": {"iss": issuer.upper()},
        "issuer is missing": {"iss": None},
        "issuer is a list": {"iss": [issuer]},
        "audience is another client": {"aud": "other"},
        "audience is missing": {"aud": None},
        "audience is an empty list": {"aud": []},
        "audience has several clients and no azp": {"aud": [CLIENT, "other"]},
        "azp is another client": {"azp": "other"},
        "azp is a list": {"azp": [CLIENT]},
        "audience only looks like the client": {"aud": "ｐlacard"},
        "audience has the client in capitals": {"aud": CLIENT.upper()},
        "exp has passed": {"exp": now - 120},
        "exp is missing": {"exp": None},
        "exp is a text": {"exp": str(now + 300)},
        "exp is 1e308": {"exp": 1e308, "iat": None},
        "iat is missing": {"iat": None},
        "iat is an hour ago": {"iat": now - 3_600},
        "iat is to come": {"iat": now + 3_600},
        "nbf is to come": {"nbf": now + 3_600},
        "subject is missing": {"sub": None},
        "subject is empty": {"sub": ""},
        "subject is a number": {"sub": 7},
        "subject has 256 letters": {"sub": "s" * 256},
        "subject has a control character": {"sub": "emil\0"},
        "at_hash is another token's": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
        "at_hash is a number": {"at_hash": 1},
        "auth_time is a text": {"auth_time": "now"},
        "auth_time is to come": {"auth_time": now + 7_200},
        "auth_time is 1e308": {"auth_time": 1e308},
    }
    for name, changes in wrong.items():

        def attack(changes=changes):
            with case.lie(**changes):
                case.refused()

        yield f"An ID token whose {name} signs no one in", attack

    def forged(make):
        def attack():
            with case.lie(make):
                # 503 where the whole answer is too large to be one.
                case.refused((401, 503))

        return attack

    pem = Signer.pem(case.provider.signer.rsa).encode()
    makers = {
        "of algorithm none": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "none", "kid": "one"}, signature=b""
        ),
        "of algorithm NONE with a signature": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "NONE", "kid": "one"}
        ),
        "without a signature": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "RS256", "kid": "one"}, signature=b""
        ),
        "of HS256 with the public key as the secret": lambda signer, claims: signer.token(
            claims, "HS256", {"alg": "HS256", "kid": "one"}, key=pem
        ),
        "of HS256 with the client's secret": lambda signer, claims: signer.token(
            claims, "HS256", {"alg": "HS256"}, key=SECRET.encode()
        ),
        "of HS256 with a shared key that the provider publishes": lambda signer, claims: signer.token(
            claims, "HS256", {"alg": "HS256", "kid": "shared"}, key=b"k" * 32
        ),
        "of another key under the provider's name for its own": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "RS256", "kid": "one"}, key=signer.ed and Signer().rsa
        ),
        "of the RSA key under the name of the EC key": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "RS256", "kid": "two"}
        ),
        "of the key that the provider has for sealing": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "RS256", "kid": "sealing"}, key=signer.other_rsa
        ),
        "of RS512": lambda signer, claims: signer.token(claims, "RS512", {"alg": "RS512", "kid": "one"}),
        "of PS256": lambda signer, claims: signer.token(claims, "PS256", {"alg": "PS256", "kid": "one"}),
        "with a critical header that is unknown": lambda signer, claims: signer.token(
            claims, "RS256", {"alg": "RS256", "kid": "one", "crit": ["x"], "x": 1}
        ),
        "whose subject is there twice": lambda signer, claims: signer.token(
            json.dumps(claims)[:-1] + ',"sub":"anna"}', "RS256", {"alg": "RS256", "kid": "one"}
        ),
        "that is a list": lambda signer, claims: signer.token([claims], "RS256", {"alg": "RS256", "kid": "one"}),
        "of 200 KB": lambda signer, claims: signer.token(
            {**claims, "more": "x" * 200_000}, "RS256", {"alg": "RS256", "kid": "one"}
        ),
    }
    for name, make in makers.items():
        yield f"An ID token {name} signs no one in", forged(make)

    def own_keys():
        with Listener() as other:
            address = f"http://127.0.0.1:{other.port}/keys"
            for header in ({"jku": address}, {"x5u": address}, {"jwk": case.provider.keys["keys"][2]}):
                with case.lie(
                    lambda signer, claims, header=header: signer.token(
                        claims, "RS256", {"alg": "RS256", **header}, key=signer.other_rsa
                    )
                ):
                    case.refused()
            check(other.count == 0, "the token's address was asked")

    yield "A token that brings its own key, or says where one is, signs no one in, and no one is asked", own_keys

    def storm():
        before = case.provider.asked("/keys")
        with case.lie(
            lambda signer, claims: signer.token(claims, "RS256", {"alg": "RS256", "kid": f"new-{time.time()}"})
        ):
            with concurrent.futures.ThreadPoolExecutor(10) as pool:
                list(pool.map(lambda _: case.refused((401, 503)), range(30)))
        check(case.provider.asked("/keys") <= before + 1, f"fetched {case.provider.asked('/keys') - before} times")
        case.works()

    yield "Thirty tokens that name unknown keys have the keys fetched once at the most", storm


def identities(case):
    def unverified():
        case.add_member("owner@example.com", "admin")
        for verified in (False, None, "true", "True", 1, [True], {"verified": True}):
            with case.person(sub="thief", email="owner@example.com", email_verified=verified, groups=["heads"]):
                case.refused((403,))
        check(case.members()["owner@example.com"][1] is None, "the account is connected")

    yield "An e-mail address that isn't verified by a boolean true takes no account over", unverified

    def given_on():
        with case.person(sub="first", email="owner@example.com", groups=["heads"]):
            _, reply = case.sign_in()
            check(reply.status == 303, f"the owner: {reply}")
        with case.person(sub="second", email="owner@example.com", groups=["heads"]):
            case.refused((403,))
        check(case.members()["owner@example.com"][1] == "first", "the account changed hands")

    yield "An address that was given to another account at the provider doesn't sign in as its last owner", given_on

    def looks():
        case.add_member("kate@example.com", "viewer")
        for number, email in enumerate(
            (
                "\u212aate@example.com",
                "kate@example.com\0",
                "ka\u200dte@example.com",
                "k\u0430te@example.com",
                "\uff4bate@example.com",
                ["kate@example.com"],
                {"a": "kate@example.com"},
            )
        ):
            with case.person(sub=f"look-{number}", email=email):
                case.sign_in()
        check(case.members()["kate@example.com"][1] is None, f"{case.members()['kate@example.com']} took it over")

    yield "An address that only looks like a member's doesn't take the member over", looks

    def subjects():
        forms = [unicodedata.normalize(form, "zo\u00eb") for form in ("NFC", "NFD")] + ["ZOË", "zoë ", "zoe"]
        for number, subject in enumerate(forms):
            with case.person(sub=subject, email=f"zoe{number}@example.com"):
                browser, reply = case.sign_in()
                check(
                    reply.status == 303 and f"zoe{number}@example.com" in browser.page("/dashboard/account").text,
                    f"{subject!r}: {reply}",
                )
        subjects = [subject for email, (_, subject) in case.members().items() if email.startswith("zoe")]
        check(len(subjects) == len(forms), f"{subjects}")

    yield "Subjects that are equal in Unicode's eyes are members of their own", subjects

    def name():
        with case.person(sub="markup", email="markup@example.com", name="<script>probe()</script>" + "x" * 50):
            browser, reply = case.sign_in()
            check(reply.status == 303 and "<script>probe" not in browser.page("/dashboard/account").text, f"{reply}")
        with case.person(sub="control", email="control@example.com", name="a\r\nb\x1b[2J"):
            check(case.sign_in()[1].status == 303, "refused")
        names = dict(case.instance.database.rows("SELECT email, name FROM members WHERE email = 'control@example.com'"))
        check("\r" not in names["control@example.com"] and "\x1b" not in names["control@example.com"], f"{names}")

    yield "A name from the provider is text, and has no control characters", name


def groups(case):
    strange = {
        "missing": None,
        "a number": 1,
        "true": True,
        "an object": {"0": "heads"},
        "a list in a list": [["heads"]],
        "a list of objects": [{"name": "heads"}],
        "JSON in a text": '["heads"]',
        "two in one text": "heads marketing",
        "in capitals": ["HEADS"],
        "with a space": [" heads"],
        "with a NUL": ["heads\0"],
        "in full width": ["ｈeads"],
        "a pattern": ["*"],
        "a path": ["/heads"],
        "an empty text": [""],
        "past the thousandth": [f"g{number}" for number in range(1_000)] + ["heads"],
    }
    for number, (name, value) in enumerate(strange.items()):

        def attack(number=number, value=value):
            email = f"group{number}@example.com"
            with case.person(sub=f"group-{number}", email=email, groups=value):
                case.refused((403,))
            check(email not in case.members(), "a member was made")

        yield f"A groups claim that is {name} gives no role", attack

    def many():
        with case.person(sub="many", email="many@example.com", groups=["x" * 20] * 4_000), case.instance.effort(2):
            case.refused((403,))

    yield "Four thousand groups are refused without much work", many
