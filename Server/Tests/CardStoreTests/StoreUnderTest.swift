import CardStore
import Foundation
import SQLiteCardStore
import Testing

/// The stores that owe what the protocol says.
enum StoreUnderTest: String, CaseIterable, CustomTestStringConvertible {
    case sqlite

    var testDescription: String { rawValue }

    /// Runs a test against an empty store, which is closed and removed afterwards.
    func withStore(_ body: (any CardStore) async throws -> Void) async throws {
        try await withStores { place in
            let store = try place.open()
            try await body(store)
            try await store.close()
        }
    }

    /// Runs a test against a place that can be opened more than once.
    func withStores(_ body: (StorePlace) async throws -> Void) async throws {
        switch self {
        case .sqlite:
            try await withFolder { folder in try await body(StorePlace(path: folder + "/placard.sqlite")) }
        }
    }
}

/// Where a store keeps its data, so that it can be opened again, or by two at once.
struct StorePlace {
    let path: String

    func open(listenerBuffer: Int = 1024) throws -> any CardStore {
        var options = SQLiteCardStore.Options()
        options.listenerBuffer = listenerBuffer
        // The tests tell of that day, whichever it is.
        options.now = { noon }
        return try SQLiteCardStore(path: path, options: options)
    }

    /// Opens what a backup of this place was written to.
    func openBackup(at path: String) throws -> any CardStore { try SQLiteCardStore(path: path) }
}

/// Runs a test with a folder of its own, which is removed afterwards.
func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
}
