"""Cards by FastAPI and asyncpg: what a team would write that has no content cards yet."""

import asyncio
import hmac
import json
import os
import uuid
from contextlib import asynccontextmanager

import asyncpg
from fastapi import Depends, FastAPI, Header, HTTPException, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel

KEY = f"Bearer {os.environ['PEER_KEY']}"
listeners: set[asyncio.Event] = set()


async def prepare(connection):
    await connection.set_type_codec("jsonb", schema="pg_catalog", encoder=json.dumps, decoder=json.loads)


@asynccontextmanager
async def lifespan(app: FastAPI):
    address = os.environ["PEER_DATABASE"]
    app.state.pool = await asyncpg.create_pool(address, min_size=4, max_size=8, init=prepare)
    listener = await asyncpg.connect(address)
    await listener.add_listener("changed", tell)
    yield
    await listener.close()
    await app.state.pool.close()


def tell(*_):
    for listener in listeners:
        listener.set()


def authorize(authorization: str = Header()):
    if not hmac.compare_digest(authorization, KEY):
        raise HTTPException(401)


app = FastAPI(lifespan=lifespan, dependencies=[Depends(authorize)])


class Sync(BaseModel):
    user_id: str
    device_id: str
    cursor: str | None = None


class Event(BaseModel):
    id: uuid.UUID
    type: str
    card_id: uuid.UUID
    at: float


class Events(BaseModel):
    user_id: str
    device_id: str
    events: list[Event]


class Recipient(BaseModel):
    external_user_id: str


class Trigger(BaseModel):
    campaign_id: str
    recipients: list[Recipient]


def reply(cursor, cards, replace):
    return JSONResponse(
        {
            "cursor": cursor,
            "replace": replace,
            "cards": cards,
            "removed": [],
            "events": {"accepted": 0, "duplicate": 0, "rejected": []},
            "refresh": {"burst": 5, "seconds": 180},
        }
    )


@app.post("/v1/sync")
async def sync(body: Sync, request: Request):
    async with request.app.state.pool.acquire() as connection:
        version = await connection.fetchval("SELECT version FROM users WHERE id = $1", body.user_id)
        cursor = str(version)
        if body.cursor == cursor:
            return reply(cursor, [], False)
        rows = await connection.fetch(
            "SELECT cards.id, campaign_id, content, created_at, viewed, clicked, dismissed FROM cards "
            "JOIN campaigns ON campaigns.id = campaign_id WHERE user_id = $1 AND NOT dismissed ORDER BY created_at"
            " DESC",
            body.user_id,
        )
    cards = [
        {
            **row["content"],
            "id": str(row["id"]),
            "campaign_id": row["campaign_id"],
            "created_at": row["created_at"],
            "viewed": row["viewed"],
            "clicked": row["clicked"],
            "dismissed": row["dismissed"],
        }
        for row in rows
    ]
    return reply(cursor, cards, True)


@app.post("/v1/events")
async def events(body: Events, request: Request):
    async with request.app.state.pool.acquire() as connection, connection.transaction():
        accepted = await connection.fetch(
            "INSERT INTO events (user_id, id, type, card_id, at) SELECT $1, * FROM unnest($2::uuid[], $3::text[],"
            " $4::uuid[], $5::float8[]) ON CONFLICT DO NOTHING RETURNING 1",
            body.user_id,
            [event.id for event in body.events],
            [event.type for event in body.events],
            [event.card_id for event in body.events],
            [event.at for event in body.events],
        )
        viewed = list({event.card_id for event in body.events if event.type == "impression"})
        clicked = list({event.card_id for event in body.events if event.type == "click"})
        await connection.execute(
            "UPDATE cards SET viewed = viewed OR id = ANY($2), clicked = clicked OR id = ANY($3) "
            "WHERE user_id = $1 AND (id = ANY($2) AND NOT viewed OR id = ANY($3) AND NOT clicked)",
            body.user_id,
            viewed,
            clicked,
        )
    number = len(accepted)
    return JSONResponse({"events": {"accepted": number, "duplicate": len(body.events) - number, "rejected": []}})


@app.post("/campaigns/trigger/send")
async def trigger(body: Trigger, request: Request):
    users = [recipient.external_user_id for recipient in body.recipients]
    async with request.app.state.pool.acquire() as connection, connection.transaction():
        await connection.execute(
            "INSERT INTO cards (user_id, campaign_id) SELECT id, $1 FROM users WHERE id = ANY($2)",
            body.campaign_id,
            users,
        )
        await connection.execute("UPDATE users SET version = version + 1 WHERE id = ANY($1)", users)
    return JSONResponse({"message": "success", "dispatch_id": str(uuid.uuid4())}, status_code=201)


@app.post("/v1/campaigns/{campaign}/launch")
async def launch(campaign: str, request: Request):
    async with request.app.state.pool.acquire() as connection, connection.transaction():
        plan = await connection.fetchval("SELECT plan FROM campaigns WHERE id = $1", campaign)
        await connection.execute(
            "INSERT INTO cards (user_id, campaign_id) SELECT id, $1 FROM users WHERE plan = $2", campaign, plan
        )
        await connection.execute("UPDATE users SET version = version + 1 WHERE plan = $1", plan)
        await connection.execute("NOTIFY changed")
    return JSONResponse({"message": "success"})


@app.get("/v1/live")
async def live(user_id: str, device_id: str):
    async def stream():
        changed = asyncio.Event()
        listeners.add(changed)
        try:
            yield "event: changed\ndata: {}\n\n"
            while True:
                try:
                    await asyncio.wait_for(changed.wait(), 15)
                    changed.clear()
                    yield "event: changed\ndata: {}\n\n"
                except TimeoutError:
                    yield ": alive\n\n"
        finally:
            listeners.discard(changed)

    return StreamingResponse(stream(), media_type="text/event-stream")
