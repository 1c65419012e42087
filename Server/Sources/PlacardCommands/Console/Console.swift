import Foundation
import Synchronization
import Terminal
import WireJSON
import WorkspaceFiles

/// The two streams of a command: results, and everything else.
///
/// Each line goes out at once, so that a program which reads them is never behind. A result that can't be written keeps
/// no command from its work, and makes it fail at its end. What it says comes from servers, files and devices, too:
/// nothing of that reaches a terminal as anything but text.
enum Console {
    /// The error that kept a part of the result from being written; nothing is written after it.
    private static let loss = Mutex<CommandError?>(nil)

    /// The record that takes the place of both streams in a task; tests run commands in their own process by it.
    @TaskLocal static var record: ConsoleRecord?

    /// Writes a line of the result.
    static func write(_ line: String) { writeText(line.printable + "\n") }

    /// Writes a value of the result as one line of JSON.
    static func write(_ json: JSONValue) { writeText(json.text.printableJSON + "\n") }

    /// Writes a value of the result as JSON with a member a line.
    static func writePretty(_ json: JSONValue) { writeText(json.prettyText.printableJSON + "\n") }

    /// Writes a part of the result as it is, without a line break.
    static func writeText(_ text: String) {
        if let record { return record.write(text) }
        loss.withLock { loss in
            guard loss == nil else { return }
            do throws(CommandError) {
                try OutputTarget.result.writeAll(text.utf8)
            } catch {
                loss = error
            }
        }
    }

    /// Writes a line of the result that has to be there before anything is done, such as a secret that is kept nowhere.
    ///
    /// - Throws: `CommandError` where it could not be written.
    static func deliver(_ line: String) throws(CommandError) {
        write(line)
        try finish()
    }

    /// Says that the result is whole.
    ///
    /// - Throws: `CommandError` where a part of it could not be written.
    static func finish() throws(CommandError) {
        if let loss = loss.withLock({ $0 }) { throw loss }
    }

    /// Tells a person what a server does; it does that too where nobody can read it.
    static func announce(_ line: String) {
        if let record { return record.write(line.printable + "\n") }
        try? OutputTarget.result.writeAll((line.printable + "\n").utf8)
    }

    /// Tells the person something that is not the result.
    static func note(_ line: String) {
        if let record { return record.note(line.printable + "\n") }
        try? FileHandle.standardError.write(contentsOf: Data((line.printable + "\n").utf8))
    }

    /// Writes to the person's terminal without a line break.
    static func sketch(_ text: String) {
        guard record == nil else { return }
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
