import CardModel
import PostgresCardStore
import WireJSON

// What a database has of counts may be any numbers, and ends nothing.

extension CampaignTally {
    /// Adds up what databases have counted of a campaign: in the order in which one would have it.
    init(sumOf tallies: [CampaignTally]) {
        self.init()
        // safe: counts that wrap around, or of few events
        rows = Self.sum(tallies.flatMap(\.rows), by: \.key) { $0.counts += $1.counts }
        problems = Self.sum(tallies.flatMap(\.problems), by: \.key) { $0.add($1) }
        problems.sort { ($1.count, $0.key) < ($0.count, $1.key) }
        conversions = Self.sum(tallies.flatMap(\.conversions), by: \.key) { sum, row in
            sum.counts.conversions &+= row.counts.conversions
            sum.counts.uniqueConversions &+= row.counts.uniqueConversions
        }.filter { $0.counts != ConversionCounts() }
        amounts = Self.sum(tallies.flatMap(\.amounts), by: \.key) { sum, row in
            sum.counts.purchases &+= row.counts.purchases
            sum.counts.buyers &+= row.counts.buyers
            sum.counts.amount += row.counts.amount
            sum.counts.squares += row.counts.squares
        }.filter { $0.counts.purchases != 0 || $0.counts.buyers != 0 }
        allocations = Self.sum(tallies.flatMap(\.allocations), by: \.key) { $0.users &+= $1.users }
        withheld = Self.sum(tallies.flatMap(\.withheld), by: \.key) { $0.users &+= $1.users }
    }

    private static func sum<Row>(
        _ rows: [Row],
        by key: (Row) -> TallyKey,
        _ add: (inout Row, Row) -> Void
    ) -> [Row] {
        var sums: [TallyKey: Row] = [:]
        for row in rows {
            let key = key(row)
            guard var sum = sums[key] else {
                sums[key] = row
                continue
            }
            add(&sum, row)
            sums[key] = sum
        }
        return sums.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// The subject of a count: a day and texts, compared one after the other, texts by their bytes.
private struct TallyKey: Hashable, Comparable {
    let day: CountingDay
    let texts: [ByteString]

    init(_ day: CountingDay, _ texts: String...) {
        self.day = day
        self.texts = texts.map { ByteString($0) }
    }

    static func < (one: TallyKey, other: TallyKey) -> Bool {
        if one.day != other.day { return (one.day.utc, one.day.local) < (other.day.utc, other.day.local) }
        return one.texts.lexicographicallyPrecedes(other.texts)
    }
}

extension CampaignReport.Row {
    fileprivate var key: TallyKey { TallyKey(day, variant.rawValue) }
}

extension CampaignReport.DecodingErrorCount {
    fileprivate var key: TallyKey {
        TallyKey(CountingDay.every, variant.rawValue, classType ?? "", field ?? "")
    }

    /// Adds what another database has of the same problem; the message is that of the newest report.
    fileprivate mutating func add(_ other: Self) {
        count &+= other.count
        if other.lastAt > lastAt { (message, lastAt) = (other.message, other.lastAt) }
    }
}

extension CampaignReport.ConversionRow {
    fileprivate var key: TallyKey { TallyKey(day, variant.rawValue, conversion) }
}

extension CampaignReport.AmountRow {
    fileprivate var key: TallyKey { TallyKey(day, variant.rawValue, conversion, currency) }
}

extension CampaignReport.VariantAllocationRow {
    fileprivate var key: TallyKey { TallyKey(CountingDay.every, allocation.text, variant.rawValue) }
}

extension WithheldCount {
    fileprivate var key: TallyKey { TallyKey(day, variant.rawValue, kind.rawValue, reason) }
}

extension CountingDay {
    /// The day of what isn't counted by days.
    fileprivate static let every = CountingDay(utc: Day(number: 0), local: Day(number: 0))
}
