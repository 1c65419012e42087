import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: write-ahead logs that begin again")
struct RenewedLogTests {
    private static let pageBytes = 4_096

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
}
