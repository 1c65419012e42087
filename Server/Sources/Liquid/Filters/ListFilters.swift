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
        LiquidFilter("sum", arguments: 0...1, apply: sum),
        LiquidFilter("uniq", arguments: 0...1, apply: unique),
        LiquidFilter("where", arguments: 1...2, apply: select),
    ]

    private static func join(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let items = try call.items()
        let glue = (call.arguments.isEmpty ? " " : call.text(0)).bytes
        var output = call.sink
        for (place, item) in items.enumerated() {
            try output.spend(Work.element)
            if place > 0 { try output.append(glue) }
            try item.write(to: &output)
        }
        return .string(output.text)
    }

    private static func reverse(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var output = ListSink(call.meter)
        try output.append(contentsOf: try call.items().reversed())
        return .array(output.items)
    }

    private static func concat(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard case .array(let more) = call[0] else { throw LiquidError(.argument, "'concat' needs a list.") }
        var output = ListSink(call.meter)
        try output.append(contentsOf: try call.items())
        try output.append(contentsOf: more)
        return .array(output.items)
    }

    private static func map(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var output = ListSink(call.meter)
        for item in try call.items() { try output.append(try item.selected(call[0], call.meter) ?? .null) }
        return .array(output.items)
    }

    private static func sum(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var total = Number.int(0)
        for item in try call.items() {
            let value = call[0].isNull ? item : try item.selected(call[0], call.meter) ?? .int(0)
            guard case .array(let parts) = value else {
                total = try total.adding(value, call.meter)
                continue
            }
            var flat = ListSink(call.meter)
            try flat.append(flattening: parts)
            for part in flat.items { total = try total.adding(part, call.meter) }
        }
        return total.value
    }

    private static func compact(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var output = ListSink(call.meter)
        for item in try call.items() {
            var value = item
            if !call[0].isNull {
                guard let selected = try item.selected(call[0], call.meter) else { return .null }
                value = selected
            }
            if !value.isNull { try output.append(item) }
        }
        return .array(output.items)
    }

    private static func unique(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var output = ListSink(call.meter)
        var seen = Set<IdentityKey>()
        for item in try call.items() {
            var key = item
            if !call[0].isNull {
                guard let value = try item.selected(call[0], call.meter) else { return .null }
                key = value
            }
            // Hashing walks through all of a value, and so may comparing.
            try key.spendSize(call.meter, times: 2)
            try call.spend(Work.lookup)
            if seen.insert(IdentityKey(value: key)).inserted { try output.append(item) }
        }
        return .array(output.items)
    }
}

extension ListFilters {
    /// Walks the items that match the filter's property and value; `false` when an item has no properties at all.
    private static func walk(
        _ call: LiquidFilterCall,
        _ visit: (_ place: Int, _ item: LiquidValue, _ matches: Bool) throws(LiquidError) -> Bool
    ) throws(LiquidError) -> Bool {
        for (place, item) in try call.items().enumerated() {
            guard let value = try item.selected(call[0], call.meter) else { return false }
            let matches = call[1].isNull ? value.isTruthy : try value.equals(call[1], call.meter)
            if try !visit(place, item, matches) { return true }
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
        var output = ListSink(call.meter)
        let isWhole = try walk(call) { (_, item, matches) throws(LiquidError) in
            if matches == kept { try output.append(item) }
            return true
        }
        return isWhole ? .array(output.items) : .null
    }

    private static func find(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var found = LiquidValue.null
        _ = try walk(call) { (_, item, matches) throws(LiquidError) in
            if matches { found = item }
            return !matches
        }
        return found
    }

    private static func findIndex(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var found = LiquidValue.null
        _ = try walk(call) { (place, _, matches) throws(LiquidError) in
            if matches { found = .int(place) }
            return !matches
        }
        return found
    }

    private static func has(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        var found = false
        let isWhole = try walk(call) { (_, _, matches) throws(LiquidError) in
            found = matches
            return !matches
        }
        return isWhole ? .bool(found) : .null
    }
}

extension Number {
    fileprivate func adding(_ value: LiquidValue, _ meter: RenderMeter) throws(LiquidError) -> Number {
        try meter.spend(Work.number)
        if case .string(let text) = value { try meter.spend(2 * text.utf8.count) }
        return self + Number(value)
    }
}

extension LiquidFilterCall {
    /// The value as a list: nested lists flattened, a range counted out, anything else as the only item.
    func items() throws(LiquidError) -> [LiquidValue] {
        switch input {
        case .null: return []
        case .array(let items):
            guard items.contains(where: \.isList) else { return items }
            var output = ListSink(meter)
            try output.append(flattening: items)
            return output.items
        case .range(let range):
            guard range.count <= meter.limits.loopTurns else {
                throw LiquidError(.loopLimit, "A range has more than \(meter.limits.loopTurns) numbers.")
            }
            var output = ListSink(meter)
            // safe: a number of the range
            for place in 0..<range.count { try output.append(.int(range.first + place)) }
            return output.items
        default: return [input]
        }
    }
}

extension ListSink {
    /// Appends the items of a list with those of the lists in it.
    mutating func append(flattening items: [LiquidValue]) throws(LiquidError) {
        for item in items {
            if case .array(let inner) = item {
                try append(flattening: inner)
            } else {
                try append(item)
            }
        }
    }
}

extension LiquidValue {
    fileprivate var isList: Bool {
        if case .array = self { return true }
        return false
    }

    /// Returns the value that a list filter reads from an item: a property of a hash, or the part of a text that is
    /// asked for.
    ///
    /// `nil` for items without properties; throws for those that have some, but not by this name.
    func selected(_ key: LiquidValue, _ meter: RenderMeter) throws(LiquidError) -> LiquidValue? {
        try meter.spend(Work.expression)
        switch (self, key) {
        case (.hash(let hash), .string(let name)):
            try meter.spend(Work.expression + name.utf8.count)
            return hash[name] ?? .null
        case (.object(let object), .string(let name)):
            try meter.spend(Work.lookup + name.utf8.count)
            return object[name] ?? .null
        case (.hash, _), (.object, _): return .null
        case (.string, .string(let part)): return try contains(key, meter) ? .string(part) : .null
        case (.string(let text), .int(let place)): return try Self.scalar(of: text, at: place, meter)
        case (.int(let number), .int(let bit)):
            return .int(bit < 0 ? 0 : (bit > 63 ? (number < 0 ? 1 : 0) : number >> bit & 1))
        case (.string, .double(let place)):
            return try selected(.int(Int(exactly: place.rounded(.towardZero)) ?? .max), meter)
        case (.string, _), (.int, _):
            throw LiquidError(.argument, "A \(kind) in the list has no such property.")
        default: return nil
        }
    }

    // safe: no larger than the text, in either direction
    /// One scalar of a text, from the end when negative.
    private static func scalar(of text: String, at place: Int, _ meter: RenderMeter) throws(LiquidError) -> LiquidValue
    {
        guard place.magnitude <= UInt(text.utf8.count) else { return .null }
        try meter.spend(Int(place.magnitude))
        let scalars = text.unicodeScalars
        let scalar = place < 0 ? scalars.suffix(-place) : scalars.dropFirst(place)
        guard let first = scalar.first, place >= 0 || scalar.count == -place else { return .null }
        return .string(String(first))
    }
}
