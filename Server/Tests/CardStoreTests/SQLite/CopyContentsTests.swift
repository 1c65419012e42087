import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: what a copy of a database is", .timeLimit(.minutes(20)))
struct CopyContentsTests {
    private func withCopy(_ body: (_ store: SQLiteCardStore, _ copy: String) async throws -> Void) async throws {
        try await withSQLiteStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.record([.impression(1), .click(2)])
            let copy = store.path + ".copy"
            try await store.backUp(to: copy)
            try await body(store, copy)
        }
    }

    private static func value(_ sql: String, of path: String) throws -> Int64? {
        try withDatabase(path) { try Int64.fetchOne($0, sql: sql) }
    }

    @Test("It is one file that is whole in itself, without a log, a mark or those who write its source")
    func oneFile() async throws {
        try await withCopy { store, copy in
            let names = try FileManager.default.contentsOfDirectory(atPath: DatabaseFiles(copy).folder)
            #expect(names.filter { $0.hasPrefix("placard.sqlite.copy") } == ["placard.sqlite.copy"])
            try withDatabase(copy) { database in
                let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
                #expect(mode == "delete")
                let problems = try String.fetchAll(database, sql: "PRAGMA integrity_check")
                #expect(problems == ["ok"])
            }
            #expect(try Self.value("PRAGMA user_version", of: copy) == 0)
            #expect(try Self.value("SELECT count(*) FROM writers", of: copy) == 0)
            #expect(try Self.value("PRAGMA application_id", of: copy) == Schema.applicationID)
            #expect(try await store.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } != 0)
        }
    }

    @Test("It has every row of its source, an epoch of its own, and the source keeps its own")
    func rows() async throws {
        try await withCopy { store, copy in
            let source = try await store.read { try SQLiteCardStore.Contents(of: $0) }
            let copied = try withDatabase(copy) { try SQLiteCardStore.Contents(of: $0) }
            #expect(copied == source && copied.flaws.isEmpty)
            #expect(source.counts.first { $0.name == "events" }?.count == 2)
            let epoch = try #require(try Self.value("SELECT epoch FROM store", of: copy))
            #expect(epoch >= 0 && UInt64(epoch) != store.epoch)
            #expect(try await store.read { try StoreRow.epoch($0) } == store.epoch)
            try await store.backUp(to: copy + "-2")
            #expect(try Self.value("SELECT epoch FROM store", of: copy + "-2") != epoch)
        }
    }

    @Test("What is written once it has taken its source's place gets positions that the source never gave out")
    func positions() async throws {
        try await withCopy { store, copy in
            let last = try await store.lastEventPosition()
            let kept = try #require(try Self.value("SELECT seq FROM sqlite_sequence WHERE name = 'events'", of: copy))
            #expect(last == 2 && kept > 1_000_000_000_000_000)
            let next = try SQLiteCardStore(path: copy)
            try await next.record([.impression(3)])
            let position = try await next.lastEventPosition()
            #expect(position == kept + 1)
            #expect(try await next.eventPage(after: last, EventFilter(), limit: 9).events.map(\.position) == [position])
            // A copy of it goes on from there.
            try await next.backUp(to: copy + "-2")
            let further = try #require(
                try Self.value("SELECT seq FROM sqlite_sequence WHERE name = 'events'", of: copy + "-2")
            )
            #expect(further >= position)
            try await next.close()
        }
    }

    @Test("An empty database's copy gives out no position of its source either")
    func emptyPositions() async throws {
        try await withSQLiteStore { store in
            let copy = store.path + ".copy"
            try await store.backUp(to: copy)
            let rows = "SELECT count(*) FROM sqlite_sequence WHERE name = 'events' AND seq > 1000000000000000"
            #expect(try Self.value(rows, of: copy) == 1)
            #expect(try await store.lastEventPosition() == 0)
        }
    }

    @Test("All copies of a database have one origin, and no other database has it")
    func origins() async throws {
        try await withCopy { store, copy in
            let origin = try #require(SQLiteCardStore.origin(ofDatabaseAt: store.path))
            #expect(SQLiteCardStore.origin(ofDatabaseAt: copy) == origin)
            let other = store.path + ".other"
            try SQLiteCardStore.migrate(path: other)
            let foreign = try #require(SQLiteCardStore.origin(ofDatabaseAt: other))
            #expect(foreign != origin)
            #expect(SQLiteCardStore.origin(ofDatabaseAt: store.path + ".none") == nil)
            try Data("no database".utf8).write(to: URL(fileURLWithPath: other))
            #expect(SQLiteCardStore.origin(ofDatabaseAt: other) == nil)
        }
    }

    @Test(
        "A database that is damaged has no verified copy, and nothing of one is left",
        arguments: ["an index out of step", "a damaged page"]
    )
    func damaged(_ name: String) async throws {
        let damage = try #require(DiagnosisTests.damages.first { $0.name == name })
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            for number in 1..<300 { try await store.give("card-\(number)", to: UserID(rawValue: "user-\(number)")) }
            try await store.close()
            try damage.inflict(path)
            let before = try FileState(path)
            let error = await #expect(throws: StoreError.self) {
                try await SQLiteCardStore.backUpVerified(databaseAt: path, to: folder + "/backup")
            }
            #expect(error?.code == .corrupt && error?.message.contains("so no backup was made") == true)
            #expect(try FileState(path) == before)
        }
    }

    @Test("A verified copy says what it holds, and a name that is taken stays what it is")
    func verified() async throws {
        try await withCopy { store, copy in
            let path = store.path
            let taken = try Data(contentsOf: URL(fileURLWithPath: copy))
            await expectFailure(.exists) { try await SQLiteCardStore.backUpVerified(databaseAt: path, to: copy) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == taken)
            await expectFailure(.unavailable) {
                try await SQLiteCardStore.backUpVerified(databaseAt: path, to: path + ".none/backup")
            }
            let made = try await SQLiteCardStore.backUpVerified(databaseAt: path, to: path + ".verified")
            let counts = made.contents.counts.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }
            #expect(counts == ["1 users", "1 cards", "2 events", "1 campaigns"])
            #expect(made.contents.flaws.isEmpty && made.pictures.files == 0 && made.pictures.missing == 0)
        }
    }
}
