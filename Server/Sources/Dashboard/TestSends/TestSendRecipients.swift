import CardModel
import CardStore
import OrderedCollections

/// The users of a test, beside the phone that shows a code: test devices, groups of test users, users who were looked
/// for, and those whose ids are typed.
struct TestSendRecipients {
    struct Device {
        let user: String
        let name: String
        let isChosen: Bool
    }

    struct RecipientGroup {
        /// The name; empty for the test users who are in no group.
        let value: String
        let name: String
        let count: String
        let members: String
        let isChosen: Bool
    }

    struct RecipientPerson {
        let user: String
        let name: String
        /// The id, where the user has a name.
        let detail: String?
        let isChosen: Bool
    }

    /// The users that a search finds, at most.
    private static let foundLimit = 10

    let devices: [Device]
    let hasDevices: Bool
    let groups: [RecipientGroup]
    let hasGroups: Bool
    let people: [RecipientPerson]
    let hasPeople: Bool
    /// The text that was looked for in vain, or `nil`.
    let missed: String?

    /// The test users as they are kept, and what the form has chosen of them.
    ///
    /// - Parameters:
    ///   - context: The request; before a form is sent, devices and the test users of no group are chosen.
    ///   - text: What users are looked for by, or `nil` for none.
    /// - Throws: What keeps the store from reading.
    init(_ context: PageContext, searching text: String?) async throws {
        let known = try await context.store.testUsers()
        let isFirst = context.form.fields.isEmpty
        devices = Self.devices(known, context, isFirst: isFirst)
        groups = Self.groups(known, context, isFirst: isFirst)
        // The form may name anybody, and the page says what they are called.
        if !known.isEmpty || !context.form.all(.user).isEmpty || text != nil {
            try await context.site.server.reads.note("user.list", by: context.actor)
        }
        people = try await Self.people(context, searching: text)
        (hasDevices, hasGroups, hasPeople) = (!devices.isEmpty, !groups.isEmpty, !people.isEmpty)
        missed = people.contains { !$0.isChosen } ? nil : text
    }

    /// The users that a form has chosen in any way, each once.
    static func chosen(_ context: PageContext) async throws -> [UserID] {
        let known = try await context.store.testUsers()
        let groups = TestGroup.all(of: known)
        let lines = context.form.value(.users).split(whereSeparator: \.isNewline).map(\.trimmingSpaces)
        let named = context.form.all(.device) + context.form.all(.user) + lines.filter { !$0.isEmpty }
        var users = OrderedSet(named.map(UserID.init(rawValue:)))
        for name in context.form.all(.group) {
            let members = groups.first { $0.name.hasSameBytes(as: name) }?.users
            users.append(contentsOf: name.isEmpty ? ungrouped(known) : members ?? [])
        }
        return Array(users)
    }

    /// The test users without a device's name who are in no group: all that there were before there were groups.
    private static func ungrouped(_ known: [TestUser]) -> [UserID] {
        known.filter { $0.name == nil && $0.groups.isEmpty }.map(\.id)
    }

    private static func devices(_ known: [TestUser], _ context: PageContext, isFirst: Bool) -> [Device] {
        let chosen = Set(context.form.all(.device).map(UserID.init(rawValue:)))
        return known.compactMap { user in
            user.name.map {
                Device(user: user.id.rawValue, name: $0, isChosen: isFirst || chosen.contains(user.id))
            }
        }
    }

    private static func groups(_ known: [TestUser], _ context: PageContext, isFirst: Bool) -> [RecipientGroup] {
        let chosen = context.form.all(.group)
        func group(_ value: String, _ name: String, _ users: [UserID]) -> RecipientGroup {
            RecipientGroup(
                value: value,
                name: name,
                count: PageFormatter.counted(Int64(users.count), .user),
                members: users.map(\.rawValue).joined(separator: ", "),
                isChosen: isFirst ? value.isEmpty : chosen.contains { $0.hasSameBytes(as: value) }
            )
        }
        let ungrouped = ungrouped(known)
        let others = ungrouped.isEmpty ? [] : [group("", localized("Test users"), ungrouped)]
        return TestGroup.all(of: known).map { group($0.name, $0.name, $0.users) } + others
    }

    /// The users who were chosen before, and those that the search finds beside them.
    private static func people(_ context: PageContext, searching text: String?) async throws -> [RecipientPerson] {
        func person(_ user: UserProfile, isChosen: Bool) -> RecipientPerson {
            let name = UserFormatter.fullName(of: user)
            let id = user.id.rawValue
            return RecipientPerson(user: id, name: name ?? id, detail: name == nil ? nil : id, isChosen: isChosen)
        }
        let ids = OrderedSet(context.form.all(.user).prefix(TestUser.limit).map(UserID.init(rawValue:)))
        var people: [RecipientPerson] = []
        for id in ids {
            guard let user = try await context.store.userState(of: id)?.profile else { continue }
            people.append(person(user, isChosen: true))
        }
        guard let text else { return people }
        let found = try await context.store.searchUsers(matching: text, after: nil, limit: foundLimit)
        return people + found.users.filter { !ids.contains($0.id) }.map { person($0, isChosen: false) }
    }
}
