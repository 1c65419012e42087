/// Keys and values in their order; immutable, so that many renders share one.
public final class LiquidHash: LiquidObject {
    /// The keys and values in order.
    public let pairs: [(key: String, value: LiquidValue)]
    private let index: [String: Int]

    /// Below this many keys a walk is quicker than hashing.
    private static let walkedKeys = 6

    /// Creates a hash.
    ///
    /// Of equal keys the last one wins, in the place of the first.
    public init(_ pairs: [(key: String, value: LiquidValue)]) {
        var kept: [(key: String, value: LiquidValue)] = []
        kept.reserveCapacity(pairs.count)
        var index: [String: Int] = [:]
        for pair in pairs {
            if let place = index[pair.key] {
                kept[place].value = pair.value
            } else {
                index[pair.key] = kept.count
                kept.append(pair)
            }
        }
        self.pairs = kept
        self.index = kept.count > Self.walkedKeys ? index : [:]
    }

    /// How many keys there are.
    public var count: Int { pairs.count }

    /// The value of a key; `nil` when there is none.
    public subscript(key: String) -> LiquidValue? {
        if pairs.count > Self.walkedKeys {
            return index[key].map { pairs[$0].value }
        }
        for pair in pairs where pair.key == key {
            return pair.value
        }
        return nil
    }
}
