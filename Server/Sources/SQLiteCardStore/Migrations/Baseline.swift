import GRDB

/// The whole schema, as the migrations before the first release made it one after the other.
enum Baseline: StoreMigration {
    static let identifier = "0061-baseline"

    /// Those migrations; a database in which all of them were done has this schema.
    static let replaced = [
        "0001-users", "0002-campaigns", "0003-events", "0004-access", "0005-writers", "0006-audiences",
        "0007-triggers", "0008-aliases", "0009-conversions", "0010-templates", "0011-team", "0014-webhooks",
        "0016-browsing", "0018-schedules", "0019-campaign-versions", "0020-day-recipients", "0021-many-campaigns",
        "0024-recovery-codes", "0025-attempts", "0032-secrets", "0037-spending", "0038-sessions",
        "0039-content-type-proposals", "0041-key-limits", "0042-audit-chain", "0043-erased-users", "0046-amounts",
        "0047-webhook-notices", "0052-temporary-passwords", "0053-password-links", "0054-test-cards",
        "0056-merged-users", "0060-media", "0061-counted-purchases",
    ]

    static func apply(to database: Database) throws {
        let topics = [
            users, names, histories, triggers, campaigns, campaignParts, catalogue, counts, outcomes, dayTotals, keys,
            team,
            audit, events, writers, rows,
        ]
        for statements in topics { try database.execute(sql: statements) }
    }

    /// The rows that every database begins with.
    private static let rows = """
        INSERT INTO store (id, epoch, user_hash_key)
            VALUES (1, random() & 9223372036854775807, randomblob(32));
        INSERT INTO audit_chain
            (id, last_count, last_position, last_hash, anchor_count, anchor_position, anchor_hash)
            VALUES (1, 0, 0, x'', 0, 0, x'');
        """
}
