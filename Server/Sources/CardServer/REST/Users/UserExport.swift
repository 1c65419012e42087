import CardModel
import CardStore
import OrderedCollections
import WireJSON

/// Writes what is known of a user as the documented API has it: what is not known is left out.
struct UserExport {
    private static let subscriptions = ["email_subscribe", "push_subscribe"]

    /// The names of the fields that a user can have here.
    static let exportedNames = Set(StandardAttribute.allCases.map(\.rawValue)).union([
        "apps", "braze_id", "campaigns_received", "cards_clicked", "created_at", "custom_attributes", "custom_events",
        "external_id", "purchases", "revenue_by_currency", "total_revenue", "user_aliases",
    ])
    /// The names that may be asked for: the documented API has more fields, of which nothing is known here.
    static let fieldNames = exportedNames.union([
        "attributed_ad", "attributed_adgroup", "attributed_campaign", "attributed_source", "canvases_received",
        "devices", "email_opted_in_at", "email_unsubscribed_at", "last_coordinates", "push_opted_in_at", "push_tokens",
        "push_unsubscribed_at", "random_bucket", "uninstalled_at",
    ])

    let catalog: Catalog
    /// The fields that are wanted, or `nil` for all of them.
    let fields: Set<String>?

    func json(of record: UserRecord) -> JSONValue {
        var members = profile(of: record)
        members["custom_events"] = list(record.events)
        members["purchases"] = list(record.purchases)
        if !record.purchases.isEmpty {
            // A sum over currencies is no amount.
            if record.revenue.count <= 1 { members["total_revenue"] = JSONValue(record.revenue.values.first ?? 0) }
            members["revenue_by_currency"] = .object(byCurrency: record.revenue)
        }
        members["apps"] = apps(of: record)
        members["campaigns_received"] = campaigns(of: record)
        let clicked = record.deliveries.filter(\.isClicked).map { JSONValue.object(["name": .string(name(of: $0))]) }
        if !clicked.isEmpty { members["cards_clicked"] = .array(clicked) }
        if let fields { members = members.filter { fields.contains($0.key) } }
        return .object(members)
    }

    private func profile(of record: UserRecord) -> JSONObject {
        let profile = record.profile
        var members: JSONObject = [
            "created_at": .string(BackendTime.text(profile.createdAt))
        ]
        if profile.id.isIdentified { members["external_id"] = .string(profile.id.rawValue) }
        if !record.aliases.isEmpty {
            members["user_aliases"] = .array(
                record.aliases.map { ["alias_name": .string($0.name), "alias_label": .string($0.label)] }
            )
        }
        members["braze_id"] = .string(profile.id.rawValue)
        for attribute in StandardAttribute.allCases { members[attribute.rawValue] = profile.value(of: attribute) }
        var custom = profile.custom
        // What was set before these were standard attributes is among the custom ones.
        for name in Self.subscriptions where members[name] == nil { members[name] = custom.removeValue(forKey: name) }
        if !custom.isEmpty { members["custom_attributes"] = .object(custom) }
        return members
    }

    private func list(_ activities: [UserRecord.Activity]) -> JSONValue? {
        if activities.isEmpty { return nil }
        return .array(
            activities.map { activity in
                [
                    "name": .string(activity.name), "first": .string(BackendTime.text(activity.first)),
                    "last": .string(BackendTime.text(activity.last)), "count": .integer(activity.count),
                ]
            }
        )
    }

    private func apps(of record: UserRecord) -> JSONValue? {
        guard let sessions = record.sessions else { return nil }
        return [
            [
                "version": record.profile.device.appVersion.map(JSONValue.string) ?? .null,
                "sessions": .integer(sessions.count), "first_used": .string(BackendTime.text(sessions.first)),
                "last_used": .string(BackendTime.text(record.profile.lastSeenAt ?? sessions.last)),
            ]
        ]
    }

    private func campaigns(of record: UserRecord) -> JSONValue? {
        if record.deliveries.isEmpty { return nil }
        return .array(
            record.deliveries.map { delivery in
                let campaign = catalog.entries[delivery.campaign]?.campaign
                let variant = campaign?.variant(delivery.variant)
                return [
                    "name": .string(name(of: delivery)), "api_campaign_id": .string(delivery.campaign.rawValue),
                    "last_received": .string(BackendTime.text(delivery.deliveredAt)),
                    "engaged": ["viewed_card": .bool(delivery.isViewed), "clicked_card": .bool(delivery.isClicked)],
                    "variation_name": .string(variant?.name ?? delivery.variant.rawValue),
                    "variation_api_id": .string(delivery.variant.rawValue),
                    "in_control": .bool(variant?.isControl ?? false),
                ]
            }
        )
    }

    private func name(of delivery: Delivery) -> String {
        catalog.entries[delivery.campaign]?.campaign.content.name ?? delivery.campaign.rawValue
    }
}
