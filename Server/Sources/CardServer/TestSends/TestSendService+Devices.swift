import CardModel
import CardStore
import Crypto
package import WireJSON

/// The users who get tests by default, and the devices among them that were found by a code.
extension TestSendService {
    /// Reads the users who get tests by default, which is noted in the audit log.
    ///
    /// - Throws: What keeps the store from writing or reading.
    func users(by caller: Caller) async throws -> [TestUser] {
        try await services.reads.note("user.list", by: caller.actor)
        return try await services.store.testUsers()
    }

    /// Saves the users who get tests by default.
    ///
    /// - Parameters:
    ///   - json: The `users`, and the names of `devices` and the `groups` among them; where it has none of either, the
    ///     users who stay keep theirs.
    ///   - caller: Who saves them.
    /// - Returns: The users, each once.
    /// - Throws: `ModelError` or `RequestError` that names the wrong field.
    @discardableResult
    package func saveUsers(_ json: JSONValue, by caller: Caller) async throws -> [TestUser] {
        try Self.check(json, allowing: ["users", "devices", "groups"])
        guard let users = try Self.users(json) else { throw RequestError.fieldMissing("users") }
        let (names, groups) = (try Self.names(json, of: users), try Self.groups(json, of: users))
        let saved = users.map { user in
            let (named, grouped) = (names?.first { $0.id == user }, groups?.first { $0.id == user })
            return TestUser(user, name: named?.name, groups: grouped?.groups ?? [])
        }
        return try await change(
            .replacement(saved, keepsNames: names == nil, keepsGroups: groups == nil),
            at: "users",
            by: caller
        )
    }

    /// Takes the name of a user's device away, and removes the user from those who get tests by default unless they are
    /// in a group.
    ///
    /// - Parameters:
    ///   - user: The user; one who isn't among them changes nothing.
    ///   - caller: Who removes the user.
    /// - Throws: `StoreError` where it can't be saved.
    package func removeUser(_ user: UserID, by caller: Caller) async throws {
        _ = try await change(.removal(user), at: "users", by: caller)
    }

    /// Changes the test users by what they are at that moment.
    ///
    /// - Returns: The users.
    /// - Throws: `ModelError` at the field where there is no room.
    func change(_ change: TestUserChange, at field: String, by caller: Caller) async throws -> [TestUser] {
        let outcome = try await services.store.changeTestUsers(change, at: services.clock(), by: caller.actor)
        return try Self.users(after: outcome, at: field)
    }

    /// Returns the users that a change leads to.
    ///
    /// - Throws: `ModelError` at the field where there is no room.
    static func users(after outcome: TestUserOutcome, at field: String) throws(ModelError) -> [TestUser] {
        switch outcome {
        case .saved(let users), .unchanged(let users): return users
        case .tooManyUsers where field == "group":
            throw ModelError(
                .fieldInvalid,
                at: field,
                "All groups together have at most \(TestUser.limit) users. Remove a group first."
            )
        case .tooManyUsers:
            throw ModelError(
                .fieldInvalid,
                at: field,
                "There are \(TestUser.limit) test users already. Remove one first."
            )
        case .tooManyGroups:
            throw ModelError(
                .fieldInvalid,
                at: field,
                "There are at most \(TestGroup.limit) groups. Remove one first."
            )
        }
    }

    // MARK: Codes

    /// Finds the user of the device that shows a code, and keeps the device among the test users where it is named.
    ///
    /// - Throws: `RequestError` where there is no such code, or too many wrong ones came before.
    func user(ofCode text: String, name: String?, by caller: Caller) async throws -> UserID {
        guard let code = TestCode(typed: text) else {
            throw ModelError(
                .fieldInvalid,
                at: "code",
                "A code has \(TestCode.length) letters and digits. Type it as the app shows it."
            )
        }
        let now = services.clock()
        let attempt = GuessAttempt.testCode(by: caller)
        let wait = try await services.store.takeAttempt(attempt, at: now)
        guard wait <= 0 else { throw RequestError.tooManyCodes(wait) }
        guard let user = try await services.store.user(ofTestCode: code, at: now) else {
            throw RequestError.codeUnknown
        }
        try await services.store.returnAttempt(attempt, clearing: true)
        if let name {
            _ = try await change(.addition(TestUser(user, name: name)), at: "device_name", by: caller)
        }
        return user
    }

    // MARK: Reading

    /// The name of a device, or `nil` where there is none.
    static func deviceName(_ json: JSONValue, _ field: String, at path: String? = nil) throws -> String? {
        guard let name = try json.optional(field, expected: Expected.text, \.string) else { return nil }
        guard TestUser.isName(name) else {
            throw ModelError(
                .fieldInvalid,
                at: path ?? field,
                "A name has 1 to \(TestUser.nameBytes) bytes and no control characters."
            )
        }
        return name
    }

    private static func names(_ json: JSONValue, of users: [UserID]) throws -> [TestUser]? {
        guard let values = try json.optional("devices", expected: Expected.array, \.array) else { return nil }
        guard values.count <= TestUser.limit else {
            throw ModelError(.fieldInvalid, at: "devices", "At most \(TestUser.limit) devices have a name.")
        }
        return try values.enumerated().map { index, value in
            guard let user = value["user_id"]?.string.flatMap(UserID.init(checking:)), users.contains(user) else {
                throw ModelError(.fieldInvalid, at: "devices[\(index)].user_id", "One of the users is expected.")
            }
            if let unknown = value.object?.keys.first(where: { !["user_id", "name"].contains($0) }) {
                throw ModelError(.fieldUnknown, at: "devices[\(index)].\(unknown)", "There is no such field.")
            }
            return TestUser(user, name: try deviceName(value, "name", at: "devices[\(index)].name"))
        }
    }
}

extension GuessAttempt {
    /// A code for a test, of a member or a key; the wrong ones of all others slow down those alone who keep failing.
    fileprivate static func testCode(by caller: Caller) -> GuessAttempt {
        let kind = caller.key == nil ? "member" : "key"
        return GuessAttempt([
            subject(["test code", kind, caller.id], free: 10, .own),
            subject(["test codes"], free: 1_000, .sharedExceptNewcomers),
        ])
    }

    private static func subject(_ parts: [String], free: Int, _ scope: AttemptSubject.Scope) -> AttemptSubject {
        let text = parts.joined(separator: "\0")
        let hash = Array(SHA256.hash(data: Array(text.utf8)))
        return AttemptSubject(hash: hash, limit: AttemptLimit(free: free), scope: scope)
    }
}

extension RequestError {
    fileprivate static let codeUnknown = RequestError(
        .notFound,
        "code_unknown",
        "There is no such code, or it has expired. Codes are valid for 10 minutes: "
            + "type the one that the app shows now.",
        details: [("path", "code")]
    )

    fileprivate static func tooManyCodes(_ wait: Double) -> RequestError {
        let seconds = max(1, Int(saturating: wait.rounded(.up)))
        return RequestError(
            .tooManyRequests,
            "rate_limited",
            seconds == 1
                ? "Too many codes were wrong. Try again in 1 second."
                : "Too many codes were wrong. Try again in \(seconds) seconds.",
            retryAfter: seconds
        )
    }
}
