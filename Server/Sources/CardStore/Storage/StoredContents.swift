package import CardModel

/// The contents that a store holds in few rows that lists, the catalog or sign-ins read together: one that can't be
/// read stops all that do.
package struct StoredContents: Sendable {
    /// The kind of the contents.
    package let kind: String
    /// The table that has it.
    package let table: String
    /// The column that names one.
    package let name: String
    private let read: @Sendable (any StoredRow) throws -> Void

    private init(
        _ kind: String,
        in table: String,
        named name: String,
        _ read: @escaping @Sendable (any StoredRow) throws -> Void
    ) {
        (self.kind, self.table, self.name, self.read) = (kind, table, name, read)
    }

    /// Every kind.
    package static let all = [
        StoredContents("campaign", in: "campaigns", named: "id") { _ = try Campaign($0) },
        StoredContents("segment", in: "segments", named: "id") { _ = try Segment($0) },
        StoredContents("content block", in: "content_blocks", named: "name") { _ = try ContentBlock($0) },
        StoredContents("content type", in: "content_types", named: "class_type") { _ = try ContentType($0) },
        StoredContents("proposal of content types", in: "content_type_proposals", named: "id") {
            _ = try ContentTypeProposal($0)
        },
        StoredContents("key", in: "keys", named: "id") { _ = try APIKey($0) },
    ]

    /// Returns what is wrong with a row, or `nil` where it can be read.
    package func problem(_ row: any StoredRow) -> String? {
        do {
            try read(row)
            return nil
        } catch {
            let id = (try? row.text(name)).map { String($0.prefix(100)) } ?? "?"
            return "the \(kind) “\(id)”"
        }
    }

    /// Makes the finding of a doctor.
    ///
    /// - Parameters:
    ///   - settings: Reads the settings.
    ///   - rows: Goes through the rows of a kind.
    ///   - restoration: The command that brings a backup back.
    /// - Returns: The first ones that can't be read.
    /// - Throws: What reading the rows throws.
    package static func finding(
        settings: () throws -> Settings,
        rows: (_ contents: StoredContents, _ body: (any StoredRow) -> Void) throws -> Void,
        restoration: String
    ) rethrows -> StoreFinding {
        var (count, problems): (Int, [String]) = (1, [])
        if (try? settings()) == nil { problems.append("the settings") }
        for contents in all {
            try rows(contents) { row in
                count += 1
                if let problem = contents.problem(row) { problems.append(problem) }
            }
        }
        guard let first = problems.first else {
            return StoreFinding(level: .good, subject: "contents", message: "all \(count) can be read")
        }
        let others = problems.dropFirst().prefix(4).map { ", \($0)" }.joined()
        let more = problems.count > 5 ? " and \(problems.count - 5) more" : ""
        return StoreFinding(
            level: .bad,
            subject: "contents",
            message: "These can't be read, and neither can lists that have them: \(first)\(others)\(more).",
            command: restoration
        )
    }
}
