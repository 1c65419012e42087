package import CardStore
import Foundation
import GRDBSQLite

/// A SQLite database that is copied, or that a copy is written to.
///
/// Holds the lock of the database alone, so that no server opens it in the meantime. Sendable without a check because a
/// copy uses it on one thread at a time.
package final class SQLiteTransfer: TransferSource, TransferTarget, @unchecked Sendable {
    /// Tables that each store has for itself.
    static let ownTables: Set<String> = ["grdb_migrations", "store", "writers", UnfinishedCopy.table]
    /// Columns of older versions, with the value that they have since.
    static let formerColumns: [String: [String: String]] = [
        "members": ["code_secret": "NULL"], "webhooks": ["secret": "''"],
    ]

    let handle: OpaquePointer
    /// The bytes of the pictures.
    var mediaFolder: MediaFolder { MediaFolder(files) }
    /// Held until the copy has ended; `nil` where nobody can write the database.
    private let lock: DatabaseLock?
    private let files: DatabaseFiles

    private init(_ files: DatabaseFiles, _ lock: DatabaseLock?, flags: Int32) throws {
        (self.files, self.lock) = (files, lock)
        var handle: OpaquePointer?
        let path = flags == SQLITE_OPEN_READONLY ? files.readingPath : files.main
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw SQLiteError(code: code, on: handle)
        }
        self.handle = handle
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, SQLiteHandle.busyMilliseconds)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Opens a database that is to be copied, as it is at that moment.
    ///
    /// - Parameter path: The file.
    /// - Returns: The database.
    /// - Throws: `StoreError.conflict` where another process writes to it; `StoreError.incompatible` where it isn't one
    ///   of this version.
    package static func source(path: String) throws(StoreError) -> SQLiteTransfer {
        try translatingErrors {
            let files = DatabaseFiles(path)
            try DatabaseState(of: files).requireCurrent(files)
            let held = try files.isFrozen ? nil : lock(files, "source")
            let source = try SQLiteTransfer(files, held, flags: SQLITE_OPEN_READONLY)
            try source.execute("PRAGMA query_only = 1; BEGIN")
            try source.requireNoFormerValues()
            return source
        }
    }

    /// Opens a database that a copy is written to, and creates the file where there is none.
    ///
    /// - Parameter path: The file. Its folder has to exist.
    /// - Returns: The database.
    /// - Throws: `StoreError.conflict` where another process writes to it; `StoreError.incompatible` where it is
    ///   another program's.
    package static func target(path: String) throws(StoreError) -> SQLiteTransfer {
        try translatingErrors {
            let files = DatabaseFiles(path)
            let isUnfinished = try hasUnfinishedCopy(files)
            if !isUnfinished { try create(path) }
            let created = DatabaseFiles(path)
            let target = try SQLiteTransfer(created, try lock(created, "target"), flags: SQLITE_OPEN_READWRITE)
            try target.execute("PRAGMA foreign_keys = OFF; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536")
            if isUnfinished { try target.requireKnownSchema() }
            return target
        }
    }

    /// Creates the tables, without a key for secrets: encrypted ones are copied as they are.
    private static func create(_ path: String) throws {
        var options = SQLiteCardStore.Options()
        options.requiresSecretsKey = false
        let opening = try StoreOpening(path, options).open()
        let isLast = opening.lock?.takeAlone() ?? true
        try SQLiteCardStore.close(opening.pool, DatabaseFiles(path), opening.lock, isLast: isLast)
    }

    private static func lock(_ files: DatabaseFiles, _ role: String) throws -> DatabaseLock {
        guard let lock = DatabaseLock(files, isCreated: true) else {
            throw StoreError(.unavailable, "\(files.lock) can't be written. Run this as the account that owns it.")
        }
        guard lock.takeAlone() else {
            throw StoreError(
                .conflict,
                "A server or another command has the \(role) \(files.main) open. Stop it, then copy again."
            )
        }
        try LogOwnership.check(files, lock)
        return lock
    }

    private static func hasUnfinishedCopy(_ files: DatabaseFiles) throws -> Bool {
        guard DatabaseFiles.size(of: files.main) ?? 0 > 0 else { return false }
        let handle = try SQLiteHandle.open(files.main, cacheKiB: 1_024)
        defer { sqlite3_close_v2(handle) }
        let statement = try PreparedStatement("SELECT 1 FROM sqlite_schema WHERE name = ?1", on: handle)
        return try statement.use { statement in
            statement.bind(1, UnfinishedCopy.table)
            return try statement.step()
        }
    }

    private func requireKnownSchema() throws {
        let done = try Set(texts("SELECT identifier FROM grdb_migrations"))
        guard done == Set(Schema.migrations.map { $0.identifier } + [UnfinishedCopy.mark]) else {
            throw StoreError(
                .incompatible,
                "Another version began the copy. Remove the target and begin again, or use that version."
            )
        }
    }

    /// Throws where secrets are in columns of older versions, which a server moves when it starts.
    private func requireNoFormerValues() throws {
        for (table, columns) in Self.formerColumns {
            for (column, value) in columns {
                let sql = "SELECT '' FROM \"\(table)\" WHERE \"\(column)\" IS NOT \(value) LIMIT 1"
                guard try texts(sql).isEmpty else {
                    throw StoreError(.incompatible, "Secrets are not encrypted yet. Start this version's server once.")
                }
            }
        }
    }

    // MARK: Statements

    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: sqlite3_extended_errcode(handle), on: handle) }
    }

    func texts(_ sql: String) throws -> [String] {
        try PreparedStatement(sql, on: handle).use { statement in
            var texts: [String] = []
            while try statement.step() { texts.append(statement.text(0)) }
            return texts
        }
    }

    // MARK: Tables

    package func tables() throws(StoreError) -> [TransferTable] {
        try translatingErrors {
            let names = try texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
                .filter { !Self.ownTables.contains($0) && !$0.hasPrefix("sqlite_") }
            let references = try Dictionary(
                names.map { ($0, try Set(texts("SELECT \"table\" FROM pragma_foreign_key_list('\($0)')"))) },
                uniquingKeysWith: { first, _ in first }
            )
            return TransferTable.sorted(try names.map(table), references) + [Self.pictures]
        }
    }

    private func table(_ name: String) throws -> TransferTable {
        let sql = "SELECT name, type, pk FROM pragma_table_xinfo('\(name)') WHERE hidden = 0"
        var (columns, key): ([TransferTable.Column], [(place: Int64, name: String)]) = ([], [])
        try PreparedStatement(sql, on: handle).use { statement in
            while try statement.step() {
                let (column, type, place) = (statement.text(0), statement.text(1), statement.integer(2))
                guard Self.formerColumns[name]?[column] == nil else { continue }
                columns.append(.init(column, try Self.kind(type, of: name)))
                if place > 0 { key.append((place, column)) }
            }
        }
        return TransferTable(name, columns: columns, key: key.sorted { $0.place < $1.place }.map(\.name))
    }

    private static func kind(_ type: String, of table: String) throws -> TransferTable.Column.ColumnKind {
        switch type {
        case "INTEGER": .integer
        case "REAL": .real
        case "TEXT": .text
        case "BLOB": .bytes
        default: throw StoreError(.incompatible, "The table \(table) isn't one of this version.")
        }
    }
}
