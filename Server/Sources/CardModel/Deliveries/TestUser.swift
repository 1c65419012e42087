public import WireJSON

/// A user who gets tests: by default where a test names none, by name where it is a test device, and with others where
/// they are a group.
public struct TestUser: Sendable, Hashable {
    /// The maximum number of test users.
    public static let limit = 50
    /// The maximum number of bytes in a name.
    public static let nameBytes = 120

    /// The user.
    public let id: UserID
    /// The team's name for the user's device, such as `Anna’s iPhone`, or `nil` for none.
    @Bytewise public private(set) var name: String?
    /// The names of the groups that the user is in.
    @Bytewise public private(set) var groups: [String]

    /// Creates a test user.
    public init(_ id: UserID, name: String? = nil, groups: [String] = []) {
        self.id = id
        self.name = name
        self.groups = groups
    }

    /// Returns whether a text can be a name.
    public static func isName(_ text: String) -> Bool { IdentityText.isValid(text, maximumBytes: nameBytes) }

    /// Returns whether the user is in a group.
    public func isIn(_ group: String) -> Bool { groups.contains { $0.hasSameBytes(as: group) } }

    /// The user in one more group, as the last.
    public func joining(_ group: String) -> TestUser {
        isIn(group) ? self : TestUser(id, name: name, groups: groups + [group])
    }

    /// The user without a group, or `nil` where nothing else makes them a test user.
    public func leaving(_ group: String) -> TestUser? {
        guard isIn(group) else { return self }
        let left = groups.filter { !$0.hasSameBytes(as: group) }
        return name == nil && left.isEmpty ? nil : TestUser(id, name: name, groups: left)
    }
}

/// Test users under one name, who get a test together.
public struct TestGroup: Sendable, Hashable {
    /// The maximum number of groups.
    public static let limit = 20

    /// The team's name for the group.
    @Bytewise public private(set) var name: String
    /// The users, one or more.
    public private(set) var users: [UserID]

    /// Returns the groups of test users, in the order in which users name them first.
    public static func all(of users: [TestUser]) -> [TestGroup] {
        var groups: [TestGroup] = []
        for user in users {
            for name in user.groups {
                if let index = groups.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
                    groups[index].users.append(user.id)
                } else {
                    groups.append(TestGroup(name: name, users: [user.id]))
                }
            }
        }
        return groups
    }
}
