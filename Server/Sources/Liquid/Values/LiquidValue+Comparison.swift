extension LiquidValue: Equatable {
    /// Tells whether a template's `==` holds: numbers compare by value, `empty` and `blank` by what they stand for.
    public static func == (left: LiquidValue, right: LiquidValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.int(let left), .double(let right)), (.double(let right), .int(let left)): Double(left) == right
        case (.double(let left), .double(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.hash(let left), .hash(let right)): left === right || same(left, right)
        case (.object(let left), .object(let right)): left === right
        case (.range(let left), .range(let right)): left == right
        case (.date(let left), .date(let right)): left.seconds == right.seconds
        case (.empty, let other), (let other, .empty): other.isEmpty
        case (.blank, let other), (let other, .blank): other.isBlank
        default: false
        }
    }

    private static func same(_ left: LiquidHash, _ right: LiquidHash) -> Bool {
        left.count == right.count && left.pairs.allSatisfy { right[$0.key] == $0.value }
    }

    /// Whether two values are one to `uniq`, for which 1 and 1.0 differ.
    func isIdentical(to other: LiquidValue) -> Bool {
        switch (self, other) {
        case (.int, .double), (.double, .int): false
        default: self == other
        }
    }
}

/// Where a value stands relative to another.
enum Ordering {
    case less
    case equal
    case greater

    init<Value: Comparable>(_ left: Value, _ right: Value) {
        self = left < right ? .less : left == right ? .equal : .greater
    }

    /// Compares text by its bytes, as the reference language does.
    init(text left: String, _ right: String) {
        if left == right {
            self = .equal
        } else {
            self = left.utf8.lexicographicallyPrecedes(right.utf8) ? .less : .greater
        }
    }
}

extension LiquidValue {
    /// The order of two values for `sort`; `nil` when they cannot be ordered.
    func ordering(to other: LiquidValue) -> Ordering? {
        switch (self, other) {
        case (.int(let left), .int(let right)): Ordering(left, right)
        case (.string(let left), .string(let right)): Ordering(text: left, right)
        case (.double(let left), .double(let right)): Ordering(left, right)
        case (.int(let left), .double(let right)): Ordering(Double(left), right)
        case (.double(let left), .int(let right)): Ordering(left, Double(right))
        case (.date(let left), .date(let right)): Ordering(left.seconds, right.seconds)
        default: self == other ? .equal : nil
        }
    }

    /// Whether a relational operator applies to the value at all; to others it answers false.
    var isOrdered: Bool {
        switch self {
        case .int, .double, .string, .date: true
        default: false
        }
    }

    /// What `contains` answers.
    func contains(_ needle: LiquidValue) -> Bool {
        guard needle.isTruthy else { return false }
        switch self {
        case .string(let text):
            let part = needle.text.bytes
            return part.isEmpty || text.bytes.firstIndex(of: part) != nil
        case .array(let items): return items.contains(needle)
        case .hash(let hash):
            if case .string(let key) = needle { return hash[key] != nil }
            return false
        case .object(let object):
            if case .string(let key) = needle { return object[key] != nil }
            return false
        case .range(let range):
            if case .int(let number) = needle { return number >= range.first && number <= range.last }
            return false
        default: return false
        }
    }
}
