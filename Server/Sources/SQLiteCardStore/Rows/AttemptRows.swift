import CardModel
import CardStore
import Foundation
import GRDB

/// Counts of attempts at what can be guessed.
enum AttemptRows {
    /// As many subjects as are remembered: strangers choose them.
    static let limit = 50_000

    static func take(
        _ attempt: GuessAttempt,
        at now: UnixTime,
        limit: Int = limit,
        in database: Database
    ) throws -> Double {
        var counts: [[UInt8]: AttemptCount] = [:]
        for subject in attempt.subjects { counts[subject.hash] = try find(subject.hash, in: database) }
        let wait = attempt.wait(counts, at: now)
        guard wait <= 0 else { return wait }
        for subject in attempt.subjects {
            try keep(AttemptCount.adding(to: counts[subject.hash], at: now), of: subject.hash, in: database)
        }
        try prune(to: limit, at: now, in: database)
        return 0
    }

    static func giveBack(_ attempt: GuessAttempt, clearing: Bool, in database: Database) throws {
        for subject in attempt.subjects {
            let hash = subject.hash
            let rest = try attempt.rest(of: find(hash, in: database), for: hash, clearing: clearing)
            try keep(rest, of: hash, in: database)
        }
    }

    private static func find(_ subject: [UInt8], in database: Database) throws -> AttemptCount? {
        try Row.fetchOne(
            database,
            sql: "SELECT count, last_at FROM attempts WHERE subject = ?",
            arguments: [Data(subject)]
        ).map { AttemptCount(count: Int(clamping: try $0.integer("count")), lastAt: try $0.double("last_at")) }
    }

    private static func keep(_ count: AttemptCount?, of subject: [UInt8], in database: Database) throws {
        guard let count else {
            let sql = "DELETE FROM attempts WHERE subject = ?"
            return try database.execute(sql: sql, arguments: [Data(subject)])
        }
        try database.execute(
            sql: "INSERT OR REPLACE INTO attempts (subject, count, last_at) VALUES (?, ?, ?)",
            arguments: [Data(subject), count.count, count.lastAt]
        )
    }

    private static func prune(to limit: Int, at now: UnixTime, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM attempts WHERE last_at < ?",
            arguments: [now - AttemptLimit.memory]
        )
        let excess = try Int.fetchOne(database, sql: "SELECT count(*) - ? FROM attempts", arguments: [limit]) ?? 0
        guard excess > 0 else { return }
        try database.execute(
            sql: "DELETE FROM attempts WHERE subject IN (SELECT subject FROM attempts ORDER BY last_at LIMIT ?)",
            arguments: [excess]
        )
    }
}
