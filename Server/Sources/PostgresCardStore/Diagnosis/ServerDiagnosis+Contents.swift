import CardModel
import CardStore

// What is found in the database.
extension ServerDiagnosis {
    private static let longTransaction = 300.0
    /// The most bytes of a table of users that are counted unasked.
    private static let countedBytes: Int64 = 256 << 20
    /// Past this many transactions a database should have been frozen long ago; at about twice as many it only reads.
    private static let oldTransactionID: Int64 = 1_000_000_000

    func transactions() throws -> StoreFinding {
        let rows = try connection.rows(
            """
            SELECT pid::BIGINT AS pid, extract(epoch FROM clock_timestamp() - xact_start)::DOUBLE PRECISION AS seconds
            FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
                AND backend_type = 'client backend'
            ORDER BY xact_start LIMIT 1
            """
        )
        let prepared = try row(
            "SELECT count(*) AS prepared FROM pg_prepared_xacts WHERE database = current_database()"
        )
        guard try prepared.integer("prepared") == 0 else {
            let command = StoreFinding.psql("SELECT * FROM pg_prepared_xacts")
            return .bad("transactions", "A prepared transaction was forgotten: rows stay locked and dead.", command)
        }
        guard let oldest = rows.first, try oldest.double("seconds") > Self.longTransaction else {
            return .good("transactions", "none is open for long")
        }
        let (pid, minutes) = (try oldest.integer("pid"), (try oldest.double("seconds") / 60).rounded())
        let command = StoreFinding.psql("SELECT pg_terminate_backend(\(pid))")
        let text = Int(exactly: minutes).map { "\($0)" } ?? "many"
        return .warning("transactions", "Process \(pid) has one open for \(text) minutes; dead rows pile up.", command)
    }

    /// Reads what lists and the catalog read, some rows at a time.
    func contents() throws -> StoreFinding {
        try StoredContents.finding(
            settings: { try StoreRow.settings(connection) },
            rows: { contents, body in
                let sql = """
                    SELECT * FROM \(contents.table) WHERE \(contents.name) > $1 ORDER BY \(contents.name) LIMIT 50
                    """
                var last = ""
                while true {
                    let rows = try connection.rows(sql, [last])
                    for row in rows { body(row) }
                    guard let end = rows.last, rows.count == 50 else { return }
                    last = try end.text(contents.name)
                }
            },
            restoration: Self.restoration
        )
    }

    /// Counts the users, where there are few or all is to be read.
    func counters() throws -> StoreFinding {
        let bytes = try row("SELECT pg_relation_size('users') AS bytes").integer("bytes")
        guard isFull || bytes <= Self.countedBytes else { return .good("counters", "not compared without --full") }
        // Of many users that takes minutes.
        try connection.simple("SET LOCAL statement_timeout = 0")
        // One statement sees both as they were at one moment.
        let row = try row(
            """
            SELECT (SELECT count(*) FROM users) AS counted,
                (SELECT coalesce(sum(users), 0)::BIGINT FROM user_counts) AS kept
            """
        )
        let (counted, kept) = (try row.integer("counted"), try row.integer("kept"))
        guard counted != kept else { return .good("counters", Quantity.text(counted, "user")) }
        let message = "The database has \(Quantity.text(counted, "user")), but counts \(kept)."
        // Whoever adds a user waits for it, or is waited for.
        let repair = """
            BEGIN; LOCK TABLE user_counts IN EXCLUSIVE MODE; DELETE FROM user_counts; \
            INSERT INTO user_counts (slot, users) SELECT 0, count(*) FROM users; COMMIT
            """
        return .bad("counters", message, StoreFinding.psql(repair))
    }

    func transactionIDs() throws -> StoreFinding {
        let row = try row(
            "SELECT age(datfrozenxid)::BIGINT AS age FROM pg_database WHERE datname = current_database()"
        )
        let age = try row.integer("age")
        guard age < Self.oldTransactionID else {
            let message = "The oldest transaction is \(age) back; vacuum can't keep up."
            return .bad("ages", message, "vacuumdb --freeze NAME")
        }
        return .good("ages", "the oldest transaction is \(age) back")
    }

