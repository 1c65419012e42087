import CardModel

/// A caller of the management API: the holder of a key, or a member of the team at the dashboard.
package struct Caller: Sendable {
    /// The id of the key, or the member's e-mail address.
    package let id: String
    /// The caller as the audit log names it.
    package let actor: Actor
    /// The role of a member; that of a viewer for a key, which no role says anything about.
    let role: Role
    /// The key, or `nil` for a member.
    var key: APIKey? { credential?.key }
    private let credential: KeyCredential?
    /// The address that a key is used from, or `nil` where that isn't known.
    let address: IPAddress?

    init(_ credential: KeyCredential, from address: IPAddress?) {
        self.address = address
        id = credential.key.id
        actor = .key(credential.key.id)
        role = .viewer
        self.credential = credential
    }

    /// A member of the team, whose role the dashboard has checked.
    package init(member email: String, role: Role) {
        id = email
        actor = .member(email)
        self.role = role
        (credential, address) = (nil, nil)
    }

    /// A person at the server's command line.
    static let command = Caller()

    private init() {
        id = Actor.command.name
        actor = .command
        role = .viewer
        (credential, address) = (nil, nil)
    }

    /// The SHA-256 of the key's secret; empty for a member.
    var keyHash: [UInt8] { credential?.hash ?? [] }

    /// Whether they may do that; members are no devices.
    func permits(_ permission: Permission) -> Bool { key?.permits(permission) ?? (permission != .device) }

    /// Throws `RequestError` with 403 where they aren't allowed to do that.
    func require(_ permission: Permission) throws(RequestError) {
        guard !permits(permission) else { return }
        throw RequestError(
            .forbidden,
            "permission_denied",
            "This key doesn't have the permission \(permission.rawValue). Use a key that has it."
        )
    }
}
