import CardModel
import OrderedCollections
import WireJSON

/// The counts of a campaign day by day, as the documented API has them.
struct CampaignSeries {
    private var counts: [Day: [VariantID: CampaignCounts]] = [:]
    private var conversions: [Day: [String: Int64]] = [:]
    private var revenue: [Day: [String: Amount]] = [:]
    private let currencies: Set<String>
    private let variants: [VariantID]
    private let controls: Set<VariantID>
    private let goals: [String]

    init(_ report: CampaignReport) {
        variants = report.campaign.content.variants.map(\.id)
        goals = report.campaign.content.conversions.map(\.id)
        let controls = Set(report.campaign.content.variants.filter(\.isControl).map(\.id))
        self.controls = controls
        for row in report.conversions where !controls.contains(row.variant) {
            // safe: counts of events
            conversions[row.day.utc, default: [:]][row.conversion, default: 0] += row.counts.conversions
        }
        // Several conversions may count the same purchase, and revenue is no sum of them.
        let paying = report.campaign.content.conversions.first(where: \.hasAmounts)?.id
        let amounts = report.amounts.filter { amount in
            !controls.contains(amount.variant) && paying?.hasSameBytes(as: amount.conversion) ?? false
        }
        currencies = Set(amounts.map(\.currency))
        for row in amounts { revenue[row.day.utc, default: [:]][row.currency, default: 0] += row.counts.amount }
        for row in report.rows {
            counts[row.day.utc, default: [:]][row.variant, default: CampaignCounts()] += row.counts
        }
    }

    /// The days in UTC up to the one of that moment, the oldest first; days without counts are there too.
    func days(endingAt end: UnixTime, count: Int) -> [JSONValue] {
        let last = Day(of: end).number
        // safe: a hundred days at most
        return (0..<Int32(count)).map { day(Day(number: last - Int32(count) + 1 + $0)) }
    }

    private func day(_ day: Day) -> JSONValue {
        let counts = counts[day] ?? [:]
        // safe: counts of users
        let recipients = counts.filter { !controls.contains($0.key) }.values.reduce(0) { $0 + $1.recipients }
        var members: JSONObject = [
            "time": .string(day.description),
            "unique_recipients": .integer(recipients),
            "messages": ["content_cards": .array(variants.map { message($0, counts[$0] ?? CampaignCounts()) })],
        ]
        // The first conversion has no number.
        for (index, goal) in goals.enumerated() {
            members["conversions\(index == 0 ? "" : "\(index)")"] = .integer(conversions[day]?[goal] ?? 0)
        }
        let revenue = revenue[day] ?? [:]
        // A sum over currencies is no amount, and one that some days have invites to add it to the others.
        members["revenue"] = currencies.count > 1 ? .null : JSONValue(revenue.values.first ?? 0)
        members["revenue_by_currency"] = .object(byCurrency: revenue)
        return .object(members)
    }

    /// A dismissal counts once for each card, so the total is the unique number too.
    private func message(_ variant: VariantID, _ counts: CampaignCounts) -> JSONValue {
        [
            "variation_api_id": .string(variant.rawValue),
            "sent": .integer(controls.contains(variant) ? 0 : counts.delivered),
            "total_clicks": .integer(counts.clicks), "total_dismissals": .integer(counts.dismissals),
            "total_impressions": .integer(counts.impressions), "unique_clicks": .integer(counts.uniqueClicks),
            "unique_dismissals": .integer(counts.dismissals), "unique_impressions": .integer(counts.uniqueImpressions),
        ]
    }
}
