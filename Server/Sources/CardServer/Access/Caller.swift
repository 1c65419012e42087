import CardModel

/// Who makes a request of the management API: the holder of a key, or a member of the team at the dashboard.
package struct Caller: Sendable {
    /// The id of the key, or the member's e-mail address.
    package let id: String
    /// Who it is, for the audit log.
    package let actor: Actor
    private let key: APIKey?

    init(_ key: APIKey) {
        id = key.id
        actor = .key(key.id)
        self.key = key
    }

    /// A member of the team, whose role the dashboard has checked.
    package init(member email: String) {
        id = email
        actor = .member(email)
        key = nil
    }

    /// The SHA-256 of the key's secret; empty for a member.
    var keyHash: [UInt8] { key?.hash ?? [] }

    /// Whether they may do that; members are no devices.
    func permits(_ permission: Permission) -> Bool { key?.permits(permission) ?? (permission != .device) }

    /// The member for whom the dashboard makes a request inside this process; requests from outside never have one.
    @TaskLocal static var member: Caller?
}
