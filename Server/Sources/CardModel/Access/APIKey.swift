/// A key that apps or backends use.
public struct APIKey: Sendable, Hashable, Identifiable {
    /// Who holds it.
    public enum Kind: String, Sendable, CaseIterable {
        /// In an app, where anybody can read it: the device API only.
        case publishable
        /// On a server: what its permissions say.
        case secret

        /// How keys of that kind begin.
        public var prefix: String {
            switch self {
            case .publishable: "pk_"
            case .secret: "sk_"
            }
        }
    }

    /// The public name of the key, `key_…`; not the secret.
    public var id: String
    /// What people call it.
    public var name: String
    /// Who holds it.
    public var kind: Kind
    /// What it may do; a publishable key may use the device API and nothing else.
    public var permissions: Set<Permission>
    /// SHA-256 of the secret: the secret itself is random and long, and is kept nowhere.
    public var hash: [UInt8]
    /// The last four characters of the secret, to recognise it by.
    public var hint: String
    /// When it was made.
    public var createdAt: UnixTime
    /// When it was revoked, or `nil` for it works.
    public var revokedAt: UnixTime?

    /// Makes a key.
    public init(
        id: String,
        name: String,
        kind: Kind,
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
    /// Whether the key may do that.
    ///
    /// Who may manage everything may also do what backends do: such a key could make itself one for it.
    public func permits(_ permission: Permission) -> Bool {
        permissions.contains(permission) || permission.isForBackends && permissions.contains(.manage)
    }
}

/// Who made a change, for the audit log.
public enum Actor: Sendable, Hashable {
    /// Somebody with an API key, by its id.
    case key(String)
    /// A member of the team, by their e-mail address.
    case member(String)
    /// Somebody at the server's command line.
    case command
    /// The server, by itself.
    case server
    /// Anyone who is not signed in; nothing that they say of themselves is taken down.
    case unauthenticated

    /// How the audit log shows it.
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
