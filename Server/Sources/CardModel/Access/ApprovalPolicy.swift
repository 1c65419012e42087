/// The members who need another member's approval to launch a campaign, or to edit one that users have.
public enum ApprovalPolicy: String, Sendable, CaseIterable {
    /// No one.
    case none
    /// Editors, and keys without the permission `manage`.
    case editors
    /// Everyone, including administrators and all keys.
    case everyone

    /// Returns whether a member needs an approval.
    public func applies(to role: Role) -> Bool {
        switch self {
        case .none: false
        case .editors: role < .admin
        case .everyone: true
        }
    }

    /// Returns whether a key needs an approval.
    public func applies(to key: APIKey) -> Bool {
        switch self {
        case .none: false
        case .editors: !key.permits(.manage)
        case .everyone: true
        }
    }
}
