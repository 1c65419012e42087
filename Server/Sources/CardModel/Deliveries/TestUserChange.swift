/// A change of the users who get tests, which goes by what they are at that moment.
///
/// Two who change them at the same time lose nothing of each other's: a store reads the users, asks for the outcome and
/// saves it in one transaction.
public enum TestUserChange: Sendable, Hashable {
    /// Has these users alone, of one who is named twice the first; those who stay keep their names or groups where that
    /// is said.
    case replacement([TestUser], keepsNames: Bool = false, keepsGroups: Bool = false)
    /// Adds a user as the last of them, or gives one of them another name; one who is among them stays in their groups.
    case addition(TestUser)
    /// Takes the name of a user's device away, and removes the user unless they are in a group.
    case removal(UserID)
    /// Has these users in a group, and no others; a group of the name need not be there.
    case group(String, [UserID])
    /// Removes a group, or those who are in none and have no name; users whose device has a name or who are in another
    /// group stay.
    case groupRemoval(String?)

    /// Returns the outcome for the users that there are.
    public func outcome(for known: [TestUser]) -> TestUserOutcome {
        switch self {
        case .replacement(let users, let keepsNames, let keepsGroups):
            return .saved(Self.replace(known, by: users, keepsNames: keepsNames, keepsGroups: keepsGroups))
        case .addition(let user): return Self.add(user, to: known)
        case .removal(let id):
            let left = known.compactMap { user in
                guard user.id == id else { return user }
                return user.groups.isEmpty ? nil : TestUser(id, groups: user.groups)
            }
            return left == known ? .unchanged(known) : .saved(left)
        case .group(let name, let users): return Self.form(name, of: users, among: known)
        case .groupRemoval(let name):
            let left = known.compactMap { user in
                guard let name else { return user.name == nil && user.groups.isEmpty ? nil : user }
                return user.leaving(name)
            }
            return left == known ? .unchanged(known) : .saved(left)
        }
    }

    private static func replace(
        _ known: [TestUser],
        by users: [TestUser],
        keepsNames: Bool,
        keepsGroups: Bool
    ) -> [TestUser] {
        var saved: [TestUser] = []
        for user in users where !saved.contains(where: { $0.id == user.id }) {
            let former = known.first { $0.id == user.id }
            let name = keepsNames ? former?.name : user.name
            saved.append(TestUser(user.id, name: name, groups: keepsGroups ? former?.groups ?? [] : user.groups))
        }
        return saved
    }

    private static func add(_ user: TestUser, to known: [TestUser]) -> TestUserOutcome {
        guard known.contains(where: { $0.id == user.id }) else {
            return known.count < TestUser.limit ? .saved(known + [user]) : .tooManyUsers
        }
        return .saved(known.map { $0.id == user.id ? TestUser(user.id, name: user.name, groups: $0.groups) : $0 })
    }

    private static func form(_ group: String, of users: [UserID], among known: [TestUser]) -> TestUserOutcome {
        var saved = known.compactMap { $0.leaving(group) }
        for user in users {
            if let index = saved.firstIndex(where: { $0.id == user }) {
                saved[index] = saved[index].joining(group)
            } else {
                saved.append(TestUser(user, groups: [group]))
            }
        }
        guard saved.count <= TestUser.limit else { return .tooManyUsers }
        return TestGroup.all(of: saved).count <= TestGroup.limit ? .saved(saved) : .tooManyGroups
    }
}

/// The outcome of a change of the users who get tests.
public enum TestUserOutcome: Sendable, Hashable {
    /// The users are these now.
    case saved([TestUser])
    /// The users are these, as before.
    case unchanged([TestUser])
    /// Nothing is changed: there would be more than ``TestUser/limit`` users.
    case tooManyUsers
    /// Nothing is changed: there would be more than ``TestGroup/limit`` groups.
    case tooManyGroups

    /// Whether the users are as the change has them.
    public var isMade: Bool {
        switch self {
        case .saved, .unchanged: true
        case .tooManyUsers, .tooManyGroups: false
        }
    }
}
