import OrderedCollections
public import WireJSON

/// A change of one attribute that a backend asks for.
///
/// All but ``set(_:)`` depend on the value that is there, so they are applied where nobody else can change it.
public enum AttributeChange: Sendable, Hashable {
    /// Puts a value in the place of the old one; `null` removes the attribute.
    case set(JSONValue)
    /// Adds to a number; what is absent counts as zero, and what is not a number is left alone.
    ///
    /// Numbers of up to nine decimals are added exactly.
    case increment(by: JSONValue)
    /// Adds and removes elements of an array; what is absent counts as empty, and what is not an array is replaced.
    ///
    /// An element that is there already moves to the end.
    case edit(adding: [JSONValue], removing: [JSONValue])
    /// Merges an object into the one that is there, at every depth.
    case merge(JSONValue)
    /// Adds objects to an array of objects, changes those that match, and removes those that match, in this order:
    /// remove, update, add.
    case editObjects(ObjectEdits)

    /// The maximum number of elements of an array, the last ones: 500.
    public static let arrayLimit = 500

    /// Changes to an array of objects.
    public struct ObjectEdits: Sendable, Hashable {
        /// An object of an array that is meant: the one in which a key has a value.
        public struct ObjectMatch: Sendable, Hashable {
            /// The key.
            @Bytewise public var key: String
            /// The value.
            public var value: JSONValue

            /// Creates a match.
            public init(key: String, value: JSONValue) {
                self.key = key
                self.value = value
            }

            func matches(_ element: JSONValue) -> Bool { element[key] == value }
        }

        /// A change of the objects that match.
        public struct Update: Sendable, Hashable {
            /// The objects.
            public var match: ObjectMatch
            /// The object that replaces them, or is merged into them.
            public var object: JSONValue

            /// Creates an update.
            public init(match: ObjectMatch, object: JSONValue) {
                self.match = match
                self.object = object
            }
        }

        /// The objects to add.
        public var additions: [JSONValue]
        /// The objects to change.
        public var updates: [Update]
        /// The objects to remove.
        public var removals: [ObjectMatch]
        /// Whether an update is merged into what is there rather than put in its place.
        public var merges: Bool

        /// Creates edits.
        public init(additions: [JSONValue], updates: [Update], removals: [ObjectMatch], merges: Bool) {
            self.additions = additions
            self.updates = updates
            self.removals = removals
            self.merges = merges
        }
    }

    /// Whether the change looks at all that the attribute has, which may be as much as a user may have in all.
    public var readsWholeValue: Bool {
        switch self {
        case .edit, .merge, .editObjects: true
        case .set, .increment: false
        }
    }

    /// The cost of the change, in units of a change that sets a value.
    public var cost: Int {
        guard readsWholeValue else { return 1 }
        guard case .editObjects(let edits) = self else { return Self.readingCost }
        return Self.readingCost + edits.updates.count + edits.removals.count
    }

    /// The cost of a change that looks at all that an attribute has.
    static let readingCost = 10

    /// The value after the change, or `nil` for none.
    public func applied(to value: JSONValue?) -> JSONValue? {
        switch self {
        case .set(.null): nil
        case .set(.array(let elements)): .array(Self.limited(Self.distinct(elements)))
        case .set(let new): new
        case .increment(let amount): Self.sum(value, amount)
        case .edit(let additions, let removals): Self.edit(value?.array ?? [], additions, removals)
        case .merge(let object): Self.merged(value, object)
        case .editObjects(let edits): edits.applied(to: value?.array ?? [])
        }
    }

    private static func sum(_ value: JSONValue?, _ amount: JSONValue) -> JSONValue? {
        guard let value else { return amount }
        if let left = value.integer, let right = amount.integer {
            let (sum, overflows) = left.addingReportingOverflow(right)
            if !overflows { return .integer(sum) }
        }
        // Decimals are added as they are written: ten times 0.1 is 1.
        if let left = value.exact, let right = amount.exact { return JSONValue(left + right) }
        guard let left = value.double, let right = amount.double, (left + right).isFinite else { return value }
        let sum = left + right
        return Int64(exactly: sum).map(JSONValue.integer) ?? .number(sum)
    }

    private static func edit(_ elements: [JSONValue], _ additions: [JSONValue], _ removals: [JSONValue]) -> JSONValue {
        let gone = Set(additions).union(removals)
        return .array(limited(elements.filter { !gone.contains($0) } + OrderedSet(additions)))
    }

    fileprivate static func limited(_ elements: [JSONValue]) -> [JSONValue] { Array(elements.suffix(arrayLimit)) }

    /// The elements, each once where none is an object: arrays of plain values are sets.
    private static func distinct(_ elements: [JSONValue]) -> [JSONValue] {
        elements.contains { $0.object != nil } ? elements : Array(OrderedSet(elements))
    }

    /// An object with another merged into it; `null` in the other removes a member.
    fileprivate static func merged(_ value: JSONValue?, _ other: JSONValue) -> JSONValue {
        guard case .object(let additions) = other else { return other }
        var members = value?.object ?? [:]
        for (name, addition) in additions {
            members[name] = addition.isNull ? JSONValue?.none : merged(members[name], addition)
        }
        return .object(members)
    }
}

extension AttributeChange.ObjectEdits {
    /// The maximum number of updates and removals of one change: each is compared with every element of the array.
    public static let limit = 100

    func applied(to elements: [JSONValue]) -> JSONValue {
        let gone = Dictionary(grouping: removals) { ByteString($0.key) }.mapValues { Set($0.map(\.value)) }
        var elements = elements.suffix(AttributeChange.arrayLimit).filter { element in
            !gone.contains { key, values in element[key.text].map(values.contains) ?? false }
        }
        for update in updates {
            for index in elements.indices where update.match.matches(elements[index]) {
                elements[index] = merges ? AttributeChange.merged(elements[index], update.object) : update.object
            }
        }
        return .array(AttributeChange.limited(elements + additions))
    }
}
