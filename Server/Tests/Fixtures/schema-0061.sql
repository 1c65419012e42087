-- The schema as the 34 migrations before the baseline made it, and the rows that they wrote.
-- It is what the last program with those migrations created, and never changes.
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations (identifier) VALUES
    ('0001-users'),
    ('0002-campaigns'),
    ('0003-events'),
    ('0004-access'),
    ('0005-writers'),
    ('0006-audiences'),
    ('0007-triggers'),
    ('0008-aliases'),
    ('0009-conversions'),
    ('0010-templates'),
    ('0011-team'),
    ('0014-webhooks'),
    ('0016-browsing'),
    ('0018-schedules'),
    ('0019-campaign-versions'),
    ('0020-day-recipients'),
    ('0021-many-campaigns'),
    ('0024-recovery-codes'),
    ('0025-attempts'),
    ('0032-secrets'),
    ('0037-spending'),
    ('0038-sessions'),
    ('0039-content-type-proposals'),
    ('0041-key-limits'),
    ('0042-audit-chain'),
    ('0043-erased-users'),
    ('0046-amounts'),
    ('0047-webhook-notices'),
    ('0052-temporary-passwords'),
    ('0053-password-links'),
    ('0054-test-cards'),
    ('0056-merged-users'),
    ('0060-media'),
    ('0061-counted-purchases');
