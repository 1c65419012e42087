import CardStore
import Logging

/// Says what was left out of the catalog because it can't be read.
extension CatalogSource {
    /// The first rows that can't be read, or `nil` where all can.
    private var unreadableRows: String? {
        guard !unreadable.isEmpty else { return nil }
        let names = unreadable.prefix(5).map { row in
            row.id.isEmpty ? "the \(row.kind.rawValue)" : "the \(row.kind.rawValue) “\(row.id.prefix(100))”"
        }
        let more = unreadable.count > 5 ? " and \(unreadable.count - 5) more" : ""
        return "can't be read: \(names.joined(separator: ", "))\(more)"
    }

    /// Logs what can't be read, if anything.
    func logUnreadable(_ logger: Logger) {
        guard let unreadableRows else { return }
        logger.error(
            "Rows of the database are left out, and nobody gets what depends on them",
            metadata: ["rows": "\(unreadableRows)", "command": "placard doctor"]
        )
    }
}

extension ServerMetrics {
    func unreadableLines(_ rows: [UnreadableRow]) -> [String] {
        let name = "placard_unreadable_rows"
        return describe(name, "gauge", "Rows of the database that can't be read, by what they are of.")
            + UnreadableRow.UnreadableKind.allCases.map { kind in
                // characters: a name of ours
                let label = kind.rawValue.replacing(" ", with: "_")
                return "\(name){kind=\"\(label)\"} \(rows.count { $0.kind == kind })"
            }
    }
}
