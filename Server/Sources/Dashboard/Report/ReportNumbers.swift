import CardModel
import WireJSON

/// A report's days as charts and rows.
struct ReportNumbers {
    let counts: SeriesChart
    let rates: SeriesChart
    let rows: [ReportPage.DayRow]
    /// The sums of the full days that are shown, beside those of as many days before them.
    let changes: [ReportPage.Change]
    /// The number of days that are compared.
    let comparedDays: Int

    init(_ json: JSONValue, _ range: ReportDays, today: Day) {
        let variants = (json["variants"]?.array ?? []).filter { $0["control"]?.bool != true }
        let shown = Set(variants.compactMap { $0["id"]?.string })
        var table: [Day: [String: JSONValue]] = [:]
        for row in json["days"]?.array ?? [] {
            guard let day = row["day"]?.string.flatMap(Timestamp.unixTime(of:)).map({ Day(of: $0) }),
                let variant = row["variant_id"]?.string, shown.contains(variant)
            else { continue }
            table[day, default: [:]][variant] = row
        }
        let days = range.days(since: table.keys.min())
        func value(_ day: Day, _ variant: String, _ name: String) -> Int64 { table[day]?[variant]?[name]?.integer ?? 0 }
        func sum(_ day: Day, _ name: String) -> Int64 {
            shown.reduce(Int64(0)) { $0.addingClamped(value(day, $1, name)) }
        }
        counts = SeriesChart(
            days: days,
            series: [("Impressions", "impressions"), ("Clicks", "clicks")].enumerated().map { index, item in
                SeriesChart.Series(name: item.0, colour: index + 1, values: days.map { Double(sum($0, item.1)) })
            },
            label: "Impressions and clicks by day; the table below has the numbers.",
            isLastDayPartial: days.last == today
        )
        rates = SeriesChart(
            days: days,
            series: variants.enumerated().map { index, variant in
                let id = variant["id"]?.string ?? ""
                return SeriesChart.Series(
                    name: variant["name"]?.string ?? id,
                    colour: index % 5 + 1,
                    values: days.map { day in
                        let seen = value(day, id, "impressions")
                        return seen > 0 ? Double(value(day, id, "clicks")) / Double(seen) : 0
                    }
                )
            },
            label: "Click-through rate by day and variant.",
            isPercent: true,
            isLastDayPartial: days.last == today
        )
        // A day that isn't over would look like a fall.
        let full = days.filter { $0 != today }
        comparedDays = full.count
        changes = Self.changes(full, known: table.keys.min()) { days, name in
            days.reduce(Int64(0)) { $0.addingClamped(sum($1, name)) }
        }
        rows = days.reversed().map { day in
            ReportPage.DayRow(
                day: day == today ? "\(day), so far" : day.description,
                delivered: Wording.count(sum(day, "delivered")),
                impressions: Wording.count(sum(day, "impressions")),
                clicks: Wording.count(sum(day, "clicks"))
            )
        }
    }

    /// The changes from the days before, or none where the campaign has no numbers of then.
    private static func changes(
        _ days: [Day],
        known: Day?,
        _ sum: ([Day], String) -> Int64
    ) -> [ReportPage.Change] {
        guard let first = days.first, let known, known < first else { return [] }
        // safe: as many days as a chart has, before one of the years that timestamps have
        let before = (1...Int32(days.count)).map { Day(number: first.number - $0) }
        return [("Delivered", "delivered"), ("Impressions", "impressions"), ("Clicks", "clicks")].map {
            ReportPage.Change(name: $0.0, now: sum(days, $0.1), before: sum(before, $0.1))
        }
    }
}
