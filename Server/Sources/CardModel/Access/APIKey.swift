/// A key that apps or backends use.
public struct APIKey: Sendable, Hashable, Identifiable {
    /// The kind of program that holds a key.
    public enum KeyKind: String, Sendable, CaseIterable {
        /// In an app, where anybody can read it: the device API only.
        case publishable
        /// On a server: what its permissions say.
        case secret

        /// The prefix of keys of that kind.
        public var prefix: String {
            switch self {
            case .publishable: "pk_"
            case .secret: "sk_"
            }
        }
    }

    /// The public name of the key, `key_…`; not the secret.
    public var id: String
    /// The key's display name.
    public var name: String
    /// The kind of program that holds the key.
    public var kind: KeyKind
    /// The permissions of the key; a publishable key can use the device API and nothing else.
    public var permissions: Set<Permission>
    /// SHA-256 of the secret: the secret itself is random and long, and is kept nowhere.
    public var hash: [UInt8]
    /// The last four characters of the secret, to recognise it by.
    public var hint: String
    /// The time at which it was made.
    public var createdAt: UnixTime
    /// The time at which it was revoked, or `nil` for a key that works.
    public var revokedAt: UnixTime?
    /// The time at which it stops working, or `nil` for never.
    public var expiresAt: UnixTime?
    /// The addresses that may use a secret key; any may where it is empty.
    public var allowedAddresses: [AddressRange] = []
    /// The secret that the present one took the place of, for as long as both work.
    public var previousSecret: PreviousSecret?
    /// The time at which it was last used, at most a minute late, or `nil` for never.
    public var lastUsedAt: UnixTime?

    /// A secret that still works beside the present one.
    public struct PreviousSecret: Sendable, Hashable {
        /// Its SHA-256.
        public var hash: [UInt8]
        /// The time at which it stops working.
        public var expiresAt: UnixTime

        /// Creates the value.
        public init(hash: [UInt8], expiresAt: UnixTime) {
            self.hash = hash
            self.expiresAt = expiresAt
        }
    }

    /// The largest number of ``allowedAddresses``.
    public static let maximumAddresses = 50
    /// The longest time for which two secrets of a key work, in seconds: 30 days.
    public static let maximumOverlap = 2_592_000.0

    /// Creates a key.
    public init(
        id: String,
        name: String,
        kind: KeyKind,
        permissions: Set<Permission>,
        hash: [UInt8],
        hint: String,
        createdAt: UnixTime,
        revokedAt: UnixTime? = nil
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.permissions = permissions
        self.hash = hash
        self.hint = hint
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}

extension APIKey {
    /// Returns whether the key has a permission, by itself or as a part of another one.
    public func permits(_ permission: Permission) -> Bool {
        permissions.contains { $0.includes(permission) }
    }

    /// Returns whether the key may be used from an address, or from an unknown one where it is `nil`.
    public func permits(_ address: IPAddress?) -> Bool {
        guard !allowedAddresses.isEmpty else { return true }
        return address.map { address in allowedAddresses.contains { $0.contains(address) } } ?? false
    }

    /// Returns whether the key neither expired nor was revoked.
    public func works(at now: UnixTime) -> Bool { revokedAt == nil && now < expiresAt ?? .infinity }

    /// Returns whether another key can do nothing that this one can't: neither more, nor longer, nor from elsewhere.
    ///
    /// Whoever holds the key could otherwise create one for themselves that isn't bound by its limits.
    public func covers(_ other: APIKey) -> Bool {
        let isWithinTime = (other.expiresAt ?? .infinity) <= (expiresAt ?? .infinity)
        let isWithinAddresses =
            allowedAddresses.isEmpty
            || !other.allowedAddresses.isEmpty
                && other.allowedAddresses.allSatisfy { inner in allowedAddresses.contains { $0.contains(inner) } }
        // What a publishable key may do, anybody may.
        if other.kind == .publishable { return isWithinTime }
        return isWithinTime && isWithinAddresses && other.permissions.allSatisfy { $0 == .device || permits($0) }
    }
}

/// The author of a change, for the audit log.
public enum Actor: Sendable, Hashable {
    /// The holder of an API key, by its id.
    case key(String)
    /// A member of the team, by their e-mail address.
    case member(String)
    /// A person at the server's command line.
    case command
    /// The server, by itself.
    case server
    /// Anyone who is not signed in; nothing that they say of themselves is taken down.
    case unauthenticated

    /// The kinds of actors; no chosen name can pass for another kind.
    public enum ActorKind: String, Sendable, CaseIterable {
        case key
        case member
        case command
        case server
        case unauthenticated
    }

    /// The kind of the actor.
    public var kind: ActorKind {
        switch self {
        case .key: .key
        case .member: .member
        case .command: .command
        case .server: .server
        case .unauthenticated: .unauthenticated
        }
    }

    /// The name that the audit log shows.
    public var name: String {
        switch self {
        case .key(let id): id
        case .member(let email): email
        case .command: "command"
        case .server: "server"
        case .unauthenticated: "unauthenticated"
        }
    }
}
