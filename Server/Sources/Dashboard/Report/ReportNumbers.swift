import CardModel

/// A report's days as charts and rows.
struct ReportNumbers {
    let counts: SeriesChart
    let rates: SeriesChart
    let rows: [ReportPage.ReportDay]
    /// The sums of the full days that are shown, beside those of as many days before them.
    let changes: [ReportPage.PeriodChange]
    /// The number of days that are compared.
    let comparedDays: Int
    /// Whether today is one of the days, and isn't compared.
    let leavesOutToday: Bool
    /// The counts of the days that the tiles show, of the variants with a card: the other counts are zero.
    let sums: CampaignCounts
    /// The first and the last day that are shown, or `nil` for none.
    let bounds: (first: Day, last: Day)?

    /// Creates the charts and rows of the variants that show a card.
    ///
    /// - Parameters:
    ///   - variants: The variants of the campaign.
    ///   - counts: What was counted of each on each day.
    ///   - range: The days that are asked for.
    ///   - today: The day that isn't over.
    init(
        _ variants: [Campaign.Variant],
        _ counts: [Day: [VariantID: CampaignCounts]],
        _ range: ReportDays,
        today: Day
    ) {
        let table = Table(variants: variants.filter { !$0.isControl }, counts: counts)
        let days = range.days(since: table.firstDay)
        self.counts = table.countsChart(days, today)
        rates = table.ratesChart(days, today)
        sums = table.sums(days)
        bounds = days.first.flatMap { first in days.last.map { (first, $0) } }
        // A day that isn't over would look like a fall.
        let full = days.filter { $0 != today }
        comparedDays = full.count
        leavesOutToday = full.count < days.count
        changes = table.changes(full)
        rows = days.reversed().map { day in
            let date = PageFormatter.date(day)
            return ReportPage.ReportDay(
                day: day == today ? localized("\(date), so far") : date,
                delivered: PageFormatter.count(table.sum([day], \.delivered)),
                impressions: PageFormatter.count(table.sum([day], \.impressions)),
                clicks: PageFormatter.count(table.sum([day], \.clicks)),
                rates: table.variants.map { table.rate(day, of: $0.id).map(PageFormatter.percent) ?? "–" }
            )
        }
    }
}

/// The counts of some variants on each day.
private struct Table {
    let variants: [Campaign.Variant]
    let counts: [Day: [VariantID: CampaignCounts]]

    /// The first day of which anything was counted, or `nil` for none.
    var firstDay: Day? {
        let ids = Set(variants.map(\.id))
        return counts.filter { !ids.isDisjoint(with: $0.value.keys) }.keys.min()
    }

    func value(_ day: Day, _ variant: VariantID, _ count: KeyPath<CampaignCounts, Int64>) -> Int64 {
        counts[day]?[variant]?[keyPath: count] ?? 0
    }

    /// Adds up what the tiles show; what is no integer together is the largest one.
    func sums(_ days: [Day]) -> CampaignCounts {
        var sums = CampaignCounts()
        sums.delivered = sum(days, \.delivered)
        sums.impressions = sum(days, \.impressions)
        sums.clicks = sum(days, \.clicks)
        sums.dismissals = sum(days, \.dismissals)
        return sums
    }

    /// Returns the sum over all variants on some days.
    func sum(_ days: [Day], _ count: KeyPath<CampaignCounts, Int64>) -> Int64 {
        days.reduce(Int64(0)) { total, day in
            variants.reduce(total) { $0.addingClamped(value(day, $1.id, count)) }
        }
    }

    func countsChart(_ days: [Day], _ today: Day) -> SeriesChart {
        let series: [(String, KeyPath<CampaignCounts, Int64>)] = [
            (localized("Impressions"), \.impressions), (localized("Clicks"), \.clicks),
        ]
        return SeriesChart(
            days: days,
            series: series.enumerated().map { index, item in
                SeriesChart.Series(name: item.0, colour: index + 1, values: days.map { Double(sum([$0], item.1)) })
            },
            label: localized("Impressions and clicks by day; the table below has the numbers."),
            isLastDayPartial: days.last == today
        )
    }

    func ratesChart(_ days: [Day], _ today: Day) -> SeriesChart {
        SeriesChart(
            days: days,
            series: variants.enumerated().map { index, variant in
                let (turn, place) = index.quotientAndRemainder(dividingBy: SeriesChart.colours)
                return SeriesChart.Series(
                    name: variant.displayName,
                    // safe: less than a constant
                    colour: place + 1,
                    pattern: turn.quotientAndRemainder(dividingBy: SeriesChart.patterns).remainder,
                    values: days.map { rate($0, of: variant.id) }
                )
            },
            label: localized("Click-through rate by day and variant; the table below has the numbers."),
            isPercent: true,
            isLastDayPartial: days.last == today
        )
    }

    /// The click-through rate of a day, or `nil` where there were no impressions.
    func rate(_ day: Day, of variant: VariantID) -> Double? {
        let seen = value(day, variant, \.impressions)
        return seen > 0 ? Double(value(day, variant, \.clicks)) / Double(seen) : nil
    }

    /// The changes from the days before, or none where the campaign has no numbers of all of them.
    func changes(_ days: [Day]) -> [ReportPage.PeriodChange] {
        guard let first = days.first, let known = firstDay else { return [] }
        // safe: as many days as a chart has, before one of the years that timestamps have
        let before = (1...Int32(days.count)).map { Day(number: first.number - $0) }
        guard let earliest = before.last, known <= earliest else { return [] }
        func change(_ name: String, _ count: KeyPath<CampaignCounts, Int64>) -> ReportPage.PeriodChange {
            ReportPage.PeriodChange(name: name, now: sum(days, count), before: sum(before, count))
        }
        return [
            change(localized("Delivered"), \.delivered), change(localized("Impressions"), \.impressions),
            change(localized("Clicks"), \.clicks),
        ]
    }
}
