/// A value as a member of a set, in which what `uniq` takes for one is once.
struct IdentityKey: Hashable {
    let value: LiquidValue

    static func == (left: IdentityKey, right: IdentityKey) -> Bool {
        switch (left.value, right.value) {
        // As the reference language has it: 1 and 1.0 are equal, but not the same.
        case (.int, .double), (.double, .int): false
        // Otherwise what is no number would be met again and again.
        case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
        default: left.value == right.value
        }
    }

    func hash(into hasher: inout Hasher) {
        Self.hash(value, into: &hasher)
    }

    private static func hash(_ value: LiquidValue, into hasher: inout Hasher) {
        switch value {
        case .null: hasher.combine(0)
        case .bool(let flag): hasher.combine(flag)
        // What is equal as a number has one hash, in lists too.
        case .int(let number): hash(Double(number), or: number, into: &hasher)
        case .double(let number): hash(number, or: 0, into: &hasher)
        case .string(let text): ByteText(text).hash(into: &hasher)
        case .array(let items):
            hasher.combine(items.count)
            for item in items { hash(item, into: &hasher) }
        case .hash(let members): hasher.combine(hash(of: members))
        case .object(let object): hasher.combine(ObjectIdentifier(object))
        case .range(let range): hasher.combine(range)
        case .date(let date): hasher.combine(date.seconds)
        // These two equal much that has other hashes, and stand for themselves here.
        case .empty: hasher.combine(1)
        case .blank: hasher.combine(2)
        }
    }

    private static func hash(_ double: Double, or number: Int, into hasher: inout Hasher) {
        // Large whole numbers share their nearest double with a thousand others.
        if double.magnitude < 9_007_199_254_740_992 {
            hasher.combine(double)
        } else if double.isNaN {
            hasher.combine(3)
        } else {
            hasher.combine(number == 0 ? double.bitPattern : UInt64(bitPattern: Int64(number)))
        }
    }

    /// The hash of members in any order.
    private static func hash(of members: LiquidHash) -> Int {
        members.pairs.reduce(members.count) { total, pair in
            var hasher = Hasher()
            hasher.combine(ByteText(pair.key))
            hash(pair.value, into: &hasher)
            return total &+ hasher.finalize()
        }
    }
}

extension LiquidValue {
    /// Counts the work of walking through all of a value, some times.
    func spendSize(_ meter: RenderMeter, times: Int) throws(LiquidError) {
        switch self {
        case .string(let text): try meter.spend(times * text.utf8.count)
        case .array(let items):
            for item in items {
                try meter.spend(times * Work.element)
                try item.spendSize(meter, times: times)
            }
        case .hash(let hash):
            for pair in hash.pairs {
                try meter.spend(times * (Work.lookup + pair.key.utf8.count))
                try pair.value.spendSize(meter, times: times)
            }
        default: break
        }
    }
}
