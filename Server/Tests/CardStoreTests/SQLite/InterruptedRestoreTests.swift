import CardModel
import CardStore
import CardStoreConformance
import Foundation
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: restorations that were interrupted")
struct InterruptedRestoreTests {
    /// Leaves a database whose server was killed, and a backup from before its last change.
    private func crash(_ path: String, _ folder: String) async throws -> String {
        let store = try SQLiteCardStore(path: folder + "/running.sqlite")
        try await store.backUp(to: folder + "/backup.sqlite")
        try await store.give("card-1")
        for suffix in ["", "-wal", ".lock", ".key"] {
            try FileManager.default.copyItem(atPath: folder + "/running.sqlite" + suffix, toPath: path + suffix)
        }
        try await store.close()
        return folder + "/backup.sqlite"
    }

    @Test("Before the backup has its name, the next server says so, and goes on with the database as it was")
    func before() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            _ = try await crash(path, folder)
            let previous = path + ".before-restore-20270131T000000Z"
            #expect(link(path, previous) == 0)

            let finding = await SQLiteCardStore.diagnose(path: path, isFull: false).first { $0.subject == "leftovers" }
            #expect(finding?.level == .warning)
            #expect(finding?.command == "placard restore FILE --database sqlite:\(path)")
            var options = SQLiteCardStore.Options()
            options.isServer = true
            let store = try SQLiteCardStore(path: path, options: options)
            #expect(store.hasInterruptedRestore && access(previous, F_OK) != 0)
            #expect(try await store.userState(of: someone) != nil)
            try await store.close()
            let again = try SQLiteCardStore(path: path, options: options)
            #expect(!again.hasInterruptedRestore)
            try await again.close()
        }
    }

    @Test("Before the log is set aside, no server starts and says what to do; running it again loses nothing")
    func after() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let backup = try await crash(path, folder)
            let previous = path + ".before-restore-20270131T000000Z"
            #expect(rename(path, previous) == 0)
            try FileManager.default.copyItem(atPath: backup, toPath: path)

            let error = #expect(throws: StoreError.self) { _ = try SQLiteCardStore(path: path) }
            #expect(error?.message.hasPrefix("A restoration was interrupted") == true)
            #expect(error?.message.contains("`placard restore FILE --database sqlite:\(path)`") == true)
            _ = try await SQLiteCardStore.restore(backup, to: path, at: noon)
            let restored = try SQLiteCardStore(path: path)
            #expect(try await restored.userState(of: someone) == nil)
            try await restored.close()
            // What was only in the log is beside the database that it belongs to.
            _ = try await SQLiteCardStore.restore(previous, to: path, at: noon)
            let former = try SQLiteCardStore(path: path)
            #expect(try await former.userState(of: someone) != nil)
            try await former.close()
        }
    }
}
