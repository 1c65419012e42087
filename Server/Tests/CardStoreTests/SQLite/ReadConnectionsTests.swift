import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: connections that read", .timeLimit(.minutes(20)))
struct ReadConnectionsTests {
    /// Keeps in view whether a connection is still there.
    private struct Sight {
        weak var connection: ReadConnection?
    }

    private func withReaders(_ body: (ReadConnections, SQLiteCardStore) async throws -> Void) async throws {
        try await withSQLiteStore { store in
            try await store.give("card-1")
            let readers = ReadConnections(path: store.path, cacheKiB: 64)
            try await body(readers, store)
            readers.close()
        }
    }

    /// Borrows that many connections at one moment, and returns a sight of each.
    private func borrow(_ count: Int, from readers: ReadConnections) throws -> [Sight] {
        guard count > 0 else { return [] }
        return try readers.read { connection in
            _ = try connection.revision(of: someone)
            return try [Sight(connection: connection)] + borrow(count - 1, from: readers)
        }
    }

    @Test("A connection that comes back is lent again, and two at one moment are two")
    func reuse() async throws {
        try await withReaders { readers, _ in
            let first = try borrow(1, from: readers)
            let next = try borrow(1, from: readers)
            #expect(first[0].connection != nil && first[0].connection === next[0].connection)
            let both = try borrow(2, from: readers)
            #expect(both[0].connection != nil && both[1].connection != nil)
            #expect(both[0].connection !== both[1].connection)
        }
    }

    @Test("Of those that were lent at one moment, 64 are kept")
    func limit() async throws {
        try await withReaders { readers, _ in
            let sights = try borrow(70, from: readers)
            #expect(sights.count { $0.connection != nil } == 64)
        }
    }

    @Test("A connection whose file isn't what it was is given up; another failure costs none")
    func spoiled() async throws {
        try await withReaders { readers, _ in
            for (code, isKept) in [(SQLITE_CORRUPT, false), (SQLITE_IOERR, false), (SQLITE_BUSY, true)] {
                var sight = Sight()
                let error = #expect(throws: StoreError.self) {
                    try readers.read { connection in
                        sight.connection = connection
                        throw SQLiteError(code: code, message: "")
                    }
                }
                #expect(error == StoreError(SQLiteError(code: code, message: "")))
                #expect((sight.connection != nil) == isKept, "\(code)")
            }
            let revision = try readers.userRevision(of: someone)
            #expect(revision?.version == 1)
        }
    }

    @Test("Once they are closed nothing is lent, and what was lent is closed when it comes back")
    func closing() async throws {
        try await withReaders { readers, _ in
            var sight = Sight()
            try readers.read { connection in
                sight.connection = connection
                readers.close()
                let revision = try connection.revision(of: someone)
                #expect(revision?.version == 1)
            }
            #expect(sight.connection == nil)
            #expect(throws: StoreError.closed) { try readers.userRevision(of: someone) }
            #expect(throws: StoreError.closed) {
                try readers.userState(of: someone, including: [], dueBy: .infinity)
            }
        }
    }

    @Test("Where there is no database none is created")
    func missing() async throws {
        try await withFolder { folder in
            let readers = ReadConnections(path: folder + "/none.sqlite", cacheKiB: 64)
            let error = #expect(throws: StoreError.self) { try readers.userRevision(of: someone) }
            #expect(error?.code == .unavailable)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.isEmpty)
        }
    }

    @Test("They can't write, whatever they are asked")
    func readOnly() async throws {
        try await withReaders { _, store in
            let handle = try SQLiteHandle.open(store.path, cacheKiB: 64)
            defer { sqlite3_close_v2(handle) }
            for sql in ["DELETE FROM users", "CREATE TABLE t (x)", "UPDATE store SET generation = 9"] {
                let error = #expect(throws: SQLiteError.self) {
                    let statement = try PreparedStatement(sql, on: handle)
                    _ = try statement.use { try $0.run() }
                }
                #expect(error?.code == SQLITE_READONLY, "\(sql)")
            }
            #expect(try await store.userCount() == 1)
        }
    }

    @Test("A read sees what was committed before it, and nothing of a transaction that isn't")
    func isolation() async throws {
        try await withReaders { readers, store in
            try await store.writer.write { session in
                try session.setVersion(41, of: someone)
                let revision = try readers.userRevision(of: someone)
                #expect(revision?.version == 1)
            }
            #expect(try readers.userRevision(of: someone)?.version == 41)
        }
    }

    @Test("A state is of one moment, though the user is changed while it is read")
    func oneMoment() async throws {
        try await withReaders { readers, store in
            for number in 2...30 { try await store.give("card-\(number)") }
            let writing = Task {
                for number in 31...90 { try await store.give("card-\(number)") }
            }
            var last: UserVersion = 0
            repeat {
                let found = try readers.userState(of: someone, including: .all, dueBy: .infinity)
                let state = try #require(found)
                // Each card came with a version of its own.
                #expect(state.deliveries.count == Int(state.version))
                #expect(state.version >= last)
                last = state.version
                await Task.yield()
            } while last < 90
            try await writing.value
        }
    }

    @Test("Cards come in the order in which they were given, whatever their ids are")
    func order() async throws {
        try await withReaders { readers, store in
            let ids = ["z", "card-0", "\u{1F600}", "e\u{301}", "\u{E9}", "A", "\u{FFFD}", "card-10", "card-9"]
            for (ordinal, id) in ids.enumerated() { try await store.give(id, ordinal: ordinal, at: noon) }
            let state = try #require(try readers.userState(of: someone, including: [], dueBy: .infinity))
            let found = state.deliveries.map { Array($0.card.rawValue.utf8) }
            #expect(found == (["card-1"] + ids).map { Array($0.utf8) })
        }
    }
}