CREATE TABLE store (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    epoch INTEGER NOT NULL,
    generation INTEGER NOT NULL DEFAULT 0,
    settings TEXT NOT NULL DEFAULT '{}',
    checked_at REAL NOT NULL DEFAULT 0
, user_count INTEGER NOT NULL DEFAULT 0, secrets_key BLOB, user_hash_key BLOB);
CREATE TABLE users (
    id TEXT PRIMARY KEY NOT NULL,
    version INTEGER NOT NULL,
    device INTEGER NOT NULL,
    last_seen_at REAL,
    created_at REAL NOT NULL,
    locale TEXT,
    time_zone TEXT,
    app_version TEXT,
    custom TEXT,
    standard TEXT
, first_seen_at REAL, sample_rank INTEGER NOT NULL DEFAULT 0, updated_at REAL) WITHOUT ROWID;
CREATE TABLE deliveries (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    card_id TEXT NOT NULL,
    campaign_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    variant_id TEXT NOT NULL,
    delivered_at REAL NOT NULL,
    position INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    viewed INTEGER NOT NULL DEFAULT 0,
    clicked INTEGER NOT NULL DEFAULT 0,
    dismissed INTEGER NOT NULL DEFAULT 0,
    ended TEXT, viewed_at REAL, clicked_at REAL, dismissed_at REAL, trigger_id TEXT, properties TEXT, rendered TEXT, first_viewed_at REAL,
    PRIMARY KEY (user_id, card_id)
) WITHOUT ROWID;
CREATE TABLE campaigns (
    id TEXT PRIMARY KEY NOT NULL,
    content TEXT NOT NULL,
    status TEXT NOT NULL,
    withdrawn INTEGER NOT NULL,
    version INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    launched_at REAL
, name TEXT GENERATED ALWAYS AS (json_extract(content, '$.name')) VIRTUAL);
CREATE INDEX campaigns_by_change ON campaigns (updated_at DESC, id);
CREATE TABLE counts (
    campaign_id TEXT NOT NULL,
    utc_day INTEGER NOT NULL,
    local_day INTEGER NOT NULL,
    variant_id TEXT NOT NULL,
    delivered INTEGER NOT NULL,
    impressions INTEGER NOT NULL,
    unique_impressions INTEGER NOT NULL,
    clicks INTEGER NOT NULL,
    unique_clicks INTEGER NOT NULL,
    dismissals INTEGER NOT NULL,
    decode_errors INTEGER NOT NULL, recipients INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (campaign_id, utc_day, local_day, variant_id)
) WITHOUT ROWID;
CREATE TABLE problems (
    campaign_id TEXT NOT NULL,
    variant_id TEXT NOT NULL,
    class_type TEXT NOT NULL,
    field TEXT NOT NULL,
    message TEXT NOT NULL,
    count INTEGER NOT NULL,
    last_at REAL NOT NULL,
    PRIMARY KEY (campaign_id, variant_id, class_type, field)
) WITHOUT ROWID;
CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id TEXT NOT NULL,
    id BLOB NOT NULL,
    type TEXT NOT NULL,
    at REAL NOT NULL,
    received_at REAL NOT NULL,
    card_id TEXT,
    campaign_id TEXT,
    variant_id TEXT,
    details TEXT
);
CREATE UNIQUE INDEX events_by_user ON events (user_id, id);
CREATE TABLE keys (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    permissions TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    created_at REAL NOT NULL,
    revoked_at REAL
, expires_at REAL, allowed_addresses TEXT NOT NULL DEFAULT '', previous_hash BLOB, previous_expires_at REAL, last_used_at REAL);
CREATE TABLE "members" (
    position INTEGER PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    created_at REAL NOT NULL
, name TEXT NOT NULL DEFAULT '', role TEXT NOT NULL DEFAULT 'admin', code_secret BLOB, last_code_step INTEGER NOT NULL DEFAULT 0, last_signed_in_at REAL, recovery_codes BLOB NOT NULL DEFAULT x'', sealed_code_secret BLOB, recovery_hashes BLOB NOT NULL DEFAULT x'', password_expires_at REAL, changed_at REAL, change_action TEXT, link_hash BLOB, link_expires_at REAL);
CREATE TABLE audit (
    position INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL
, actor_kind TEXT NOT NULL DEFAULT '', details TEXT, hash BLOB NOT NULL DEFAULT x'');
CREATE TABLE content_types (
    class_type TEXT PRIMARY KEY NOT NULL,
    schema TEXT NOT NULL,
    updated_at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE writers (
    id INTEGER PRIMARY KEY,
    catalog_changes INTEGER NOT NULL,
    user_changes INTEGER NOT NULL,
    changed_at REAL NOT NULL
);
CREATE TABLE segments (
    id TEXT PRIMARY KEY NOT NULL,
    content TEXT NOT NULL,
    archived INTEGER NOT NULL,
    version INTEGER NOT NULL,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL
);
CREATE INDEX segments_by_change ON segments (updated_at DESC, id);
CREATE INDEX users_sample ON users
    (sample_rank, created_at, first_seen_at, last_seen_at, locale, time_zone, app_version, custom, standard)
    WHERE sample_rank < 134217728;
CREATE TABLE triggers (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    campaign_id TEXT NOT NULL,
    trigger_id TEXT NOT NULL,
    at REAL NOT NULL,
    due_at REAL NOT NULL,
    due_locally INTEGER NOT NULL,
    until REAL NOT NULL,
    properties TEXT,
    outcome TEXT,
    PRIMARY KEY (user_id, campaign_id, trigger_id)
) WITHOUT ROWID;
CREATE INDEX waiting_triggers ON triggers (user_id, at, trigger_id) WHERE outcome IS NULL;
CREATE TABLE broadcasts (
    campaign_id TEXT NOT NULL,
    trigger_id TEXT NOT NULL,
    at REAL NOT NULL,
    due_at REAL NOT NULL,
    due_locally INTEGER NOT NULL,
    until REAL NOT NULL,
    properties TEXT,
    audience TEXT NOT NULL,
    PRIMARY KEY (campaign_id, trigger_id)
) WITHOUT ROWID;
CREATE INDEX broadcasts_by_end ON broadcasts (until);
CREATE TABLE aliases (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (user_id, label)
) WITHOUT ROWID;
CREATE UNIQUE INDEX aliases_by_name ON aliases (label, name);
CREATE INDEX users_by_email ON users (lower(json_extract(standard, '$.email')))
WHERE json_extract(standard, '$.email') IS NOT NULL;
CREATE INDEX users_by_phone ON users (json_extract(standard, '$.phone'))
WHERE json_extract(standard, '$.phone') IS NOT NULL;
CREATE TABLE conversions (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    campaign_id TEXT NOT NULL,
    conversion TEXT NOT NULL,
    card_id TEXT NOT NULL,
    at REAL NOT NULL, local_day INTEGER,
    PRIMARY KEY (user_id, campaign_id, conversion, card_id)
) WITHOUT ROWID;
CREATE TABLE conversion_counts (
    campaign_id TEXT NOT NULL,
    utc_day INTEGER NOT NULL,
    local_day INTEGER NOT NULL,
    variant_id TEXT NOT NULL,
    conversion TEXT NOT NULL,
    conversions INTEGER NOT NULL,
    unique_conversions INTEGER NOT NULL,
    PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, conversion)
) WITHOUT ROWID;
CREATE TABLE divisions (
    campaign_id TEXT NOT NULL,
    weights TEXT NOT NULL,
    variant_id TEXT NOT NULL,
    users INTEGER NOT NULL,
    PRIMARY KEY (campaign_id, weights, variant_id)
) WITHOUT ROWID;
CREATE TABLE content_blocks (
    name TEXT PRIMARY KEY NOT NULL,
    content TEXT NOT NULL,
    description TEXT NOT NULL,
    updated_at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE withholdings (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    campaign_id TEXT NOT NULL,
    variant_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (user_id, campaign_id, variant_id, kind)
) WITHOUT ROWID;
CREATE TABLE withheld_counts (
    campaign_id TEXT NOT NULL,
    utc_day INTEGER NOT NULL,
    local_day INTEGER NOT NULL,
    variant_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    reason TEXT NOT NULL,
    users INTEGER NOT NULL,
    PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, kind, reason)
) WITHOUT ROWID;
CREATE TABLE sessions (
    hash BLOB PRIMARY KEY NOT NULL,
    email TEXT NOT NULL REFERENCES members (email) ON DELETE CASCADE,
    form_key BLOB NOT NULL,
    created_at REAL NOT NULL,
    expires_at REAL NOT NULL
, last_used_at REAL NOT NULL DEFAULT 0, confirmed_at REAL NOT NULL DEFAULT 0, address TEXT NOT NULL DEFAULT '', browser TEXT NOT NULL DEFAULT '', account_change TEXT) WITHOUT ROWID;
CREATE INDEX sessions_by_member ON sessions (email);
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE TABLE spent_forms (
    token BLOB PRIMARY KEY NOT NULL,
    expires_at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX spent_forms_by_end ON spent_forms (expires_at);
CREATE TABLE webhooks (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    types TEXT NOT NULL,
    created_at REAL NOT NULL,
    position INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    next_attempt_at REAL NOT NULL,
    last_success_at REAL,
    last_failure_at REAL,
    last_failure TEXT,
    worker TEXT,
    worker_until REAL NOT NULL DEFAULT 0
, sealed_secret BLOB, dropped_notices INTEGER NOT NULL DEFAULT 0);
CREATE INDEX campaigns_by_status ON campaigns (status, updated_at DESC, id DESC, name);
CREATE INDEX campaigns_by_time ON campaigns (updated_at DESC, id DESC, status, name);
CREATE TABLE campaign_tags (
    tag TEXT NOT NULL,
    campaign_id TEXT NOT NULL,
    PRIMARY KEY (tag, campaign_id)
) WITHOUT ROWID;
CREATE INDEX campaign_tags_by_campaign ON campaign_tags (campaign_id);
CREATE TABLE controls (
    campaign_id TEXT NOT NULL,
    variant_id TEXT NOT NULL,
    PRIMARY KEY (campaign_id, variant_id)
) WITHOUT ROWID;
CREATE TRIGGER campaigns_added AFTER INSERT ON campaigns  BEGIN
    DELETE FROM campaign_tags WHERE campaign_id = NEW.id;
    DELETE FROM controls WHERE campaign_id = NEW.id;
    INSERT OR IGNORE INTO campaign_tags SELECT value, NEW.id FROM json_each(NEW.content, '$.tags');
    INSERT OR IGNORE INTO controls
        SELECT NEW.id, json_extract(value, '$.id') FROM json_each(NEW.content, '$.variants')
        WHERE json_extract(value, '$.control');
END;
CREATE TRIGGER campaigns_changed AFTER UPDATE OF content ON campaigns WHEN NEW.content <> OLD.content BEGIN
    DELETE FROM campaign_tags WHERE campaign_id = NEW.id;
    DELETE FROM controls WHERE campaign_id = NEW.id;
    INSERT OR IGNORE INTO campaign_tags SELECT value, NEW.id FROM json_each(NEW.content, '$.tags');
    INSERT OR IGNORE INTO controls
        SELECT NEW.id, json_extract(value, '$.id') FROM json_each(NEW.content, '$.variants')
        WHERE json_extract(value, '$.control');
END;
CREATE TABLE day_totals (local_day INTEGER PRIMARY KEY NOT NULL, delivered INTEGER NOT NULL, impressions INTEGER NOT NULL, unique_impressions INTEGER NOT NULL, clicks INTEGER NOT NULL, unique_clicks INTEGER NOT NULL, dismissals INTEGER NOT NULL, decode_errors INTEGER NOT NULL, recipients INTEGER NOT NULL DEFAULT 0);
CREATE TRIGGER counts_added AFTER INSERT ON counts
WHEN NOT EXISTS (
    SELECT 1 FROM controls WHERE campaign_id = NEW.campaign_id AND variant_id = NEW.variant_id
) BEGIN
    INSERT INTO day_totals (local_day, delivered, impressions, unique_impressions, clicks, unique_clicks, dismissals, decode_errors)
    VALUES (NEW.local_day, NEW.delivered, NEW.impressions, NEW.unique_impressions, NEW.clicks, NEW.unique_clicks, NEW.dismissals, NEW.decode_errors)
    ON CONFLICT (local_day) DO UPDATE SET delivered = delivered + excluded.delivered, impressions = impressions + excluded.impressions, unique_impressions = unique_impressions + excluded.unique_impressions, clicks = clicks + excluded.clicks, unique_clicks = unique_clicks + excluded.unique_clicks, dismissals = dismissals + excluded.dismissals, decode_errors = decode_errors + excluded.decode_errors;
END;
CREATE TRIGGER counts_changed AFTER UPDATE ON counts
WHEN NOT EXISTS (
    SELECT 1 FROM controls WHERE campaign_id = NEW.campaign_id AND variant_id = NEW.variant_id
) BEGIN
    INSERT INTO day_totals (local_day, delivered, impressions, unique_impressions, clicks, unique_clicks, dismissals, decode_errors)
    VALUES (NEW.local_day, NEW.delivered - OLD.delivered, NEW.impressions - OLD.impressions, NEW.unique_impressions - OLD.unique_impressions, NEW.clicks - OLD.clicks, NEW.unique_clicks - OLD.unique_clicks, NEW.dismissals - OLD.dismissals, NEW.decode_errors - OLD.decode_errors)
    ON CONFLICT (local_day) DO UPDATE SET delivered = delivered + excluded.delivered, impressions = impressions + excluded.impressions, unique_impressions = unique_impressions + excluded.unique_impressions, clicks = clicks + excluded.clicks, unique_clicks = unique_clicks + excluded.unique_clicks, dismissals = dismissals + excluded.dismissals, decode_errors = decode_errors + excluded.decode_errors;
END;
CREATE TABLE schedules (
    campaign_id TEXT NOT NULL,
    trigger_id TEXT NOT NULL,
    users TEXT NOT NULL,
    until REAL NOT NULL,
    PRIMARY KEY (campaign_id, trigger_id)
) WITHOUT ROWID;
CREATE INDEX schedules_by_end ON schedules (until);
CREATE TABLE campaign_versions (
    campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    at REAL NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    status TEXT NOT NULL,
    withdrawn INTEGER NOT NULL,
    launched_at REAL,
    changed TEXT NOT NULL,
    restores INTEGER,
    content TEXT,
    PRIMARY KEY (campaign_id, version)
) WITHOUT ROWID;
CREATE TRIGGER recipients_added AFTER INSERT ON counts WHEN NEW.recipients <> 0 AND NOT EXISTS (
    SELECT 1 FROM controls WHERE campaign_id = NEW.campaign_id AND variant_id = NEW.variant_id
) BEGIN
    INSERT INTO day_totals
        (local_day, delivered, impressions, unique_impressions, clicks, unique_clicks, dismissals,
            decode_errors, recipients)
    VALUES (NEW.local_day, 0, 0, 0, 0, 0, 0, 0, NEW.recipients)
    ON CONFLICT (local_day) DO UPDATE SET recipients = recipients + excluded.recipients;
END;
CREATE TRIGGER recipients_changed AFTER UPDATE OF recipients ON counts WHEN NEW.recipients <> OLD.recipients AND NOT EXISTS (
    SELECT 1 FROM controls WHERE campaign_id = NEW.campaign_id AND variant_id = NEW.variant_id
) BEGIN
    INSERT INTO day_totals
        (local_day, delivered, impressions, unique_impressions, clicks, unique_clicks, dismissals,
            decode_errors, recipients)
    VALUES (NEW.local_day, 0, 0, 0, 0, 0, 0, 0, NEW.recipients - OLD.recipients)
    ON CONFLICT (local_day) DO UPDATE SET recipients = recipients + excluded.recipients;
END;
CREATE INDEX campaigns_launched ON campaigns (launched_at, id, version) WHERE launched_at IS NOT NULL;
CREATE INDEX campaigns_converting ON campaigns (id, version)
WHERE launched_at IS NOT NULL AND status <> 'archived'
    AND json_array_length(content, '$.conversions') > 0;
CREATE TABLE attempts (
    subject BLOB PRIMARY KEY NOT NULL,
    count INTEGER NOT NULL,
    last_at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX attempts_by_time ON attempts (last_at);
CREATE TABLE sealed_values (
    name TEXT PRIMARY KEY NOT NULL,
    value BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE content_type_proposals (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    key_id TEXT NOT NULL,
    app_version TEXT NOT NULL,
    types TEXT NOT NULL,
    updated_at REAL NOT NULL,
    dismissed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (key_id, app_version)
);
CREATE TABLE audit_chain (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last_count INTEGER NOT NULL,
    last_position INTEGER NOT NULL,
    last_hash BLOB NOT NULL,
    anchor_count INTEGER NOT NULL,
    anchor_position INTEGER NOT NULL,
    anchor_hash BLOB NOT NULL
);
CREATE TABLE erased_users (hash BLOB PRIMARY KEY, erased_at REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE "histories" (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    name TEXT NOT NULL,
    currency TEXT NOT NULL,
    count INTEGER NOT NULL,
    first_at REAL NOT NULL,
    last_at REAL NOT NULL,
    revenue TEXT NOT NULL,
    recent BLOB NOT NULL,
    PRIMARY KEY (user_id, part, name, currency)
) WITHOUT ROWID;
CREATE TABLE "spending" (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    campaign_id TEXT NOT NULL,
    conversion TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount TEXT NOT NULL,
    purchases INTEGER NOT NULL,
    first_at REAL NOT NULL, counted TEXT,
    PRIMARY KEY (user_id, campaign_id, conversion, currency)
) WITHOUT ROWID;
CREATE TABLE "amount_counts" (
    campaign_id TEXT NOT NULL,
    utc_day INTEGER NOT NULL,
    local_day INTEGER NOT NULL,
    variant_id TEXT NOT NULL,
    conversion TEXT NOT NULL,
    currency TEXT NOT NULL,
    purchases INTEGER NOT NULL,
    buyers INTEGER NOT NULL,
    amount TEXT NOT NULL,
    squares REAL NOT NULL,
    PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, conversion, currency)
) WITHOUT ROWID;
CREATE TABLE webhook_notices (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id BLOB NOT NULL,
    kind TEXT NOT NULL,
    user_id TEXT NOT NULL,
    details TEXT NOT NULL,
    at REAL NOT NULL
);
CREATE TABLE test_cards (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    card_id TEXT NOT NULL,
    campaign_id TEXT NOT NULL,
    variant_id TEXT NOT NULL,
    language TEXT,
    members BLOB NOT NULL,
    pinned INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    sent_at REAL NOT NULL,
    expires_at REAL NOT NULL,
    viewed INTEGER NOT NULL DEFAULT 0,
    clicked INTEGER NOT NULL DEFAULT 0,
    dismissed INTEGER NOT NULL DEFAULT 0,
    replaced INTEGER NOT NULL DEFAULT 0,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, card_id)
) WITHOUT ROWID;
CREATE TABLE test_users (
    user_id TEXT NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE merged_users (
    hash BLOB PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    merged_at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX merged_users_by_user ON merged_users (user_id);
CREATE TABLE media (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    alt TEXT NOT NULL,
    format TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    frames INTEGER NOT NULL,
    widths TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    created_at REAL NOT NULL,
    created_by TEXT NOT NULL
);
CREATE INDEX media_by_time ON media (created_at, id);
INSERT INTO store (id, epoch, user_hash_key) VALUES (1, 7, x'0707070707070707070707070707070707070707070707070707070707070707');
INSERT INTO audit_chain VALUES (1, 0, 0, x'', 0, 0, x'');
