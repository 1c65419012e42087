// Campaigns and what they are made of.

extension Baseline {
    /// Campaigns, and every version of each.
    ///
    /// A version whose content is that of the one before it has none of its own. `campaigns_launched` and
    /// `campaigns_converting` say which campaigns there are, of what version, without reading what they say: with
    /// thousands of them, a change of one then reads that one and not all.
    static let campaigns = """
        CREATE TABLE campaigns (
            id TEXT PRIMARY KEY NOT NULL,
            content TEXT NOT NULL,
            status TEXT NOT NULL,
            withdrawn INTEGER NOT NULL,
            version INTEGER NOT NULL,
            generation INTEGER NOT NULL,
            created_at REAL NOT NULL,
            updated_at REAL NOT NULL,
            launched_at REAL,
            name TEXT GENERATED ALWAYS AS (json_extract(content, '$.name')) VIRTUAL
        );
        CREATE INDEX campaigns_by_change ON campaigns (updated_at DESC, id);
        CREATE INDEX campaigns_by_status ON campaigns (status, updated_at DESC, id DESC, name);
        CREATE INDEX campaigns_by_time ON campaigns (updated_at DESC, id DESC, status, name);
        CREATE INDEX campaigns_launched ON campaigns (launched_at, id, version) WHERE launched_at IS NOT NULL;
        CREATE INDEX campaigns_converting ON campaigns (id, version)
        WHERE launched_at IS NOT NULL AND status <> 'archived'
            AND json_array_length(content, '$.conversions') > 0;

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
        """

    /// The parts of campaigns' contents that lists and reports ask for; the database keeps them up to date itself.
    static let campaignParts = """
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

        CREATE TRIGGER campaigns_added AFTER INSERT ON campaigns BEGIN
            DELETE FROM campaign_tags WHERE campaign_id = NEW.id;
            DELETE FROM controls WHERE campaign_id = NEW.id;
            INSERT OR IGNORE INTO campaign_tags SELECT value, NEW.id FROM json_each(NEW.content, '$.tags');
            INSERT OR IGNORE INTO controls
                SELECT NEW.id, json_extract(value, '$.id') FROM json_each(NEW.content, '$.variants')
                WHERE json_extract(value, '$.control');
        END;

        CREATE TRIGGER campaigns_changed AFTER UPDATE OF content ON campaigns
        WHEN NEW.content <> OLD.content BEGIN
            DELETE FROM campaign_tags WHERE campaign_id = NEW.id;
            DELETE FROM controls WHERE campaign_id = NEW.id;
            INSERT OR IGNORE INTO campaign_tags SELECT value, NEW.id FROM json_each(NEW.content, '$.tags');
            INSERT OR IGNORE INTO controls
                SELECT NEW.id, json_extract(value, '$.id') FROM json_each(NEW.content, '$.variants')
                WHERE json_extract(value, '$.control');
        END;
        """

    /// Segments, content blocks, the app's content types with what apps propose as such, and pictures, whose bytes are
    /// in files beside the database.
    static let catalogue = """
        CREATE TABLE segments (
            id TEXT PRIMARY KEY NOT NULL,
            content TEXT NOT NULL,
            archived INTEGER NOT NULL,
            version INTEGER NOT NULL,
            created_at REAL NOT NULL,
            updated_at REAL NOT NULL
        );
        CREATE INDEX segments_by_change ON segments (updated_at DESC, id);

        CREATE TABLE content_blocks (
            name TEXT PRIMARY KEY NOT NULL,
            content TEXT NOT NULL,
            description TEXT NOT NULL,
            updated_at REAL NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE content_types (
            class_type TEXT PRIMARY KEY NOT NULL,
            schema TEXT NOT NULL,
            updated_at REAL NOT NULL
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
        """
}
