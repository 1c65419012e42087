import CardModel
import WireJSON

/// Hides who users are from members who aren't meant to know.
struct PersonalData: Sendable {
    /// Makes masks of ids that mean nothing on another server or after a restart.
    private let key = SecretBytes.random(32)

    /// Returns what stands for a user's id: the same for the same user, and nothing that leads to them.
    func mask(_ id: String) -> String {
        let code = SecretBytes.code(of: Array(id.utf8), key: key)
        let digits = code.prefix(4).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        return localized("User \(digits.joined())")
    }
}

extension PersonalData {
    /// The text in place of a value that can say something of a user.
    static var hidden: String { localized("hidden") }

    /// The names of the filters that list users by their ids.
    private static let userLists = Set(Audience.filterShapes.filter(\.listsUsers).map(\.name))

    /// Returns a campaign, segment or audience whose conditions name no user: listed users have masks, and conditions
    /// on who a user is have no values.
    func masked(_ json: JSONValue) -> JSONValue {
        switch json {
        case .array(let elements): return .array(elements.map(masked))
        case .object(var members):
            for (name, value) in members {
                members[name] = Self.userLists.contains(name) ? maskedUsers(value) : masked(value)
            }
            if let name = members[.attribute]?.string, Self.identifies(name), let value = members[.value] {
                members[.value] = value.array == nil ? .string(Self.hidden) : [.string(Self.hidden)]
            }
            if let audience = members[.audience], members[.summary] != nil {
                // The same conditions in words.
                members[.summary] = .string((try? Audience(json: audience))?.summary ?? Self.hidden)
            }
            return .object(members)
        default: return json
        }
    }

    private static func identifies(_ attribute: String) -> Bool {
        if let system = AttributeClause.SystemAttribute(rawValue: attribute) {
            return AttributeClause.Name.system(system).identifiesUsers
        }
        return StandardAttribute(rawValue: attribute).map(StandardAttribute.identifying.contains) ?? false
    }

    private func maskedUsers(_ json: JSONValue) -> JSONValue {
        guard let users = json.array else { return masked(json) }
        return .array(users.map { $0.string.map { .string(mask($0)) } ?? masked($0) })
    }
}
