import CardModel
import WireJSON

/// The result of an import: what was taken over, what has to be done by hand, and what was left out and why.
package struct ImportReport: Sendable {
    /// Something that was taken over.
    package struct Entry: Sendable {
        /// The file that was written, such as `campaigns/spring.yaml`.
        package let file: String
        /// The display name of the object.
        package let name: String
        /// The file of the export.
        package let source: String
        /// The ID at Braze, where the export says so.
        package let originalID: String?
        /// The new ID of the object.
        package let id: String
        /// The work that is to be done by hand.
        package let remarks: [String]
    }

    /// Something that was left out.
    package struct Omission: Sendable {
        /// The file of the export.
        package let source: String
        /// The kind of what was left out, and the reason.
        package let reason: String
    }

    /// The maximum number of omissions that are named; the others are counted.
    private static let maximumOmissions = 10_000

    /// The number of files that were read.
    package var files = 0
    /// The objects that were imported.
    package var entries: [Entry] = []
    /// The objects that were left out.
    package private(set) var omissions: [Omission] = []
    /// The number of others that were left out.
    package private(set) var furtherOmissions = 0
    /// The users, in counts.
    package var users = UserTally()

    /// Creates a report of nothing.
    package init() {}

    /// Notes that something was left out.
    package mutating func omit(_ source: String, _ reason: String) {
        guard omissions.count < Self.maximumOmissions else {
            furtherOmissions += 1
            return
        }
        omissions.append(Omission(source: source, reason: reason))
    }

    /// Whether everything was taken over.
    package var isComplete: Bool { omissions.isEmpty && users.refusals.isEmpty }
}

extension ImportReport {
    /// The report for people: a text without anything that steers a terminal or goes over a line.
    package var text: String {
        var lines = [summary]
        if !users.isEmpty {
            lines += ["", "Users", ""] + users.lines.map { "- " + Self.line($0) }
        }
        if !entries.isEmpty {
            lines += ["", "To do", ""]
            for entry in entries {
                let original = entry.originalID.map { ", \($0)" } ?? ""
                lines.append(Self.line("\(entry.file): “\(entry.name)” of \(entry.source)\(original)"))
                lines += entry.remarks.map { "  - " + Self.line($0) }
            }
        }
        if !omissions.isEmpty {
            lines += ["", "Left out", ""] + omissions.map { "- " + Self.line("\($0.source): \($0.reason)") }
            if furtherOmissions > 0 { lines.append("- and \(furtherOmissions) more") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The sentence that says how much was imported.
    package var summary: String {
        let counts = ["campaigns", "segments", "content-blocks"].map { folder in
            let count = entries.count { $0.file.hasPrefix(folder + "/") }
            // characters: the name of one of our folders
            return Quantity.text(count, String(folder.dropLast()).replacing("-", with: " "))
        }
        let left = omissions.count + furtherOmissions
        return "Took over \(counts.joined(separator: ", ")) and \(Quantity.text(users.taken, "user")) "
            + "from \(Quantity.text(files, "file")); left out \(Quantity.text(left, "document")) "
            + "and \(Quantity.text(users.refused, "user"))."
    }

    /// The report for programs.
    package var json: JSONValue {
        [
            "files": .integer(Int64(files)),
            "objects": .array(
                entries.map { entry in
                    [
                        "file": .string(entry.file), "id": .string(entry.id), "name": .string(entry.name),
                        "source": .string(entry.source), "braze_id": entry.originalID.map(JSONValue.string) ?? .null,
                        "to_do": .array(entry.remarks.map(JSONValue.string)),
                    ]
                }
            ),
            "left_out": .array(
                omissions.map { ["source": .string($0.source), "reason": .string($0.reason)] }
            ),
            "left_out_further": .integer(Int64(furtherOmissions)), "users": users.json,
        ]
    }

    /// A text on one line, of a length that people read.
    static func line(_ text: String) -> String {
        let line = IdentityText.spacing(text)
        return line.utf8.count <= 600 ? line : String(line.prefix(200)) + "…"
    }
}
