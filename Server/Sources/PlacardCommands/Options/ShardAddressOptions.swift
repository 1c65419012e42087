import ArgumentParser
import CommandSettings
import Foundation

/// The address of a shard: on the command line, or from where no list of processes shows the password in it.
struct ShardAddressOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The address of the database; - reads it from a line of standard input.",
            valueName: "postgres://url"
        )
    )
    var address: String?

    @Option(help: ArgumentHelp("The file whose first line is the address.", valueName: "file"), completion: .file())
    var addressFile: String?

    /// The number of bytes that an address can have.
    private static let longest = 4_096

    func validate() throws {
        guard (address == nil) != (addressFile == nil) else {
            throw ValidationError("Give the address of the database, - for standard input, or --address-file.")
        }
    }

    /// Returns the address, as libpq takes it.
    ///
    /// - Throws: `ConfigurationError` where it is none of PostgreSQL; it never says what it was.
    func url() throws -> String {
        let value = try value()
        guard value.text.utf8.count <= Self.longest, case .postgres(let url) = try DatabaseLocation(value) else {
            throw ConfigurationError(
                "\(value.origin): the address of a PostgreSQL database is expected, such as "
                    + "postgresql://USER@HOST/NAME."
            )
        }
        if let address, address != "-", Self.hasPassword(url) {
            Console.note("Lists of processes show the password of the address. Give it by --address-file, or as -.")
        }
        return url
    }

    private func value() throws -> SettingValues.Value {
        if let addressFile {
            guard let handle = FileHandle(forReadingAtPath: addressFile),
                let bytes = try? handle.read(upToCount: Self.longest + 1),
                let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first
            else { throw ConfigurationError("--address-file: \(addressFile) can't be read, or is empty.") }
            return SettingValues.Value(text: String(line), origin: "--address-file")
        }
        guard address == "-" else { return SettingValues.Value(text: address ?? "", origin: "The address") }
        guard let line = readLine(strippingNewline: true), !line.isEmpty else {
            throw ConfigurationError("Standard input holds no address.")
        }
        return SettingValues.Value(text: line, origin: "Standard input")
    }

    /// Returns whether an address has a password in it: `//user:password@`, or `password=`.
    static func hasPassword(_ url: String) -> Bool {
        if url.contains(/password *=/) { return true }
        guard let start = url.range(of: "://")?.upperBound else { return false }
        // safe: an index of the text
        let authority = url[start...].utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard let end = authority.lastIndex(of: UInt8(ascii: "@")) else { return false }
        return authority[..<end].contains(UInt8(ascii: ":"))
    }
}
