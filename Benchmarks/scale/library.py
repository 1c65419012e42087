"""The pictures of the big workspace, what campaigns name of them, and its segments."""

import hashlib

LOGO = hashlib.sha256(b"logo").hexdigest()[:32]
"""The picture that every campaign names."""

MEDIA = "id, name, alt, format, width, height, frames, widths, bytes, created_at, created_by, folded"


def picture(number):
    return hashlib.sha256(f"picture {number}".encode()).hexdigest()[:32]


def own_picture(number, pictures):
    """The picture of a campaign's cards, by its number; one picture in eight is left over."""
    return picture(number % max(1, pictures * 7 // 8))


def with_images(variants, number, pictures):
    """The variants of a campaign with a picture and the logo on each card."""
    address = "https://cards.example.com/media"
    own, logo = f"{address}/{own_picture(number, pictures)}/p.jpg", f"{address}/{LOGO}/logo.png"

    def drawn(card):
        return dict(card, image=own, extras=dict(card.get("extras", {}), logo=logo))

    return [dict(row, card=drawn(row["card"])) if row.get("card") else row for row in variants]


def insert(database, campaigns, pictures, base, seconds):
    """Writes the rows of pictures that were uploaded over so many seconds, without files, and what campaigns name."""
    rows = [(LOGO, "logo.png", "Our logo")]
    for number in range(pictures):
        name, alt = f"Garden chairs {number}.jpg", f"夏のセール {number}" if number % 3 else "Two chairs under a tree"
        rows.append((picture(number), name, alt))
    database.executemany(
        f"INSERT INTO media ({MEDIA}) VALUES (?, ?, ?, 'jpeg', 1440, 810, 1, '1440 960 480', 180000, ?,"
        " 'anna@example.com', ?)",
        [
            (key, name, alt, base + place * seconds / len(rows), f"{name} {alt}".lower())
            for place, (key, name, alt) in enumerate(rows)
        ],
    )
    names = []
    for campaign in campaigns:
        if campaign.launched_day is not None:
            for key in (LOGO, own_picture(campaign.number, pictures)):
                names.append(("picture", key, campaign.id, 1, 1, 1))
    database.executemany("INSERT INTO content_names VALUES (?, ?, ?, ?, ?, ?)", sorted(names))


def insert_segments(database, number):
    """Writes copies of the segments that the server has made."""
    database.execute(
        """
        WITH RECURSIVE copies (place) AS (SELECT 60 UNION ALL SELECT place + 1 FROM copies WHERE place + 1 < ?)
        INSERT INTO segments (id, content, archived, version, created_at, updated_at)
        SELECT 'segment-' || place, json_set(content, '$.name', 'Segment ' || place), 0, 1, created_at, updated_at
        FROM copies JOIN segments ON segments.id = 'segment-' || (place % 60) WHERE place < ?
        """,
        (number, number),
    )
