extension Renderer {
    mutating func evaluate(_ expression: Expression) throws(LiquidError) -> LiquidValue {
        try meter.spend(Work.expression)
        switch expression {
        case .literal(let value): return value
        case .variable(let id): return try variable(place(id))
        case .path(let root, let steps): return try follow(steps, from: try start(root))
        case .loop(let property, let fallback):
            guard let loop = scope.loops.last else { return try evaluate(fallback) }
            return loop.value(of: property)
        case .range(let first, let last):
            return .range(LiquidRange(try bound(first), try bound(last)))
        case .contentBlock(let name): return try contentBlock(name)
        }
    }

    private mutating func bound(_ expression: Expression) throws(LiquidError) -> Int {
        switch try evaluate(expression) {
        case .int(let number): return number
        case .double(let number): return Int(exactly: number.rounded(.towardZero)) ?? 0
        case .string(let text):
            try meter.spend(text.utf8.count)
            return Number.leadingInteger(text.utf8)
        default: return 0
        }
    }

    private mutating func start(_ root: PathRoot) throws(LiquidError) -> LiquidValue {
        switch root {
        case .name(let id): return try variable(place(id))
        case .attribute(let name):
            try meter.spend(Work.lookup)
            return context.data[name] ?? .null
        case .computed(let expression):
            let name = try evaluate(expression)
            guard case .string(let name) = name else { return .null }
            return try variable(place(named: name))
        }
    }

    /// The value of a variable: of the loops, then of the template, then of the data, then of the counters.
    @inline(__always)
    private mutating func variable(_ place: Int) throws(LiquidError) -> LiquidValue {
        // safe: a place of a name
        if let value = scope.shadowing[place] { return value }
        // safe: a place of a name
        if let value = scope.assigned[place] { return value }
        // safe: a place of a name
        if let value = scope.resolved[place] { return value }
        return try resolve(place)
    }

    /// The place of a name that a template may have made up, which takes memory of its own.
    mutating func place(named name: String) throws(LiquidError) -> Int {
        try meter.spend(Work.lookup + name.utf8.count)
        let count = scope.names.count
        let place = scope.place(of: name)
        if scope.names.count > count { try meter.charge(Scope.bytesPerName) }
        return place
    }

    // safe: a place of a name; loops nest a hundred deep at most
    private mutating func resolve(_ place: Int) throws(LiquidError) -> LiquidValue {
        let name = scope.names[place]
        try meter.spend(Work.lookup + name.utf8.count)
        if name == "forloop", !scope.loops.isEmpty {
            try meter.spend(scope.loops.count * Work.element)
            try meter.charge(scope.loops.count * LoopSnapshot.bytes)
            return LoopSnapshot(scope.loops[...]).map { .object($0) } ?? .null
        }
        if let value = context.data[name] {
            scope.resolved[place] = value
            return value
        }
        return scope.counters[ByteText(name)].map { .int($0) } ?? .null
    }

    private mutating func follow(_ steps: [PathStep], from start: LiquidValue) throws(LiquidError) -> LiquidValue {
        var value = start
        for step in steps {
            try meter.spend(Work.expression)
            switch step {
            case .property(let name): value = try property(name, of: value)
            case .key(let name): value = value.value(forKey: name) ?? .null
            case .index(let index): value = value.element(index)
            case .computed(let expression):
                switch try evaluate(expression) {
                case .int(let index): value = value.element(index)
                case .string(let name):
                    try meter.spend(name.utf8.count)
                    value = value.value(forKey: name) ?? .null
                default: return .null
                }
            }
        }
        return value
    }

    private func property(_ name: String, of value: LiquidValue) throws(LiquidError) -> LiquidValue {
        // The size of a text is counted out.
        if case .string(let text) = value { try meter.spend(text.utf8.count) }
        return value.property(name)
    }

    mutating func value(of expression: FilteredExpression) throws(LiquidError) -> LiquidValue {
        var value = try evaluate(expression.base)
        for use in expression.filters {
            offset = use.offset
            value = try apply(use, to: value)
        }
        return value
    }

    private mutating func apply(_ use: FilterUse, to input: LiquidValue) throws(LiquidError) -> LiquidValue {
        var call = LiquidFilterCall(input: input, calendar: context.calendar, meter: meter)
        var size = input.magnitude
        if !use.arguments.isEmpty {
            var arguments: [LiquidValue] = []
            arguments.reserveCapacity(use.arguments.count)
            for argument in use.arguments {
                let value = try evaluate(argument)
                size += value.magnitude
                arguments.append(value)
            }
            call.arguments = arguments
        }
        for keyword in use.keywords { call.keywords[keyword.name] = try evaluate(keyword.value) }
        try meter.spend(Work.filter + use.filter.weight * size)
        let result = try use.filter.apply(call)
        if let failure = meter.failure { throw failure }
        switch result {
        case .string(let text): try meter.charge(text.utf8.count)
        case .array(let items): try meter.charge(items.count * MemoryLayout<LiquidValue>.stride)
        default: break
        }
        return result
    }
}

