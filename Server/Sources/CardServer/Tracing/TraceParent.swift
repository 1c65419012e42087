/// The span that a request comes from: the header `traceparent` of W3C Trace Context.
struct TraceParent: Sendable, Hashable {
    private static let length = 55
    /// The maximum length of a version of the future.
    private static let longest = 512

    let trace: TraceID
    let span: SpanID
    let isSampled: Bool

    /// Creates a parent.
    init(trace: TraceID, span: SpanID, isSampled: Bool) {
        (self.trace, self.span, self.isSampled) = (trace, span, isSampled)
    }

    /// Reads a header's value, or returns `nil` for what the recommendation tells to pass over.
    init?(_ text: String) {
        guard (Self.length...Self.longest).contains(text.utf8.count) else { return nil }
        let bytes = Array(text.utf8)
        guard let version = Self.byte(bytes[0...1]), version != 0xFF else { return nil }
        // Later versions may only add to what this one has.
        guard version == 0 ? bytes.count == Self.length : bytes.count == Self.length || bytes[55] == Self.dash else {
            return nil
        }
        guard bytes[2] == Self.dash, bytes[35] == Self.dash, bytes[52] == Self.dash,
            let high = HexadecimalDigits.number(bytes[3..<19]), let low = HexadecimalDigits.number(bytes[19..<35]),
            let span = HexadecimalDigits.number(bytes[36..<52]), let flags = Self.byte(bytes[53..<55]),
            high | low != 0, span != 0
        else { return nil }
        trace = TraceID(high: high, low: low)
        self.span = SpanID(rawValue: span)
        isSampled = flags & 1 == 1
    }

    /// The header's value.
    var text: String { "00-\(trace.text)-\(span.text)-\(isSampled ? "01" : "00")" }

    private static let dash = UInt8(ascii: "-")

    private static func byte(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard let first = digits.first.flatMap(HexadecimalDigits.value),
            let last = digits.last.flatMap(HexadecimalDigits.value)
        else { return nil }
        return first << 4 | last
    }
}

/// The values that tracing systems on the way tell each other: the header `tracestate`.
///
/// It is passed on as it came, or not at all.
struct TraceState: Sendable, Hashable {
    private static let longest = 512
    private static let mostMembers = 32
    private static let longestPart = 256

    let text: String

    /// Reads the values of the headers of that name, or returns `nil` for what isn't passed on.
    init?(_ values: [String]) {
        let text = values.joined(separator: ",")
        guard (1...Self.longest).contains(text.utf8.count) else { return nil }
        let members = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard members.count <= Self.mostMembers, members.allSatisfy(Self.isMember) else { return nil }
        let keys = members.map { Array($0.prefix { $0 != UInt8(ascii: "=") }) }
        guard Set(keys).count == keys.count else { return nil }
        self.text = text
    }

    private static func isMember(_ member: Substring.UTF8View) -> Bool {
        let key = member.prefix { $0 != UInt8(ascii: "=") }
        let value = member.dropFirst(key.count).dropFirst()
        guard let first = key.first, key.count < member.count, key.count <= longestPart,
            (1...longestPart).contains(value.count), value.last != UInt8(ascii: " ")
        else { return false }
        return isLetterOrDigit(first) && key.allSatisfy { isLetterOrDigit($0) || "_-*/@".utf8.contains($0) }
            && value.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
}
