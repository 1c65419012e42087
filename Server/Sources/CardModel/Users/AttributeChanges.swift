public import OrderedCollections
public import WireJSON

/// The changes of one user's attributes that a backend asks for.
public struct AttributeChanges: Sendable, Hashable {
    /// The attributes that the app or backend named.
    public var custom: StringMap<AttributeChange>
    /// The attributes with a meaning of their own; `null` removes one.
    public var standard: OrderedDictionary<StandardAttribute, JSONValue>

    /// Creates changes.
    public init(
        custom: StringMap<AttributeChange> = [:],
        standard: OrderedDictionary<StandardAttribute, JSONValue> = [:]
    ) {
        self.custom = custom
        self.standard = standard
    }
}

extension UserProfile {
    /// Takes over what another profile of the same person says where this one says nothing.
    public mutating func absorb(_ other: UserProfile) {
        custom.merge(other.custom) { own, _ in own }
        // An address keeps its origin.
        for address in [StandardAttribute.email, .phone] where standard[address] == nil {
            claimed.formUnion(other.claimed.intersection(ClaimedAddresses(address)))
        }
        standard.merge(other.standard) { own, _ in own }
        device = device.completed(by: other.device)
        if let seen = other.firstSeenAt { firstSeenAt = min(firstSeenAt ?? seen, seen) }
        if let seen = other.lastSeenAt { lastSeenAt = max(lastSeenAt ?? seen, seen) }
    }
}
