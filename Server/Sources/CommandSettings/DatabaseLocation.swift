import WireJSON

/// The place of the data.
package enum DatabaseLocation: Sendable, Equatable {
    /// A SQLite database in that file.
    case sqlite(path: String)
    /// A PostgreSQL database at that address, as libpq takes it: a URL or keywords.
    case postgres(url: String)

    /// The place of the data unless something else is said.
    package static let standard = DatabaseLocation.sqlite(path: "placard.sqlite")

    /// Reads `sqlite:PATH`, `postgres://…`, `postgresql://…` or keywords of libpq such as `host=… dbname=…`.
    ///
    /// - Throws: `ConfigurationError` that says what to write instead. What can't be used may have a password in it, so
    ///   the error never says what it was.
    package init(_ value: SettingValues.Value) throws(ConfigurationError) {
        let text = value.text
        if let address = Self.serverAddress(text) {
            self = .postgres(url: address)
            return
        }
        guard let path = Self.rest(of: text, after: "sqlite:") else {
            throw ConfigurationError(
                "\(value.origin): this is not a database. Write sqlite:PATH or postgresql://USER@HOST/NAME."
            )
        }
        guard !path.isEmpty, !path.hasPrefix(":memory:") else {
            throw ConfigurationError(
                "\(value.origin): a path is expected after sqlite:, such as sqlite:placard.sqlite."
            )
        }
        self = .sqlite(path: path.hasPrefix("///") ? String(path.dropFirst(2)) : path)
    }

    /// Returns an address of PostgreSQL in the form that libpq knows, in which a scheme is in small letters, or `nil`
    /// for what is none.
    private static func serverAddress(_ text: String) -> String? {
        for scheme in ["postgres://", "postgresql://"] {
            if let rest = rest(of: text, after: scheme) { return scheme + rest }
        }
        // A keyword is letters, which no path behind `sqlite:` begins with.
        let keyword = text.utf8.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: " ") }
        let isKeyword = keyword.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
        let sign = text.utf8.dropFirst(keyword.count).first { $0 != UInt8(ascii: " ") }
        return isKeyword && !keyword.isEmpty && sign == UInt8(ascii: "=") ? text : nil
    }

    /// Returns what stands behind a beginning, whatever the case of its letters, or `nil` where a text begins
    /// otherwise.
    private static func rest(of text: String, after beginning: String) -> String? {
        let start = text.utf8.prefix(beginning.utf8.count)
        guard String(decoding: start, as: UTF8.self).lowercased().hasSameBytes(as: beginning) else { return nil }
        return String(decoding: text.utf8.dropFirst(start.count), as: UTF8.self)
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
