"""The users of the workspace of dashboard_data."""

import uuid

FIRST = ["Anna", "Mia", "Léa", "Noah", "Ben", "Sofía", "Jonas", "Zoë", "Priya", "Oluwaseun", "Hannah", "Luca"]

LAST = ["Schmidt", "Nguyen", "O’Brien", "García Márquez", "Rossi", "Dubois", "Adeyemi", "Kowalczyk", "Lindqvist"]

JAPANESE = ["陽菜", "蓮", "結衣", "湊", "さくら", "悠真", "美月", "大和"]

FAMILIES = ["佐藤", "鈴木", "高橋", "田中", "渡辺", "伊藤", "長谷川", "小笠原"]

PLACES = [
    ("DE", "de-DE", "Europe/Berlin", "Berlin"),
    ("JP", "ja-JP", "Asia/Tokyo", "東京"),
    ("US", "en-US", "America/New_York", "New York"),
    ("FR", "fr-FR", "Europe/Paris", "Saint-Rémy-en-Bouzemont-Saint-Genest-et-Isson"),
    ("BR", "pt-BR", "America/Sao_Paulo", "São Paulo"),
]


def people(count, chance):
    """Users as a backend knows them, with the device that each has."""
    for number in range(count):
        country, locale, zone, city = chance.choices(PLACES, [5, 4, 3, 2, 1])[0]
        first = chance.choice(JAPANESE if country == "JP" else FIRST)
        last = chance.choice(FAMILIES if country == "JP" else LAST)
        id = (
            f"u-{number + 1:05}"
            if number % 40
            else f"customer-of-the-old-shop-{uuid.UUID(int=chance.getrandbits(128))}"
        )
        yield (
            {
                "external_id": id,
                "first_name": first,
                "last_name": last,
                "email": f"user{number + 1}@example.{country.lower()}",
                "country": country,
                "home_city": city,
                "plan": chance.choice(["free", "free", "free", "gold"]),
            },
            {
                "user_id": id,
                "device_id": f"d-{id}",
                "locale": locale,
                "time_zone": zone,
                "app_version": chance.choice(["2.9.0", "2.10.1", "3.0.0"]),
            },
        )
