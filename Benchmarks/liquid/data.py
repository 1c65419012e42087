"""Writes the data that all three engines render with."""

import json

KINDS = ["shoe", "hat", "boot", "scarf"]
products = [
    {
        "title": f"Product <{n}> & more",
        "kind": KINDS[n % 4],
        "price": 10 + (n * 37) % 90 + 0.5,
        "stock": n % 5,
        "tags": ["new", "sale", "summer"][: n % 4],
        "description": f"<p>The <em>product {n}</em> is made of fine things that last for a very long time indeed.</p>",
    }
    for n in range(50)
]
customer = {
    "first_name": "ann",
    "plan": "gold",
    "points": 4200,
    "days": 3,
    "total": 129.9,
    "currency": "EUR",
    "number": 991,
    "since": "2021-03-04 10:00:00",
    "note": "one\ntwo\nthree",
    "address": {"city": "Osaka"},
}
print(json.dumps({"products": products, "customer": customer}))
