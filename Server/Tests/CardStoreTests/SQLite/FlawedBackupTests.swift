import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

/// Databases of which every page can be read, and rows can't.
@Suite("SQLite: backups of databases that aren't in order", .timeLimit(.minutes(20)))
struct FlawedBackupTests {
    private func withDatabase(
        changedBy sql: String,
        _ body: (_ path: String, _ folder: String) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.give("card-1")
            try await store.close()
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: sql) }
            try queue.close()
            try await body(path, folder)
        }
    }

    @Test(
        "say what is wrong with the rows",
        arguments: [
            ("DELETE FROM store", "own row"),
            (
                """
                INSERT INTO segments (id, content, archived, version, created_at, updated_at)
                VALUES ('vip', '{}', 0, 1, 0, 0)
                """, "vip"
            ),
        ] as [(String, String)]
    )
    func flaws(sql: String, words: String) async throws {
        try await withDatabase(changedBy: sql) { path, folder in
            let made = try await SQLiteCardStore.backUpVerified(databaseAt: path, to: folder + "/backup.sqlite")
            #expect(made.contents.flaws.contains { $0.contains(words) }, "\(made.contents.flaws)")
        }
    }

    @Test("say nothing where all is well")
    func whole() async throws {
        try await withDatabase(changedBy: "SELECT 1") { path, folder in
            let made = try await SQLiteCardStore.backUpVerified(databaseAt: path, to: folder + "/backup.sqlite")
            #expect(made.contents.flaws.isEmpty)
        }
    }

    @Test("aren't restored where no server could start with them, and the database stays")
    func refused() async throws {
        try await withDatabase(changedBy: "DELETE FROM store") { path, folder in
            _ = try await SQLiteCardStore.backUpVerified(databaseAt: path, to: folder + "/backup.sqlite")
            let other = folder + "/other.sqlite"
            try await SQLiteCardStore(path: other).close()
            let before = FileManager.default.contents(atPath: other)
            await expectFailure(.corrupt) {
                try await SQLiteCardStore.restore(folder + "/backup.sqlite", to: other, at: noon)
            }
            #expect(FileManager.default.contents(atPath: other) == before)
        }
    }
}
