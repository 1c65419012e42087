extension LiquidValue: Equatable {
    /// Tells whether a template's `==` holds: numbers compare by value, text by its bytes, `empty` and `blank` by what
    /// they stand for.
    public static func == (left: LiquidValue, right: LiquidValue) -> Bool {
        (try? left.isSame(as: right, nil)) ?? false
    }

    /// Whether two values are equal, counting what it takes to find out.
    func isSame(as other: LiquidValue, _ meter: RenderMeter?) throws(LiquidError) -> Bool {
        switch (self, other) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.int(let left), .int(let right)): return left == right
        case (.string(let left), .string(let right)):
            try meter?.spend(min(left.utf8.count, right.utf8.count) >> 3)
            return left.hasSameBytes(as: right)
        case (.int(let left), .double(let right)), (.double(let right), .int(let left)): return Double(left) == right
        case (.double(let left), .double(let right)): return left == right
        case (.array(let left), .array(let right)): return try Self.areSame(left, right, meter)
        case (.hash(let left), .hash(let right)): return try Self.areSame(left, right, meter)
        case (.object(let left), .object(let right)): return left === right
        case (.range(let left), .range(let right)): return left == right
        case (.date(let left), .date(let right)): return left.seconds == right.seconds
        case (.empty, let other), (let other, .empty): return other.isEmpty
        case (.blank, let other), (let other, .blank): return try other.isBlank(meter)
        default: return false
        }
    }

    private static func areSame(
        _ left: [LiquidValue],
        _ right: [LiquidValue],
        _ meter: RenderMeter?
    ) throws(LiquidError) -> Bool {
        guard left.count == right.count else { return false }
        for place in left.indices {
            try meter?.spend(Work.element)
            guard try left[place].isSame(as: right[place], meter) else { return false }
        }
        return true
    }

    private static func areSame(
        _ left: LiquidHash,
        _ right: LiquidHash,
        _ meter: RenderMeter?
    ) throws(LiquidError) -> Bool {
        if left === right { return true }
        guard left.count == right.count else { return false }
        for pair in left.pairs {
            try meter?.spend(Work.lookup + pair.key.utf8.count)
            guard let other = right[pair.key], try other.isSame(as: pair.value, meter) else { return false }
        }
        return true
    }

    private func isBlank(_ meter: RenderMeter?) throws(LiquidError) -> Bool {
        if case .string(let text) = self { try meter?.spend(text.utf8.count) }
        return isBlank
    }
}

extension LiquidValue {
    /// The order of two values for `sort`; `nil` when they cannot be ordered.
    func ordering(to other: LiquidValue, _ meter: RenderMeter) throws(LiquidError) -> Ordering? {
        switch (self, other) {
        case (.int(let left), .int(let right)): return Ordering(left, right)
        case (.string(let left), .string(let right)):
            try meter.spend(min(left.utf8.count, right.utf8.count) >> 2)
            return left.order(to: right)
        case (.double(let left), .double(let right)): return Ordering(left, right)
        case (.int(let left), .double(let right)): return Ordering(Double(left), right)
        case (.double(let left), .int(let right)): return Ordering(left, Double(right))
        case (.date(let left), .date(let right)): return Ordering(left.seconds, right.seconds)
        default: return try isSame(as: other, meter) ? .equal : nil
        }
    }

    /// Whether a relational operator applies to the value at all; to others it answers false.
    var isOrdered: Bool {
        switch self {
        case .int, .double, .string, .date: true
        default: false
        }
    }

    /// Returns whether a value contains another, as `contains` has it.
    func contains(_ needle: LiquidValue, _ meter: RenderMeter) throws(LiquidError) -> Bool {
        guard needle.isTruthy else { return false }
        switch self {
        case .string(let text):
            let part = try needle.text(meter)
            try meter.spend(2 * (text.utf8.count + part.utf8.count))
            return ByteSearch(part).isFound(in: text)
        case .array(let items):
            for item in items {
                try meter.spend(Work.element)
                if try item.isSame(as: needle, meter) { return true }
            }
            return false
        case .hash(let hash):
            guard case .string(let key) = needle else { return false }
            try meter.spend(Work.lookup + key.utf8.count)
            return hash[key] != nil
        case .object(let object):
            guard case .string(let key) = needle else { return false }
            try meter.spend(Work.lookup + key.utf8.count)
            return object[key] != nil
        case .range(let range):
            if case .int(let number) = needle { return number >= range.first && number <= range.last }
            return false
        default: return false
        }
    }
}
