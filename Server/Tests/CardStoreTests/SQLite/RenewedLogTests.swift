import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: write-ahead logs that begin again")
struct RenewedLogTests {
    private static let pageBytes = 4_096

    @Test("A database that is opened again and again while another process reads isn't taken for another's")
    func besideReader() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try SQLiteCardStore.migrate(path: path)
            var configuration = Configuration()
            configuration.readonly = true
            configuration.allowsUnsafeTransactions = true
            let reader = try DatabaseQueue(path: path, configuration: configuration)
            _ = try await reader.unsafeRead { database in
                try database.execute(sql: "BEGIN")
                return try Int.fetchOne(database, sql: "SELECT count(*) FROM users")
            }
            let lock = try #require(DatabaseLock(DatabaseFiles(path), isCreated: false))
            for _ in 0..<4 {
                let opened = try StoreOpening(path, SQLiteCardStore.Options()).open()
                // As after a kill: the log stays as it is.
                try opened.pool.close()
                opened.lock?.release()
                #expect(lock.logState == .written)
            }
            try await reader.unsafeRead { try $0.execute(sql: "ROLLBACK") }
            try reader.close()
            let store = try SQLiteCardStore(path: path)
            #expect(!store.hasLostLog && !store.hasDamagedLog)
            #expect(lock.logState == .open)
            try await store.close()
            #expect(lock.logState == .closed)
        }
    }

    /// Writes a database whose log began again, and copies it as it was before.
    private func beginAgain(_ path: String) throws -> (copy: DatabaseFiles, before: Data, after: Data) {
        let files = DatabaseFiles(path + ".copy")
        return try withDatabase(path) { database in
            try database.execute(
                sql: "PRAGMA page_size = \(Self.pageBytes); PRAGMA journal_mode = WAL; CREATE TABLE t (x)"
            )
            for _ in 0..<5 { try database.execute(sql: "INSERT INTO t VALUES (randomblob(500))") }
            _ = try database.checkpoint(.full)
            let log = URL(fileURLWithPath: path + "-wal")
            let before = try Data(contentsOf: log)
            try FileManager.default.copyItem(atPath: path, toPath: files.main)
            try database.execute(sql: "INSERT INTO t VALUES (randomblob(500))")
            return (files, before, try Data(contentsOf: log))
        }
    }

    @Test("A header in which power failed, as the log began again, is neither damage nor another's")
    func tornHeader() async throws {
        try await withFolder { folder in
            let (copy, before, after) = try beginAgain(folder + "/placard.sqlite")
            #expect(before.prefix(32) != after.prefix(32))
            for written in 0...32 {
                let log = after.prefix(written) + before.dropFirst(written)
                try log.write(to: URL(fileURLWithPath: copy.log))
                #expect(LogScan(copy.log, pageBytes: Self.pageBytes).end == .whole, "\(written)")
                #expect(try LogOwnership.check(copy, nil) == .whole, "\(written)")
            }
            // One that is damaged otherwise hides what was acknowledged.
            for place in 16..<32 {
                var log = before
                log[place] ^= 0x55
                try log.write(to: URL(fileURLWithPath: copy.log))
                #expect(LogScan(copy.log, pageBytes: Self.pageBytes).end == .damaged, "\(place)")
            }
        }
    }

    @Test("Zeros behind frames of an earlier generation aren't those of what was written last")
    func zerosBehindOlder() async throws {
        try await withFolder { folder in
            let (copy, _, after) = try beginAgain(folder + "/placard.sqlite")
            let frame = 24 + Self.pageBytes
            let places = Array(stride(from: 32, to: after.count, by: frame))
            let salt = after[16..<24]
            let own = places.prefix { after[($0 + 8)..<($0 + 16)].elementsEqual(salt) }
            // There are frames of both generations, and the older ones are more than one.
            try #require(!own.isEmpty && places.count > own.count + 1)
            for place in places.dropFirst(own.count) {
                var log = after
                log.resetBytes(in: place..<log.count)
                try log.write(to: URL(fileURLWithPath: copy.log))
                let isNext = place == places[own.count]
                #expect(LogScan(copy.log, pageBytes: Self.pageBytes).end == (isNext ? .blank : .whole), "\(place)")
            }
        }
    }

    @Test("A log is read without the lock, so that a server that starts at the same time doesn't wait for its end")
    func withoutLock() async throws {
        try await withFolder { folder in
            let (copy, before, _) = try beginAgain(folder + "/placard.sqlite")
            try before.write(to: URL(fileURLWithPath: copy.log))
            let server = try #require(DatabaseLock(copy, isCreated: true))
            _ = server.note(0, 0, .written)
            var isFree = false
            let end = try StoreOpening.endOfLog(copy) { (log: FoundLog) throws(StoreError) -> LogScan.End in
                isFree = server.takeAlone()
                server.release()
                return try log.end()
            }
            #expect(isFree && end == .whole)
            // What is written at the same time looks damaged to the reader.
            let changing = try StoreOpening.endOfLog(copy) { (_: FoundLog) throws(StoreError) -> LogScan.End in
                _ = server.takeAlone()
                return .damaged
            }
            #expect(changing == .whole)
            server.release()
        }
    }

    @Test("The log of a database that a copy was written to is not missed")
    func target() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            _ = try SQLiteTransfer.target(path: path)
            #expect(DatabaseLock(DatabaseFiles(path), isCreated: false)?.logState == .closed)
            let findings = await SQLiteCardStore.diagnose(path: path, isFull: false)
            #expect(findings.first { $0.subject == "log-end" }?.level == .good)
        }
    }
}
