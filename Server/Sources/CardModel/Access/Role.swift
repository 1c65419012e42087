/// The role of a member of the team; each role also has the permissions of the one before it.
public enum Role: String, Sendable, CaseIterable, Comparable {
    /// Looks at everything and changes nothing.
    case viewer
    /// Makes, launches and ends campaigns.
    case editor
    /// Manages the team, the keys and the settings as well.
    case admin

    /// Orders roles by what they may.
    public static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .editor: 1
        case .admin: 2
        }
    }
}
