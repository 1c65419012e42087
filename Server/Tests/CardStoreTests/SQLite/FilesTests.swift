import CardModel
import CardStore
import CardStoreConformance
import Foundation
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: who can read the files")
struct FilesTests {
    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test("Database, log, shared memory, key and backup are readable by their owner alone")
    func created() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.launch(.sample())
            try await store.backUp(to: folder + "/backup.sqlite")

            for file in [
                "placard.sqlite", "placard.sqlite-wal", "placard.sqlite-shm", "placard.sqlite.key", "backup.sqlite",
            ] {
                #expect(try mode("\(folder)/\(file)") == 0o600, "\(file)")
            }
            #expect(store.exposedFiles.isEmpty)
            #expect(await store.finding("files")?.level == .good)
            try await store.close()
        }
    }

    @Test("Files that others could read are made private when the store is opened, and named")
    func tightened() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try await SQLiteCardStore(path: path).close()
            for file in [path, path + ".key"] {
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            }

            let store = try SQLiteCardStore(path: path)

            #expect(store.exposedFiles.map(\.path) == [path, path + ".key"])
            #expect(store.exposedFiles.allSatisfy { !$0.isStillExposed })
            #expect(try mode(path) == 0o600)
            #expect(try mode(path + ".key") == 0o600)
            #expect(await store.finding("files")?.level == .good)
            try await store.close()
        }
    }

    @Test("What is deleted is overwritten in the file")
    func overwritten() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.updateUsers([UserUpdate(id: someone, custom: ["note": "kept-by-nobody-4711"])], at: noon)
            try await store.updateUsers(
                [UserUpdate(id: UserID(rawValue: "user-2"), custom: ["note": "other"])],
                at: noon
            )
            _ = try await store.deleteUser(someone, at: 0, by: .command)
            try await store.close()
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data("kept-by-nobody-4711".utf8)) == nil)
        }
    }
}
