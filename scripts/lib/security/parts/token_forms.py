"""Tokens of users in forms that a server may take for another."""

import json
import time

from ..base64url import encode
from ..jwt import Signer, claims

VICTIM, EVE = "kate", "eve"

CURVE_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


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
