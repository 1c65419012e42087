import CardModel
import CardStore
import WireJSON

/// Groups of test users, who get a test together.
extension TestSendService {
    /// Saves a group, in place of one of the same name.
    ///
    /// - Throws: What ``checkGroup(_:of:)`` throws.
    package func saveGroup(_ name: String, of users: [UserID], by caller: Caller) async throws {
        let saved = try await testUsers(with: name, of: users)
        try await services.store.saveTestUsers(saved, at: services.clock(), by: caller.actor)
    }

    /// Returns where a group could be saved.
    ///
    /// - Throws: `ModelError` at `users` where some of them don't exist, and at `group` where the name can't be one, or
    ///   where there is no room.
    package func checkGroup(_ name: String, of users: [UserID]) async throws {
        _ = try await testUsers(with: name, of: users)
    }

    /// Removes a group, or those who are in none; users whose device has a name or who are in another group stay.
    package func removeGroup(_ name: String?, by caller: Caller) async throws {
        let known = try await services.store.testUsers()
        let left = known.compactMap { user in
            guard let name else { return user.name == nil && user.groups.isEmpty ? nil : user }
            return user.leaving(name)
        }
        guard left != known else { return }
        try await services.store.saveTestUsers(left, at: services.clock(), by: caller.actor)
    }

    private func testUsers(with group: String, of users: [UserID]) async throws -> [TestUser] {
        guard TestUser.isName(group) else {
            throw ModelError(
                .fieldInvalid,
                at: "group",
                "A name has 1 to \(TestUser.nameBytes) bytes and no control characters."
            )
        }
        try await checkExistence(of: users)
        var saved = try await services.store.testUsers().compactMap { $0.leaving(group) }
        for user in users {
            if let index = saved.firstIndex(where: { $0.id == user }) {
                saved[index] = saved[index].joining(group)
            } else {
                saved.append(TestUser(user, groups: [group]))
            }
        }
        guard saved.count <= TestUser.limit else {
            throw ModelError(
                .fieldInvalid,
                at: "group",
                "All groups together have at most \(TestUser.limit) users. Remove a group first."
            )
        }
        guard TestGroup.all(of: saved).count <= TestGroup.limit else {
            throw ModelError(
                .fieldInvalid,
                at: "group",
                "There are at most \(TestGroup.limit) groups. Remove one first."
            )
        }
        return saved
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
