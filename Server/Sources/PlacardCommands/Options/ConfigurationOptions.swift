import ArgumentParser
import CommandSettings
import Foundation

/// The source of settings that no flag gives.
struct ConfigurationOptions: ParsableArguments {
    static let standardFile = "placard.yaml"

    @Option(
        help: ArgumentHelp(
            "A file with settings, YAML or JSON (default: \(standardFile), if there is one).",
            valueName: "file"
        ),
        completion: .file()
    )
    var config: String?

    /// Returns the path of the file that a flag or the environment names, or `nil` for none.
    func path(environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        config ?? environment["PLACARD_CONFIG"]
    }

    /// Reads the environment and the file.
    ///
    /// - Parameters:
    ///   - standardFile: The file that is read where none is named; it doesn't have to be there.
    ///   - environment: The environment variables.
    /// - Returns: The settings.
    /// - Throws: `CommandError` where the file can't be read, and `ConfigurationError` for what it can't say.
    func values(
        standardFile: String = ConfigurationOptions.standardFile,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> SettingValues {
        let named = path(environment: environment)
        if named?.isEmpty == true { throw ConfigurationError.empty(config == nil ? "PLACARD_CONFIG" : "--config") }
        let path = named ?? standardFile
        guard let data = FileManager.default.contents(atPath: path) else {
            if let named { throw CommandError("There is no file \(named) that can be read.") }
            // Without it, a server would run with other settings than its operator wrote.
            guard !Self.isThere(path) else {
                throw CommandError("\(path) can't be read. Check what it is and whose, or name another by --config.")
            }
            return try SettingValues(environment: environment)
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ConfigurationError("\(path) isn't UTF-8. Save it in that encoding.")
        }
        return try SettingValues(file: text, fileName: path, environment: environment)
    }

    /// Returns whether there is something at a path, whatever it is; a link to nothing is.
    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
