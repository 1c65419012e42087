/// Where the data is.
package enum DatabaseLocation: Sendable, Equatable {
    /// A SQLite database in that file.
    case sqlite(path: String)

    /// Where the data is unless something else is said.
    package static let standard = DatabaseLocation.sqlite(path: "placard.sqlite")

    /// Reads `sqlite:PATH`.
    ///
    /// - Throws: `ConfigurationError` that says what to write instead.
    package init(_ value: SettingValues.Value) throws(ConfigurationError) {
        let text = value.text
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            throw ConfigurationError(
                "\(value.origin): PostgreSQL is not in this version. Use a SQLite database: sqlite:PATH."
            )
        }
        guard text.hasPrefix("sqlite:") else {
            throw ConfigurationError("\(value.origin): \(text) is not a database. Write sqlite:PATH.")
        }
        let path = String(text.dropFirst("sqlite:".count))
        guard !path.isEmpty, !path.hasPrefix(":memory:") else {
            throw ConfigurationError(
                "\(value.origin): a path is expected after sqlite:, such as sqlite:placard.sqlite."
            )
        }
        self = .sqlite(path: path.hasPrefix("///") ? String(path.dropFirst(2)) : path)
    }

    /// The path of the file.
    package var path: String {
        switch self {
        case .sqlite(let path): path
        }
    }
}
