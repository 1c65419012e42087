import WireJSON

/// The format of a file of users.
package enum ImportFormat: String, Sendable, CaseIterable {
    /// One JSON object a line.
    case jsonLines = "jsonl"
    /// A row a user, with a heading; RFC 4180.
    case csv

    /// The format that a file's name says, or `nil`.
    package init?(fileName: String) {
        switch fileName.split(at: ".").last?.lowercased() {
        case "jsonl", "ndjson", "json": self = .jsonLines
        case "csv": self = .csv
        default: return nil
        }
    }
}
