CREATE TABLE users (id TEXT PRIMARY KEY, plan TEXT NOT NULL, version BIGINT NOT NULL DEFAULT 1);
CREATE TABLE campaigns (id TEXT PRIMARY KEY, plan TEXT, content JSONB NOT NULL);
CREATE TABLE cards (
    user_id TEXT NOT NULL, id UUID NOT NULL DEFAULT gen_random_uuid(), campaign_id TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL DEFAULT extract(epoch FROM now()),
    viewed BOOLEAN NOT NULL DEFAULT false,
    clicked BOOLEAN NOT NULL DEFAULT false,
    dismissed BOOLEAN NOT NULL DEFAULT false,
    PRIMARY KEY (user_id, id)
);
CREATE TABLE events (
    user_id TEXT NOT NULL, id UUID NOT NULL, type TEXT NOT NULL, card_id UUID NOT NULL, at DOUBLE PRECISION NOT NULL,
    received_at DOUBLE PRECISION NOT NULL DEFAULT extract(epoch FROM now()), PRIMARY KEY (user_id, id)
);
