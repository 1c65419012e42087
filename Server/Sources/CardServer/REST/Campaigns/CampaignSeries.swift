import CardModel
import OrderedCollections
import WireJSON

/// The counts of a campaign day by day, as the documented API has them.
struct CampaignSeries {
    private var counts: [Day: [VariantID: CampaignCounts]] = [:]
    private let variants: [VariantID]

    init(_ report: CampaignReport) {
        variants = report.campaign.content.variants.map(\.id)
        for row in report.rows {
            counts[row.day.utc, default: [:]][row.variant, default: CampaignCounts()] += row.counts
        }
    }

    /// The days in UTC up to the one of that moment, the oldest first; days without counts are there too.
    func days(endingAt end: UnixTime, count: Int) -> [JSONValue] {
        let last = Day(of: end).number
        return (0..<Int32(count)).map { day(Day(number: last - Int32(count) + 1 + $0)) }
    }

    private func day(_ day: Day) -> JSONValue {
        let counts = counts[day] ?? [:]
        let delivered = counts.values.reduce(0) { $0 + $1.delivered }
        return [
            "time": .string(day.description), "unique_recipients": .integer(delivered),
            "messages": ["content_cards": .array(variants.map { message($0, counts[$0] ?? CampaignCounts()) })],
        ]
    }

    /// A dismissal counts once for each card, so the total is the unique number too.
    private func message(_ variant: VariantID, _ counts: CampaignCounts) -> JSONValue {
        [
            "variation_api_id": .string(variant.rawValue), "sent": .integer(counts.delivered),
            "total_clicks": .integer(counts.clicks), "total_dismissals": .integer(counts.dismissals),
            "total_impressions": .integer(counts.impressions), "unique_clicks": .integer(counts.uniqueClicks),
            "unique_dismissals": .integer(counts.dismissals), "unique_impressions": .integer(counts.uniqueImpressions),
        ]
    }
}
