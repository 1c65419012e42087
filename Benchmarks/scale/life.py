"""What a user of the generated workspace does in its days."""

import array
import random
import uuid

import campaigns as catalogue
import people

DAY = 86_400.0

DAYS = 400

CARDS = 8

TOKYO = 32_400

# What happens to a card: after how many days, what, and to how many in a hundred.
SLOTS = [
    (0, "session_start", 100),
    (0, "impression", 97),
    (0, "click", 12),
    (0, "impression", 60),
    (0, "content_error", 0.05),
    (1, "impression", 85),
    (1, "custom", 20),
    (1, "purchase", 5),
    (2, "impression", 75),
    (3, "impression", 70),
    (3, "dismissal", 15),
    (4, "impression", 62),
    (5, "impression", 55),
    (6, "impression", 50),
    (7, "impression", 45),
    (9, "impression", 40),
    (11, "impression", 35),
]

KEPT = max(offset for offset, _, _ in SLOTS) + 1


def masks(rng):
    """4,096 lives of a card, each a bit for each slot."""
    found = []
    dismissal = next(place for place, slot in enumerate(SLOTS) if slot[1] == "dismissal")
    for _ in range(4096):
        bits = [rng.random() * 100 < chance for _, _, chance in SLOTS]
        bits[1] = bits[1] or bits[2]
        if bits[dismissal]:
            bits[dismissal + 1 :] = [False] * (len(bits) - dismissal - 1)
        found.append(sum(1 << place for place, bit in enumerate(bits) if bit))
    return found


QUIET = sum(1 << place for place, slot in enumerate(SLOTS) if slot[1] in ("click", "dismissal", "content_error"))


class Card:
    __slots__ = (
        "user",
        "number",
        "id",
        "campaign",
        "variant",
        "counts",
        "mask",
        "delivered",
        "first",
        "viewed",
        "clicked",
        "dismissed",
        "version",
        "changes",
    )

    def row(self):
        return (
            self.user,
            self.id,
            self.campaign.id,
            self.variant,
            self.delivered,
            self.version << 12,
            self.version + self.changes,
            self.viewed is not None,
            self.clicked is not None,
            self.dismissed is not None,
            self.viewed,
            self.clicked,
            self.dismissed,
            self.first,
        )


