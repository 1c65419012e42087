import CardStore
import Foundation
import GRDB

extension SQLiteCardStore {
    /// The result of a repair.
    public struct Repair: Sendable, Hashable {
        /// The indexes and triggers that were missing and were created.
        public let created: [String]
        /// The indexes and triggers that were other ones than this version creates, and were created in their place.
        public let replaced: [String]
        /// The triggers and views that this version doesn't have, and that were removed.
        public let removed: [String]
        /// The number by which the count of users was wrong.
        public let userCountError: Int64
        /// The number of days that had totals that weren't the sums of what was counted.
        public let wrongDays: Int
        /// The rows that couldn't be read, and were taken away.
        public let unreadable: [String]
        /// Whether the write-ahead log, which no server had written back, wasn't there any more, or was emptied.
        ///
        /// What was acknowledged last is lost then, and nothing tells of it after the repair.
        public internal(set) var hasLostLog = false
        /// Whether the write-ahead log had zeros in the place of what was written last.
        ///
        /// What was acknowledged last may be lost then, and nothing tells of it after the repair.
        public internal(set) var hasBlankLog = false
    }

    /// Creates the indexes and triggers that a database lacks, builds all indexes from the tables, counts the users,
    /// and sums up the totals of days.
    ///
    /// - Parameters:
    ///   - path: The database, of the present version.
    ///   - removesUnreadable: Whether what belongs to a single user or event and can't be read is taken away.
    ///   - acceptsLog: Whether a log is taken for the database's own whose mark an earlier version has forgotten.
    /// - Returns: What was wrong.
    /// - Throws: `StoreError.unavailable` where a process has the database open, `StoreError.corrupt` where a table is
    ///   missing or damaged: then only a backup helps, and nothing is changed.
    public static func repair(
        path: String,
        removesUnreadable: Bool = false,
        acceptsLog: Bool = false
    ) async throws -> Repair {
        let files = DatabaseFiles(path)
        return try await BackupWriter.onOwnThread { () throws(StoreError) in
            if acceptsLog { try acceptLog(files) }
            _ = try StoreOpening.endOfLog(files)
            try DatabaseState(of: files).requireCurrent(files)
            guard let lock = DatabaseLock(files, isCreated: true), lock.takeAlone() else {
                throw StoreError(
                    .unavailable,
                    "A server or another command has \(files.main) open. Stop it, then repair. Nothing was changed."
                )
            }
            defer { lock.release() }
            return try translatingErrors { try repair(files, lock, removesUnreadable) }
        }
    }

    /// Takes the log for the database's own where that may be so, and no process has the database open.
    private static func acceptLog(_ files: DatabaseFiles) throws(StoreError) {
        guard files.hasLog, let lock = DatabaseLock(files, isCreated: true), lock.takeAlone() else { return }
        defer { lock.release() }
        try LogOwnership.log(of: files, lock)?.accept(lock)
    }

    private static func repair(_ files: DatabaseFiles, _ lock: DatabaseLock, _ removesUnreadable: Bool) throws -> Repair
    {
        let end = try LogOwnership.check(files, lock)
        if end == .damaged { LogOwnership.keepDamaged(files) }
        let hasLostLog = LogOwnership.isLogLost(files, lock)
        let queue = try DatabaseQueue(path: files.main)
        // Where a repair fails, the loss of a log is still to be told.
        var isTold = !hasLostLog && end != .blank
        defer {
            if isTold { queue.writeWithoutTransaction { LogOwnership.writeBackAtEnd($0, lock) } }
            try? queue.close()
        }
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        var result = try queue.write { try repair($0, removesUnreadable) }
        result.hasLostLog = hasLostLog
        result.hasBlankLog = end == .blank
        isTold = true
        return result
    }

