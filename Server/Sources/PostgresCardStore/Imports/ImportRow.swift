import CardModel
import CardStore

/// A file of users as rows hold it.
enum ImportRow {
    /// Reads an import and locks its row.
    static func lock(_ id: String, in connection: PostgresConnection) throws -> ImportJob? {
        try connection.row("SELECT * FROM imports WHERE id = $1 FOR NO KEY UPDATE", [id]).map(ImportJob.init)
    }

    /// Reads the import that a worker has, and locks its row.
    static func lock(_ id: String, of worker: String, in connection: PostgresConnection) throws -> ImportJob? {
        try connection.row(
            "SELECT * FROM imports WHERE id = $1 AND worker = $2 AND status = 'running' FOR NO KEY UPDATE",
            [id, worker]
        ).map(ImportJob.init)
    }

    static func open(in connection: PostgresConnection) throws -> [ImportJob] {
        try connection.rows("SELECT * FROM imports WHERE ended_at IS NULL ORDER BY id").map(ImportJob.init)
    }

    static func insert(_ job: ImportJob, into connection: PostgresConnection) throws {
        try connection.execute(
            """
            INSERT INTO imports (id, file_name, format, size, fingerprint, created_at, created_by, status)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                job.id, job.fileName, job.format, job.size, job.fingerprint, job.createdAt, job.createdBy,
                job.status.rawValue,
            ]
        )
    }

    static func append(
        _ bytes: [UInt8],
        to job: ImportJob,
        received: Int,
        in connection: PostgresConnection
    ) throws {
        try connection.execute(
            "INSERT INTO import_pieces (import_id, place, bytes) VALUES ($1, $2, $3)",
            [job.id, job.received, bytes]
        )
        try connection.execute("UPDATE imports SET received = $1 WHERE id = $2", [received, job.id])
    }

    static func bytes(of id: String, in range: Range<Int>, _ connection: PostgresConnection) throws -> [UInt8] {
        let rows = try connection.rows(
            "SELECT * FROM import_pieces WHERE import_id = $1 AND place > $2 AND place < $3 ORDER BY place",
            // safe: at most the size of a file
            [id, range.lowerBound - ImportJob.pieceBytes, range.upperBound]
        )
        return ImportPieces.bytes(try rows.map { (try $0.count("place"), try $0.bytes("bytes")) }, in: range)
    }

    static func insert(_ rejects: [ImportReject], of id: String, into connection: PostgresConnection) throws {
        for reject in rejects {
            try connection.execute(
                """
                INSERT INTO import_rejects (import_id, line, reason) VALUES ($1, $2, $3)
                ON CONFLICT (import_id, line) DO NOTHING
                """,
                [id, reject.line, reject.reason]
            )
        }
    }

    /// Saves how far an import is.
    static func save(_ job: ImportJob, seconds: Double, in connection: PostgresConnection) throws {
        try connection.execute(
            """
            UPDATE imports SET read_bytes = $1, line = $2, imported = $3, rejected = $4,
                leased_until = extract(epoch FROM clock_timestamp()) + $5
            WHERE id = $6
            """,
            [job.offset, job.line, job.imported, job.rejected, seconds, job.id]
        )
    }

    /// Saves that an import has ended, and removes its file.
    static func end(_ job: ImportJob, in connection: PostgresConnection) throws {
        try connection.execute(
            "UPDATE imports SET status = $1, ended_at = $2, failure = $3, worker = NULL WHERE id = $4",
            [job.status.rawValue, job.endedAt, job.failure, job.id]
        )
        try connection.execute("DELETE FROM import_pieces WHERE import_id = $1", [job.id])
    }
}
