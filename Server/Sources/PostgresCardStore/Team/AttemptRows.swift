import CardModel
import CardStore

/// Counts of attempts at what can be guessed.
enum AttemptRows {
    /// As many subjects as are remembered: strangers choose them.
    static let limit: Int64 = 50_000
    /// The most rows that are removed at once: the others wait for the transaction.
    private static let piece: Int64 = 2_000

    /// The names by which an attempt is locked before its group begins: groups of two nodes that count for the same
    /// subjects, each in its own order, would wait for each other in a circle, and all other writes with them.
    static func names(of attempt: GuessAttempt) -> [String] {
        sortedHashes(of: attempt).map { hash in
            "attempt\u{0}" + hash.map { String($0, radix: 16) }.joined(separator: ".")
        }
    }

    /// Looks and counts with the rows locked, so that attempts on all nodes are permitted one after the other.
    static func take(_ attempt: GuessAttempt, at now: UnixTime, in connection: PostgresConnection) throws -> Double {
        let hashes = sortedHashes(of: attempt)
        // A row that isn't there can't be locked: it is made, with nothing that counts.
        let rows = try connection.changing(
            """
            INSERT INTO attempts (subject, count, last_at)
            SELECT subject, 0, 0 FROM unnest($1::BYTEA[]) AS s (subject) ORDER BY subject
            ON CONFLICT (subject) DO UPDATE SET count = attempts.count
            RETURNING subject, count, last_at
            """,
            [hashes]
        )
        var counts: [[UInt8]: AttemptCount] = [:]
        for row in rows { counts[try row.bytes("subject")] = try AttemptCount(row) }
        let wait = attempt.wait(counts, at: now)
        guard wait <= 0 else {
            // Strangers choose the subjects: what is refused leaves no rows.
            try connection.execute("DELETE FROM attempts WHERE subject = ANY ($1) AND count = 0", [hashes])
            return wait
        }
        for hash in hashes { try save(AttemptCount.adding(to: counts[hash], at: now), of: hash, in: connection) }
        try prune(at: now, in: connection)
        return 0
    }

    static func giveBack(_ attempt: GuessAttempt, clearing: Bool, in connection: PostgresConnection) throws {
        let rows = try connection.rows(
            "SELECT * FROM attempts WHERE subject = ANY ($1) ORDER BY subject FOR UPDATE",
            [sortedHashes(of: attempt)]
        )
        for row in rows {
            let hash = try row.bytes("subject")
            let rest = try attempt.rest(of: AttemptCount(row), for: hash, clearing: clearing)
            try save(rest, of: hash, in: connection)
        }
    }

    private static func sortedHashes(of attempt: GuessAttempt) -> [[UInt8]] {
        Set(attempt.subjects.map(\.hash)).sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func save(
        _ count: AttemptCount?,
        of subject: [UInt8],
        in connection: PostgresConnection
    ) throws {
        guard let count else {
            try connection.execute("DELETE FROM attempts WHERE subject = $1", [subject])
            return
        }
        try connection.execute(
            "UPDATE attempts SET count = $2, last_at = $3 WHERE subject = $1",
            [subject, count.count, count.lastAt]
        )
    }

    /// Forgets what is old; rows that another node works with are left to it.
    private static func prune(at now: UnixTime, in connection: PostgresConnection) throws {
        // Counting takes some milliseconds, and a few more rows than the limit harm nothing.
        guard Int.random(in: 0..<32) == 0 else { return }
        try connection.execute(
            """
            DELETE FROM attempts WHERE subject IN
                (SELECT subject FROM attempts WHERE last_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
            """,
            [now - AttemptLimit.memory, piece]
        )
        try connection.execute(
            """
            DELETE FROM attempts WHERE subject IN (
                SELECT subject FROM attempts ORDER BY last_at
                LIMIT least($2, greatest(0, (SELECT count(*) FROM attempts) - $1)) FOR UPDATE SKIP LOCKED
            )
            """,
            [limit, piece]
        )
    }
}

extension AttemptCount {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(count: try row.count("count"), lastAt: try row.double("last_at"))
    }
}
