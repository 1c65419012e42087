import CardStore

/// Brings a database to the present schema; any number of nodes may do it at once.
struct Migrator {
    let connection: PostgresConnection
    let settings: ConnectionSettings
    /// The time that another node can take over its migration.
    var patience = Duration.seconds(120)
    /// The time for which tables that others use are tried again.
    var tablePatience = Duration.seconds(600)
    /// The seconds between two attempts at a table, in which those that came after the migration are served.
    var tablePause = 1.0...2.0
    /// Told of what has a table that a migration needs, once a minute.
    var onWait: @Sendable (String) -> Void = { _ in }
    /// The steps that this program knows.
    var migrations = Schema.migrations

    /// All nodes that migrate a database take this lock: `PLCD`.
    static let lock: Int64 = 0x504C_4344

    /// Does what is pending, and returns the names of the steps that were done.
    ///
    /// - Throws: `StoreError.incompatible` where the database is another program's or of a newer version, or where
    ///   steps are pending that are not to be done.
    func migrate(isAllowed: Bool) throws -> [String] {
        // At once: this is what every start of a node waits for.
        let found = try connection.rows(of: [PostgresQuery(Self.server), PostgresQuery(Self.tables)])
        // safe: rows for each of two queries
        try check(server: found[0].first)
        // safe: the same
        let pending = try pendingSteps(beside: completedSteps(tables: found[1].first))
        guard !pending.isEmpty else { return [] }
        guard isAllowed else {
            throw StoreError(.incompatible, refusal(of: pending))
        }
        var done: [String] = []
        while true {
            let found = try withLock { try run(pendingSteps()) }
            done += found.done
            guard found.isPartial else { return done }
        }
    }

    /// Says why a database with pending steps isn't used: whether it is empty or older, and what to do.
    private func refusal(of pending: [SchemaMigration]) -> String {
        guard pending.count < migrations.count, let first = pending.first else {
            return "The database is empty: it has no tables of Placard. Check its address; if it is the right one, "
                + "`placard migrate` creates them, and so does a server when it starts."
        }
        let verb = pending.count == 1 ? "migration is" : "migrations are"
        return
            "The database is of an older version: \(pending.count) \(verb) missing, "
            + "from \(first.identifier) on. Make a "
            + "backup with pg_dump, and run `placard migrate`; a server does the same when it starts."
    }

    /// Throws where the server is too old, or the database has another encoding.
    func checkServer() throws { try check(server: connection.row(Self.server)) }

    private static let server = """
        SELECT current_setting('server_version_num')::BIGINT AS version, current_setting('server_encoding') AS encoding
        """

    private func check(server row: PostgresRow?) throws {
        guard let row, try row.integer("version") >= Schema.oldestServer else {
            throw StoreError(.incompatible, "The server is older than PostgreSQL 15. Update it.")
        }
        guard try row.text("encoding") == "UTF8" else {
            throw StoreError(.incompatible, "The database isn't in UTF-8. Create it with ENCODING 'UTF8'.")
        }
    }

    func pendingSteps() throws -> [SchemaMigration] {
        try pendingSteps(beside: completedSteps(tables: connection.row(Self.tables)))
    }

    private func pendingSteps(beside done: Set<String>) throws -> [SchemaMigration] {
        guard done.isSubset(of: Set(migrations.map(\.identifier))) else {
            throw StoreError.newerVersion
        }
        return migrations.filter { !done.contains($0.identifier) }
    }

    private static let tables = """
        SELECT to_regclass('placard_migrations') IS NOT NULL AS is_ours, EXISTS (
            SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
        ) AS has_tables
        """

    private func completedSteps(tables row: PostgresRow?) throws -> Set<String> {
        guard let row else { return [] }
        if try row.flag("is_ours") {
            let rows = try connection.rows("SELECT identifier FROM placard_migrations")
            let done = try Set(rows.map { try $0.text("identifier") })
            guard !done.contains(UnfinishedCopy.mark) else { throw UnfinishedCopy.refusal }
            return done
        }
        guard try !row.flag("has_tables") else {
            throw StoreError(.incompatible, "The database has tables of another program. Create one for Placard.")
        }
        return []
    }

    /// Does steps, up to a part of one that has more of them.
    private func run(_ steps: [SchemaMigration]) throws -> (done: [String], isPartial: Bool) {
        try connection.simple(
            """
            CREATE TABLE IF NOT EXISTS placard_migrations (
                identifier \(ColumnType.text) PRIMARY KEY,
                completed_at \(ColumnType.time) NOT NULL DEFAULT extract(epoch FROM clock_timestamp())
            )
            """
        )
        var done: [String] = []
        for step in steps {
            for statements in step.statements { try connection.simple(statements) }
            try step.fill?(connection)
            if let part = step.part, try !isLast(part, of: step) { return (done, true) }
            try connection.execute("INSERT INTO placard_migrations (identifier) VALUES ($1)", [step.identifier])
            done.append(step.identifier)
        }
        try insertStoreRow()
        return (done, false)
    }

    private func insertStoreRow() throws {
        var random = SystemRandomNumberGenerator()
        let key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        try connection.execute(
            "INSERT INTO store (id, epoch, user_hash_key) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING",
            [Int64.random(in: 0...Int64.max, using: &random), key]
        )
    }
}
