import CardModel
import CardStore
import OrderedCollections
import Statistics
import WireJSON

/// A report as the API gives it.
struct ReportDocument {
    private let report: CampaignReport
    private let range: ReportRange
    private let campaign: Campaign
    private let eligible: JSONValue?

    init(_ report: CampaignReport, _ range: ReportRange, eligible: JSONValue? = nil) {
        self.report = report
        self.range = range
        self.eligible = eligible
        campaign = report.campaign
    }

    func json(at now: UnixTime) -> JSONValue {
        let zone = range.timeZone ?? range.workspaceZone
        // Past counts keep their day: those of a workspace that is in UTC now may be from when it wasn't.
        let isUTC = range.timeZone == "UTC"
        var totals = report.totals.members
        totals["conversions"] = .array(report.conversionTotals.map(\.json))
        return [
            "campaign_id": .string(campaign.id.rawValue), "name": .string(campaign.content.name),
            "status": .string(campaign.status.rawValue), "generated_at": .number(now), "time_zone": .string(zone),
            "eligible": eligible ?? .null,
            "totals": .object(totals), "variants": .array(campaign.content.variants.map(json)),
            "experiment": Experiment(report).json(of: campaign),
            "days": .array(days(isUTC ? \.utc : \.local)), "days_utc": .array(days(\.utc)),
            "decode_errors": .array(report.problems.map(\.json)), "withheld": .array(report.withheld.map(\.json)),
        ]
    }

    // MARK: Variants

    private func json(of variant: Campaign.Variant) -> JSONValue {
        let counts = report.counts(of: variant.id)
        var members: JSONObject = [
            "id": .string(variant.id.rawValue), "name": .string(variant.name), "control": .bool(variant.isControl),
            "weight": .integer(Int64(variant.weight)),
        ]
        members.merge(counts.members) { first, _ in first }
        members["rates"] = [
            "seen": Proportion(successes: counts.uniqueImpressions, trials: counts.recipients).json,
            "clicked": Proportion(successes: counts.uniqueClicks, trials: counts.uniqueImpressions).json,
            "dismissed": Proportion(successes: counts.dismissals, trials: counts.uniqueImpressions).json,
        ]
        members["conversions"] = .array(report.conversionSummaries(of: [variant.id]).map(\.json))
        return .object(members)
    }

    // MARK: Days

    private struct DayKey: Hashable {
        let day: Day
        let variant: String
    }

    private func days(_ day: (CountingDay) -> Day) -> [JSONValue] {
        var counts: [DayKey: CampaignCounts] = [:]
        var conversions: [DayKey: [String: ConversionCounts]] = [:]
        var amounts: [DayKey: [String: [String: AmountCounts]]] = [:]
        for row in report.rows {
            counts[DayKey(day: day(row.day), variant: row.variant.rawValue), default: CampaignCounts()] += row.counts
        }
        for row in report.conversions {
            let key = DayKey(day: day(row.day), variant: row.variant.rawValue)
            conversions[key, default: [:]][row.conversion, default: ConversionCounts()] += row.counts
        }
        for row in report.amounts {
            let key = DayKey(day: day(row.day), variant: row.variant.rawValue)
            amounts[key, default: [:]][row.conversion, default: [:]][row.currency, default: AmountCounts()] +=
                row.counts
        }
        let keys = Set(counts.keys).union(conversions.keys).union(amounts.keys).filter { range.contains($0.day) }
        return keys.sorted { ($0.day, $0.variant) < ($1.day, $1.variant) }.map { key in
            var members: JSONObject = [
                "day": .string(key.day.description), "variant_id": .string(key.variant),
            ]
            members.merge((counts[key] ?? CampaignCounts()).members) { first, _ in first }
            members["conversions"] = .array(
                campaign.content.conversions.map { conversion in
                    let counts = conversions[key]?[conversion.id] ?? ConversionCounts()
                    let spent = amounts[key]?[conversion.id] ?? [:]
                    return [
                        "id": .string(conversion.id), "conversions": .integer(counts.conversions),
                        "unique_conversions": .integer(counts.uniqueConversions),
                        "amounts": .array(spent.sorted { $0.key < $1.key }.map { $1.json(in: $0) }),
                    ]
                }
            )
            return .object(members)
        }
    }
}

// MARK: Parts

extension CampaignCounts {
    /// The counts by their names on the wire.
    var members: JSONObject {
        [
            "delivered": .integer(delivered), "recipients": .integer(recipients), "impressions": .integer(impressions),
            "unique_impressions": .integer(uniqueImpressions), "clicks": .integer(clicks),
            "unique_clicks": .integer(uniqueClicks), "dismissals": .integer(dismissals),
            "decode_errors": .integer(decodeErrors),
        ]
    }
}

extension ConversionSummary {
    fileprivate var json: JSONValue {
        [
            "id": .string(conversion.id), "name": .string(conversion.name), "users": .integer(users),
            "conversions": .integer(counts.conversions), "unique_conversions": .integer(counts.uniqueConversions),
            "rate": rate.json,
            "amounts": .array(amounts.sorted { $0.key < $1.key }.map { $1.json(in: $0, users: users) }),
        ]
    }
}

extension AmountCounts {
    fileprivate func json(in currency: String) -> JSONValue {
        ["currency": .string(currency), "amount": JSONValue(amount), "purchases": .integer(purchases)]
    }

    fileprivate func json(in currency: String, users: Int64) -> JSONValue {
        let sample = Sample(count: users, active: buyers, sum: amount.double, sumOfSquares: squares)
        let interval = sample.interval(confidence: Experiment.confidence)
        return [
            "currency": .string(currency), "amount": JSONValue(amount), "purchases": .integer(purchases),
            "buyers": .integer(buyers), "per_user": sample.mean.map(JSONValue.number) ?? .null,
            "low": interval.map { .number($0.low) } ?? .null, "high": interval.map { .number($0.high) } ?? .null,
        ]
    }
}

extension Proportion {
    /// The rate with Wilson's interval.
    var json: JSONValue {
        let interval = wilsonInterval(confidence: Experiment.confidence)
        return [
            "of": .integer(trials), "rate": rate.map(JSONValue.number) ?? .null,
            "low": interval.map { .number($0.low) } ?? .null, "high": interval.map { .number($0.high) } ?? .null,
        ]
    }
}

extension CampaignReport.DecodingErrorCount {
    fileprivate var json: JSONValue {
        [
            "variant_id": .string(variant.rawValue), "class_type": classType.map(JSONValue.string) ?? .null,
            "field": field.map(JSONValue.string) ?? .null, "message": .string(message), "count": .integer(count),
            "last_at": .number(lastAt),
        ]
    }
}
