package import CardModel

/// The changes of one group: what is to be written at its end, and what is to be told once it is durable.
package struct GroupChanges: Sendable {
    /// The users whose version changed, with the device that changed it: `nil` where it was none, or several.
    package private(set) var users: [UserID: String?] = [:]
    /// The users who are gone, be they there again or not.
    package private(set) var removed: Set<UserID> = []
    /// The number by which there are more users now, or fewer.
    package private(set) var newUsers: Int64 = 0
    /// Whether campaigns, segments, settings or keys changed.
    package var catalog = false
    /// Whether the settings are still to be read in this group: another process may have changed them.
    package var readsSettings = true
    /// The end of the audit log, where something was appended.
    package var auditChain: AuditChain?
    /// The notes to append to the audit log at the end, in a store that does so.
    package var auditNotes: [AuditNote] = []
    /// The notices for the webhook at the end, where it asks for them, in a store that does so.
    package var notices: [WebhookNotice] = []
    /// Whether it is still to be asked in this group whether the campaigns' conversions are known.
    package var readsConversionRules = true

    /// Creates what a group begins with.
    package init() {}

    /// Notes that a user is new; of one of version 0 nothing is known yet, and nobody has to be told of them.
    package mutating func add(_ user: UserID, version: UserVersion, by device: String?) {
        // safe: the users of one group
        newUsers += 1
        if version > 0 { touch(user, by: device) }
    }

    /// Notes that a user is gone.
    package mutating func remove(_ user: UserID) {
        // safe: the users of one group
        newUsers -= 1
        removed.insert(user)
        touch(user, by: nil)
    }

    /// Notes that so many users came from another database, or went there where the number is negative.
    ///
    /// They are who they were, so nobody is told.
    package mutating func move(_ users: Int64) {
        // safe: the users of one group, and of one move
        newUsers += users
    }

    /// Notes that a device, or `nil` for none, has changed a user.
    package mutating func touch(_ user: UserID, by device: String?) {
        if let other = users[user], !String?.haveSameBytes(other, device) {
            users[user] = .some(nil)
        } else {
            users[user] = .some(device)
        }
    }
}
