import CardStore
import Foundation

/// The way of a migration to what it needs alone, beside other nodes and programs that use the database.
extension Migrator {
    /// The time that one attempt waits for a table, in milliseconds: whoever comes after it waits behind it.
    private static let attempt = 1_000
    /// The time between two messages about a wait.
    private static let messagePause = Duration.seconds(60)

    /// Waits for other nodes by asking again and again: a transaction that waits for a lock would hold up theirs.
    ///
    /// A table that another program has, as `pg_dump` does for as long as it runs, is waited for in short attempts: all
    /// who write wait behind each.
    func withLock<Value>(_ body: () throws -> Value) throws -> Value {
        let start = ContinuousClock.now
        var (end, told) = (start + patience, start - Self.messagePause)
        while true {
            try connection.simple(begin)
            do {
                if try isLocked() {
                    let value = try body()
                    try connection.commit()
                    return value
                }
                try connection.simple("ROLLBACK")
            } catch let failure as PostgresError where failure.isVictim && ContinuousClock.now < end {
                // A node that writes was in the way of this one.
                try connection.simple("ROLLBACK")
            } catch let failure as PostgresError where failure.state == "55P03" {
                try connection.simple("ROLLBACK")
                end = start + tablePatience
                let holder = tableHolder()
                guard ContinuousClock.now < end else {
                    throw StoreError(.unavailable, "\(holder) End it, or wait until it is done, and start again.")
                }
                if ContinuousClock.now - told >= Self.messagePause {
                    onWait(holder)
                    told = .now
                }
                Thread.sleep(forTimeInterval: Double.random(in: tablePause))
                continue
            } catch {
                try? connection.simple("ROLLBACK")
                throw error
            }
            guard ContinuousClock.now < end else {
                throw StoreError(.unavailable, "Another node is migrating the database. Wait until it is done.")
            }
            Thread.sleep(forTimeInterval: Double.random(in: 0.05...0.15))
        }
    }

    private var begin: String {
        "\(ConnectionSettings.begin); \(settings.transactionSettings); SET LOCAL statement_timeout = 0; "
            + "SET LOCAL lock_timeout = \(min(settings.lockTimeout, Self.attempt))"
    }

    private func isLocked() throws -> Bool {
        try connection.row("SELECT pg_try_advisory_xact_lock($1) AS is_locked", [Self.lock])?.flag("is_locked") ?? false
    }

    /// Says what has had a table for the longest, as far as the role may know.
    private func tableHolder() -> String {
        let row = try? connection.row(
            """
            SELECT a.pid::BIGINT AS process, a.application_name AS name,
                extract(epoch FROM clock_timestamp() - a.xact_start)::BIGINT AS seconds
            FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid JOIN pg_class c ON c.oid = l.relation
            WHERE l.granted AND l.pid <> pg_backend_pid() AND a.datname = current_database()
                AND c.relnamespace = current_schema()::regnamespace
            ORDER BY a.xact_start NULLS FIRST LIMIT 1
            """
        )
        guard let row, let process = try? row.integer("process") else {
            return "A migration waits for a table that another program uses."
        }
        let name = (try? row.optionalText("name")) ?? ""
        let program = name.isEmpty ? "another program" : name
        let time = (try? row.optionalInteger("seconds")).map { " for \($0) s" } ?? " for some time"
        return "A migration waits for a table that \(program) (process \(process)) has used\(time)."
    }
}
