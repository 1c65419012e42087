import WireJSON

/// The values of which an attribute is to be one, looked up and not gone through.
struct ValueChoice: Sendable {
    private let texts: Set<ByteString>
    /// The numbers by their nearest `Double`, which equal ones have in common.
    private let numbers: [Double: [JSONValue]]
    private let others: [JSONValue]
    /// The number of bytes of the longest text, or 0 for none.
    let longestText: Int

    init(_ values: [JSONValue]) {
        texts = Set(values.compactMap { $0.string.map { ByteString($0) } })
        longestText = texts.map(\.text.utf8.count).max() ?? 0
        numbers = Dictionary(grouping: values.filter { $0.double != nil }) { $0.double ?? 0 }
        others = values.filter { $0.string == nil && $0.double == nil }
    }

    /// The values, in no order.
    var values: [JSONValue] { texts.map { JSONValue.string($0.text) } + numbers.values.joined() + others }

    func contains(_ value: JSONValue) -> Bool {
        if case .string(let text) = value { return text.utf8.count <= longestText && texts.contains(ByteString(text)) }
        guard let number = value.double else { return others.contains { value.isEqual(to: $0) } }
        return numbers[number]?.contains { value.isEqual(to: $0) } ?? false
    }
}

extension JSONValue {
    /// Whether an attribute of this value equals another one.
    func isEqual(to other: JSONValue) -> Bool {
        // Two whole numbers are compared as such: as doubles, ids of 17 digits would equal their neighbours.
        if case .integer = self, case .integer = other { return self == other }
        if let order = Order(exactly: self, other) { return order == .same }
        if let left = double, let right = other.double { return left == right }
        return self == other
    }

    /// The work of comparing others with this one: fractions, and whole numbers that a `Double` doesn't hold, may be
    /// compared digit by digit.
    var comparingSteps: Int {
        switch self {
        case .number, .decimal: 16
        case .integer(let whole): whole.magnitude > 1 << 53 ? 16 : 1
        case .null, .bool, .string, .array, .object: 1
        }
    }
}
