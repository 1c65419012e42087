import CardStore
import Foundation
import GRDB

extension SQLiteCardStore {
    /// What was repaired.
    public struct Repair: Sendable, Hashable {
        /// The indexes and triggers that were missing and were created.
        public let created: [String]
        /// The indexes and triggers that were other ones than this version creates, and were created in their place.
        public let replaced: [String]
        /// The triggers and views that this version doesn't have, and that were removed.
        public let removed: [String]
        /// By how much the count of users was wrong.
        public let userCountError: Int64
    }

    /// Creates the indexes and triggers that a database lacks, builds all indexes from the tables, and counts the
    /// users.
    ///
    /// - Parameter path: The database, of the present version.
    /// - Returns: What was wrong.
    /// - Throws: `StoreError.unavailable` where a process has the database open, `StoreError.corrupt` where a table is
    ///   missing or damaged: then only a backup helps, and nothing is changed.
    public static func repair(path: String) async throws -> Repair {
        let files = DatabaseFiles(path)
        return try await BackupWriter.onOwnThread { () throws(StoreError) in
            try StoreOpening.checkLog(files)
            try DatabaseState(of: files).requireCurrent(files)
            guard let lock = DatabaseLock(files, isCreated: true), lock.takeAlone() else {
                throw StoreError(
                    .unavailable,
                    "A server or another command has \(files.main) open. Stop it, then repair. Nothing was changed."
                )
            }
            defer { lock.release() }
            return try translatingErrors {
                let queue = try DatabaseQueue(path: files.main)
                defer { try? queue.close() }
                try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
                return try queue.write(Self.repair)
            }
        }
    }

    private static func repair(_ database: Database) throws -> Repair {
        let difference = try SchemaObjects.difference(of: database)
        let missing = difference.missing
        if let lost = missing.first(where: { $0.kind == "table" || $0.kind == "column" }) {
            throw StoreError(.corrupt, "The \(lost.title) is missing. Restore a backup with `placard restore FILE`.")
        }
        for object in missing {
            if let sql = object.sql { try database.execute(sql: sql) }
        }
        let changed = difference.changed
        for object in changed {
            try database.execute(sql: "DROP \(object.kind.uppercased()) \(object.name.quotedDatabaseIdentifier)")
            if let sql = object.sql { try database.execute(sql: sql) }
        }
        try database.execute(sql: "REINDEX")
        let kept = try StoreRow.userCount(database)
        try database.execute(sql: "UPDATE store SET user_count = (SELECT count(*) FROM users)")
        let counted = try StoreRow.userCount(database)
        let (error, overflows) = counted.subtractingReportingOverflow(kept)
        return Repair(
            created: missing.map(\.title),
            replaced: changed.filter { $0.sql != nil }.map(\.title),
            removed: changed.filter { $0.sql == nil }.map(\.title),
            userCountError: overflows ? .max : error
        )
    }
}
