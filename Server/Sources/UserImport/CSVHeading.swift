import CardModel
import OrderedCollections
import WireJSON

/// The first row of a CSV file: which column says what of a user.
///
/// One column is `user_id`, or `external_id`. A column named as a standard attribute is that; every other is a custom attribute.
package struct CSVHeading: Equatable {
    private enum Column: Equatable {
        case userID
        case standard(String)
        case custom(String)
    }

    private let columns: [Column]
    /// Whether values stay text, whatever they look like.
    private let keepsStrings: Bool

    /// Reads the heading; `keepsStrings` says whether values stay text, whatever they look like.
    ///
    /// - Throws: `ImportProblem` that says what is wrong.
    package init(_ row: CSVRow, keepsStrings: Bool = false) throws(ImportProblem) {
        self.keepsStrings = keepsStrings
        let names = row.fields.map(\.text)
        if Set(names).count < names.count { throw ImportProblem("Two columns of the heading have the same name.") }
        if names.contains("") { throw ImportProblem("A column of the heading has no name.") }
        guard let idName = UserUpdate.idNames.first(where: names.contains) else {
            throw ImportProblem("The heading needs a column user_id; it has: \(names.joined(separator: ", ")).")
        }
        columns = names.map { name in
            if name == idName { return .userID }
            return StandardAttribute(rawValue: name) == nil ? .custom(name) : .standard(name)
        }
    }

    /// Turns a row into what is to change of a user.
    ///
    /// An empty field changes nothing.
    ///
    /// - Throws: `ImportProblem` that says what is wrong with the row.
    package func update(_ row: CSVRow) throws(ImportProblem) -> UserUpdate {
        guard row.fields.count == columns.count else {
            throw ImportProblem("The row has \(row.fields.count) fields; the heading has \(columns.count).")
        }
        var user: String?
        var standard: JSONObject = [:]
        var custom: JSONObject = [:]
        for (column, field) in zip(columns, row.fields) {
            switch column {
            case .userID: user = field.text
            case .standard(let name): if !field.text.isEmpty { standard[name] = .string(field.text) }
            case .custom(let name): if !field.text.isEmpty || field.isQuoted { custom[name] = value(field) }
            }
        }
        return try UserUpdate(
            importing: ["attributes": .object(standard), "custom_attributes": .object(custom)],
            user: user
        )
    }

    private func value(_ field: CSVRow.Field) -> JSONValue {
        keepsStrings || field.isQuoted ? .string(field.text) : CSVValue.inferred(field.text)
    }
}

/// Guesses what a CSV field means.
package enum CSVValue {
    /// `true` and `false` become truth values, and what JSON would read as a number becomes one.
    ///
    /// Everything else stays
    /// text: so do `007` and `+49…`, and dates, which audiences compare as times when they are in ISO 8601.
    package static func inferred(_ text: String) -> JSONValue {
        switch text {
        case "true", "TRUE", "True": return true
        case "false", "FALSE", "False": return false
        default: break
        }
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
            return .string(text)
        }
        guard let value = try? JSONValue(parsing: text), value.double != nil else { return .string(text) }
        return value
    }
}
