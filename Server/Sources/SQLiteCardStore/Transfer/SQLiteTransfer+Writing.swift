package import CardStore
import GRDBSQLite

extension SQLiteTransfer {
    package func unfinishedCopy() throws(StoreError) -> UnfinishedCopy? {
        try translatingErrors {
            let found = "SELECT name FROM sqlite_schema WHERE name = '\(UnfinishedCopy.table)'"
            guard try !texts(found).isEmpty else { return nil }
            let sql = "SELECT name, digest, count, last_key, is_done FROM \(UnfinishedCopy.table)"
            return try PreparedStatement(sql, on: handle).use { row in
                var (states, fingerprint): ([String: TransferState], [UInt8]) = ([:], [])
                while try row.step() {
                    let (name, digest) = (row.text(0), row.withBlob(1) { Array($0) })
                    guard !name.isEmpty else {
                        fingerprint = digest
                        continue
                    }
                    if name.hasPrefix(Self.triggerPrefix) { continue }
                    var state = TransferState()
                    guard let stored = TransferDigest(bytes: digest) else { throw StoreError.unreadable("a digest") }
                    (state.digest, state.copied, state.isDone) = (stored, row.integer(2), row.bool(4))
                    if !row.isNull(3) { state.lastKey = TransferCoding.decode(row.withBlob(3) { Array($0) }) }
                    states[name] = state
                }
                return UnfinishedCopy(fingerprint: fingerprint, states: states)
            }
        }
    }

    package func begin(_ fingerprint: [UInt8]) throws(StoreError) {
        let tables = try tables()
        try transaction {
            for table in tables where !table.isReplaced && table != Self.pictures {
                let row = "SELECT '' FROM \(Self.quoted(table.name)) LIMIT 1"
                guard try texts(row).isEmpty else { throw Self.notEmpty }
            }
            for table in tables where table.isReplaced { try execute("DELETE FROM \(Self.quoted(table.name))") }
            try execute(
                """
                CREATE TABLE \(UnfinishedCopy.table) (
                    name TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL, digest BLOB NOT NULL, last_key BLOB,
                    is_done INTEGER NOT NULL
                ) WITHOUT ROWID;
                INSERT INTO grdb_migrations (identifier) VALUES ('\(UnfinishedCopy.mark)');
                """
            )
            try remember("", fingerprint)
            try setTriggersAside()
        }
    }

    /// The prefix of the names of rows that hold the statement of a trigger.
    private static let triggerPrefix = "trigger:"

    /// Removes the triggers, which would add again what is copied, until the copy is finished.
    private func setTriggersAside() throws {
        for name in try texts("SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
            let statement = try texts("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = '\(name)'")
            try remember(Self.triggerPrefix + name, Array(statement.joined().utf8))
            try execute("DROP TRIGGER \(Self.quoted(name))")
        }
    }

    private func restoreTriggers() throws {
        let rows = "\(UnfinishedCopy.table) WHERE name LIKE '\(Self.triggerPrefix)%'"
        for sql in try texts("SELECT CAST(digest AS TEXT) FROM \(rows)") { try execute(sql) }
    }

    private func remember(_ name: String, _ content: [UInt8]) throws {
        try run(
            "INSERT INTO \(UnfinishedCopy.table) (name, count, digest, is_done) VALUES (?1, 0, ?2, 0)",
            [.text(Array(name.utf8)), .bytes(content)]
        )
    }

    package func append(
        _ rows: [[TransferValue]],
        to table: TransferTable,
        advancing old: TransferState,
        to new: TransferState
    ) throws(StoreError) {
        guard table != Self.pictures else {
            return try transaction {
                try appendPictures(rows)
                try advance(table.name, from: old, to: new)
            }
        }
        let former = Self.formerColumns[table.name, default: [:]].sorted { $0.key < $1.key }
        let columns = (table.columns.map(\.name) + former.map(\.key)).map(Self.quoted).joined(separator: ", ")
        let values = (table.columns.indices.map { "?\($0 + 1)" } + former.map(\.value)).joined(separator: ", ")
        let sql = "INSERT INTO \(Self.quoted(table.name)) (\(columns)) VALUES (\(values))"
        try transaction {
            try advance(table.name, from: old, to: new)
            guard !rows.isEmpty else { return }
            let statement = try PreparedStatement(sql, on: handle)
            for row in rows {
                try statement.use { statement in
                    for (place, value) in row.enumerated() { statement.bind(Int32(clamping: place + 1), value) }
                    try statement.run()
                }
            }
        }
    }

    private func advance(_ table: String, from old: TransferState, to new: TransferState) throws {
        let changed = try run(
            """
            INSERT INTO \(UnfinishedCopy.table) AS c (name, count, digest, last_key, is_done)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (name) DO UPDATE SET count = ?2, digest = ?3, last_key = ?4, is_done = ?5
            WHERE c.count = ?6 AND NOT c.is_done
            """,
            [
                .text(Array(table.utf8)), .integer(new.copied), .bytes(new.digest.bytes),
                new.lastKey.map { .bytes(TransferCoding.encode($0)) } ?? .null, .integer(new.isDone ? 1 : 0),
                .integer(old.copied),
            ]
        )
        guard changed == 1 else { throw StoreError.copiedElsewhere }
    }

    package func finish(_ head: TransferHead, users: Int64) throws(StoreError) {
        try translatingErrors { try execute("PRAGMA synchronous = FULL") }
        try transaction {
            try run(
                """
                UPDATE store SET generation = ?1, settings = ?2, checked_at = ?3, user_hash_key = ?4, secrets_key = ?5,
                    user_count = ?6 WHERE id = 1
                """,
                [
                    .integer(head.generation), .text(head.settings), .real(head.checkedAt), .bytes(head.userHashKey),
                    head.secretsKey.map(TransferValue.bytes) ?? .null, .integer(users),
                ]
            )
            try execute("DELETE FROM sqlite_sequence WHERE name IN ('events', 'webhook_notices')")
            for (table, position) in [("events", head.logPosition), ("webhook_notices", head.noticePosition)] {
                let name = TransferValue.text(Array(table.utf8))
                try run("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", [name, .integer(position)])
            }
            try restoreTriggers()
            try execute(
                """
                DELETE FROM grdb_migrations WHERE identifier = '\(UnfinishedCopy.mark)';
                DROP TABLE \(UnfinishedCopy.table);
                """
            )
        }
        try translatingErrors { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    @discardableResult
    private func run(_ sql: String, _ values: [TransferValue]) throws -> Int {
        try PreparedStatement(sql, on: handle).use { statement in
            for (place, value) in values.enumerated() { statement.bind(Int32(clamping: place + 1), value) }
            return try statement.run()
        }
    }

    private func transaction(_ body: () throws -> Void) throws(StoreError) {
        try translatingErrors {
            try execute("BEGIN IMMEDIATE")
            do {
                try body()
                try execute("COMMIT")
            } catch {
                try? execute("ROLLBACK")
                throw error
            }
        }
    }

    private static let notEmpty = StoreError(
        .exists,
        "The target isn't empty. Choose the path of a file that isn't there yet."
    )
}
