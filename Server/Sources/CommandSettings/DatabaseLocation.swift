/// Where the data is.
package enum DatabaseLocation: Sendable, Equatable {
    /// A SQLite database in that file.
    case sqlite(path: String)
    /// A PostgreSQL database at that address, as libpq takes it.
    case postgres(url: String)

    /// Where the data is unless something else is said.
    package static let standard = DatabaseLocation.sqlite(path: "placard.sqlite")

    /// Reads `sqlite:PATH`, `postgres://…` or `postgresql://…`.
    ///
    /// - Throws: `ConfigurationError` that says what to write instead.
    package init(_ value: SettingValues.Value) throws(ConfigurationError) {
        let text = value.text
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgres(url: text)
            return
        }
        guard text.hasPrefix("sqlite:") else {
            throw ConfigurationError(
                "\(value.origin): \(text) is not a database. Write sqlite:PATH or postgres://USER@HOST/NAME."
            )
        }
        let path = String(text.dropFirst("sqlite:".count))
        guard !path.isEmpty, !path.hasPrefix(":memory:") else {
            throw ConfigurationError(
                "\(value.origin): a path is expected after sqlite:, such as sqlite:placard.sqlite."
            )
        }
        self = .sqlite(path: path.hasPrefix("///") ? String(path.dropFirst(2)) : path)
    }

    /// The path of the file; throws for what is no file.
    package var path: String {
        get throws(ConfigurationError) {
            switch self {
            case .sqlite(let path): return path
            case .postgres:
                throw ConfigurationError(
                    "This works on the file of a SQLite database. For PostgreSQL use its own tools, such as pg_dump."
                )
            }
        }
    }
}
