import CardStore
import CardStoreConformance
import Foundation
import SQLiteCardStore
import SQLiteTesting
import Testing

/// Makes SQLite stores for the conformance suite.
struct SQLiteStores: StoreFactory {
    let capabilities: Set<ConformanceCheck.Capability> = [.backup]

    func withPlace(_ body: (any ConformancePlace) async throws -> Void) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try await PreparedDatabase.put(at: path)
            try await body(SQLitePlace(path: path))
        }
    }
}

/// A file of a SQLite store.
struct SQLitePlace: BackupPlace {
    let path: String

    var backupPath: String { path + ".backup" }

    func open(_ options: StoreOpeningOptions) async throws -> any CardStore {
        var chosen = SQLiteCardStore.Options()
        chosen.listenerBuffer = options.listenerBuffer
        chosen.now = options.now
        return try SQLiteCardStore(path: path, options: chosen)
    }

    func openBackup(at path: String) async throws -> any CardStore { try SQLiteCardStore(path: path) }
}

/// Runs a test with a folder of its own, which is removed afterwards.
func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
}

@Suite("SQLite: conformance", .timeLimit(.minutes(20)))
struct SQLiteConformanceTests {
    @Test("Every check of the conformance suite", arguments: ConformanceCheck.all(for: SQLiteStores()))
    func conforms(_ check: ConformanceCheck) async throws { try await check.run(with: SQLiteStores()) }
}
