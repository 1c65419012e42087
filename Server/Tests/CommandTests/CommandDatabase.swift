import CardModel
import Foundation
import SQLiteCardStore
import UserImport

@testable import PlacardCommands

/// A database without a server, and commands that work on it.
struct CommandDatabase: Sendable {
    let folder: CommandFolder

    /// The path of the database.
    var path: String { folder.path("cards.sqlite") }

    static func with(_ body: (CommandDatabase) async throws -> Void) async throws {
        try await CommandFolder.with { folder in
            let database = CommandDatabase(folder: folder)
            try await SQLiteCardStore(path: database.path).close()
            try await body(database)
        }
    }

    /// Runs a command on the database.
    func run(_ words: String...) async -> CommandOutcome {
        await CommandOutcome.run(words + ["--database", "sqlite:\(path)"])
    }

    /// Returns the IDs of its users.
    func users() async throws -> [String] {
        let store = try SQLiteCardStore(path: path)
        let users = try await store.listUsers(startingWith: "", after: nil, limit: 100)
        try await store.close()
        return users.map(\.id.rawValue)
    }

    /// Notes that the import of a file was interrupted.
    ///
    /// - Parameters:
    ///   - text: The text of the file.
    ///   - file: Its path.
    ///   - name: The path by which it was imported, where that is another one.
    ///   - note: Sets how far the import came.
    /// - Throws: What keeps the state from being written.
    func interruptImport(
        of text: String,
        in file: String,
        as name: String? = nil,
        _ note: (inout ImportState) -> Void
    ) async throws {
        let store = try SQLiteCardStore(path: path)
        let epoch = store.epoch
        try await store.close()
        let changed = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
        let source = ImportState.Source(
            size: text.utf8.count,
            modifiedAt: changed?.timeIntervalSince1970 ?? 0,
            hash: String(StableHash.of("import", text), radix: 16)
        )
        var state = ImportState(source: source, epoch: epoch)
        note(&state)
        ImportNotes(file: name ?? file).save(state)
    }
}
