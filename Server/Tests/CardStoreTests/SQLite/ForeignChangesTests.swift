import CardModel
import CardStore
import CardStoreConformance
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: what other processes change")
struct ForeignChangesTests {
    private static let now: SQLiteCardStore.Options = {
        var options = SQLiteCardStore.Options()
        options.now = { noon }
        return options
    }()

    @Test("Another process's changes are found once each, by what they are of")
    func found() async throws {
        try await withSQLiteStore { store in
            let changes = try ForeignChanges(path: store.path, writerID: -1)
            #expect(try changes.poll().isEmpty)
            try await store.give("card-1")
            #expect(try changes.poll() == [.anything])
            #expect(try changes.poll().isEmpty)
            try await store.launch(.sample())
            #expect(try changes.poll() == [.catalog])
            try await store.launch(.sample("other"))
            try await store.give("card-2")
            #expect(try changes.poll() == [.catalog, .anything])
            #expect(try changes.poll().isEmpty)
        }
    }

    @Test("What changes nothing that an app may see is no change: a draft, an entry of the audit log, a health check")
    func nothing() async throws {
        try await withSQLiteStore { store in
            try await store.give("card-1")
            let changes = try ForeignChanges(path: store.path, writerID: -1)
            try await store.insertCampaign(.sample(), by: command)
            try await store.appendAuditNotes([AuditNote("key.use", of: "key_a", at: noon, by: command)])
            try await store.checkHealth()
            #expect(try changes.poll().isEmpty)
        }
    }

    @Test("A process's own changes aren't told to it again")
    func own() async throws {
        try await withSQLiteStore { store in
            let (own, foreign) = (
                try ForeignChanges(path: store.path, writerID: store.writer.id),
                try ForeignChanges(path: store.path, writerID: -1)
            )
            try await store.give("card-1")
            #expect(try own.poll().isEmpty)
            #expect(try foreign.poll() == [.anything])
        }
    }

    @Test("A change that was undone is none")
    func undone() async throws {
        struct Mishap: Error {}
        try await withSQLiteStore { store in
            let changes = try ForeignChanges(path: store.path, writerID: -1)
            await expectFailure(.unavailable) {
                try await store.writer.write { session in
                    try session.note(DeviceContext(locale: "en"), of: someone, at: noon)
                    throw Mishap()
                }
            }
            #expect(try changes.poll().isEmpty)
            try await store.give("card-1")
            #expect(try changes.poll() == [.anything])
        }
    }

    @Test("A process that was tidied away changed nothing, and one that begins again did")
    func forgotten() async throws {
        try await withSQLiteStore { store in
            try await store.give("card-1")
            let changes = try ForeignChanges(path: store.path, writerID: -1)
            try await store.execute("DELETE FROM writers")
            #expect(try changes.poll().isEmpty)
            try await store.execute("INSERT INTO writers VALUES (7, 0, 1, 0)")
            #expect(try changes.poll() == [.anything])
            try await store.execute("UPDATE writers SET changed_at = 5")
            #expect(try changes.poll().isEmpty)
        }
    }

    @Test("Once closed, nothing is found; where there is no store, it is an error")
    func closed() async throws {
        try await withSQLiteStore { store in
            let changes = try ForeignChanges(path: store.path, writerID: -1)
            changes.close()
            try await store.give("card-1")
            #expect(try changes.poll().isEmpty)
            changes.close()
            let other = store.path + ".other"
            #expect(throws: SQLiteError.self) { _ = try ForeignChanges(path: other, writerID: 1) }
            try withDatabase(other) { try $0.execute(sql: "CREATE TABLE notes (text)") }
            #expect(throws: SQLiteError.self) { _ = try ForeignChanges(path: other, writerID: 1) }
        }
    }

    @Test("The first change of a process tidies up those who changed nothing for more than an hour")
    func tidies() async throws {
        try await withSQLiteStore(Self.now) { store in
            try withDatabase(store.path) { database in
                for (id, time) in [(5, noon - 3_601), (6, noon - 3_600), (7, noon + 50)] {
                    let sql = "INSERT INTO writers VALUES (?, 1, 1, ?)"
                    try database.execute(sql: sql, arguments: [id, time])
                }
            }
            let ids = "SELECT id FROM writers WHERE id < 100 ORDER BY id"
            try await store.execute("UPDATE store SET checked_at = 1")
            #expect(try await store.read { try Int.fetchAll($0, sql: ids) } == [5, 6, 7])
            try await store.give("card-1")
            #expect(try await store.read { try Int.fetchAll($0, sql: ids) } == [6, 7])
            try await store.execute("UPDATE writers SET changed_at = 0 WHERE id = 6")
            try await store.give("card-2")
            #expect(try await store.read { try Int.fetchAll($0, sql: ids) } == [6, 7])
        }
    }
}
