import CardModel
import WireJSON

extension UserReference {
    /// Reads who an object is about.
    ///
    /// An `external_id` goes before an alias, that before a `braze_id`, and those before an e-mail address and a
    /// telephone number, which are attributes where there is something better.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - idName: How it calls the user's own id, or `nil` where that doesn't say who is meant.
    /// - Throws: `BackendInputError` where it names nobody.
    init(_ object: JSONValue, idName: String? = "external_id") throws(BackendInputError) {
        if let idName, let id = object[idName], !id.isNull {
            self = .id(try UserID(json: id, name: idName))
        } else if let alias = object["user_alias"], !alias.isNull {
            self = .alias(try UserAlias(json: alias))
        } else if let id = object["braze_id"], !id.isNull {
            self = .id(try UserID(json: id, name: "braze_id"))
        } else if let email = object["email"], !email.isNull {
            self = .email(try Self.email(email), try MatchPreference(object) ?? .usual)
        } else if let phone = object["phone"], !phone.isNull {
            self = .phone(try Self.phone(phone), try MatchPreference(object) ?? .usual)
        } else {
            let names = (idName.map { "'\($0)', " } ?? "") + "'user_alias', 'braze_id', 'email' or 'phone'"
            throw BackendInputError("One of \(names) is required")
        }
    }

    static func email(_ value: JSONValue) throws(BackendInputError) -> String {
        let parts = value.string?.split(at: "@", omittingEmptySubsequences: false) ?? []
        guard let text = value.string, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), IdentityText.isValid(text)
        else { throw BackendInputError("'email' has to be an e-mail address") }
        return text
    }

    static func phone(_ value: JSONValue) throws(BackendInputError) -> String {
        let text = value.string ?? value.integer.map(String.init) ?? ""
        guard IdentityText.isValid(text) else { throw BackendInputError("'phone' has to be a telephone number") }
        return text
    }
}

extension UserID {
    /// Reads an id; a number is taken for its digits.
    init(json value: JSONValue, name: String) throws(BackendInputError) {
        guard let text = value.string ?? value.integer.map(String.init), let id = UserID(checking: text) else {
            throw BackendInputError("'\(name)' has to be 1 to 512 bytes without control or directional characters")
        }
        self = id
    }
}

extension UserAlias {
    /// Reads `{"alias_name", "alias_label"}`.
    init(json: JSONValue) throws(BackendInputError) {
        guard let label = json["alias_label"]?.string, let name = json["alias_name"]?.string,
            let alias = UserAlias(checkingLabel: label, name: name)
        else {
            throw BackendInputError(
                "'alias_name' and 'alias_label' have to be 1 to 255 bytes each without control characters"
            )
        }
        self = alias
    }
}

extension MatchPreference {
    /// Reads `prioritization`, or returns `nil` where there is none.
    init?(_ object: JSONValue) throws(BackendInputError) {
        guard let value = object["prioritization"], !value.isNull else { return nil }
        let steps = value.array?.compactMap { $0.string.flatMap(Step.init) } ?? []
        guard !steps.isEmpty, steps.count == value.array?.count,
            !(steps.contains(.identified) && steps.contains(.unidentified))
        else {
            throw BackendInputError(
                "'prioritization' has to be an array of 'identified' or 'unidentified', 'most_recently_updated' and "
                    + "'least_recently_updated'"
            )
        }
        self.init(steps)
    }
}
