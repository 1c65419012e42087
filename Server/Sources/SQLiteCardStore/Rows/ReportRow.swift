import CardModel
import CardStore
import Foundation
import GRDB
import WireJSON

/// What was counted of a campaign, as rows keep it.
enum ReportRow {
    static func counts(of campaign: CampaignID, in database: Database) throws -> [CampaignReport.Row] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM counts WHERE campaign_id = ? ORDER BY utc_day, local_day, variant_id",
            arguments: [campaign.rawValue]
        ).map { row in
            CampaignReport.Row(
                variant: VariantID(rawValue: row["variant_id"]),
                day: CountingDay(utc: Day(number: row["utc_day"]), local: Day(number: row["local_day"])),
                counts: CampaignCounts(row)
            )
        }
    }

    static func problems(of campaign: CampaignID, in database: Database) throws -> [CampaignReport.Problem] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM problems WHERE campaign_id = ? ORDER BY count DESC, variant_id, class_type, field",
            arguments: [campaign.rawValue]
        ).map { row in
            CampaignReport.Problem(
                variant: VariantID(rawValue: row["variant_id"]),
                classType: named(row["class_type"]),
                field: named(row["field"]),
                message: row["message"],
                count: row["count"],
                lastAt: row["last_at"]
            )
        }
    }

    static func conversions(of campaign: CampaignID, in database: Database) throws -> [CampaignReport.ConversionRow] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM conversion_counts
                WHERE campaign_id = ? AND (conversions <> 0 OR unique_conversions <> 0)
                """,
            arguments: [campaign.rawValue]
        ).map { row in
            var counts = ConversionCounts()
            counts.conversions = row["conversions"]
            counts.uniqueConversions = row["unique_conversions"]
            return CampaignReport.ConversionRow(
                variant: VariantID(rawValue: row["variant_id"]),
                day: CountingDay(utc: Day(number: row["utc_day"]), local: Day(number: row["local_day"])),
                conversion: row["conversion"],
                counts: counts
            )
        }
    }

    static func amounts(of campaign: CampaignID, in database: Database) throws -> [CampaignReport.AmountRow] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM amount_counts WHERE campaign_id = ? AND (purchases <> 0 OR buyers <> 0)
                """,
            arguments: [campaign.rawValue]
        ).map { row in
            guard let amount = Amount(exactly: row["amount"] as String) else {
                throw StoreError.unreadable("an amount")
            }
            return CampaignReport.AmountRow(
                variant: VariantID(rawValue: row["variant_id"]),
                day: CountingDay(utc: Day(number: row["utc_day"]), local: Day(number: row["local_day"])),
                conversion: row["conversion"],
                currency: row["currency"],
                counts: AmountCounts(
                    purchases: row["purchases"],
                    buyers: row["buyers"],
                    amount: amount,
                    squares: row["squares"]
                )
            )
        }
    }

    static func divisions(of campaign: CampaignID, in database: Database) throws -> [CampaignReport.DivisionRow] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM divisions WHERE campaign_id = ? ORDER BY weights, variant_id",
            arguments: [campaign.rawValue]
        ).map { row in
            guard let division = Division(row["weights"] as String) else {
                throw StoreError.unreadable("how users were divided")
            }
            return CampaignReport.DivisionRow(
                division: division,
                variant: VariantID(rawValue: row["variant_id"]),
                users: row["users"]
            )
        }
    }

    /// The columns are part of a key, so what the device did not name is empty there.
    private static func named(_ text: String) -> String? { text.isEmpty ? nil : text }
}

extension CampaignCounts {
    init(_ row: Row) {
        self.init()
        delivered = row["delivered"]
        impressions = row["impressions"]
        uniqueImpressions = row["unique_impressions"]
        clicks = row["clicks"]
        uniqueClicks = row["unique_clicks"]
        dismissals = row["dismissals"]
        decodeErrors = row["decode_errors"]
        recipients = row["recipients"]
    }
}

extension StoredEvent {
    /// Restores an event from its row.
    init(_ row: Row) throws {
        let id: Data = row["id"]
        let details: String? = row["details"]
        guard let id = EventID(bytes: id), let details = try? details.map(JSONValue.init(parsing:)) ?? .null else {
            throw StoreError.unreadable("an event")
        }
        self.init(
            position: row["position"],
            user: UserID(rawValue: row["user_id"]),
            id: id,
            type: row["type"],
            at: row["at"],
            receivedAt: row["received_at"],
            card: (row["card_id"] as String?).map(CardID.init),
            campaign: (row["campaign_id"] as String?).map(CampaignID.init),
            variant: (row["variant_id"] as String?).map(VariantID.init),
            details: details
        )
    }
}