    func schema() throws -> StoreFinding {
        let migrator = Migrator(connection: connection, settings: ConnectionSettings(url: ""))
        let pending: [SchemaMigration]
        do {
            pending = try migrator.pendingSteps()
        } catch let error as StoreError {
            let isUnfinished = error == UnfinishedCopy.refusal
            return .bad("schema", error.message, isUnfinished ? "placard copy --from … --to …" : "placard --version")
        }
        guard pending.count < migrator.migrations.count else {
            return .bad(
                "schema",
                "The database is empty: it has no tables of Placard. Check its address; "
                    + "if it is the right one, create them, or "
                    + "restore a backup into it.",
                "placard migrate"
            )
        }
        guard let first = pending.first else { return .good("schema", Schema.migrations.last?.identifier ?? "none") }
        return .bad(
            "schema",
            "\(pending.count) migration\(pending.count == 1 ? " is" : "s are") missing, from \(first.identifier) on.",
            "placard migrate"
        )
    }

    func objects() throws -> StoreFinding {
        let schema = SchemaContents.expected(of: Schema.migrations)
        let missing = try schema.missing(on: connection)
        guard missing.names.isEmpty else { return Self.lack(missing, of: schema) }
        let rows = try connection.rows(
            """
            SELECT i.indexrelid::regclass::TEXT AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
            WHERE c.relnamespace = current_schema()::regnamespace AND NOT (i.indisvalid AND i.indisready)
            """
        )
        if let name = try rows.first?.text("name") {
            return .bad("objects", "The index \(name) can't be used.", StoreFinding.psql("REINDEX INDEX \(name)"))
        }
        if let lost = try lostHead() { return lost }
        if let changed = try changedTables(schema) { return changed }
        return .good("objects", "every table, index and constraint is there")
    }

    /// Says which of the tables that have one row have lost it.
    private func lostHead() throws -> StoreFinding? {
        for (table, rows) in [("log_head", "events"), ("webhook_notice_head", "webhook_notices")] {
            guard try row("SELECT count(*) AS rows FROM \(table) WHERE id = 1").integer("rows") == 0 else { continue }
            // A position that wasn't given out, whatever was deleted since; see ``LogPositions``.
            let sql = """
                INSERT INTO \(table) (id, position) SELECT 1, greatest(coalesce(max(position), 0), \
                (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT) FROM \(rows)
                """
            let message = "\(table) has lost its row, without which nothing is recorded."
            return .bad("objects", message, StoreFinding.psql(sql))
        }
        guard try row("SELECT count(*) AS rows FROM store WHERE id = 1").integer("rows") == 1 else {
            return .bad("objects", "store has lost its row. Stop the servers, and restore a backup.", Self.restoration)
        }
        return nil
    }

    /// Finds changes of tables and indexes that make writes fail, be lost or be there twice.
    private func changedTables(_ schema: SchemaContents) throws -> StoreFinding? {
        let unique = schema.uniqueIndexes
        let row = try connection.row(
            """
            SELECT
                (
                    SELECT min(format('DROP TRIGGER %I ON %I', t.tgname, c.relname))
                    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                    WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgenabled <> 'D' AND t.tgtype & 2 = 2
                        AND c.relnamespace = current_schema()::regnamespace
                        AND c.relname = ANY($1::TEXT[])
                ) AS trigger,
                (
                    SELECT min(format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', c.relname)) FROM pg_class c
                    WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY($1::TEXT[])
                        AND row_security_active(c.oid)
                ) AS policy,
                (
                    SELECT min(format('ALTER TABLE %I SET LOGGED', c.relname)) FROM pg_class c
                    WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY($1::TEXT[])
                        AND c.relpersistence <> 'p'
                ) AS unlogged,
                (
                    SELECT min(c.relname) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                    WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY($2::TEXT[])
                        AND NOT i.indisunique
                ) AS plain,
                (
                    SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass('events')
                        AND inhrelid = to_regclass('events_other')
                ) AS others
            """,
            [schema.tables.keys.sorted(), unique]
        )
        guard let row else { return nil }
        for (column, words) in [
            ("trigger", "A trigger that no version creates changes what is written."),
            ("policy", "Row level security hides rows from the server."),
            ("unlogged", "A table isn't logged: a crash of the server empties it."),
        ] {
            if let sql = try row.optionalText(column) { return .bad("objects", words, StoreFinding.psql(sql)) }
        }
        if let name = try row.optionalText("plain") {
            let statements = ["DROP INDEX \(name)"] + [schema.creation(of: name)].compactMap(\.self)
            let message = "The index \(name) isn't unique, so that one event or row can be there twice."
            return .bad("objects", message, StoreFinding.psql(statements))
        }
        guard try row.integer("others") == 1 else {
            let sql = "ALTER TABLE events ATTACH PARTITION events_other DEFAULT"
            let message = "events_other is no partition of events, so that events of other times are refused."
            return .bad("objects", message, StoreFinding.psql(sql))
        }
        return nil
    }

