public import WireJSON

/// A condition on what a user did: how often, when first, when last, for how much.
public struct HistoryClause: Sendable, Hashable {
    /// The event or purchase that is looked for.
    public enum HistorySubject: Sendable, Hashable {
        /// A custom event of that name.
        case event(ByteString)
        /// A purchase of that product, or of any where it is `nil`.
        case purchase(product: ByteString?)
        /// The app was opened.
        case session
    }

    /// The quantity that is asked for.
    public enum Measure: Sendable, Hashable {
        /// The number of times it was done; 0 for never.
        case count
        /// The sum that was paid in that currency, ISO 4217; 0 where nothing was bought.
        case revenue(currency: String)
        /// The time at which it was first done; nothing where it never was.
        case first
        /// The time at which it was last done; nothing where it never was.
        case last
    }

    /// The largest number that a count within a window is compared with.
    ///
    /// The last ``Occurrences/recentLimit`` times are kept, so what is below that is exact.
    public static let largestCountInWindow = Double(Occurrences.recentLimit - 1)

    /// The event or purchase that is looked for.
    public var subject: HistorySubject
    /// The quantity that is asked for.
    public var measure: Measure
    /// The relation to the value: an order or equality for numbers; `before`, `after`, the days or existence for times.
    public var comparison: AttributeClause.Comparison
    /// The number, the days or the Unix time; 0 for a comparison that takes none, and of no meaning for revenue.
    public var value: Double
    /// The amount that revenue is compared with.
    public var amount: Amount
    /// The time in which something counts for ``Measure/count`` and ``Measure/revenue(currency:)``, or `nil` for all of
    /// it.
    ///
    /// Revenue within a window leaves out what is older than a product's last ``Occurrences/recentLimit`` purchases.
    public var window: TimeWindow?

    /// Creates a clause; by default, that it was done at all.
    public init(
        _ subject: HistorySubject,
        _ measure: Measure = .count,
        _ comparison: AttributeClause.Comparison = .greaterThanOrEqual,
        _ value: Double = 1,
        within window: TimeWindow? = nil
    ) {
        self.subject = subject
        self.measure = measure
        self.comparison = comparison
        self.value = value
        amount = Amount(rounding: value) ?? .zero
        self.window = window
    }
}

extension HistoryClause.Measure {
    /// The name on the wire.
    var name: String {
        switch self {
        case .count: "count"
        case .revenue: "revenue"
        case .first: "first"
        case .last: "last"
        }
    }

    /// The comparisons that make sense.
    var comparisons: [AttributeClause.Comparison] {
        switch self {
        case .count, .revenue:
            [.equals, .notEqual, .greaterThan, .greaterThanOrEqual, .lessThan, .lessThanOrEqual]
        case .first, .last:
            [.before, .after, .lessThanDaysAgo, .greaterThanDaysAgo, .exists, .doesNotExist]
        }
    }
}