extension LiquidValue {
    /// The number of bytes, elements or keys that a value has by itself.
    fileprivate var magnitude: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let items): items.count
        case .hash(let hash): hash.count
        default: 0
        }
    }
}

extension LiquidValue {
    /// A property by name, with `size`, `first` and `last` where the value has no such property of its own.
    func property(_ name: String) -> LiquidValue {
        switch self {
        case .hash(let hash):
            if let value = hash[name] { return value }
        case .object(let object):
            if let value = object[name] { return value }
        case .null: return .null
        default: break
        }
        switch name {
        case "size": return size ?? .null
        case "first": return first
        case "last": return last
        default: return .null
        }
    }

    func value(forKey name: String) -> LiquidValue? {
        switch self {
        case .hash(let hash): hash[name]
        case .object(let object): object[name]
        default: nil
        }
    }

    /// An element of a list, from the end when negative.
    func element(_ index: Int) -> LiquidValue {
        guard case .array(let items) = self else { return .null }
        // safe: a negative number and a count
        let place = index < 0 ? index + items.count : index
        return items.indices.contains(place) ? items[place] : .null
    }

    /// The number of characters, elements or keys; `nil` for what has no size.
    var size: LiquidValue? {
        switch self {
        case .string(let text): .int(text.unicodeScalars.count)
        case .array(let items): .int(items.count)
        case .hash(let hash): .int(hash.count)
        case .object(let object): .int(object.pairs.count)
        case .range(let range): .int(range.count)
        default: nil
        }
    }

    var first: LiquidValue {
        switch self {
        case .array(let items): items.first ?? .null
        case .hash(let hash): hash.pairs.first.map { .array([.string($0.key), $0.value]) } ?? .null
        case .range(let range): .int(range.first)
        default: .null
        }
    }

    var last: LiquidValue {
        switch self {
        case .array(let items): items.last ?? .null
        case .range(let range): .int(range.last)
        default: .null
        }
    }
}

extension Renderer {
    /// Evaluates from the left; `and` and `or` bind to the right, so the first term that decides ends it.
    mutating func holds(_ condition: Condition) throws(LiquidError) -> Bool {
        offset = condition.offset
        for (place, term) in condition.terms.enumerated() {
            let holds = try holds(term)
            if place == condition.isAnd.count || holds != condition.isAnd[place] {
                return holds != condition.isNegated
            }
        }
        return condition.isNegated
    }

    private mutating func holds(_ term: ComparisonTerm) throws(LiquidError) -> Bool {
        let left = try evaluate(term.left)
        if case .truth = term.relation { return left.isTruthy }
        let right = try evaluate(term.right)
        switch term.relation {
        case .truth: return left.isTruthy
        case .equal: return try left.equals(right, meter)
        case .notEqual: return try !left.equals(right, meter)
        case .contains: return try left.contains(right, meter)
        case .less: return try order(left, right) { $0 == .less }
        case .lessOrEqual: return try order(left, right) { $0 != .greater }
        case .greater: return try order(left, right) { $0 == .greater }
        case .greaterOrEqual: return try order(left, right) { $0 != .less }
        }
    }

    private func order(
        _ left: LiquidValue,
        _ right: LiquidValue,
        _ test: (Ordering) -> Bool
    ) throws(LiquidError) -> Bool {
        guard left.isOrdered, right.isOrdered else { return false }
        guard let ordering = try left.ordering(to: right, meter) else {
            throw LiquidError(.incomparable, "A \(left.kind) cannot be compared with a \(right.kind).")
        }
        return test(ordering)
    }
}

extension LiquidValue {
    /// Returns whether two values are equal by a template's `==`; `empty` and `blank` are not equal to each other.
    func equals(_ other: LiquidValue, _ meter: RenderMeter) throws(LiquidError) -> Bool {
        switch (self, other) {
        case (.empty, .empty), (.empty, .blank), (.blank, .empty), (.blank, .blank): false
        default: try isSame(as: other, meter)
        }
    }

    /// The kind of value for messages.
    var kind: String {
        switch self {
        case .null: "missing value"
        case .bool: "boolean"
        case .int, .double: "number"
        case .string: "text"
        case .array: "list"
        case .hash, .object: "hash"
        case .range: "range"
        case .date: "date"
        case .empty, .blank: "keyword"
        }
    }
}
