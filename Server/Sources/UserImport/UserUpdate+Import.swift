import CardModel
import OrderedCollections
import WireJSON

/// Says why a record is not a user.
package struct ImportError: Error, Equatable, CustomStringConvertible {
    /// The message that says what to fix, without the user's data.
    package let description: String

    /// Creates a problem.
    package init(_ description: String) { self.description = description }
}

extension UserUpdate {
    /// The names that a user's id goes by.
    static let idNames = ["user_id", "external_id"]

    /// Reads a line of a JSON Lines file: `user_id` or `external_id`, and `attributes` and `custom_attributes` as the
    /// API has them.
    ///
    /// What else the object has are attributes too: standard ones by their names, all others custom, as in CSV and in
    /// `/users/track`. Names that begin with `_` say how the documented API is to work, and nothing of the user.
    ///
    /// - Throws: `ImportError` that says what is wrong with the line, such as that a name stands in it twice.
    package init(jsonLine bytes: [UInt8]) throws(ImportError) {
        let json: JSONValue
        do {
            json = try JSONReader.read(bytes) { reader throws(JSONError) in
                try reader.readValue(isUnambiguous: true)
            }
        } catch {
            throw ImportError("The line is not JSON: \(error).")
        }
        guard let members = json.object else { throw ImportError("The line has to be a JSON object.") }
        let user = Self.idNames.lazy.compactMap { members[$0]?.string }.first
        try self.init(importing: Self.grouped(members), user: user)
    }

    /// The object with the attributes that stand by themselves put to the others of their kind.
    private static func grouped(_ members: JSONObject) -> JSONValue {
        let groups = ["attributes", "custom_attributes"]
        var grouped = members.filter { groups.contains($0.key) }
        var flat: [String: JSONObject] = [:]
        let known = groups + idNames
        for (name, value) in members where !known.contains(name) && !name.starts(withBytesOf: "_") {
            flat[StandardAttribute(rawValue: name) == nil ? "custom_attributes" : "attributes", default: [:]][name] =
                value
        }
        for (group, attributes) in flat {
            // What is written in its group comes first; a group that is no object is refused later.
            guard let written = (grouped[group] ?? .object([:])).object else { continue }
            grouped[group] = .object(written.merging(attributes) { written, _ in written })
        }
        return .object(grouped)
    }

    init(importing json: JSONValue, user: String?) throws(ImportError) {
        guard let user else { throw ImportError("user_id (or external_id) is missing, or is not a text.") }
        guard let id = UserID(checking: user) else {
            throw ImportError("user_id has to be 1 to 512 bytes without control or directional characters.")
        }
        do {
            try self.init(id: id, json: json)
        } catch {
            throw ImportError(error.description)
        }
    }
}
