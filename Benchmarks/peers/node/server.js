// Cards by Node's http and pg: what a team would write that has no content cards yet.
const cluster = require("node:cluster");
const crypto = require("node:crypto");
const http = require("node:http");
const os = require("node:os");
const { Client, Pool } = require("pg");

const connection = { host: process.env.PEER_HOST, database: process.env.PEER_NAME, user: process.env.PEER_USER };
const key = Buffer.from(`Bearer ${process.env.PEER_KEY}`);
const pool = new Pool({ ...connection, max: 8 });
const listeners = new Set();
const changed = "event: changed\ndata: {}\n\n";

function reply(cursor, cards, replace) {
    return {
        cursor,
        replace,
        cards,
        removed: [],
        events: { accepted: 0, duplicate: 0, rejected: [] },
        refresh: { burst: 5, seconds: 180 },
    };
}

async function sync(body) {
    const user = await pool.query({
        name: "user",
        text: "SELECT version FROM users WHERE id = $1",
        values: [body.user_id],
    });
    const cursor = user.rows[0].version;
    if (body.cursor === cursor) return reply(cursor, [], false);
    const found = await pool.query({
        name: "cards",
        text: `SELECT cards.id, campaign_id, content, created_at, viewed, clicked, dismissed FROM cards
      JOIN campaigns ON campaigns.id = campaign_id WHERE user_id = $1 AND NOT dismissed ORDER BY created_at DESC`,
        values: [body.user_id],
    });
    return reply(
        cursor,
        found.rows.map(({ content, ...card }) => ({ ...content, ...card })),
        true,
    );
}

async function transaction(work) {
    const client = await pool.connect();
    try {
        await client.query("BEGIN");
        const result = await work(client);
        await client.query("COMMIT");
        return result;
    } catch (error) {
        await client.query("ROLLBACK");
        throw error;
    } finally {
        client.release();
    }
}

function events(body) {
    return transaction(async (client) => {
        const accepted = await client.query({
            name: "events",
            text: `INSERT INTO events (user_id, id, type, card_id, at) SELECT $1, *
        FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::float8[]) ON CONFLICT DO NOTHING RETURNING 1`,
            values: [
                body.user_id,
                body.events.map((event) => event.id),
                body.events.map((event) => event.type),
                body.events.map((event) => event.card_id),
                body.events.map((event) => event.at),
            ],
        });
        const cards = (type) => [
            ...new Set(body.events.filter((event) => event.type === type).map((event) => event.card_id)),
        ];
        await client.query({
            name: "marks",
            text: `UPDATE cards SET viewed = viewed OR id = ANY($2), clicked = clicked OR id = ANY($3)
        WHERE user_id = $1 AND (id = ANY($2) AND NOT viewed OR id = ANY($3) AND NOT clicked)`,
            values: [body.user_id, cards("impression"), cards("click")],
        });
        return {
            events: { accepted: accepted.rowCount, duplicate: body.events.length - accepted.rowCount, rejected: [] },
        };
    });
}

function trigger(body) {
    const users = body.recipients.map((recipient) => recipient.external_user_id);
    return transaction(async (client) => {
        await client.query({
            name: "trigger",
            text: "INSERT INTO cards (user_id, campaign_id) SELECT id, $1 FROM users WHERE id = ANY($2)",
            values: [body.campaign_id, users],
        });
        await client.query({
            name: "version",
            text: "UPDATE users SET version = version + 1 WHERE id = ANY($1)",
            values: [users],
        });
        return { message: "success", dispatch_id: crypto.randomUUID() };
    });
}

function launch(campaign) {
    return transaction(async (client) => {
        const found = await client.query("SELECT plan FROM campaigns WHERE id = $1", [campaign]);
        const plan = found.rows[0].plan;
        await client.query("INSERT INTO cards (user_id, campaign_id) SELECT id, $1 FROM users WHERE plan = $2", [
            campaign,
            plan,
        ]);
        await client.query("UPDATE users SET version = version + 1 WHERE plan = $1", [plan]);
        await client.query("NOTIFY changed");
        return { message: "success" };
    });
}

function live(request, response) {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(changed);
    listeners.add(response);
    const heartbeat = setInterval(() => response.write(": alive\n\n"), 15000);
    request.on("close", () => {
        clearInterval(heartbeat);
        listeners.delete(response);
    });
}

function authorized(request) {
    const given = Buffer.from(request.headers.authorization ?? "");
    return given.length === key.length && crypto.timingSafeEqual(given, key);
}

async function answer(path, text) {
    if (path === "/v1/sync") return sync(JSON.parse(text));
    if (path === "/v1/events") return events(JSON.parse(text));
    if (path === "/campaigns/trigger/send") return trigger(JSON.parse(text));
    return launch(path.split("/")[3]);
}

function serve() {
    http.createServer((request, response) => {
        if (!authorized(request)) return response.writeHead(401).end();
        if (request.url.startsWith("/v1/live")) return live(request, response);
        const parts = [];
        request.on("data", (part) => parts.push(part));
        request.on("end", async () => {
            try {
                const body = JSON.stringify(await answer(request.url, Buffer.concat(parts).toString()));
                response
                    .writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) })
                    .end(body);
            } catch (error) {
                console.error(error);
                response.writeHead(500).end();
            }
        });
    }).listen(Number(process.argv[2]), "127.0.0.1", 4096);
}

async function listen() {
    const client = new Client(connection);
    await client.connect();
    client.on("notification", () => listeners.forEach((response) => response.write(changed)));
    await client.query("LISTEN changed");
}

if (cluster.isPrimary) {
    for (let number = 0; number < os.availableParallelism(); number++) cluster.fork();
} else {
    serve();
    listen();
}
