"""Prices, and the sums that audiences ask for: exact decimals, as docs/device-api.md has them."""

from decimal import ROUND_HALF_EVEN, Decimal, localcontext

# Cents, yen, and now and then what binary fractions, 64 bits or nine decimals can't hold.
_USUAL = ["0.1", "0.2", "1", "2.5", "33.33", "0.7", "19.99", "1980", "0.10", "-0.1", "-19.99", "0"]
_RARE = [
    "0.000000001",
    "123456789012.123456789",
    "999999999999.999999999",
    "-1000000000000",
    "1000000000000",
    "1e-9",
    "1.98E3",
    "0.30000000000000004",
    "0.9999999999999999",
    "0.0000000015",
    "0.0000000025",
    "450359962737.0497",
    "123456789012.1234567894",
    "8000000.1234567894999",
    "0.0000000025000000000000000001",
    "-33.3333333333333333333333",
]
_SUMS = [
    "0",
    "0.1",
    "0.3",
    "1",
    "1.0",
    "2.5",
    "100",
    "0.000000001",
    "19.99",
    "59.97",
    "1980",
    "123456789012.123456789",
    "33.33",
]
_NINE = Decimal("0.000000001")


def number(text):
    """The number of a JSON text: a float where that says the same, or else a decimal."""
    found = Decimal(text)
    return float(text) if len(found.as_tuple().digits) <= 15 and Decimal(repr(float(text))) == found else found


def price(random):
    return number(random.choice(_RARE if random.random() < 0.15 else _USUAL))


def total(random):
    return number(random.choice(_SUMS))


def exact(number):
    """The decimal that a JSON number says."""
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)


def rounded(number):
    """A price as it is kept: with nine decimals at most, halves to even."""
    with localcontext() as context:
        context.prec = 100
        return exact(number).quantize(_NINE, rounding=ROUND_HALF_EVEN)


def paid(event):
    """What a purchase cost in all."""
    return rounded(event["price"]) * event.get("quantity", 1)
