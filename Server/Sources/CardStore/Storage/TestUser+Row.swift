package import CardModel
import WireJSON

extension TestUser {
    /// The names of the groups as JSON, or `nil` for none.
    package var groupsText: String? { groups.isEmpty ? nil : JSONValue.array(groups.map(JSONValue.string)).text }

    /// Creates a test user of what a store keeps.
    package init(_ id: UserID, name: String?, groupsText: String?) {
        let groups = groupsText.flatMap { try? JSONValue(parsing: $0) }?.array ?? []
        self.init(id, name: name, groups: groups.compactMap(\.string))
    }
}