    private static func repair(_ database: Database, _ removesUnreadable: Bool) throws -> Repair {
        let difference = try SchemaObjects.difference(of: database)
        let missing = difference.missing
        if let lost = missing.first(where: { $0.kind == "table" || $0.kind == "column" }) {
            throw StoreError(.corrupt, "The \(lost.title) is missing. Restore a backup with `placard restore FILE`.")
        }
        let unreadable = removesUnreadable ? try withoutIndexes(of: database, removeUnreadable) : []
        for object in missing {
            if let sql = object.sql { try database.execute(sql: sql) }
        }
        let changed = difference.changed
        for object in changed {
            try database.execute(sql: "DROP \(object.kind.uppercased()) \(object.name.quotedDatabaseIdentifier)")
            if let sql = object.sql { try database.execute(sql: sql) }
        }
        try database.execute(sql: "REINDEX")
        let wrongDays = try sumUpDays(in: database)
        try correctLogPosition(in: database)
        let kept = try StoreRow.userCount(database)
        try database.execute(sql: "UPDATE store SET user_count = (SELECT count(*) FROM users)")
        let counted = try StoreRow.userCount(database)
        let (error, overflows) = counted.subtractingReportingOverflow(kept)
        return Repair(
            created: missing.map(\.title),
            replaced: changed.filter { $0.sql != nil }.map(\.title),
            removed: changed.filter { $0.sql == nil }.map(\.title),
            userCountError: overflows ? .max : error,
            wrongDays: wrongDays,
            unreadable: unreadable
        )
    }

    /// Takes away what can't be read; returns what that was.
    private static func removeUnreadable(from database: Database) throws -> [String] {
        var titles: [String] = []
        for column in StoredColumn.all {
            var known: [StoredColumn.Flaw] = []
            // What is still there after that has a key that can't be read either.
            while case let flaws = try DatabaseFlaws.flaws(of: column, in: database), !flaws.isEmpty, flaws != known {
                for flaw in flaws where try remove(flaw, of: column, from: database) { titles.append(flaw.title) }
                known = flaws
            }
        }
        return titles
    }

    /// Returns whether there was something to remove: a row whose key can't be read stays.
    private static func remove(
        _ flaw: StoredColumn.Flaw,
        of column: StoredColumn,
        from database: Database
    ) throws -> Bool {
        let before = database.totalChangesCount
        for sql in column.removal(of: flaw) { try database.execute(sql: sql) }
        return database.totalChangesCount > before
    }

    /// Changes rows while the tables of users and events have no indexes.
    ///
    /// An index keeps what was in a row before that was damaged, and SQLite changes no row that it doesn't find there.
    private static func withoutIndexes<Value>(of database: Database, _ body: (Database) throws -> Value) throws -> Value
    {
        let tables = Set(StoredColumn.all.map(\.table))
        guard try StoredColumn.all.contains(where: { try !DatabaseFlaws.flaws(of: $0, in: database).isEmpty }) else {
            return try body(database)
        }
        let indexes = try Row.fetchAll(
            database,
            sql: "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        ).filter { tables.contains($0["tbl_name"]) }
        for index in indexes {
            let name: String = index["name"]
            try database.execute(sql: "DROP INDEX \(name.quotedDatabaseIdentifier)")
        }
        let value = try body(database)
        for index in indexes { try database.execute(sql: index["sql"]) }
        return value
    }

    /// Makes the totals of days the sums of what was counted; returns how many weren't.
    private static func sumUpDays(in database: Database) throws -> Int {
        let days = try DatabaseFlaws.wrongDays(in: database)
        guard !days.isEmpty else { return 0 }
        try database.execute(sql: "DELETE FROM day_totals")
        try database.execute(
            sql: "INSERT INTO day_totals (\(DatabaseFlaws.dayColumns)) \(DatabaseFlaws.countedDays)"
        )
        return days.count
    }

    /// Has the log go on after its last event, so that exports read all of it and no position is given out twice.
    private static func correctLogPosition(in database: Database) throws {
        let (last, kept) = try DatabaseFlaws.logPosition(in: database)
        let sent = try Int64.fetchOne(database, sql: "SELECT max(position) FROM webhooks") ?? 0
        guard kept < last else { return }
        try database.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'events'")
        try database.execute(
            sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('events', ?)",
            arguments: [max(last, sent)]
        )
    }
}
