"""Base 64 as tokens, keys and cookies have it: with the letters of addresses, and without padding."""

import base64


def encode(data):
    """Returns the text of some bytes."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    """Returns the bytes of a text."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
