import CardModel
import CardStore
import WireJSON

/// Groups of test users, who get a test together.
extension TestSendService {
    /// Saves a group, in place of one of the same name.
    ///
    /// - Throws: What ``checkGroup(_:of:)`` throws.
    package func saveGroup(_ name: String, of users: [UserID], by caller: Caller) async throws {
        try await check(name, users)
        _ = try await change(.group(name, users), at: "group", by: caller)
    }

    /// Returns where a group could be saved.
    ///
    /// - Throws: `ModelError` at `users` where some of them don't exist, and at `group` where the name can't be one, or
    ///   where there is no room.
    package func checkGroup(_ name: String, of users: [UserID]) async throws {
        try await check(name, users)
        let outcome = TestUserChange.group(name, users).outcome(for: try await services.store.testUsers())
        _ = try Self.users(after: outcome, at: "group")
    }

    /// Removes a group, or those who are in none; users whose device has a name or who are in another group stay.
    package func removeGroup(_ name: String?, by caller: Caller) async throws {
        _ = try await change(.groupRemoval(name), at: "group", by: caller)
    }

    private func check(_ group: String, _ users: [UserID]) async throws {
        guard TestUser.isName(group) else {
            throw ModelError(
                .fieldInvalid,
                at: "group",
                "A name has 1 to \(TestUser.nameBytes) bytes and no control characters."
            )
        }
        try await checkExistence(of: users)
    }

    private func checkExistence(of users: [UserID]) async throws {
        var unknown: [String] = []
        for user in users where try await services.store.userState(of: user) == nil {
            unknown.append(user.rawValue)
        }
        guard !unknown.isEmpty else { return }
        throw ModelError(
            .fieldInvalid,
            at: "users",
            "There are no users with these IDs: \(unknown.joined(separator: ", ")). Correct or remove them."
        )
    }

    // MARK: Reading

    /// The users with the groups that a body names, or `nil` where it says nothing of groups.
    static func groups(_ json: JSONValue, of users: [UserID]) throws -> [TestUser]? {
        guard let values = try json.optional("groups", expected: Expected.array, \.array) else { return nil }
        guard values.count <= TestGroup.limit else {
            throw ModelError(.fieldInvalid, at: "groups", "There are at most \(TestGroup.limit) groups.")
        }
        var found = users.map { TestUser($0) }
        for (index, value) in values.enumerated() {
            let path = "groups[\(index)]"
            if let unknown = value.object?.keys.first(where: { !["name", "users"].contains($0) }) {
                throw ModelError(.fieldUnknown, at: "\(path).\(unknown)", "There is no such field.")
            }
            guard let name = try deviceName(value, "name", at: "\(path).name") else {
                throw ModelError(.fieldMissing, at: "\(path).name", "A group needs a name.")
            }
            for (place, member) in (value["users"]?.array ?? []).enumerated() {
                let user = member.string.flatMap(UserID.init(checking:))
                guard let user, let known = found.firstIndex(where: { $0.id == user }) else {
                    throw ModelError(.fieldInvalid, at: "\(path).users[\(place)]", "One of the users is expected.")
                }
                found[known] = found[known].joining(name)
            }
        }
        return found
    }
}
