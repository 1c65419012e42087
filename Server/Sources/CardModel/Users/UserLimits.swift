import OrderedCollections
import WireJSON

/// Limits what is kept of one user, whoever tells it: a device, a backend or an import.
///
/// A change that would go beyond a limit is refused as a whole, and says so. What is beyond a limit already, because
/// the limit was lowered, stays and may only become less.
public struct UserLimits: Sendable, Hashable {
    /// The number of custom attributes, 1 to 10,000.
    public var attributes = 250
    /// The number of bytes of JSON of all custom attributes together, 1,024 to 1,048,576.
    public var attributeBytes = 65_536
    /// The number of different names of custom events and of products in the history, 1 to 100,000.
    public var eventNames = 1_000
    /// The number of aliases, 1 to 1,000.
    public var aliases = 100

    /// Creates the defaults.
    public init() {}

    /// The number of bytes of a name of an attribute, event, product or property, 255.
    public static let nameBytes = 255
    /// The number of bytes of JSON of one value of an attribute, and of the properties of one event of a backend: 50
    /// KB.
    public static let valueBytes = 50 << 10
    /// The number of bytes of JSON of one event of a device: 16 KiB.
    public static let eventBytes = 16 << 10

    /// Whether a name has a length that a name may have.
    public static func isName(_ text: String) -> Bool { (1...nameBytes).contains(text.utf8.count) }

    /// A limit that a change would go beyond.
    public struct Excess: Error, Sendable, Hashable {
        /// The kinds of things of which there would be too much.
        public enum ExcessKind: Sendable, Hashable {
            /// Custom attributes.
            case attributes
            /// Bytes of custom attributes.
            case attributeBytes
            /// Names of events and products.
            case eventNames
            /// Aliases.
            case aliases
        }

        /// The kind of thing of which there would be too much.
        public var kind: ExcessKind
        /// The limit.
        public var limit: Int

        /// Creates an excess.
        public init(_ kind: ExcessKind, limit: Int) {
            self.kind = kind
            self.limit = limit
        }

        /// A sentence that says what is possible, without the full stop.
        public var message: String {
            switch kind {
            case .attributes: "A user has at most \(limit) custom attributes"
            case .attributeBytes: "The custom attributes of a user have at most \(limit) bytes of JSON"
            case .eventNames: "A user has at most \(limit) different names of events and products"
            case .aliases: "A user has at most \(limit) aliases"
            }
        }
    }
}

/// The size of a user's custom attributes, kept up to date as they change.
public struct AttributeUsage: Sendable, Hashable {
    /// The number of attributes.
    public private(set) var count = 0
    /// The number of bytes of their JSON, names included.
    public private(set) var bytes = 0

    /// Measures the attributes of a profile, which costs time in proportion to their size.
    public init(of profile: UserProfile) {
        for (name, value) in profile.custom where !value.isNull { add(name, value, 1) }
    }

    mutating func replace(_ name: String, _ old: JSONValue?, by new: JSONValue?) {
        if let old, !old.isNull { add(name, old, -1) }
        if let new, !new.isNull { add(name, new, 1) }
    }

    private mutating func add(_ name: String, _ value: JSONValue, _ sign: Int) {
        count += sign
        // The quotes, the colon and the comma.
        bytes += sign * (name.utf8.count + value.encodedSize + 4)
    }

    /// Throws where this is more than a limit allows and more than there was before.
    func check(_ limits: UserLimits, before: AttributeUsage) throws(UserLimits.Excess) {
        if count > limits.attributes, count > before.count {
            throw UserLimits.Excess(.attributes, limit: limits.attributes)
        }
        if bytes > limits.attributeBytes, bytes > before.bytes {
            throw UserLimits.Excess(.attributeBytes, limit: limits.attributeBytes)
        }
    }
}

extension UserProfile {
    /// Makes changes, all or none of them.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - limits: The limits of what is kept.
    ///   - usage: The size of the custom attributes, which is brought up to date.
    ///   - source: Where the changes come from.
    /// - Returns: Whether anything is different now.
    /// - Throws: The limit that the changes would go beyond.
    public mutating func apply(
        _ changes: AttributeChanges,
        within limits: UserLimits,
        _ usage: inout AttributeUsage,
        from source: AttributeSource = .backend
    ) throws(UserLimits.Excess) -> Bool {
        let values = changes.custom.map { name, change in (name, change.applied(to: custom[name])) }
        return try put(values, changes.standard, within: limits, &usage, from: source)
    }

    /// Takes over what an update says, all or nothing of it, and returns whether anything is different now.
    ///
    /// - Throws: The limit that the update would go beyond.
    public mutating func apply(
        _ update: UserUpdate,
        within limits: UserLimits
    ) throws(UserLimits.Excess) -> Bool {
        var usage = AttributeUsage(of: self)
        let values = update.custom.map { name, value in (name, value.isNull ? JSONValue?.none : value) }
        return try put(values, update.standard, within: limits, &usage, from: .backend)
    }

    /// Takes over what another profile of the same person says where this one says nothing.
    ///
    /// - Throws: The limit that the two together would go beyond.
    public mutating func absorb(_ other: UserProfile, within limits: UserLimits) throws(UserLimits.Excess) {
        let before = AttributeUsage(of: self)
        absorb(other)
        try AttributeUsage(of: self).check(limits, before: before)
    }

    private mutating func put(
        _ values: [(String, JSONValue?)],
        _ standard: OrderedDictionary<StandardAttribute, JSONValue>,
        within limits: UserLimits,
        _ usage: inout AttributeUsage,
        from source: AttributeSource
    ) throws(UserLimits.Excess) -> Bool {
        let changes = values.filter { name, value in custom[name] != value }
        var after = usage
        for (name, value) in changes { after.replace(name, custom[name], by: value) }
        try after.check(limits, before: usage)
        usage = after
        for (name, value) in changes { custom[name] = value }
        var isChanged = !changes.isEmpty
        for (name, value) in standard {
            if put(name, value.isNull ? nil : value, from: source) { isChanged = true }
        }
        return isChanged
    }

    /// Sets a standard attribute or removes it, and returns whether anything is different now.
    private mutating func put(_ name: StandardAttribute, _ value: JSONValue?, from source: AttributeSource) -> Bool {
        let (known, claims) = (standard[name], claimed)
        let address = ClaimedAddresses(name)
        if source == .backend || value == nil {
            claimed.subtract(address)
        } else if !name.isSameAddress(known, value) {
            claimed.formUnion(address)
        }
        guard known != value else { return claimed != claims }
        standard[name] = value
        return true
    }
}
