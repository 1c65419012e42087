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

    /// Reads the environment and the file.
    func values() throws -> SettingValues {
        let environment = ProcessInfo.processInfo.environment
        let named = config ?? environment["PLACARD_CONFIG"]
        if named?.isEmpty == true { throw ConfigurationError.empty(config == nil ? "PLACARD_CONFIG" : "--config") }
        let path = named ?? Self.standardFile
        guard let data = FileManager.default.contents(atPath: path) else {
            if let named { throw CommandFailure("There is no file \(named) that can be read.") }
            return try SettingValues(environment: environment)
        }
        return try SettingValues(
            file: String(decoding: data, as: UTF8.self),
            fileName: path,
            environment: environment
        )
    }
}
