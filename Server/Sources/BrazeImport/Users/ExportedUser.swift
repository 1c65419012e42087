import CardModel
import UserImport
import WireJSON

/// A user's profile of an export, as a line of a file that `placard users import` takes.
struct ExportedUser {
    /// Fields that say nothing more than others, so that leaving them out loses nothing.
    private static let silentFields: Set<String> = ["external_id", "custom_attributes", "braze_id"]

    /// The line, without a line break.
    let line: [UInt8]

    /// Reads a profile.
    ///
    /// What can't be kept is left out of the user, and counted.
    ///
    /// - Parameters:
    ///   - members: The profile's fields.
    ///   - place: The file and line, for the report.
    ///   - tally: Counts what is left out.
    /// - Throws: `ImportError` where the user can't be taken over.
    init(_ members: JSONObject, at place: String, _ tally: inout UserTally) throws(ImportError) {
        guard let id = members["external_id"]?.string, !id.isEmpty else {
            throw ImportError("They have no external_id.")
        }
        var standard: JSONObject = [:]
        for attribute in StandardAttribute.allCases {
            guard let value = members[attribute.rawValue], !value.isNull, value != "" else { continue }
            if let text = value.string.flatMap(attribute.value), IdentityText.isValid(text, maximumBytes: 4_096) {
                standard[attribute.rawValue] = .string(text)
            } else {
                tally.leaveOut("\(attribute.rawValue), with a value that it can't have,", at: place)
            }
        }
        let custom = Self.custom(members["custom_attributes"], at: place, &tally)
        for (name, value) in members where Self.isLeftOut(name, value) { tally.leaveOut(name, at: place) }
        let json: JSONValue = [
            "user_id": .string(id), "attributes": .object(standard), "custom_attributes": .object(custom),
        ]
        let line = json.bytes
        _ = try UserUpdate(jsonLine: line)
        self.line = line
    }

    private static func custom(_ value: JSONValue?, at place: String, _ tally: inout UserTally) -> JSONObject {
        var custom: JSONObject = [:]
        guard let members = value?.object else {
            if let value, hasContent(value) {
                tally.leaveOut("custom_attributes, with a value that they can't have,", at: place)
            }
            return custom
        }
        for (name, value) in members where !value.isNull {
            if IdentityText.isValid(name), value.bytes.count <= UserLimits.valueBytes {
                custom[name] = value
            } else {
                tally.leaveOut("a custom attribute that is too large, or has a name that can't be kept,", at: place)
            }
        }
        return custom
    }

    private static func isLeftOut(_ name: String, _ value: JSONValue) -> Bool {
        StandardAttribute(rawValue: name) == nil && !silentFields.contains(name) && hasContent(value)
    }

    /// Returns whether something is lost with a value.
    private static func hasContent(_ value: JSONValue) -> Bool {
        switch value {
        case .null: return false
        case .array(let elements): return !elements.isEmpty
        case .object(let members): return !members.isEmpty
        default: return true
        }
    }
}
