"""Signs tokens, rightly and in every other way."""

import hashlib
import hmac
import json
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from .base64url import encode

HASHES = {"256": hashes.SHA256(), "384": hashes.SHA384(), "512": hashes.SHA512()}


def claims(user, **more):
    """The claims of a good token, which is good for longer than a topic takes; one that is None is left out."""
    now = int(time.time())
    values = {"sub": user, "iat": now, "exp": now + 3_600, **more}
    return {name: value for name, value in values.items() if value is not None}


class Signer:
    """The keys of a workspace, and those of an attacker."""

    def __init__(self):
        self.rsa = rsa.generate_private_key(65537, 2048)
        self.ec = ec.generate_private_key(ec.SECP256R1())
        self.other_rsa = rsa.generate_private_key(65537, 2048)
        self.other_ec = ec.generate_private_key(ec.SECP256R1())
        self.k1 = ec.generate_private_key(ec.SECP256K1())
        self.ed = ed25519.Ed25519PrivateKey.generate()

    @staticmethod
    def pem(key):
        """The public key as settings take it."""
        return (
            key.public_key()
            .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
            .decode()
        )

    @staticmethod
    def der(key):
        return key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    def sign(self, algorithm, data, key=None):
        """Signs as an algorithm does, with the workspace's key unless another is given."""
        family, size = algorithm[:2], algorithm[2:]
        if family == "RS":
            return (key or self.rsa).sign(data, padding.PKCS1v15(), HASHES[size])
        if family == "PS":
            pss = padding.PSS(padding.MGF1(HASHES[size]), HASHES[size].digest_size)
            return (key or self.rsa).sign(data, pss, HASHES[size])
        if family == "ES":
            r, s = decode_dss_signature((key or self.ec).sign(data, ec.ECDSA(HASHES[size])))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")
        if family == "HS":
            return hmac.new(key, data, getattr(hashlib, f"sha{size}")).digest()
        return self.ed.sign(data)

    def token(self, payload, algorithm="RS256", header=None, key=None, signature=None):
        """A token; payload and header may be values, or text and bytes as they are."""
        head = {"alg": algorithm, "typ": "JWT"} if header is None else header
        parts = [
            part
            if isinstance(part, bytes)
            else (part if isinstance(part, str) else json.dumps(part)).encode("utf-8", "surrogatepass")
            for part in (head, payload)
        ]
        data = ".".join(map(encode, parts)).encode()
        signed = self.sign(algorithm, data, key) if signature is None else signature
        return data.decode() + "." + encode(signed)
