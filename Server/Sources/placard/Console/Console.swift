import Foundation
import WireJSON

/// The two streams of a command: results, and everything else.
///
/// Each line goes out at once, so that a program which reads them is never behind.
enum Console {
    /// Writes a line of the result.
    static func write(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Writes a value of the result as one line of JSON.
    static func write(_ json: JSONValue) { write(json.text) }

    /// Tells the person something that is not the result.
    static func note(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Writes to the person's terminal without a line break.
    static func sketch(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
