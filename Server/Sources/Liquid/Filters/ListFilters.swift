/// Filters for lists.
enum ListFilters {
    static let all: [LiquidFilter] = [
        LiquidFilter("compact", arguments: 0...1, apply: compact),
        LiquidFilter("concat", arguments: 1...1, apply: concat),
        LiquidFilter("find", arguments: 1...2, apply: find),
        LiquidFilter("find_index", arguments: 1...2, apply: findIndex),
        LiquidFilter("first") { $0.input.first },
        LiquidFilter("has", arguments: 1...2, apply: has),
        LiquidFilter("join", arguments: 0...1, apply: join),
        LiquidFilter("last") { $0.input.last },
        LiquidFilter("map", arguments: 1...1, apply: map),
        LiquidFilter("reject", arguments: 1...2, apply: reject),
        LiquidFilter("reverse", apply: reverse),
        LiquidFilter("sort", arguments: 0...1, apply: sort),
        LiquidFilter("sort_natural", arguments: 0...1, apply: sortNatural),
        LiquidFilter("sum", arguments: 0...1, apply: sum),
        LiquidFilter("uniq", arguments: 0...1, apply: unique),
        LiquidFilter("where", arguments: 1...2, apply: select),
    ]

    private static func join(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let items = try call.items()
        let glue = (call.arguments.isEmpty ? " " : call.text(0)).bytes
        try call.reserve(LiquidFilterCall.saturating(items.count, glue.count))
        var output: [UInt8] = []
        for (place, item) in items.enumerated() {
            if place > 0 { output += glue }
            item.write(to: &output)
        }
        return .string(String(bytes: output))
    }

    private static func reverse(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        .array(try call.items().reversed())
    }

    private static func concat(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard case .array(let more) = call[0] else { throw LiquidError(.argument, "'concat' needs a list.") }
        return .array(try call.items() + more)
    }

    private static func map(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var values: [LiquidValue] = []
        for item in try call.items() { values.append(try item.selected(call[0]) ?? .null) }
        return .array(values)
    }

    private static func sum(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var values = try call.items()
        if !call[0].isNull {
            for place in values.indices { values[place] = try values[place].selected(call[0]) ?? .int(0) }
        }
        return LiquidValue.array(values).flattened.reduce(Number.int(0)) { $0 + Number($1) }.value
    }

    private static func compact(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let items = try call.items()
        guard !call[0].isNull else { return .array(items.filter { !$0.isNull }) }
        var kept: [LiquidValue] = []
        for item in items {
            guard let value = try item.selected(call[0]) else { return .null }
            if !value.isNull { kept.append(item) }
        }
        return .array(kept)
    }

    private static func unique(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var kept: [LiquidValue] = []
        var seen = IdentitySet()
        for item in try call.items() {
            var key = item
            if !call[0].isNull {
                guard let value = try item.selected(call[0]) else { return .null }
                key = value
            }
            if seen.insert(key) { kept.append(item) }
        }
        return .array(kept)
    }
}

/// Remembers values; text and whole numbers, which are many, by hashing.
private struct IdentitySet {
    private var texts = Set<String>()
    private var numbers = Set<Int>()
    private var others: [LiquidValue] = []

    mutating func insert(_ value: LiquidValue) -> Bool {
        switch value {
        case .string(let text): return texts.insert(text).inserted
        case .int(let number): return numbers.insert(number).inserted
        default:
            if others.contains(where: { $0.isIdentical(to: value) }) { return false }
            others.append(value)
            return true
        }
    }
}

extension ListFilters {
    /// Walks the items that match the filter's property and value; `false` when an item has no properties at all.
    private static func walk(
        _ call: LiquidFilterCall,
        _ visit: (_ place: Int, _ item: LiquidValue, _ matches: Bool) -> Bool
    ) throws(LiquidError) -> Bool {
        for (place, item) in try call.items().enumerated() {
            guard let value = try item.selected(call[0]) else { return false }
            let matches = call[1].isNull ? value.isTruthy : value.equals(call[1])
            if !visit(place, item, matches) { return true }
        }
        return true
    }

    private static func select(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try filtered(call, keeping: true)
    }

    private static func reject(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try filtered(call, keeping: false)
    }

    private static func filtered(_ call: LiquidFilterCall, keeping kept: Bool) throws(LiquidError) -> LiquidValue {
        var items: [LiquidValue] = []
        let isWhole = try walk(call) { _, item, matches in
            if matches == kept { items.append(item) }
            return true
        }
        return isWhole ? .array(items) : .null
    }

    private static func find(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var found = LiquidValue.null
        _ = try walk(call) { _, item, matches in
            if matches { found = item }
            return !matches
        }
        return found
    }

    private static func findIndex(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var found = LiquidValue.null
        _ = try walk(call) { place, _, matches in
            if matches { found = .int(place) }
            return !matches
        }
        return found
    }

