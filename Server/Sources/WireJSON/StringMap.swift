public import OrderedCollections

/// An ordered dictionary whose names are compared by their UTF-8 bytes.
///
/// For whatever is named from outside: the members of JSON objects, attributes, extras. A `[String: Value]` would take
/// canonically equivalent names for one and lose a value.
public struct StringMap<Value> {
    /// A name and its value.
    public typealias Element = (key: String, value: Value)

    @usableFromInline var storage: OrderedDictionary<ByteString, Value>

    init(storage: OrderedDictionary<ByteString, Value>) { self.storage = storage }

    /// Creates an empty map.
    @inlinable
    public init() { storage = [:] }

    /// Creates an empty map with room for that many values.
    public init(minimumCapacity: Int) { storage = OrderedDictionary(minimumCapacity: minimumCapacity) }

    /// Creates a map from pairs; of several with one name, `combine` decides.
    public init(
        _ pairs: some Sequence<(String, Value)>,
        uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows {
        storage = try OrderedDictionary(pairs.map { (ByteString($0), $1) }, uniquingKeysWith: combine)
    }

    /// Creates a map from pairs; the last of several with one name wins.
    public init(uniqueKeysWithValues pairs: some Sequence<Element>) {
        self.init(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
    }

    /// The value of a name, or `nil` for none; setting `nil` removes it.
    @inlinable
    public subscript(name: String) -> Value? {
        get { storage[ByteString(name)] }
        _modify { yield &storage[ByteString(name)] }
    }

    /// The value of a name, or a default for none.
    public subscript(name: String, default value: @autoclosure () -> Value) -> Value {
        get { storage[ByteString(name), default: value()] }
        _modify { yield &storage[ByteString(name), default: value()] }
    }

    /// The number of values.
    public var count: Int { storage.count }

    /// Whether there are no values.
    public var isEmpty: Bool { storage.isEmpty }

    /// The first name and its value, or `nil` for none.
    public var first: Element? { storage.elements.first.map { ($0.key.text, $0.value) } }

    /// The names and values in their order.
    public var elements: [Element] { Array(self) }

    /// The names in their order.
    public var keys: [String] { storage.keys.map(\.text) }

    /// The values in the order of their names.
    public var values: [Value] { Array(storage.values) }

    /// Removes a value and returns it, or returns `nil` for none.
    @discardableResult
    public mutating func removeValue(forKey name: String) -> Value? { storage.removeValue(forKey: ByteString(name)) }

    /// Takes in another map; of two values with one name, `combine` decides.
    public mutating func merge(_ other: Self, uniquingKeysWith combine: (Value, Value) throws -> Value) rethrows {
        try storage.merge(other.storage.lazy.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
    }

    /// Returns the map with another taken in; of two values with one name, `combine` decides.
    public func merging(_ other: Self, uniquingKeysWith combine: (Value, Value) throws -> Value) rethrows -> Self {
        var merged = self
        try merged.merge(other, uniquingKeysWith: combine)
        return merged
    }

    /// Returns the map with other values under the same names.
    public func mapValues<Other>(_ transform: (Value) throws -> Other) rethrows -> StringMap<Other> {
        StringMap<Other>(storage: try storage.mapValues(transform))
    }

    /// Returns the pairs that fulfil a condition.
    public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
        Self(storage: try storage.filter { try isIncluded(($0.key.text, $0.value)) })
    }
}

extension StringMap: Sequence {
    /// Walks the pairs in their order.
    public struct Iterator: IteratorProtocol {
        @usableFromInline var base: OrderedDictionary<ByteString, Value>.Iterator

        @inlinable init(base: OrderedDictionary<ByteString, Value>.Iterator) { self.base = base }

        /// Returns the next pair, or `nil` at the end.
        @inlinable
        public mutating func next() -> Element? {
            guard let (name, value) = base.next() else { return nil }
            return (name.text, value)
        }
    }

    /// Returns an iterator over the pairs.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(base: storage.makeIterator()) }

    /// The number of values.
    public var underestimatedCount: Int { count }
}

extension StringMap: ExpressibleByDictionaryLiteral {
    /// Creates a map; the last of several values with one name wins.
    public init(dictionaryLiteral elements: (String, Value)...) {
        // Each user that is read has several empty maps.
        guard !elements.isEmpty else {
            self.init()
            return
        }
        self.init(elements, uniquingKeysWith: { _, last in last })
    }
}

extension StringMap: Sendable where Value: Sendable {}
extension StringMap: Equatable where Value: Equatable {}
extension StringMap: Hashable where Value: Hashable {}

/// The members of a JSON object, in the order of the text.
public typealias JSONObject = StringMap<JSONValue>
