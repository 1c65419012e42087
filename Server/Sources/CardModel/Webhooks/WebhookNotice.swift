public import WireJSON

/// Something about a user that a webhook receives besides the log of events, which has nothing of a user who is gone.
public struct WebhookNotice: Sendable, Hashable {
    /// Whether the user was deleted or merged.
    public enum Kind: String, Sendable, CaseIterable {
        /// Everything about the user was deleted.
        case userDeleted = "user.deleted"
        /// The user became one with another, who has their events now.
        case userMerged = "user.merged"
    }

    /// Its place in the order in which notices were kept.
    public var position: Int64
    /// The id by which a receiver recognizes a notice that it has already: a UUIDv7.
    public var id: EventID
    /// Whether the user was deleted or merged.
    public var kind: Kind
    /// The user, as they were called.
    public var user: UserID
    /// What else it says: `aliases` of a deleted user, `merged_into` of a merged one.
    public var details: JSONValue
    /// When it happened.
    public var at: UnixTime

    /// Creates a notice.
    public init(position: Int64, id: EventID, kind: Kind, user: UserID, details: JSONValue, at: UnixTime) {
        self.position = position
        self.id = id
        self.kind = kind
        self.user = user
        self.details = details
        self.at = at
    }
}

extension Webhook {
    /// The names of all types that a webhook can ask for.
    public static let typeNames = EventFilter.typeNames + WebhookNotice.Kind.allCases.map(\.rawValue)

    /// Returns whether a webhook that asks for types gets notices of a kind; without types, it gets all.
    public static func sends(_ kind: WebhookNotice.Kind, amongTypes types: Set<String>) -> Bool {
        types.isEmpty || types.contains(kind.rawValue)
    }
}

extension EventID {
    /// Creates a UUIDv7, whose order is that of the times.
    public init(at time: UnixTime, using generator: inout some RandomNumberGenerator) {
        let milliseconds = UInt64(saturating: time * 1_000) & 0xFFFF_FFFF_FFFF
        self.init(
            high: milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0xFFF, using: &generator),
            low: 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF, using: &generator)
        )
    }
}