    /// The command that brings back a backup that pg_dump made.
    static let restoration =
        "pg_restore --clean --if-exists --no-owner --single-transaction --dbname \"$PLACARD_DATABASE\" FILE"

    /// Says what is missing: indexes can be created again, and the rest comes from a backup.
    private static func lack(_ missing: SchemaContents.Lack, of schema: SchemaContents) -> StoreFinding {
        let all = missing.names
        let names = all.prefix(5).joined(separator: ", ")
        let more = all.count > 5 ? " and \(all.count - 5) more" : ""
        let verb = all.count == 1 ? "is" : "are"
        let message = "\(names)\(more) \(verb) missing: the database was changed by other means."
        guard missing.parts.isEmpty else {
            return .bad(
                "objects",
                "\(message) Stop the servers, and restore a backup that pg_dump made.",
                Self.restoration
            )
        }
        return .bad("objects", message, StoreFinding.psql(missing.indexes.compactMap(schema.creation)))
    }

    func slots() throws -> StoreFinding {
        let row = try row(
            """
            SELECT count(*) AS slots, count(*) FILTER (
                WHERE owner IS NULL OR leased_until < extract(epoch FROM clock_timestamp())
            ) AS free FROM signals
            """
        )
        let (slots, free) = (try row.integer("slots"), try row.integer("free"))
        guard slots == SlotLease.slots else {
            let sql = "INSERT INTO signals (slot) SELECT * FROM generate_series(0, 63) ON CONFLICT DO NOTHING"
            let message = "signals has \(Quantity.text(slots, "row")), and not \(SlotLease.slots)."
            return .bad("slots", message, StoreFinding.psql(sql))
        }
        guard free > 0 else {
            let command = StoreFinding.psql("SELECT slot, owner, leased_until FROM signals")
            return .warning("slots", "None is free: more nodes wait for each other's counts.", command)
        }
        return .good("slots", "\(free) of \(slots) are free")
    }

    func deadRows() throws -> StoreFinding {
        let rows = try connection.rows(
            """
            SELECT relname::TEXT AS name, n_dead_tup AS dead, n_live_tup AS live FROM pg_stat_user_tables
            WHERE schemaname = current_schema() AND n_dead_tup > 100000 AND n_dead_tup > n_live_tup / 2
            ORDER BY n_dead_tup DESC LIMIT 1
            """
        )
        guard let row = rows.first else { return .good("dead rows", "few") }
        let name = try row.text("name")
        return .warning(
            "dead rows",
            "\(try row.integer("dead")) in \(name), beside \(try row.integer("live")) that are used. Is autovacuum on?",
            StoreFinding.psql("VACUUM (ANALYZE) \(name)")
        )
    }

    func secrets() throws -> StoreFinding {
        if let problem = StoreSecrets.problem(secretsKey) {
            return .bad("secrets", problem.message, "placard doctor --secrets-key-file FILE")
        }
        let secrets = try StoreSecrets(secretsKey, isRequired: false)
        guard let id = try connection.registeredKey() else { return .good("secrets", "none so far") }
        if secrets.key(id) == nil {
            return .bad("secrets", secrets.locked(id).message, "placard doctor --secrets-key-file FILE")
        }
        let name = SecretsKey.name(of: id)
        if let newest = secrets.newestKeyID, newest != id {
            let message = "Key \(name) isn't the newest one in the file: another one is prepared."
            return .warning("secrets", message, "placard secrets rotate --prepared")
        }
        return .good("secrets", "encrypted with key \(name)")
    }
}
