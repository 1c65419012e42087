/// Text that is being put together, never longer than it may become.
struct TextSink {
    /// The reason why a text can't become longer.
    private enum Bound {
        case none
        case output
        case memory
    }

    private(set) var bytes: [UInt8] = []
    private let limit: Int
    private let bound: Bound
    private let meter: RenderMeter?

    /// Text of which nobody has to fear much.
    init() {
        (limit, bound, meter) = (.max, .none, nil)
    }

    /// Creates a sink for what a template puts out.
    init(outputOf meter: RenderMeter) {
        (limit, bound, self.meter) = (meter.limits.outputBytes, .output, meter)
    }

    /// A value, as long as there is room for it.
    init(valueOf meter: RenderMeter?) {
        (limit, bound, self.meter) = (meter?.room ?? .max, meter == nil ? .none : .memory, meter)
    }

    var count: Int { bytes.count }
    var text: String { String(bytes: bytes) }

    @inline(__always)
    private func admit(_ count: Int) throws(LiquidError) {
        // safe: a limit is not negative
        if count > limit - bytes.count { throw overflow }
        try meter?.spend(count)
    }

    /// Counts work beside the bytes.
    func spend(_ units: Int) throws(LiquidError) {
        try meter?.spend(units)
    }

    private var overflow: LiquidError {
        if case .memory = bound, let meter { return meter.full }
        return LiquidError(.outputLimit, "The output is longer than \(limit) bytes.")
    }

    @inline(__always)
    mutating func append(_ text: String) throws(LiquidError) {
        try admit(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    @inline(__always)
    mutating func append(_ more: [UInt8]) throws(LiquidError) {
        try admit(more.count)
        bytes.append(contentsOf: more)
    }

    mutating func append(_ more: ArraySlice<UInt8>) throws(LiquidError) {
        try admit(more.count)
        bytes.append(contentsOf: more)
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) throws(LiquidError) {
        try admit(1)
        bytes.append(byte)
    }

    mutating func append(repeating byte: UInt8, count: Int) throws(LiquidError) {
        try admit(count)
        bytes.append(contentsOf: repeatElement(byte, count: count))
    }

    // safe: asked for after something was appended
    mutating func removeLast() { bytes.removeLast() }

    // safe: what is in memory already
    mutating func reserve(_ count: Int) { bytes.reserveCapacity(min(count, limit)) }
}
