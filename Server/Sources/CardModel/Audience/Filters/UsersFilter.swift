import WireJSON

/// The users with some ids.
struct UsersFilter: AudienceFilter {
    static let shapes = [
        FilterShape(
            "users",
            label: "Users",
            listsUsers: true,
            .value(FilterField("value", .texts, label: "User IDs, comma-separated"))
        )
    ]

    let ids: Set<UserID>

    init(_ ids: Set<UserID>) { self.ids = ids }

    static func audience(from json: JSONValue, named name: String, at path: String) throws(ModelError) -> Audience {
        guard let elements = json.array else { throw ModelError(.fieldInvalid, at: path, "An array is expected.") }
        var ids: Set<UserID> = []
        for (index, element) in elements.enumerated() {
            guard let id = element.string.flatMap(UserID.init(checking:)) else {
                throw ModelError(.fieldInvalid, at: "\(path)[\(index)]", "A user id of 1 to 512 bytes is expected.")
            }
            ids.insert(id)
        }
        return .users(ids)
    }

    var condition: String { "users" }
    var identifiesUsers: Bool { true }
    var json: JSONValue { ["users": .array(ids.sorted().map { .string($0.rawValue) })] }
    var test: any FilterTest { UsersTest(ids: ids) }

    func summary(_ formatter: AudienceFormatter) -> String {
        if ids.count == 1, let user = ids.first { return formatter.localized("the user \(user.rawValue)") }
        return formatter.localized("one of \(ids.count) listed users")
    }
}

private struct UsersTest: FilterTest {
    let ids: Set<UserID>

    var cost: Int { 3 }
    var candidates: Set<UserID>? { ids }
    var requirements: Set<AudienceRequirement>? {
        ids.count <= AudienceRequirement.limit ? Set(ids.map { .user($0) }) : nil
    }

    func holds(_ facts: UserFacts, _ until: inout UnixTime) -> Bool { ids.contains(facts.profile.id) }
    func found(_ facts: UserFacts) -> JSONValue? { .string(facts.profile.id.rawValue) }
}
