#if canImport(os)
import os

/// Writes diagnostics to the unified log.
enum SystemLog {
    private static let logger = Logger(subsystem: "placard.ContentCards", category: "diagnostics")

    static func write(_ diagnostic: Diagnostic) {
        guard let detail = diagnostic.privateDetail else {
            return logger.notice("\(diagnostic.description, privacy: .public)")
        }
        logger.notice("\(diagnostic.description, privacy: .public) \(detail, privacy: .private)")
    }
}
#else
import Foundation

/// Writes diagnostics to the standard error stream.
enum SystemLog {
    static func write(_ diagnostic: Diagnostic) {
        FileHandle.standardError.write(Data("ContentCards: \(diagnostic)\n".utf8))
    }
}
#endif
