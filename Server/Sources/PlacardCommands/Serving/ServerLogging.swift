import ArgumentParser
import CardServer
import CommandSettings
import Logging

/// Starts the log.
enum ServerLogging {
    /// Makes the server's logger, which writes to standard error.
    ///
    /// - Throws: `ConfigurationError` for a level or format that does not exist.
    static func start(level: SettingValues.Value?, format: SettingValues.Value?) throws -> Logger {
        try setLevel(level)
        let format = try choice(format, LineLogHandler.Format.self) ?? .text
        LoggingSystem.bootstrap { LineLogHandler(label: $0, format: format) }
        return Logger(label: "placard")
    }

    /// Throws a `ConfigurationError` for a level or format that does not exist.
    static func check(level: SettingValues.Value?, format: SettingValues.Value?) throws {
        _ = try choice(level, Logger.Level.self)
        _ = try choice(format, LineLogHandler.Format.self)
    }

    /// Sets the least level that is written, also while the server runs; `info` where none is given.
    static func setLevel(_ level: SettingValues.Value?) throws {
        LineLogHandler.setLevel(try choice(level, Logger.Level.self) ?? .info)
    }

    /// Notes variables of the environment that are no settings and nearly called as one, which nothing else finds.
    ///
    /// Others are those of other programs, such as of a cluster that names its services so.
    static func noteUnknownVariables(_ values: SettingValues, _ logger: Logger) {
        let names = values.unknownVariables.compactMap { name in
            SettingValues.Setting.nearest(toVariable: name).map { "\(name) (\($0.variable)?)" }
        }
        guard !names.isEmpty else { return }
        logger.warning(
            "Variables of the environment are no settings",
            metadata: ["variables": "\(names.joined(separator: ", "))"]
        )
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: SettingValues.Value?,
        _ type: Choice.Type
    ) throws -> Choice? {
        guard let value else { return nil }
        guard let choice = Choice(rawValue: value.text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError("\(value.origin): \(value.text) is not possible. Possible: \(known).")
        }
        return choice
    }
}
