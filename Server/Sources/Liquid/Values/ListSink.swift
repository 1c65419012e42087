/// A list that is being put together, never longer than there is room for.
struct ListSink {
    private(set) var items: [LiquidValue] = []
    private let meter: RenderMeter
    private let limit: Int

    /// Shorter texts lie in the value itself.
    private static let textInPlace = 15
    /// The number of bytes that a text takes beside it.
    private static let textOverhead = 32

    init(_ meter: RenderMeter) {
        self.meter = meter
        // Whoever gets the list counts what it takes itself.
        // safe: a value takes memory
        limit = meter.room / MemoryLayout<LiquidValue>.stride
    }

    @inline(__always)
    mutating func append(_ value: LiquidValue) throws(LiquidError) {
        guard items.count < limit else { throw meter.full }
        try meter.spend(Work.element)
        items.append(value)
    }

    /// Appends a text that is new, and so takes memory of its own.
    mutating func append(_ text: String) throws(LiquidError) {
        let count = text.utf8.count
        if count > Self.textInPlace { try meter.charge(count + Self.textOverhead) }
        try append(.string(text))
        try meter.spend(count)
    }

    mutating func append(contentsOf values: [LiquidValue]) throws(LiquidError) {
        // safe: what is in memory, less than the limit
        guard values.count <= limit - items.count else { throw meter.full }
        try meter.spend(values.count * Work.element)
        items.append(contentsOf: values)
    }

    mutating func dropEmptyTexts() {
        while case .string(let text)? = items.last, text.isEmpty { items.removeLast() }
    }
}