class Life:
    """Four hundred days of a workspace, one after the other."""

    def __init__(self, database, found, users, base, kept):
        self.database, self.users, self.base, self.kept = database, users, base, kept
        self.choice = catalogue.Choice(found, DAYS)
        self.rng = random.Random(5)
        self.masks = masks(self.rng)
        self.blocks = {}
        self.sessions, self.actions, self.purchases = (array.array("d", bytes(8 * CARDS * users)) for _ in range(3))
        self.logged = 0

    def give(self, day, card, times):
        """The cards of that number that users get on that day."""
        block = []
        remainder = (day - card * DAYS // CARDS) % DAYS
        for place, delivered in enumerate(times):
            number = place * DAYS + remainder
            item = Card()
            item.user, item.number = people.user_id(number), number * CARDS + card
            item.id = str(uuid.UUID(int=self.rng.getrandbits(128), version=4))
            item.campaign = self.choice.campaign(number, card, day, self.rng.getrandbits(20))
            item.variant = item.campaign.division.variant(item.user.encode())
            item.counts = item.campaign.counts[item.variant]
            item.mask = self.masks[self.rng.getrandbits(12)]
            if item.variant == item.campaign.control:
                item.mask &= ~QUIET
            item.delivered, item.version, item.changes = delivered, 10 + 4 * day, 0
            item.first = item.viewed = item.clicked = item.dismissed = None
            counts = item.counts.setdefault(self.day(delivered), [0] * 8)
            counts[0] += 1
            counts[7] += 1
            block.append(item)
        self.blocks[day, card] = block

    @staticmethod
    def day(at):
        return 2 * int(at // DAY) + (at % DAY >= DAY - TOKYO)

    def live(self, day):
        start = self.base + day * DAY
        groups = self.users // DAYS
        step = DAY / groups
        for card in range(CARDS):
            self.give(day, card, [round(start + group * step, 3) for group in range(groups)])
        steps = [
            (self.blocks[day - offset, card], 1 << place, kind)
            for place, (offset, kind, _) in enumerate(SLOTS)
            for card in range(CARDS)
            if day >= offset
        ]
        rows = []
        ids = self.rng.randbytes(16 * groups * len(steps))
        pause = step / (len(steps) + 1)
        for group in range(groups):
            received = start + group * step
            for block, bit, kind in steps:
                received += pause
                card = block[group]
                if not card.mask & bit:
                    continue
                at = round(received, 3)
                place = 16 * len(rows)
                event = ids[place : place + 16]
                if kind == "impression":
                    key = 2 * int(at // DAY) + (at % DAY >= DAY - TOKYO)
                    counts = card.counts.get(key)
                    if counts is None:
                        counts = card.counts[key] = [0] * 8
                    counts[1] += 1
                    if card.first is None:
                        counts[2] += 1
                        card.first = at
                        card.changes += 1
                    card.viewed = at
                    rows.append((card.user, event, kind, at, at, card.id, card.campaign.id, card.variant, None))
                else:
                    rows.append(self.other(card, event, kind, at))
        if day >= DAYS - self.kept:
            self.database.executemany("INSERT INTO events VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self.logged += len(rows)
        self.leave(day - KEPT + 1)

    def other(self, card, event, kind, at):
        if kind in ("click", "dismissal", "content_error"):
            counts = card.counts.setdefault(self.day(at), [0] * 8)
            details = None
            if kind == "click":
                counts[3] += 1
                counts[4] += 1
                card.clicked = at
                card.changes += 1
            elif kind == "dismissal":
                counts[5] += 1
                card.dismissed = at
                card.changes += 1
            else:
                counts[6] += 1
                key = (card.variant, "tile_id")
                card.campaign.problems[key] = (card.campaign.problems.get(key, (0, 0))[0] + 1, at)
                details = '{"class_type":"home_tile","field":"tile_id","message":"An integer is expected."}'
            return card.user, event, kind, at, at, card.id, card.campaign.id, card.variant, details
        details = None
        if kind == "session_start":
            self.sessions[card.number] = at
        elif kind == "custom":
            self.actions[card.number] = at
            details = f'{{"name":"{action(card.number)}"}}'
        else:
            self.purchases[card.number] = at
            product, currency, price = bought(card.number)
            details = f'{{"product_id":"{product}","currency":"{currency}","price":{price},"quantity":1}}'
            if card.campaign.converts:
                self.convert(card, at, currency, price)
        return card.user, event, kind, at, at, None, None, None, details

    def convert(self, card, at, currency, price):
        days = card.campaign.conversions[card.variant]
        number, amount, squares, _ = days.get(self.day(at), (0, 0.0, 0.0, currency))
        days[self.day(at)] = (number + 1, amount + price, squares + price * price, currency)
        key = (card.user, card.campaign.id, "bought")
        day = self.day(at)
        self.database.execute(
            "INSERT INTO conversions VALUES (?, ?, ?, ?, ?, ?)", (*key, card.id, at, day // 2 + day % 2)
        )
        self.database.execute(
            "INSERT INTO spending VALUES (?, ?, ?, ?, ?, 1, ?, NULL)", (*key, currency, decimal(price), at)
        )

    def leave(self, until):
        """Writes down the cards to which nothing happens any more."""
        for key in [key for key in self.blocks if key[0] < until]:
            self.database.executemany(
                f"INSERT INTO given VALUES ({', '.join('?' * 14)})", [card.row() for card in self.blocks.pop(key)]
            )


def action(number):
    return ("added_to_cart", "level_done", "shared")[number % 3]


def bought(number):
    return f"product-{number % 50}", "JPY", float(100 * (1 + number % 90))


def decimal(amount):
    """An amount as the tables keep it, a text; all of them are whole yen."""
    return f"{amount:.0f}"
