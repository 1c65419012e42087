/// The counts of one variant on one day.
public struct CampaignCounts: Sendable, Hashable {
    /// Cards that were given.
    public var delivered: Int64 = 0
    /// Users who were given a card for the first time.
    public var recipients: Int64 = 0
    /// Times the card was seen.
    public var impressions: Int64 = 0
    /// Users who saw it for the first time.
    public var uniqueImpressions: Int64 = 0
    /// Times the card was clicked.
    public var clicks: Int64 = 0
    /// Users who clicked it for the first time.
    public var uniqueClicks: Int64 = 0
    /// Users who dismissed it.
    public var dismissals: Int64 = 0
    /// Times a device could not decode its extras.
    public var decodeErrors: Int64 = 0

    /// Creates zero of everything.
    public init() {}

    /// Whether nothing was counted.
    public var isZero: Bool { self == CampaignCounts() }

    /// Adds other counts; what a database has of them may be any numbers, and ends nothing.
    public static func += (left: inout CampaignCounts, right: CampaignCounts) {
        left.delivered &+= right.delivered
        left.recipients &+= right.recipients
        left.impressions &+= right.impressions
        left.uniqueImpressions &+= right.uniqueImpressions
        left.clicks &+= right.clicks
        left.uniqueClicks &+= right.uniqueClicks
        left.dismissals &+= right.dismissals
        left.decodeErrors &+= right.decodeErrors
    }
}

/// A day in the calendar: days since 1970-01-01.
public struct Day: Hashable, Sendable, Comparable {
    /// Days since 1970-01-01; negative before.
    public let number: Int32

    /// Creates a day of its number.
    public init(number: Int32) { self.number = number }

    /// The day of a moment in UTC, or in a zone that is `offset` seconds ahead of UTC then.
    public init(of time: UnixTime, offset: Int = 0) {
        let days = ((time + Double(offset)) / 86_400).rounded(.down)
        // A time that no calendar has must not end the process.
        number = Int32(exactly: days) ?? (days < 0 ? .min : .max)
    }

    /// Orders days by the calendar.
    public static func < (left: Day, right: Day) -> Bool { left.number < right.number }
}

extension Day: CustomStringConvertible {
    /// The ISO 8601 date.
    public var description: String { String(Timestamp.text(of: Double(number) * 86_400).prefix(10)) }
}

/// The days that an event counts on.
public struct CountingDay: Hashable, Sendable {
    /// The day in UTC.
    public var utc: Day
    /// The day in the workspace's time zone.
    public var local: Day

    /// Creates a pair of days.
    public init(utc: Day, local: Day) {
        self.utc = utc
        self.local = local
    }
}

/// The counts of a campaign.
public struct CampaignReport: Sendable, Hashable {
    /// One variant on one day.
    public struct Row: Sendable, Hashable {
        /// The variant.
        public var variant: VariantID
        /// The day.
        public var day: CountingDay
        /// The counts.
        public var counts: CampaignCounts

        /// Creates a row.
        public init(variant: VariantID, day: CountingDay, counts: CampaignCounts) {
            self.variant = variant
            self.day = day
            self.counts = counts
        }
    }

    /// Extras that devices could not decode, counted by what was wrong.
    public struct DecodingErrorCount: Sendable, Hashable {
        /// The variant.
        public var variant: VariantID
        /// The app's type, if the device named it.
        public var classType: String?
        /// The field, if the device named it.
        public var field: String?
        /// The device's message, from the first report.
        public var message: String
        /// The number of times it was reported.
        public var count: Int64
        /// The time at which it was last reported.
        public var lastAt: UnixTime

        /// Creates a problem.
        public init(
            variant: VariantID,
            classType: String?,
            field: String?,
            message: String,
            count: Int64,
            lastAt: UnixTime
        ) {
            self.variant = variant
            self.classType = classType
            self.field = field
            self.message = message
            self.count = count
            self.lastAt = lastAt
        }
    }

    /// The campaign.
    public var campaign: Campaign
    /// The counts, by day and variant.
    public var rows: [Row]
    /// The problems that devices had with cards, the most frequent first.
    public var problems: [DecodingErrorCount]
    /// The conversions, by day and variant.
    public var conversions: [ConversionRow]
    /// The amounts that were spent, by day, variant and currency.
    public var amounts: [AmountRow]
    /// The division of users among variants.
    public var allocations: [VariantAllocationRow]
    /// The cards that templates withheld from users, by day, variant, kind and reason.
    public var withheld: [WithheldCount] = []

    /// Creates a report.
    public init(
        campaign: Campaign,
        rows: [Row],
        problems: [DecodingErrorCount],
        conversions: [ConversionRow] = [],
        amounts: [AmountRow] = [],
        allocations: [VariantAllocationRow] = []
    ) {
        self.campaign = campaign
        self.rows = rows
        self.problems = problems
        self.conversions = conversions
        self.amounts = amounts
        self.allocations = allocations
    }

    /// The sum of a variant's days.
    public func counts(of variant: VariantID) -> CampaignCounts {
        rows.filter { $0.variant == variant }.reduce(into: CampaignCounts()) { $0 += $1.counts }
    }

    /// The sum over all variants but the control, whose impressions nobody saw.
    public var totals: CampaignCounts {
        campaign.content.variants.filter { !$0.isControl }.reduce(into: CampaignCounts()) { $0 += counts(of: $1.id) }
    }

    /// Returns the counts of each day and variant of which anything was counted, if only conversions.
    ///
    /// - Parameter day: Which of the two days of a row is meant.
    /// - Returns: The counts; 0 of everything where there are only conversions.
    public func dailyCounts(by day: (CountingDay) -> Day) -> [Day: [VariantID: CampaignCounts]] {
        var table: [Day: [VariantID: CampaignCounts]] = [:]
        func add(_ counts: CampaignCounts, on counted: CountingDay, _ variant: VariantID) {
            table[day(counted), default: [:]][variant, default: CampaignCounts()] += counts
        }
        for row in rows { add(row.counts, on: row.day, row.variant) }
        for row in conversions { add(CampaignCounts(), on: row.day, row.variant) }
        for row in amounts { add(CampaignCounts(), on: row.day, row.variant) }
        return table
    }
}
