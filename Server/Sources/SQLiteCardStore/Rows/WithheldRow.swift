import CardModel
import CardStore
import GRDB

/// The cards that templates withheld from users, as rows keep them.
enum WithheldRow {
    /// Whether it was noted before that the user got no such card.
    static func isKnown(_ withholding: Withholding, from user: UserID, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM withholdings
                    WHERE user_id = ? AND campaign_id = ? AND variant_id = ? AND kind = ?
                )
                """,
            arguments: key(withholding, user)
        ) ?? false
    }

    /// Notes that the user got no such card, or returns `false` where that is known, or where there is no such user.
    static func insert(
        _ withholding: Withholding,
        from user: UserID,
        at now: UnixTime,
        into database: Database
    ) throws -> Bool {
        try database.execute(
            sql: """
                INSERT INTO withholdings (user_id, campaign_id, variant_id, kind, at)
                SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM users WHERE id = ?)
                ON CONFLICT DO NOTHING
                """,
            arguments: key(withholding, user) + [now, user.rawValue]
        )
        return database.changesCount > 0
    }

    static func count(_ withholding: Withholding, on day: CountingDay, in database: Database) throws {
        let campaign = withholding.campaign.rawValue
        let reasons = try Int64.fetchOne(
            database,
            sql: "SELECT count(DISTINCT reason) FROM withheld_counts WHERE campaign_id = ? AND reason <> ?",
            arguments: [campaign, withholding.failure.countedReason]
        )
        try database.execute(
            sql: """
                INSERT INTO withheld_counts (campaign_id, utc_day, local_day, variant_id, kind, reason, users)
                VALUES (:campaign, :utc, :local, :variant, :kind, :reason, 1)
                ON CONFLICT DO UPDATE SET users = users + 1
                """,
            arguments: [
                "campaign": campaign, "utc": day.utc.number, "local": day.local.number,
                "variant": withholding.variant.rawValue, "kind": withholding.failure.kind.rawValue,
                "reason": WithheldCount.reason(of: withholding.failure, besides: reasons ?? 0),
            ]
        )
    }

    static func counts(of campaign: CampaignID, in database: Database) throws -> [WithheldCount] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM withheld_counts WHERE campaign_id = ?
                ORDER BY utc_day, local_day, variant_id, kind, reason
                """,
            arguments: [campaign.rawValue]
        ).map(WithheldCount.init)
    }

    private static func key(_ withholding: Withholding, _ user: UserID) -> StatementArguments {
        [
            user.rawValue, withholding.campaign.rawValue, withholding.variant.rawValue,
            withholding.failure.kind.rawValue,
        ]
    }
}
