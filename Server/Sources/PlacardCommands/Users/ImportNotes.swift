import CardModel
import Foundation
import UserImport
import WireJSON

/// Keeps how far an import is, in a file beside the imported one.
final class ImportNotes {
    /// Writing after each batch would cost as much as the batch; what is done twice changes nothing.
    private static let interval = 0.5

    private let path: String
    private var savedAt = 0.0

    init(file: String) { path = "\(file).import-state.json" }

    /// Returns the place at which an earlier import of the same file into the same store stopped, or else its
    /// beginning.
    func resume(_ fresh: ImportState) -> ImportState {
        guard let data = FileManager.default.contents(atPath: path), let json = try? JSONValue(parsing: data),
            let kept = ImportState(json: json)
        else { return fresh }
        guard kept.continues(fresh) else {
            Console.note("An earlier import was of another file or database, so this one starts from the beginning.")
            return fresh
        }
        let users = Quantity.text(kept.imported, "user")
        Console.note("Resuming at line \(kept.line), after \(users). Use --restart to start over.")
        return kept
    }

    /// Notes how far the import is, every half second.
    func save(_ state: ImportState) {
        let now = ProcessInfo.processInfo.systemUptime
        guard now - savedAt >= Self.interval else { return }
        savedAt = now
        try? Data(state.json.bytes).write(to: URL(filePath: path), options: .atomic)
    }

    /// Forgets an import that is complete.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
