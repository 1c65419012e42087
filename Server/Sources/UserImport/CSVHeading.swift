import CardModel
import OrderedCollections
import WireJSON

/// The first row of a CSV file: which column says what of a user.
///
/// One column is `user_id`, or `external_id`. A column named as a standard attribute is that; every other is a custom
/// attribute.
package struct CSVHeading: Equatable {
    private enum Column: Equatable {
        case userID(String)
        case standard(String, column: String)
        case custom(String, ColumnTarget.ValueType)
        case skipped
    }

    private let columns: [Column]

    /// Reads the heading; `keepsStrings` says whether values stay text, whatever they look like.
    ///
    /// - Throws: `ImportError` that says what is wrong.
    package init(_ row: CSVRow, keepsStrings: Bool = false) throws(ImportError) {
        let names = try Self.names(row)
        let type = keepsStrings ? ColumnTarget.ValueType.text : .automatic
        guard let idName = UserUpdate.idNames.first(where: names.contains) else {
            throw ImportError("The heading needs a column user_id; it has: \(names.joined(separator: ", ")).")
        }
        columns = names.map { name in
            if name == idName { return .userID(name) }
            return StandardAttribute(rawValue: name) == nil ? .custom(name, type) : .standard(name, column: name)
        }
    }

    /// Reads the heading of a file whose columns become what was chosen.
    ///
    /// - Throws: `ImportError` that says what is wrong.
    package init(_ row: CSVRow, columns targets: [ColumnTarget]) throws(ImportError) {
        let names = try Self.names(row)
        guard targets.count == names.count else {
            throw ImportError(
                names.count == 1
                    ? "The heading has 1 column, and the choice has \(targets.count)."
                    : "The heading has \(names.count) columns, and the choice has \(targets.count)."
            )
        }
        let ids = targets.count { $0 == .userID }
        if ids == 0 { throw ImportError("Choose the column that has the user ID.") }
        if ids > 1 { throw ImportError("Choose one column for the user ID, not several.") }
        let attributes = targets.filter { if case .standard = $0 { true } else { false } }
        if Set(attributes).count < attributes.count { throw ImportError("Two columns become the same attribute.") }
        columns = zip(names, targets).map { name, target in
            switch target {
            case .userID: .userID(name)
            case .standard(let attribute): .standard(attribute.rawValue, column: name)
            case .custom(let type): .custom(name, type)
            case .skipped: .skipped
            }
        }
    }

    /// Returns the names of the columns.
    ///
    /// - Throws: `ImportError` where they aren't names.
    static func names(_ row: CSVRow) throws(ImportError) -> [String] {
        let names = row.fields.map(\.text)
        if Set(names).count < names.count { throw ImportError("Two columns of the heading have the same name.") }
        if names.contains("") { throw ImportError("A column of the heading has no name.") }
        return names
    }

    /// Turns a row into what is to change of a user.
    ///
    /// An empty field changes nothing.
    ///
    /// - Throws: `ImportError` that says what is wrong with the row.
    package func update(_ row: CSVRow) throws(ImportError) -> UserUpdate {
        guard row.fields.count == columns.count else {
            throw ImportError(
                row.fields.count == 1
                    ? "The row has 1 field; the heading has \(columns.count)."
                    : "The row has \(row.fields.count) fields; the heading has \(columns.count)."
            )
        }
        var user: String?
        var standard: JSONObject = [:]
        var custom: JSONObject = [:]
        for (column, field) in zip(columns, row.fields) {
            switch column {
            case .userID(let name):
                guard UserID(checking: field.text) != nil else { throw Self.idProblem(field.text, name) }
                user = field.text
            case .standard(let name, _): if !field.text.isEmpty { standard[name] = .string(field.text) }
            case .custom(let name, let type):
                if !field.text.isEmpty || field.isQuoted { custom[name] = try type.value(field, of: name) }
            case .skipped: break
            }
        }
        do throws(ImportError) {
            return try UserUpdate(
                importing: ["attributes": .object(standard), "custom_attributes": .object(custom)],
                user: user
            )
        } catch {
            throw named(error)
        }
    }

    // MARK: Problems

    private static func idProblem(_ text: String, _ column: String) -> ImportError {
        let problem =
            text.isEmpty
            ? "The user ID is empty."
            : "The user ID has to be 1 to 512 bytes without control or directional characters."
        return ImportError(column: column, problem)
    }

    /// Returns the problem of an attribute as that of the column that it comes from.
    private func named(_ problem: ImportError) -> ImportError {
        for column in columns {
            let (attribute, name): (String, String)
            switch column {
            case .standard(let standard, let column): (attribute, name) = ("attributes.\(standard): ", column)
            case .custom(let custom, _): (attribute, name) = ("custom_attributes.\(custom): ", custom)
            case .userID, .skipped: continue
            }
            guard problem.description.hasPrefix(attribute) else { continue }
            return ImportError(column: name, String(problem.description.dropFirst(attribute.count)))
        }
        return problem
    }

    /// Returns the column that the text of a problem names and what is wrong in it, or `nil` where it names none.
    package static func column(ofProblem text: String) -> (column: String, problem: String)? {
        // The last: the name of a column may have such an end in it.
        let beginning = "Column “".utf8
        guard text.utf8.starts(with: beginning), let end = text.utf8.ranges(of: "”: ".utf8).last else { return nil }
        // safe: found in the text
        let (column, problem) = (text[..<end.lowerBound], text[end.upperBound...])
        return (String(Substring(column.utf8.dropFirst(beginning.count))), String(problem))
    }
}

extension ImportError {
    /// Creates the problem of a column, by the name that it has in the file.
    fileprivate init(column: String, _ problem: String) { self.init("Column “\(column)”: \(problem)") }
}

extension ColumnTarget.ValueType {
    /// Reads a value of a custom attribute, or returns `nil` where the field is empty and no text.
    ///
    /// - Throws: `ImportError` where the field has another kind of value.
    fileprivate func value(_ field: CSVRow.Field, of name: String) throws(ImportError) -> JSONValue? {
        switch self {
        case .automatic: return field.isQuoted ? .string(field.text) : CSVValue.inferred(field.text)
        case .text: return .string(field.text)
        case .number, .boolean, .date: if field.text.isEmpty { return nil }
        }
        let value = CSVValue.inferred(field.text)
        switch self {
        case .number where value.double != nil: return value
        case .boolean where value.bool != nil: return value
        case .date where Timestamp.unixTime(of: field.text) != nil: return .string(field.text)
        default: throw ImportError(column: name, expectation)
        }
    }

    private var expectation: String {
        switch self {
        case .number: "A number is expected."
        case .boolean: "true or false is expected."
        default: "A date of ISO 8601 is expected, such as 2026-12-31 or 2026-12-31T18:00:00Z."
        }
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
