"""Prices, and the sums that audiences ask for."""

_CENTS = {"prices": [0.1, 0.2, 1, 2.5, 33.33], "sums": [0, 0.1, 0.3, 1, 1.0, 2.5, 100]}
_QUARTERS = {"prices": [0.5, 0.25, 1, 2.5, 33.75], "sums": [0, 0.25, 0.75, 1, 1.0, 2.5, 100]}
_chosen = _CENTS


def leave_out_cents():
    """Leaves out what binary fractions can't hold."""
    global _chosen
    _chosen = _QUARTERS


def price(random):
    return random.choice(_chosen["prices"])


def total(random):
    return random.choice(_chosen["sums"])
