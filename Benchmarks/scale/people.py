"""The users: their ids and attributes, and the hashes by which the server gives them places and variants."""

import json
import math

MASK = (1 << 64) - 1
PRIME = 0x0100_0000_01B3
FIRST = [
    "Anna",
    "Ben",
    "Chloe",
    "Daniel",
    "Emi",
    "Farid",
    "Grace",
    "Hugo",
    "Ines",
    "Jun",
    "花子",
    "太郎",
    "美咲",
    "健一",
]
LAST = ["Sato", "Miller", "Garcia", "Dubois", "Kim", "Rossi", "Silva", "Novak", "佐藤", "鈴木", "高橋"]
PLACES = [
    ("JP", "ja-JP", "Asia/Tokyo"),
    ("US", "en-US", "America/New_York"),
    ("FR", "fr-FR", "Europe/Paris"),
    ("DE", "de-DE", "Europe/Berlin"),
    ("BR", "pt-BR", "America/Sao_Paulo"),
    ("KR", "ko-KR", "Asia/Seoul"),
]


def begin(first):
    """The state of the hash after its first text."""
    state = 0xCBF2_9CE4_8422_2325
    for byte in first.encode():
        state = ((state ^ byte) * PRIME) & MASK
    return (state * PRIME) & MASK


def finish(state, second):
    for byte in second:
        state = ((state ^ byte) * PRIME) & MASK
    state = ((state ^ state >> 33) * 0xFF51_AFD7_ED55_8CCD) & MASK
    state = ((state ^ state >> 33) * 0xC4CE_B9FE_1A85_EC53) & MASK
    return state ^ state >> 33


def signed(number):
    return number - (1 << 64) if number >> 63 else number


SAMPLE = begin("sample")
FINGERPRINTS = {
    (locale, zone, version): signed(finish(begin("device"), f"{locale}\2{zone}\2{version}".encode()))
    for _, locale, zone in PLACES
    for version in ("3.1.0", "3.2.1")
}


def user_id(number):
    return f"お客様-{number:07}" if number % 100 == 7 else f"user-{number:07}"


def device(number):
    _, locale, zone = PLACES[number % 7 % 6]
    return locale, zone, "3.2.1" if number % 3 else "3.1.0"


def row(number, created, seen, version):
    """The user's row, in the order of the columns that `COLUMNS` names."""
    name = user_id(number)
    first, last = FIRST[number % len(FIRST)], LAST[number // 3 % len(LAST)]
    standard = {"first_name": first, "last_name": last, "country": PLACES[number % 7 % 6][0]}
    if number % 10:
        standard["email"] = (
            f"{'abcdefghijklmnopqrstuvwxyz'[number % 26]}.{number}@example.{('com', 'jp', 'org')[number % 3]}"
        )
    if number % 4 == 0:
        standard["phone"] = f"+81{number:010}"
    custom = {
        "plan": "pro" if number % 4 == 1 else "free",
        "age": 15 + number % 65,
        "points": number * 37 % 100_000,
        "lucky": number % 1_000,
    }
    used = device(number)
    return (
        name,
        version,
        FINGERPRINTS[used],
        seen,
        created,
        *used,
        compact(custom),
        compact(standard),
        created,
        finish(SAMPLE, name.encode()) >> 34,
        created,
    )


COLUMNS = (
    "id, version, device, last_seen_at, created_at, locale, time_zone, app_version, custom, standard, "
    "first_seen_at, sample_rank, updated_at"
)


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Division:
    """How a campaign divides users among its variants; the same as `VariantAssignment`."""

    def __init__(self, campaign, variants):
        self.variants = [
            (variant["id"], begin(f"{campaign}\1\1{variant['id']}"), variant["weight"]) for variant in variants
        ]

    def variant(self, user):
        if len(self.variants) == 1:
            return self.variants[0][0]
        best, shortest = None, math.inf
        for name, state, weight in self.variants:
            time = -math.log(((finish(state, user) >> 11) + 1) * 2**-53) / weight
            if time < shortest:
                best, shortest = name, time
        return best
