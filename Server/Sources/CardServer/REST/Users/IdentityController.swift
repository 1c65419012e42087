import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `POST /users/alias/new`, `/users/identify` and `/users/delete`.
struct IdentityController: Sendable {
    /// The maximum number of users in one request.
    static let limit = 50

    // MARK: Aliases

    @Sendable func alias(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let services = caller.services
        let body = try await request.readJSON()
        var input = UserInput<NewAlias>()
        try input.read("user_aliases", of: body) { object throws(BackendInputError) in
            NewAlias(
                alias: try UserAlias(json: object),
                user: try object["external_id"].flatMapPresent { id throws(BackendInputError) in
                    try UserID(json: id, name: "external_id")
                },
                newUser: services.makeUserID()
            )
        }
        try input.check(required: "'user_aliases' is required")
        let outcomes = try await services.store.addAliases(input.users, at: services.clock())
        let processed = input.note(outcomes) { $0.problem }
        return Response(success: ["aliases_processed": .integer(processed)], errors: input.errors)
    }

    // MARK: Identities

    @Sendable func identify(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let services = caller.services
        let body = try await request.readJSON()
        var input = UserInput<Identification>()
        for name in ["aliases_to_identify", "emails_to_identify", "phone_numbers_to_identify"] {
            try input.read(name, of: body) { object throws(BackendInputError) in
                guard let id = object["external_id"], !id.isNull else {
                    throw BackendInputError("'external_id' is required")
                }
                return Identification(
                    user: try UserReference(object, idName: nil),
                    identity: try UserID(json: id, name: "external_id")
                )
            }
        }
        try input.check(
            required: "'aliases_to_identify', 'emails_to_identify' or 'phone_numbers_to_identify' is required"
        )
        let outcomes = try await services.store.identifyUsers(input.users, at: services.clock())
        let processed = input.note(outcomes) { $0.problem }
        return Response(success: ["aliases_processed": .integer(processed)], errors: input.errors)
    }

    // MARK: Deletion

    /// The arrays of users to delete, each with how its elements are read.
    private static let deletions:
        [(name: String, read: @Sendable (JSONValue) throws(BackendInputError) -> UserReference)] =
            [
                (
                    "external_ids",
                    { value throws(BackendInputError) in .id(try UserID(json: value, name: "external_id")) }
                ),
                ("user_aliases", { value throws(BackendInputError) in .alias(try UserAlias(json: value)) }),
                ("braze_ids", { value throws(BackendInputError) in .id(try UserID(json: value, name: "braze_id")) }),
                (
                    "email_addresses",
                    { value throws(BackendInputError) in
                        .email(try UserReference.email(value["email"] ?? value), try MatchPreference(value) ?? .only)
                    }
                ),
                (
                    "phone_numbers",
                    { value throws(BackendInputError) in
                        .phone(try UserReference.phone(value["phone"] ?? value), try MatchPreference(value) ?? .only)
                    }
                ),
            ]

    @Sendable func delete(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let body = try await request.readJSON()
        var input = UserInput<UserReference>()
        for (name, read) in Self.deletions { try input.read(name, of: body, read) }
        try input.check(
            required: "One of 'external_ids', 'user_aliases', 'braze_ids', 'email_addresses' or 'phone_numbers' is "
                + "required"
        )
        let deleted = try await caller.services.store.deleteUsers(
            input.users,
            at: caller.services.clock(),
            by: caller.key.actor
        )
        return Response(success: ["deleted": .integer(Int64(deleted.count))], errors: input.errors)
    }
}

extension MatchPreference {
    /// Means a user only where they are the only one.
    static let only = MatchPreference([])
}

/// The users that a request names, and what is wrong with the others.
struct UserInput<User> {
    private(set) var users: [User] = []
    private(set) var errors: [InputError] = []
    /// The first of the others, by its array and its place in that.
    private var wrong: (path: String, type: String)?
    private var places: [Int] = []
    private var count = 0

    /// Reads an array of users, if there is one.
    mutating func read(
        _ name: String,
        of body: JSONValue,
        _ read: (JSONValue) throws(BackendInputError) -> User
    ) throws(RequestError) {
        guard let value = body[name], !value.isNull else { return }
        guard let elements = value.array else { throw .fatal("field_invalid", "'\(name)' has to be an array.") }
        for (index, element) in elements.enumerated() {
            count += 1
            do throws(BackendInputError) {
                users.append(try read(element))
                places.append(index)
            } catch {
                errors.append(InputError(type: error.type, array: .users, index: index))
                if wrong == nil { wrong = ("\(name)[\(index)]", error.type) }
            }
        }
    }

    /// Refuses a request that names nobody, or too many; where it names users and none of them can be one, it says why
    /// the first can't.
    func check(required message: String) throws(RequestError) {
        guard count <= IdentityController.limit else {
            throw .fatal(
                "too_many_users",
                "The max number of ids per request was exceeded: \(IdentityController.limit) are possible."
            )
        }
        guard users.isEmpty else { return }
        guard let wrong else { throw .fatal("field_missing", "\(message).") }
        throw .fatal(at: wrong.path, "'\(wrong.path)' can't be used: \(wrong.type).", errors)
    }

    /// Notes the users for which something could not be done, and returns the number of those for which it was.
    mutating func note<Outcome>(_ outcomes: [Outcome], _ problem: (Outcome) -> String?) -> Int64 {
        var done: Int64 = 0
        for (index, outcome) in zip(places, outcomes) {
            guard let type = problem(outcome) else {
                done += 1
                continue
            }
            errors.append(InputError(type: type, array: .users, index: index))
        }
        errors.sort { $0.index < $1.index }
        return done
    }
}

extension Optional where Wrapped == JSONValue {
    /// Transforms a value that is there and not `null`.
    fileprivate func flatMapPresent<Value>(
        _ transform: (JSONValue) throws(BackendInputError) -> Value
    ) throws(BackendInputError) -> Value? {
        guard let value = self, !value.isNull else { return nil }
        return try transform(value)
    }
}

extension NewAlias.AliasOutcome {
    fileprivate var problem: String? {
        switch self {
        case .given: nil
        case .userUnknown: "There is no user with this 'external_id'"
        case .nameTaken: "This alias belongs to another user"
        case .labelTaken: "This user has another alias with the same 'alias_label'"
        case .limitReached(let excess): excess.message
        }
    }
}

extension Identification.IdentificationOutcome {
    fileprivate var problem: String? {
        switch self {
        case .done: nil
        case .userUnknown: "There is no such user, or more than one"
        case .otherwiseIdentified: "This user has another 'external_id'"
        case .labelTaken: "The two users have different aliases with the same 'alias_label'"
        case .limitReached(let excess): excess.message
        }
    }
}
