public import WireJSON

/// The counts of one conversion of one variant on one day.
public struct ConversionCounts: Sendable, Hashable {
    /// Cards that it was counted for.
    public var conversions: Int64 = 0
    /// Users who did it for the first time within a window of the campaign.
    public var uniqueConversions: Int64 = 0

    /// Creates zero of everything.
    public init() {}

    // safe: each of them took a request
    /// Adds other counts.
    public static func += (left: inout ConversionCounts, right: ConversionCounts) {
        left.conversions += right.conversions
        left.uniqueConversions += right.uniqueConversions
    }
}

/// The amounts that were spent in one currency on one conversion of one variant on one day.
public struct AmountCounts: Sendable, Hashable {
    /// Purchases.
    public var purchases: Int64 = 0
    /// Users who bought for the first time within a window of the campaign.
    public var buyers: Int64 = 0
    /// Prices times quantities, in the currency's main unit.
    public var amount = Amount.zero
    /// The growth of the sum over users of their squared amounts: what the variance needs, and not exact.
    public var squares = 0.0

    /// Creates zero of everything but what is given.
    public init(purchases: Int64 = 0, buyers: Int64 = 0, amount: Amount = 0, squares: Double = 0) {
        self.purchases = purchases
        self.buyers = buyers
        self.amount = amount
        self.squares = squares
    }

    // safe: each of them took a request
    /// Adds other counts.
    public static func += (left: inout AmountCounts, right: AmountCounts) {
        left.purchases += right.purchases
        left.buyers += right.buyers
        left.amount += right.amount
        left.squares += right.squares
    }
}

extension CampaignReport {
    /// One conversion of one variant on one day.
    public struct ConversionRow: Sendable, Hashable {
        /// The variant.
        public var variant: VariantID
        /// The day.
        public var day: CountingDay
        /// The conversion's id.
        public var conversion: String
        /// The counts.
        public var counts: ConversionCounts

        /// Creates a row.
        public init(variant: VariantID, day: CountingDay, conversion: String, counts: ConversionCounts) {
            self.variant = variant
            self.day = day
            self.conversion = conversion
            self.counts = counts
        }
    }

    /// One currency of one conversion of one variant on one day.
    public struct AmountRow: Sendable, Hashable {
        /// The variant.
        public var variant: VariantID
        /// The day.
        public var day: CountingDay
        /// The conversion's id.
        public var conversion: String
        /// The currency, ISO 4217.
        public var currency: String
        /// The counts.
        public var counts: AmountCounts

        /// Creates a row.
        public init(
            variant: VariantID,
            day: CountingDay,
            conversion: String,
            currency: String,
            counts: AmountCounts
        ) {
            self.variant = variant
            self.day = day
            self.conversion = conversion
            self.currency = currency
            self.counts = counts
        }
    }

    /// Users who got one variant while users were divided by the same weights.
    public struct VariantAllocationRow: Sendable, Hashable {
        /// The weights.
        public var allocation: VariantAllocation
        /// The variant.
        public var variant: VariantID
        /// The number of users.
        public var users: Int64

        /// Creates a row.
        public init(allocation: VariantAllocation, variant: VariantID, users: Int64) {
            self.allocation = allocation
            self.variant = variant
            self.users = users
        }
    }

    /// The sum over the days of a variant's conversion.
    public func conversions(_ conversion: String, of variant: VariantID) -> ConversionCounts {
        conversions.filter { $0.variant == variant && $0.conversion == conversion }
            .reduce(into: ConversionCounts()) { $0 += $1.counts }
    }

    /// The sums over the days of what was spent on a variant's conversion, by currency.
    public func amounts(_ conversion: String, of variant: VariantID) -> [String: AmountCounts] {
        amounts.filter { $0.variant == variant && $0.conversion == conversion }
            .reduce(into: [:]) { $0[$1.currency, default: AmountCounts()] += $1.counts }
    }
}
