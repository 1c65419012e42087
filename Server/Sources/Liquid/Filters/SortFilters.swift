/// Filters that put lists in order.
enum SortFilters {
    static let all: [LiquidFilter] = [
        LiquidFilter("sort", arguments: 0...1, apply: sort),
        LiquidFilter("sort_natural", arguments: 0...1, apply: sortNatural),
    ]

    private static func sort(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard let (items, keys) = try keyed(call) else { return .null }
        return try sorted(items, call) { (left, right) throws(LiquidError) in
            let (left, right) = (keys[left], keys[right])
            if let ordering = try left.ordering(to: right, call.meter) { return ordering == .greater }
            if left.isNull || right.isNull { return left.isNull }
            throw LiquidError(.incomparable, "A \(left.kind) cannot be sorted with a \(right.kind).")
        }
    }

    private static func sortNatural(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard let (items, values) = try keyed(call) else { return .null }
        // Folded once and not for each comparison; the texts are only held as long as this takes.
        var folded: [String?] = []
        var bytes = 0
        for value in values {
            let text = value.isNull ? nil : try value.text(call.meter).foldingASCII
            bytes += text?.utf8.count ?? 0
            try call.reserve(bytes)
            try call.spend(text?.utf8.count ?? 0)
            folded.append(text)
        }
        return try sorted(items, call) { (left, right) throws(LiquidError) in
            guard let left = folded[left] else { return folded[right] != nil }
            guard let right = folded[right] else { return false }
            try call.spend(min(left.utf8.count, right.utf8.count) >> 2)
            return left.order(to: right) == .greater
        }
    }

    /// The items, and what each is sorted by; `nil` where an item has no properties.
    private static func keyed(
        _ call: LiquidFilterCall
    ) throws(LiquidError) -> (items: [LiquidValue], keys: [LiquidValue])? {
        let items = try call.items()
        guard !call[0].isNull else { return (items, items) }
        guard items.allSatisfy(\.hasProperties) else { return nil }
        guard items.count > 1 else { return (items, items) }
        var keys = ListSink(call.meter)
        for item in items { try keys.append(try item.selected(call[0], call.meter) ?? .null) }
        return (items, keys.items)
    }

    // safe: places of items, of which there are no more than memory holds
    /// Sorts by merging, since the order may throw and equal items keep their places.
    private static func sorted(
        _ items: [LiquidValue],
        _ call: LiquidFilterCall,
        by isAfter: (_ left: Int, _ right: Int) throws(LiquidError) -> Bool
    ) throws(LiquidError) -> LiquidValue {
        try call.reserve(items.count * (MemoryLayout<LiquidValue>.stride + 2 * MemoryLayout<Int>.stride))
        var order = Array(items.indices)
        var next = order
        var width = 1
        while width < order.count {
            for start in stride(from: 0, to: order.count, by: 2 * width) {
                let (middle, end) = (min(start + width, order.count), min(start + 2 * width, order.count))
                var (left, right) = (start, middle)
                for place in start..<end {
                    var takesRight = left == middle
                    if !takesRight, right < end {
                        try call.spend(2 * Work.element)
                        takesRight = try isAfter(order[left], order[right])
                    }
                    next[place] = order[takesRight ? right : left]
                    if takesRight { right += 1 } else { left += 1 }
                }
            }
            swap(&order, &next)
            width *= 2
        }
        return .array(order.map { items[$0] })
    }
}

extension LiquidValue {
    fileprivate var hasProperties: Bool {
        switch self {
        case .hash, .object, .string, .int: true
        default: false
        }
    }
}

extension String {
    /// The text with the letters of ASCII in lower case.
    fileprivate var foldingASCII: String {
        String(bytes: utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 })
    }
}
