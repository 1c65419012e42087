import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: durability", .timeLimit(.minutes(20)))
struct DurabilityTests {
    @Test("Every commit waits for the disk: WAL with synchronous FULL")
    func synchronous() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            let (level, mode) = try await store.writer.write { session in
                (
                    try Int.fetchOne(session.database, sql: "PRAGMA synchronous"),
                    try String.fetchOne(session.database, sql: "PRAGMA journal_mode")
                )
            }
            #expect(level == 2)
            #expect(mode == "wal")
            try await store.close()
        }
    }

    @Test("A job that fails is undone and takes nobody else's down")
    func failingJob() async throws {
        struct Mishap: Error {}
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            let writer = store.writer

            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        let user = UserID(rawValue: "user-\(number)")
                        let outcome: Void? = try? await writer.write { session in
                            try session.note(DeviceContext(locale: "en"), of: user, at: noon)
                            if number.isMultiple(of: 3) { throw Mishap() }
                        }
                        return outcome != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }

            #expect(outcomes == 40)
            #expect(try await store.userCount() == 40)
            #expect(try await store.userRevision(of: UserID(rawValue: "user-3")) == nil)
            try await store.close()
        }
    }

    @Test("A refusal after something was written is undone too")
    func lateRefusal() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            await expectFailure(.conflict) {
                try await store.writer.write { session in
                    try session.note(DeviceContext(), of: someone, at: noon)
                    throw StoreError(.conflict, "Too late.")
                }
            }
            #expect(try await store.userCount() == 0)
            try await store.close()
        }
    }

}
