"""Impressions that come long after what they are of."""

import time
import uuid

from ..suite import check


def late_impressions(world):
    goals = [
        {"id": f"c{days}", "name": "c", "on": {"purchase": True}, "window_seconds": days * 86_400, "from": "impression"}
        for days in (1, 2, 7, 30)
    ]
    campaign = {
        **world.campaign("Late"),
        "id": "late",
        "conversions": goals,
        "audience": {"attribute": "user_id", "value": "late"},
    }
    world.api.must("POST", "/v1/campaigns", campaign)
    world.api.must("POST", "/v1/campaigns/late/launch", {"force": True})
    cards = world.device.call("POST", "/v1/sync", {"user_id": "late", "device_id": "d"}).json["cards"]
    card, now = next(one["id"] for one in cards if one["campaign_id"] == "late"), time.time()

    def send(events):
        events = [{"id": str(uuid.uuid4()), **event} for event in events]
        reply = world.device.call("POST", "/v1/events", {"user_id": "late", "device_id": "d", "events": events})
        check(reply.status == 200 and not reply.json["events"]["rejected"], f"{reply}")

    for _ in range(8):
        send(
            [
                {
                    "type": "purchase",
                    "product_id": "p",
                    "currency": "USD",
                    "price": 1,
                    "at": now,
                    "properties": {"p": "x" * 1_000},
                }
            ]
            * 480
        )
    with world.effort(1.5, "impressions that come late"):
        send([{"type": "impression", "card_id": card, "at": now - number * 0.01} for number in range(480)])
    world.api.call("POST", "/v1/campaigns/late/stop")


def late_cards(world):
    goals = [
        {"id": f"c{days}", "name": "c", "on": {"purchase": True}, "window_seconds": days * 86_400, "from": "impression"}
        for days in (1, 2, 7, 30)
    ]
    campaign = {
        **world.campaign("Many"),
        "id": "many",
        "conversions": goals,
        "delivery": {"type": "action", "trigger": {"event": "many"}},
        "rules": {"reeligible": True},
    }
    world.api.must("POST", "/v1/campaigns", campaign)
    world.api.must("POST", "/v1/campaigns/many/launch", {"force": True})
    cards = set()

    def send(path, events):
        events = [{"id": str(uuid.uuid4()), **event} for event in events]
        reply = world.device.call("POST", path, {"user_id": "many", "device_id": "d", "events": events})
        check(reply.status == 200 and not reply.json["events"]["rejected"], f"{reply}")
        return reply.json

    for _ in range(3):
        reply = send("/v1/sync", [{"type": "custom", "name": "many", "at": time.time()}] * 200)
        new = {one["id"] for one in reply["cards"] if one["campaign_id"] == "many"} - cards
        send("/v1/events", [{"type": "dismissal", "card_id": card, "at": time.time()} for card in new])
        cards |= new
    check(len(cards) > 200, f"{len(cards)} cards")
    now = time.time()
    for _ in range(3):
        send(
            "/v1/events",
            [
                {"type": "purchase", "product_id": "p", "currency": "USD", "price": 1, "at": now - number * 0.01}
                for number in range(330)
            ],
        )
    with world.effort(3, "impressions of many cards that come late"):
        send("/v1/events", [{"type": "impression", "card_id": card, "at": now - 40} for card in list(cards)[:480]])
    world.api.call("POST", "/v1/campaigns/many/stop")
