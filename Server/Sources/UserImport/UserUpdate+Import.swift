import CardModel
import WireJSON

/// Says why a record is not a user.
package struct ImportProblem: Error, Equatable, CustomStringConvertible {
    /// What to mend, without the user's data.
    package let description: String

    /// Makes a problem.
    package init(_ description: String) { self.description = description }
}

extension UserUpdate {
    /// Reads a line of a JSON Lines file: `user_id`, and `attributes` and `custom_attributes` as the API has them.
    ///
    /// - Throws: `ImportProblem` that says what is wrong with the line.
    package init(jsonLine bytes: [UInt8]) throws(ImportProblem) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: bytes)
        } catch {
            throw ImportProblem("The line is not JSON: \(error).")
        }
        guard json.object != nil else { throw ImportProblem("The line has to be a JSON object.") }
        try self.init(importing: json, user: json["user_id"]?.string)
    }

    init(importing json: JSONValue, user: String?) throws(ImportProblem) {
        guard let user else { throw ImportProblem("user_id is missing, or is not a text.") }
        guard let id = UserID(checking: user) else {
            throw ImportProblem("user_id has to be 1 to 512 bytes without control characters.")
        }
        do {
            try self.init(id: id, json: json, allowing: ["user_id"])
        } catch {
            throw ImportProblem(error.description)
        }
    }
}
