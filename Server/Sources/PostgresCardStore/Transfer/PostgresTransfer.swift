package import CardStore
import Foundation

/// A PostgreSQL database that is copied, or that a copy is written to.
///
/// Sendable without a check because a copy uses it on one thread at a time, like its connection.
package final class PostgresTransfer: TransferSource, TransferTarget, @unchecked Sendable {
    /// Tables that each store has for itself.
    static let ownTables: Set<String> = [
        "placard_migrations", "store", "log_head", "webhook_notice_head", "user_counts", "signals", "user_signals",
        UnfinishedCopy.table,
        // What several databases need among which users are spread, of which none can be copied alone.
        "shards", "placement", "event_index", "alias_claims", "applied_outbox", "outbox", "departures",
        "moves", "called_off_moves", "refused_departures", "departed_users", "moved_events",
    ]
    /// Columns that follow from others: what a node counts apart, and what is searched.
    static let ownColumns: [String: Set<String>] = [
        "campaigns": ["name", "folded_name", "has_segments", "has_conversions"],
        "users": ["email", "folded_email", "phone", "folded"],
        "erased_users": ["sample_rank"],
        "merged_users": ["sample_rank"],
    ]
    /// The keys of tables that have none in the database, such as one whose partitions are divided by something else.
    static let ownKeys = ["events": ["position"]]
    /// The column by which nodes count apart.
    static let slot = "slot"

    let connection: PostgresConnection
    let settings: ConnectionSettings
    /// The names of the tables whose rows are summed over slots.
    private(set) var summed: Set<String> = []
    /// The columns that give out numbers, by their table.
    private(set) var identities: [String: String] = [:]

    private init(url: String) throws {
        var settings = ConnectionSettings(url: url)
        settings.applicationName = "placard-copy"
        self.settings = settings
        connection = try PostgresConnection(settings)
    }

    /// Opens a database that is to be copied, and keeps servers from writing to it until the copy is closed.
    ///
    /// - Parameter url: The database, as libpq takes it.
    /// - Returns: The database, as it is at that moment.
    /// - Throws: `StoreError.conflict` where a server uses it; `StoreError.incompatible` where it is no database of
    ///   this version.
    package static func source(url: String) throws(StoreError) -> PostgresTransfer {
        try translatingErrors {
            let source = try PostgresTransfer(url: url)
            _ = try Migrator(connection: source.connection, settings: source.settings).migrate(isAllowed: false)
            guard try !source.isPart() else {
                throw StoreError(
                    .incompatible,
                    "The database is one of several among which users are spread, and a copy would lack the others' "
                        + "users."
                )
            }
            try source.awaitNoServer("source")
            try source.connection.simple(
                """
                BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL lock_timeout = 5000; SET LOCAL statement_timeout = 0;
                SET LOCAL idle_in_transaction_session_timeout = 0;
                LOCK TABLE store, users, events, signals IN SHARE MODE
                """
            )
            // One may have begun in the meantime; from now on it would wait for the lock.
            try source.awaitNoServer("source", patience: .zero)
            return source
        }
    }

    /// Opens a database that a copy is written to, and creates its tables where there are none.
    ///
    /// - Parameter url: The database, as libpq takes it.
    /// - Returns: The database.
    /// - Throws: `StoreError.conflict` where a server uses it; `StoreError.incompatible` where it is another program's,
    ///   or one of several among which users are spread, which is left as it is.
    package static func target(url: String) throws(StoreError) -> PostgresTransfer {
        try translatingErrors {
            let target = try PostgresTransfer(url: url)
            guard try !target.isPart() else {
                throw StoreError(
                    .incompatible,
                    "The target is one of several databases among which users are spread: servers would look for "
                        + "most of the users elsewhere. Create a new database for the copy."
                )
            }
            if try target.hasUnfinishedCopy() {
                try target.requireKnownSchema()
            } else {
                _ = try Migrator(connection: target.connection, settings: target.settings).migrate(isAllowed: true)
            }
            try target.awaitNoServer("target")
            return target
        }
    }

    /// Whether the database is a shard, or the home of others.
    private func isPart() throws -> Bool {
        // A new database, and one of before there were shards, has no such table; another program's may have one.
        let exists = """
            SELECT to_regclass('shards') IS NOT NULL AND to_regclass('placard_migrations') IS NOT NULL AS found
            """
        guard try connection.row(exists)?.flag("found") ?? false else { return false }
        let sql = "SELECT shard <> 0 OR EXISTS (SELECT 1 FROM shards) AS is_part FROM store WHERE id = 1"
        return try connection.row(sql)?.flag("is_part") ?? false
    }

    /// Returns whether there is the table of a copy that has not ended.
    func hasUnfinishedCopy() throws -> Bool {
        let sql = "SELECT to_regclass('\(UnfinishedCopy.table)') IS NOT NULL AS found"
        return try connection.row(sql)?.flag("found") ?? false
    }

    private func requireKnownSchema() throws {
        let rows = try connection.rows("SELECT identifier FROM placard_migrations")
        let done = try Set(rows.map { try $0.text("identifier") }).subtracting([UnfinishedCopy.mark])
        guard done == Set(Schema.migrations.map(\.identifier)) else {
            throw StoreError(
                .incompatible,
                "Another version began the copy. Drop the target and begin again, or use that version."
            )
        }
    }

    /// Waits until the sessions of a server that was just stopped are gone.
    private func awaitNoServer(_ role: String, patience: Duration = .seconds(2)) throws {
        let end = ContinuousClock.now + patience
        while try isServed() {
            guard ContinuousClock.now < end else {
                throw StoreError(
                    .conflict,
                    "A server uses the \(role). Stop all of its nodes; "
                        + "one that was killed counts as running for a minute."
                )
            }
            Thread.sleep(forTimeInterval: 0.05)
        }
    }

    private func isServed() throws -> Bool {
        _ = try connection.row("SELECT pg_stat_clear_snapshot() IS NULL AS is_cleared")
        return try connection.row(Self.servers)?.flag("found") ?? false
    }

    /// Asks whether a server has the database open.
    static let servers = """
        SELECT EXISTS (
            SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = '\(ConnectionSettings.serverName)'
        ) OR EXISTS (
            SELECT 1 FROM signals WHERE owner IS NOT NULL AND leased_until > extract(epoch FROM clock_timestamp())
        ) AS found
        """

    // MARK: Tables

    package func tables() throws(StoreError) -> [TransferTable] {
        try translatingErrors {
            let rows = try connection.rows(Self.columnList)
            var columns: [String: [TransferTable.Column]] = [:]
            var keys: [String: [(place: Int64, name: String)]] = [:]
            for row in rows {
                let (table, name) = (try row.text("table_name"), try row.text("column_name"))
                if Self.ownTables.contains(table) || Self.ownColumns[table, default: []].contains(name) { continue }
                guard name != Self.slot else {
                    summed.insert(table)
                    continue
                }
                columns[table, default: []].append(.init(name, try Self.kind(of: row)))
                if let place = try row.optionalInteger("place") { keys[table, default: []].append((place, name)) }
                if try row.flag("is_identity") { identities[table] = name }
            }
            let tables = columns.map { name, columns in
                let key = keys[name, default: []].sorted { $0.place < $1.place }
                return TransferTable(name, columns: columns, key: Self.ownKeys[name] ?? key.map(\.name))
            }
            return TransferTable.sorted(tables, try references())
        }
    }

    /// The columns of all tables.
    static let columnList = """
        SELECT c.relname::TEXT AS table_name, a.attname::TEXT AS column_name, t.typname::TEXT AS type,
            a.attidentity <> '' AS is_identity,
            array_position(string_to_array(i.indkey::TEXT, ' ')::BIGINT[], a.attnum::BIGINT)::BIGINT AS place
        FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        JOIN pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        """

    /// Reads the kind of a column of ``columnList``.
    static func kind(of row: PostgresRow) throws -> TransferTable.Column.ColumnKind {
        switch try row.text("type") {
        case "int8", "int4", "int2": .integer
        case "bool": .flag
        case "float8": .real
        case "text": .text
        case "bytea": .bytes
        case "numeric": .amount
        default: throw StoreError(.incompatible, "The table \(try row.text("table_name")) isn't one of this version.")
        }
    }

    private func references() throws -> [String: Set<String>] {
        let rows = try connection.rows(
            """
            SELECT c.relname::TEXT AS owner, f.relname::TEXT AS target
            FROM pg_constraint r JOIN pg_class c ON c.oid = r.conrelid JOIN pg_class f ON f.oid = r.confrelid
            WHERE r.contype = 'f' AND c.relnamespace = current_schema()::regnamespace
            """
        )
        return try rows.reduce(into: [:]) { references, row in
            references[try row.text("owner"), default: []].insert(try row.text("target"))
        }
    }
}
