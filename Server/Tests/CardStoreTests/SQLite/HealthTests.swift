import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: health", .timeLimit(.minutes(20)))
struct HealthTests {
    private func failures(_ store: SQLiteCardStore) async -> [String] {
        await store.healthChecks().filter { $0.failure != nil }.map(\.name)
    }

    @Test("A check leaves nothing behind, whatever is in the store")
    func leavesNothing() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            #expect(await failures(store).isEmpty)
            try await store.give("card-1")
            try await store.record([.impression(1)])
            try await store.updateUsers([UserUpdate(id: UserID(rawValue: "_placard_health"))], at: noon)
            let before = await counts(store)
            for _ in 0..<20 { #expect(await failures(store).isEmpty) }
            #expect(await counts(store) == before)
            #expect(await store.diagnose().allSatisfy { $0.level == .good || $0.subject == "space" })
            try await store.close()
        }
    }

    private func counts(_ store: SQLiteCardStore) async -> [String] {
        let contents = try? await store.read { try SQLiteCardStore.Contents(of: $0) }
        return contents?.counts.map { "\($0.name) \($0.count)" } ?? []
    }

    @Test("Once the file is deleted or replaced, nothing is acknowledged any more; back under its name, it goes on")
    func deleted() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.give("card-1")

            try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
            #expect(await failures(store).contains("file"))
            // At once: nothing is acknowledged that nobody finds.
            #expect(await !canWrite(store))
            try FileManager.default.copyItem(atPath: path + ".away", toPath: path)
            #expect(await failures(store).contains("file"))
            await expectFailure(.unavailable) { try await store.record([.impression(1)]) }

            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
            while await !canWrite(store) { await Task.yield() }
            #expect(await failures(store).isEmpty)
            try await store.close()
        }
    }

    @Test(
        "Once its log is deleted nothing is acknowledged, and what was acknowledged is in the database",
        arguments: [
            "-wal", "-shm",
        ]
    )
    func deletedLog(suffix: String) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.give("card-1", to: UserID(rawValue: "before"))
            try FileManager.default.removeItem(atPath: path + suffix)

            await expectFailure(.unavailable) { try await store.give("card-2", to: UserID(rawValue: "after")) }
            #expect(await failures(store).contains("file"))
            // As after a crash: nothing is left but what is in the file.
            var number = 0
            while try await !hasUser("before", inCopyOf: path, at: "\(folder)/copy\(number).sqlite") { number += 1 }
            try? await store.close()
        }
    }

    private func hasUser(_ user: String, inCopyOf path: String, at place: String) async throws -> Bool {
        try FileManager.default.copyItem(atPath: path, toPath: place)
        let copy = try SQLiteCardStore(path: place)
        let state = try await copy.userState(of: UserID(rawValue: user))
        try await copy.close()
        return state != nil
    }

    @Test("A lock file that was removed is found, since a second server could start", arguments: [".lock", ".server"])
    func removedLock(suffix: String) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            var options = SQLiteCardStore.Options()
            options.isServer = true
            let store = try SQLiteCardStore(path: path, options: options)
            #expect(await failures(store).isEmpty)
            try FileManager.default.removeItem(atPath: path + suffix)
            #expect(await failures(store) == ["file"])
            try await store.close()
        }
    }

    private func canWrite(_ store: SQLiteCardStore) async -> Bool {
        (try? await store.give("card-\(UUID().uuidString)")) != nil
    }

    @Test("Pages that were overwritten are found, although the store has them in memory")
    func overwritten() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            for number in 0..<50 { try await store.give("card-\(number)", to: UserID(rawValue: "user-\(number)")) }
            #expect(await failures(store).isEmpty)
            try await store.close()
            let open = try SQLiteCardStore(path: path)
            #expect(await failures(open).isEmpty)

            let size = Int(DatabaseFiles.size(of: path) ?? 0)
            let descriptor = Foundation.open(path, O_WRONLY)
            let garbage = [UInt8](repeating: 0xA5, count: size - 4096)
            #expect(pwrite(descriptor, garbage, garbage.count, 4096) == garbage.count)

            #expect(await failures(open).contains("read"))
            try? await open.close()
            Foundation.close(descriptor)
        }
    }
}
