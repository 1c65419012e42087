"""Which variant a user gets, and which random number: docs/experiments.md and docs/audiences.md, computed from them."""

import math

_ALL = (1 << 64) - 1


def stable_hash(first, second):
    """FNV-1a of both texts with a zero byte between, and the finaliser of MurmurHash3."""
    found = 0xCBF29CE484222325
    for byte in first.encode() + b"\0" + second.encode():
        found = ((found ^ byte) * 0x100000001B3) & _ALL
    found = ((found ^ found >> 33) * 0xFF51AFD7ED558CCD) & _ALL
    found = ((found ^ found >> 33) * 0xC4CEB9FE1A85EC53) & _ALL
    return found ^ found >> 33


def variant(campaign, salt, weights, user):
    """The variant of a user, given the weight of each; None where all weights are 0."""
    found = {}
    for name, weight in weights.items():
        if weight:
            place = ((stable_hash(f"{campaign}\x01{salt}\x01{name}", user) >> 11) + 1) / (1 << 53)
            found[name] = -math.log(place) / weight
    return min(found, key=found.get) if found else None


def random_number(salt, user):
    """A user's random number, 0 to 9999."""
    return stable_hash("bucket" + salt, user) * 10_000 >> 64
