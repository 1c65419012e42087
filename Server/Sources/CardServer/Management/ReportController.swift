import CardModel
import CardStore
import Hummingbird
import OrderedCollections
import WireJSON

/// `GET /v1/campaigns/{id}/report`: what was counted.
struct ReportController: Sendable {
    let services: Services

    @Sendable func report(_ request: Request, _ context: AppContext) async throws -> Response {
        try services.authenticator.require(.manage, request.headers)
        guard let id = CampaignID(checking: try context.parameters.require("id")),
            let report = try await services.store.report(of: id)
        else { throw RequestError.notFound("campaign") }
        let settings = services.catalog.current.settings
        return Response(json: report.json(timeZone: settings.timeZone, at: services.clock()))
    }
}

extension CampaignCounts {
    /// The counts by their names on the wire.
    var members: OrderedDictionary<String, JSONValue> {
        [
            "delivered": .integer(delivered), "impressions": .integer(impressions),
            "unique_impressions": .integer(uniqueImpressions), "clicks": .integer(clicks),
            "unique_clicks": .integer(uniqueClicks), "dismissals": .integer(dismissals),
            "decode_errors": .integer(decodeErrors),
        ]
    }
}

extension CampaignReport {
    func json(timeZone: String, at now: UnixTime) -> JSONValue {
        [
            "campaign_id": .string(campaign.id.rawValue), "name": .string(campaign.content.name),
            "status": .string(campaign.status.rawValue), "generated_at": .number(now), "time_zone": .string(timeZone),
            "totals": .object(totals.members), "variants": .array(campaign.content.variants.map(json)),
            "days": .array(days(\.local)), "days_utc": .array(days(\.utc)), "decode_errors": .array(problems.map(json)),
        ]
    }

    private func json(of variant: Campaign.Variant) -> JSONValue {
        var members: OrderedDictionary<String, JSONValue> = [
            "id": .string(variant.id.rawValue), "name": .string(variant.name), "control": .bool(variant.isControl),
            "weight": .integer(Int64(variant.weight)),
        ]
        members.merge(counts(of: variant.id).members) { first, _ in first }
        return .object(members)
    }

    private func days(_ day: (CountingDay) -> Day) -> [JSONValue] {
        struct Key: Hashable {
            let day: Day
            let variant: String
        }
        var sums: [Key: CampaignCounts] = [:]
        for row in rows {
            sums[Key(day: day(row.day), variant: row.variant.rawValue), default: CampaignCounts()] += row.counts
        }
        let keys = sums.keys.sorted { ($0.day, $0.variant) < ($1.day, $1.variant) }
        return keys.map { key in
            var members: OrderedDictionary<String, JSONValue> = [
                "day": .string(key.day.description), "variant_id": .string(key.variant),
            ]
            members.merge((sums[key] ?? CampaignCounts()).members) { first, _ in first }
            return .object(members)
        }
    }

    private func json(of problem: Problem) -> JSONValue {
        [
            "variant_id": .string(problem.variant.rawValue),
            "class_type": problem.classType.map(JSONValue.string) ?? .null,
            "field": problem.field.map(JSONValue.string) ?? .null, "message": .string(problem.message),
            "count": .integer(problem.count), "last_at": .number(problem.lastAt),
        ]
    }
}
