import ArgumentParser
import CardServer
import CommandSettings
import Logging

/// How the server's log lines look.
enum LogFormat: String, CaseIterable {
    case json
    case text
}

/// Starts the log.
enum ServerLogging {
    /// Makes the server's logger, which writes to standard error.
    ///
    /// - Throws: `ConfigurationError` for a level or format that does not exist.
    static func start(level: SettingValues.Value?, format: SettingValues.Value?) throws -> Logger {
        let level = try choice(level, Logger.Level.self) ?? .info
        switch try choice(format, LogFormat.self) ?? .text {
        case .json: LoggingSystem.bootstrap { JSONLogHandler(label: $0) }
        case .text: LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        }
        var logger = Logger(label: "placard")
        logger.logLevel = level
        return logger
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