    private static func has(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var found = false
        let isWhole = try walk(call) { _, _, matches in
            found = matches
            return !matches
        }
        return isWhole ? .bool(found) : .null
    }

    private static func sort(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try sorted(call) { (left, right) throws(LiquidError) in
            if let ordering = left.ordering(to: right) { return ordering }
            if left.isNull { return .greater }
            if right.isNull { return .less }
            throw LiquidError(.incomparable, "A \(left.kind) cannot be sorted with a \(right.kind).")
        }
    }

    private static func sortNatural(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try sorted(call) { (left, right) throws(LiquidError) in
            if left.isNull || right.isNull { return left.isNull ? (right.isNull ? .equal : .greater) : .less }
            return Ordering(text: left.text.foldingASCII, right.text.foldingASCII)
        }
    }

    private typealias Order = (LiquidValue, LiquidValue) throws(LiquidError) -> Ordering

    private static func sorted(_ call: LiquidFilterCall, by order: Order) throws(LiquidError) -> LiquidValue {
        let items = try call.items()
        guard !call[0].isNull else {
            return .array(try merged(items.map { ($0, $0) }, by: order).map(\.item))
        }
        guard items.allSatisfy(\.hasProperties) else { return .null }
        guard items.count > 1 else { return .array(items) }
        var keyed: [(key: LiquidValue, item: LiquidValue)] = []
        for item in items { keyed.append((try item.selected(call[0]) ?? .null, item)) }
        return .array(try merged(keyed, by: order).map(\.item))
    }

    /// Sorts by merging, since the order may throw and equal items keep their places.
    private static func merged(
        _ items: [(key: LiquidValue, item: LiquidValue)],
        by order: Order
    ) throws(LiquidError)
        -> [(key: LiquidValue, item: LiquidValue)]
    {
        guard items.count > 1 else { return items }
        let middle = items.count / 2
        let left = try merged(Array(items[..<middle]), by: order)
        let right = try merged(Array(items[middle...]), by: order)
        var output: [(key: LiquidValue, item: LiquidValue)] = []
        output.reserveCapacity(items.count)
        var (first, second) = (0, 0)
        while first < left.count, second < right.count {
            if try order(left[first].key, right[second].key) == .greater {
                output.append(right[second])
                second += 1
            } else {
                output.append(left[first])
                first += 1
            }
        }
        return output + left[first...] + right[second...]
    }
}

extension LiquidFilterCall {
    /// The value as a list: nested lists flattened, a range counted out, anything else as the only item.
    func items() throws(LiquidError) -> [LiquidValue] {
        switch input {
        case .null: return []
        case .array: return input.flattened
        case .range(let range):
            guard range.count <= limits.loopTurns else {
                throw LiquidError(.loopLimit, "A range has more than \(limits.loopTurns) numbers.")
            }
            return (0..<range.count).map { .int(range.first + $0) }
        default: return [input]
        }
    }
}

extension LiquidValue {
    /// The items of a list with those of the lists in it.
    var flattened: [LiquidValue] {
        guard case .array(let items) = self else { return [self] }
        let isFlat = items.allSatisfy { item in
            if case .array = item { return false }
            return true
        }
        return isFlat ? items : items.flatMap(\.flattened)
    }

    var hasProperties: Bool {
        switch self {
        case .hash, .object, .string, .int: true
        default: false
        }
    }

    /// What a list filter reads from an item: a property of a hash, or the part of a text that is asked for.
    ///
    /// `nil` for items without properties; throws for those that have some, but not by this name.
    func selected(_ key: LiquidValue) throws(LiquidError) -> LiquidValue? {
        switch (self, key) {
        case (.hash(let hash), .string(let name)): return hash[name] ?? .null
        case (.object(let object), .string(let name)): return object[name] ?? .null
        case (.hash, _), (.object, _): return .null
        case (.string(let text), .string(let part)):
            return LiquidValue.string(text).contains(key) ? .string(part) : .null
        case (.string(let text), .int(let place)):
            let characters = text.unicodeScalars.map { LiquidValue.string(String($0)) }
            return LiquidValue.array(characters).element(place)
        case (.int(let number), .int(let bit)):
            return .int(bit < 0 ? 0 : (bit > 63 ? (number < 0 ? 1 : 0) : number >> bit & 1))
        case (.string, .double(let place)): return try selected(.int(Int(exactly: place.rounded(.towardZero)) ?? .max))
        case (.string, _), (.int, _):
            throw LiquidError(.argument, "A \(kind) in the list has no such property.")
        default: return nil
        }
    }
}

extension String {
    /// The text with the letters of ASCII in lower case.
    fileprivate var foldingASCII: String {
        String(bytes: utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 })
    }
}
