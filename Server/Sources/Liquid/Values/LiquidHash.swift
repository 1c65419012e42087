/// Keys and values in their order; immutable, so that many renders share one.
public final class LiquidHash: LiquidObject {
    /// The keys and values in order.
    public let pairs: [(key: String, value: LiquidValue)]
    private let index: [ByteText: Int]

    /// Below this many keys a walk is quicker than hashing.
    private static let walkedKeys = 6

    /// Creates a hash.
    ///
    /// Of equal keys the last one wins, in the place of the first.
    public init(_ pairs: [(key: String, value: LiquidValue)]) {
        var kept: [(key: String, value: LiquidValue)] = []
        kept.reserveCapacity(pairs.count)
        var index: [ByteText: Int] = [:]
        for pair in pairs {
            if let place = Self.place(of: pair.key, in: kept, index) {
                kept[place].value = pair.value
                continue
            }
            kept.append(pair)
            if kept.count == Self.walkedKeys + 1 {
                index.reserveCapacity(pairs.count)
                for (place, pair) in kept.enumerated() { index[ByteText(pair.key)] = place }
            } else if kept.count > Self.walkedKeys {
                index[ByteText(pair.key)] = kept.count - 1
            }
        }
        self.pairs = kept
        self.index = index
    }

    private static func place(
        of key: String,
        in pairs: [(key: String, value: LiquidValue)],
        _ index: [ByteText: Int]
    ) -> Int? {
        guard pairs.count <= walkedKeys else { return index[ByteText(key)] }
        return pairs.firstIndex { $0.key.hasSameBytes(as: key) }
    }

    /// The number of keys.
    public var count: Int { pairs.count }

    /// The value of a key; `nil` when there is none.
    public subscript(key: String) -> LiquidValue? {
        // safe: found in the pairs
        Self.place(of: key, in: pairs, index).map { pairs[$0].value }
    }
}
