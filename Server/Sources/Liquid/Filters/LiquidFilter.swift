/// A filter: its name, what it takes, and what it does.
public struct LiquidFilter: Sendable {
    /// The name in templates.
    public let name: String
    /// The number of arguments that it takes after the value.
    public let argumentCount: ClosedRange<Int>
    /// The names of the named arguments it takes.
    public let keywords: Set<String>
    /// The work of each byte, element or key of its value and arguments, counted before it is applied.
    let weight: Int
    let apply: @Sendable (LiquidFilterCall) throws(LiquidError) -> LiquidValue

    /// Creates a filter.
    ///
    /// `apply` is called from any thread, without I/O. It takes time in proportion to its value and arguments; what
    /// takes more than that it announces by ``LiquidFilterCall/spend(_:)`` and ``LiquidFilterCall/reserve(_:)`` before.
    ///
    /// - Parameters:
    ///   - name: The name in templates.
    ///   - arguments: How many arguments it takes after the value.
    ///   - keywords: The names of the named arguments it takes.
    ///   - weight: How long it takes over each byte, element or key of its value and arguments, in units of about 5 ns.
    ///   - apply: What it does.
    public init(
        _ name: String,
        arguments: ClosedRange<Int> = 0...0,
        keywords: Set<String> = [],
        weight: Int = 2,
        apply: @escaping @Sendable (LiquidFilterCall) throws(LiquidError) -> LiquidValue
    ) {
        self.name = name
        argumentCount = arguments
        self.keywords = keywords
        self.weight = weight
        self.apply = apply
    }
}

/// One use of a filter on one value.
public struct LiquidFilterCall {
    /// The value before the filter.
    public let input: LiquidValue
    /// The arguments, as many as the filter takes.
    public internal(set) var arguments: [LiquidValue] = []
    /// The named arguments that are given.
    public internal(set) var keywords: [String: LiquidValue] = [:]
    /// The time that `now` means, and the time zones.
    public let calendar: LiquidCalendar
    let meter: RenderMeter

    init(input: LiquidValue, calendar: LiquidCalendar, meter: RenderMeter) {
        self.input = input
        self.calendar = calendar
        self.meter = meter
    }

    /// An argument; nothing where it is left out.
    public subscript(place: Int) -> LiquidValue {
        arguments.indices.contains(place) ? arguments[place] : .null
    }

    /// The value as text.
    ///
    /// Empty where the limits leave no room for it; the render fails then, once the filter returns.
    public var text: String { text(of: input) }

    // safe: asked for where the argument is
    /// An argument as text; empty where it is left out, and where the limits leave no room for it.
    public func text(_ place: Int) -> String { text(of: self[place]) }

    private func text(of value: LiquidValue) -> String {
        do throws(LiquidError) {
            return try value.inspectedText(meter)
        } catch {
            meter.fail(error)
            return ""
        }
    }

    /// Fails before memory is taken that the limits do not allow.
    public func reserve(_ bytes: Int) throws(LiquidError) { try meter.reserve(bytes) }

    /// Counts work before it is done, in units of ``LiquidLimits/work``; fails where it is more than is left.
    public func spend(_ units: Int) throws(LiquidError) { try meter.spend(max(0, units)) }

    /// An empty text that becomes no longer than the limits allow.
    var sink: TextSink { TextSink(valueOf: meter) }
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
        TextFilters.all + SearchFilters.all + CodingFilters.all + NumberFilters.all + ListFilters.all
            + SortFilters.all + GeneralFilters.all
    )

    /// The standard filters and those of customer messaging that need no cryptography.
    public static let messaging = standard.adding(MessagingFilters.all)
}
