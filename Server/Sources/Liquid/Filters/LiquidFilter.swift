/// A filter: its name, what it takes, and what it does.
public struct LiquidFilter: Sendable {
    /// The name in templates.
    public let name: String
    /// How many arguments it takes after the value.
    public let argumentCount: ClosedRange<Int>
    /// The names of the named arguments it takes.
    public let keywords: Set<String>
    let apply: @Sendable (LiquidFilterCall) throws(LiquidError) -> LiquidValue

    /// Creates a filter.
    ///
    /// `apply` must be quick and without I/O; it is called from any task.
    public init(
        _ name: String,
        arguments: ClosedRange<Int> = 0...0,
        keywords: Set<String> = [],
        apply: @escaping @Sendable (LiquidFilterCall) throws(LiquidError) -> LiquidValue
    ) {
        self.name = name
        argumentCount = arguments
        self.keywords = keywords
        self.apply = apply
    }
}

/// One use of a filter on one value.
public struct LiquidFilterCall: Sendable {
    /// The value before the filter.
    public let input: LiquidValue
    /// The arguments, as many as the filter takes.
    public internal(set) var arguments: [LiquidValue] = []
    /// The named arguments that are given.
    public internal(set) var keywords: [String: LiquidValue] = [:]
    /// What `now` means, and the time zones.
    public let calendar: LiquidCalendar
    let limits: LiquidLimits

    init(input: LiquidValue, calendar: LiquidCalendar, limits: LiquidLimits) {
        self.input = input
        self.calendar = calendar
        self.limits = limits
    }

    /// An argument; nothing where it is left out.
    public subscript(place: Int) -> LiquidValue {
        arguments.indices.contains(place) ? arguments[place] : .null
    }

    /// The value as text.
    public var text: String { input.inspectedText }

    /// An argument as text; empty where it is left out.
    public func text(_ place: Int) -> String { self[place].inspectedText }

    /// Fails before memory is taken that the limits do not allow.
    public func reserve(_ bytes: Int) throws(LiquidError) {
        guard bytes > limits.memoryBytes else { return }
        throw LiquidError(.memoryLimit, "The values take more than \(limits.memoryBytes) bytes.")
    }

    /// A product that stays at the largest number instead of overflowing.
    static func saturating(_ left: Int, _ right: Int) -> Int {
        let (product, overflow) = left.multipliedReportingOverflow(by: right)
        return overflow ? .max : product
    }
}

/// The filters that templates may use, by name.
public struct FilterRegistry: Sendable {
    private var filters: [String: LiquidFilter] = [:]

    /// Creates a registry; of filters with one name the last counts.
    public init(_ filters: [LiquidFilter] = []) {
        for filter in filters { register(filter) }
    }

    /// The filter of a name.
    public subscript(name: String) -> LiquidFilter? { filters[name] }

    /// The names of all filters, sorted.
    public var names: [String] { filters.keys.sorted() }

    /// Adds a filter, replacing one with its name.
    public mutating func register(_ filter: LiquidFilter) {
        filters[filter.name] = filter
    }

    /// The registry with more filters.
    public func adding(_ more: [LiquidFilter]) -> FilterRegistry {
        var registry = self
        for filter in more { registry.register(filter) }
        return registry
    }

    /// The filters of the standard language.
    public static let standard = FilterRegistry(
        TextFilters.all + CodingFilters.all + NumberFilters.all + ListFilters.all + GeneralFilters.all
    )

    /// The standard filters and those of customer messaging that need no cryptography.
    public static let messaging = standard.adding(MessagingFilters.all)
}
