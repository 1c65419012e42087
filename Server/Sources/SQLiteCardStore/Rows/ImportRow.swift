import CardModel
import CardStore
import Foundation
import GRDB

/// A file of users as rows keep it.
enum ImportRow {
    static func find(_ id: String, in database: Database) throws -> ImportJob? {
        try Row.fetchOne(database, sql: "SELECT * FROM imports WHERE id = ?", arguments: [id]).map(ImportJob.init)
    }

    /// The import that a worker has.
    static func find(_ id: String, of worker: String, in database: Database) throws -> ImportJob? {
        try Row.fetchOne(
            database,
            sql: "SELECT * FROM imports WHERE id = ? AND worker = ? AND status = 'running'",
            arguments: [id, worker]
        ).map(ImportJob.init)
    }

    static func open(in database: Database) throws -> [ImportJob] {
        try Row.fetchAll(database, sql: "SELECT * FROM imports WHERE ended_at IS NULL ORDER BY id").map(ImportJob.init)
    }

    /// The import that is to run now.
    static func next(in database: Database) throws -> Row? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT * FROM imports WHERE status = 'running' AND ended_at IS NULL ORDER BY started_at, id LIMIT 1
                """
        )
    }

    static func lease(_ id: String, to worker: String, until end: UnixTime, in database: Database) throws {
        try database.execute(
            sql: "UPDATE imports SET worker = ?, leased_until = ? WHERE id = ?",
            arguments: [worker, end, id]
        )
    }

    static func insert(_ job: ImportJob, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO imports (id, file_name, format, size, fingerprint, created_at, created_by, status)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                job.id, job.fileName, job.format, job.size, job.fingerprint, job.createdAt, job.createdBy,
                job.status.rawValue,
            ]
        )
    }

    static func append(_ bytes: [UInt8], to job: ImportJob, received: Int, in database: Database) throws {
        try database.execute(
            sql: "INSERT INTO import_pieces (import_id, place, bytes) VALUES (?, ?, ?)",
            arguments: [job.id, job.received, Data(bytes)]
        )
        try database.execute(
            sql: "UPDATE imports SET received = ? WHERE id = ?",
            arguments: [received, job.id]
        )
    }

    static func bytes(of id: String, in range: Range<Int>, _ database: Database) throws -> [UInt8] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT * FROM import_pieces WHERE import_id = ? AND place > ? AND place < ? ORDER BY place",
            // safe: at most the size of a file
            arguments: [id, range.lowerBound - ImportJob.pieceBytes, range.upperBound]
        )
        return ImportPieces.bytes(try rows.map { (try $0.count("place"), try $0.bytes("bytes")) }, in: range)
    }

    static func insert(_ rejects: [ImportReject], of id: String, into database: Database) throws {
        for reject in rejects {
            try database.execute(
                sql: "INSERT OR IGNORE INTO import_rejects (import_id, line, reason) VALUES (?, ?, ?)",
                arguments: [id, reject.line, reject.reason]
            )
        }
    }

    /// Saves how far an import is.
    static func save(_ job: ImportJob, until end: UnixTime, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE imports SET read_bytes = ?, line = ?, imported = ?, rejected = ?, leased_until = ? WHERE id = ?
                """,
            arguments: [job.offset, job.line, job.imported, job.rejected, end, job.id]
        )
    }

    /// Saves that an import has ended, and removes its file.
    static func end(_ job: ImportJob, in database: Database) throws {
        try database.execute(
            sql: "UPDATE imports SET status = ?, ended_at = ?, failure = ?, worker = NULL WHERE id = ?",
            arguments: [job.status.rawValue, job.endedAt, job.failure, job.id]
        )
        try database.execute(sql: "DELETE FROM import_pieces WHERE import_id = ?", arguments: [job.id])
    }
}
