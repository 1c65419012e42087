import Foundation

@testable import ContentCards

/// The file of an event log, and what the log reported.
///
/// It is removed with the value, and everything beside it.
final class JournalFile: Sendable {
    /// The device whose directory has the file.
    let bed = TestBed()
    let reports = Collected<Diagnostic>()

    var url: URL { bed.directory.appendingPathComponent("events") }
    var path: String { url.path }

    init() throws {
        try FileManager.default.createDirectory(at: bed.directory, withIntermediateDirectories: true)
    }

    /// Opens the log, as an app does that starts.
    func open(user: String = "u", _ writing: FileWriting = .system) -> Journal {
        Journal(user: user, path: path, writing: writing) { [reports] in reports.add($0) }
    }
}
