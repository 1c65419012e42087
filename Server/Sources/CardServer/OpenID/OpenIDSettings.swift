public import CardModel
public import WireJSON

/// The OpenID provider with which members sign in to the dashboard, and what its word counts for.
public struct OpenIDSettings: Sendable {
    /// A group of the provider and the role of its members.
    public struct GroupRole: Sendable, Hashable {
        /// The group, as the claim has it.
        @Bytewise public var group: String
        /// The role.
        public var role: Role

        /// Creates a mapping.
        public init(group: String, role: Role) {
            self.group = group
            self.role = role
        }
    }

    /// The provider, such as `https://login.example.com/realms/staff`, byte by byte as its tokens name it.
    public var issuer: String
    /// The name by which the provider knows this server.
    public var clientID: String
    /// The secret that belongs to it, or `nil` for a client without one.
    public var clientSecret: String?
    /// The name of the provider on the button of the sign-in page.
    public var name = "OpenID Connect"
    /// The scopes that are asked for; `openid` is among them.
    public var scopes = ["openid", "email", "profile"]
    /// The claim that has the groups: a name, or a JSON pointer such as `/realm_access/roles`.
    public var groupsClaim = "groups"
    /// The roles of groups; where there are none, members keep the role that an admin gave them.
    public var groupRoles: [GroupRole] = []
    /// Whether a member is created for someone whose group has a role.
    public var createsMembers = false
    /// Whether the provider's e-mail addresses are verified although its tokens don't say so.
    public var trustsEmail = false
    /// Whether the provider asks for a second factor by itself, so that none is asked for here.
    public var trustsSecondFactor = false
    /// Whether members may sign in with a password, too.
    public var allowsPasswords = true
    /// The number of seconds after which a member of the provider has to sign in again.
    public var sessionSeconds = 43_200.0
    /// Whether the provider may be on a private network.
    public var allowsPrivateHosts = false
    /// The time that the provider has to answer one request, in seconds.
    package var timeout = 10.0
    /// The time that the provider has to give its keys, in seconds.
    package var keysTimeout = 5.0

    /// Creates settings with the defaults.
    public init(issuer: String, clientID: String, clientSecret: String? = nil) {
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
    }

    /// Returns whether an address can be that of a provider: of HTTPS, or of this machine, and without a query.
    public static func isIssuer(_ text: String) -> Bool {
        guard text.utf8.count <= 500, !text.utf8.contains(where: { "?#".utf8.contains($0) }) else { return false }
        return OutboundURL(text)?.isSafeForSecrets == true
    }

    /// The highest role of some groups, or `nil` where none of them has one.
    func role(of groups: [String]) -> Role? {
        groupRoles.filter { mapped in groups.contains { $0.hasSameBytes(as: mapped.group) } }.map(\.role).max()
    }
}

extension OutboundURL {
    /// Whether secrets may be sent there: encrypted, or without leaving this machine.
    var isSafeForSecrets: Bool { isSecure || isOfThisMachine }

    /// Whether the host is this machine, by a name or an address that can't be anything else.
    var isOfThisMachine: Bool {
        guard let address = HostAddress(host) else { return host == "localhost" }
        return address.isSix ? address.bytes == [UInt8](repeating: 0, count: 15) + [1] : address.bytes.first == 127
    }

    /// The address as a text that has no characters but those of addresses.
    var text: String { "\(isSecure ? "https" : "http")://\(authority)\(target)" }
}
