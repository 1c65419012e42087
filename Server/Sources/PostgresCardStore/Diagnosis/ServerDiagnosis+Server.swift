import CardModel
import CardStore
import Foundation

// What is found of the server, the connection and the user.
extension ServerDiagnosis {
    func server() throws -> StoreFinding {
        let row = try row(
            """
            SELECT current_setting('server_version') AS version,
                current_setting('server_version_num')::BIGINT AS number, current_database()::TEXT AS name
            """
        )
        let version = try row.text("version")
        guard try row.integer("number") >= Schema.oldestServer else {
            return .bad("database", "PostgreSQL \(version) is too old; 15 is the oldest that works.", "pg_upgrade")
        }
        return .good("database", "\(try row.text("name")) opens; PostgreSQL \(version)")
    }

    func encryption() -> StoreFinding {
        let security = connection.security
        if security.isLocal { return .good("tls", "not needed: the server is on this machine") }
        guard security.isEncrypted else {
            return .bad(
                "tls",
                "The connection isn't encrypted: passwords and users' data can be read on the way.",
                "placard doctor --database 'postgres://USER@HOST/NAME?sslmode=verify-full&sslrootcert=FILE'"
            )
        }
        guard security.mode == "verify-full" else {
            return .warning(
                "tls",
                "Encrypted, but sslmode is \(security.mode): who answers isn't checked.",
                "placard doctor --database 'postgres://USER@HOST/NAME?sslmode=verify-full&sslrootcert=FILE'"
            )
        }
        return .good("tls", "encrypted, and the server's certificate is checked")
    }

    func encoding() throws -> StoreFinding {
        let encoding = try row("SELECT current_setting('server_encoding') AS encoding").text("encoding")
        guard encoding == "UTF8" else {
            let command = "createdb --encoding UTF8 --template template0 NAME"
            return .bad("encoding", "The database is in \(encoding).", command)
        }
        return .good("encoding", encoding)
    }

    func timeZone() throws -> StoreFinding {
        let zone = try row("SELECT current_setting('TimeZone') AS zone").text("zone")
        return .good("timezone", "\(zone); it doesn't matter, since times are kept as seconds")
    }

    func rights() throws -> StoreFinding {
        let row = try row(
            """
            SELECT current_user::TEXT AS name, quote_ident(current_user) AS quoted_name,
                quote_ident(coalesce(current_schema(), 'public')) AS quoted_schema, r.rolsuper AS is_super,
                current_schema() IS NOT NULL AND has_schema_privilege(current_schema(), 'CREATE') AS creates,
                (
                    SELECT string_agg(c.relname, ', ' ORDER BY c.relname) FROM pg_class c
                    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
                        AND NOT (
                            has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
                            AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE')
                        )
                ) AS refused,
                (
                    SELECT string_agg(
                        format('ALTER TABLE %I OWNER TO %I', c.relname, current_user), '; ' ORDER BY c.relname
                    )
                    FROM pg_class c
                    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
                        AND NOT pg_has_role(c.relowner, 'USAGE')
                ) AS ownership
            FROM pg_roles r WHERE r.rolname = current_user
            """
        )
        let (name, role, schema) = (try row.text("name"), try row.text("quoted_name"), try row.text("quoted_schema"))
        if let refused = try row.optionalText("refused") {
            let sql = "GRANT ALL ON ALL TABLES IN SCHEMA \(schema) TO \(role)"
            return .bad("rights", "\(name) can't use the tables \(refused.prefix(200)).", StoreFinding.psql(sql))
        }
        if let ownership = try row.optionalText("ownership") {
            let message = "Tables are another role's: \(name) can't create or drop partitions, nor update the tables."
            return .bad("rights", message, StoreFinding.psql(ownership))
        }
        guard try row.flag("creates") else {
            let sql = "GRANT CREATE ON SCHEMA \(schema) TO \(role)"
            return .bad("rights", "\(name) can't create tables, so updates fail.", StoreFinding.psql(sql))
        }
        guard try !row.flag("is_super") else {
            let sql = "CREATE ROLE placard LOGIN"
            return .warning("rights", "\(name) is a superuser, which a server doesn't need.", StoreFinding.psql(sql))
        }
        return .good("rights", "\(name) owns the tables, and can create others")
    }

    func pooler() -> StoreFinding {
        guard !connection.usesPreparedStatements else { return .good("pooler", "none, or one that keeps sessions") }
        return .warning(
            "pooler",
            "A pooler hands out connections by transaction: statements aren't prepared, "
                + "and nodes hear of each other by "
                + "looking four times a second.",
            "placard doctor --database 'postgres://USER@HOST-OF-THE-SERVER/NAME'"
        )
    }

    func durability() throws -> StoreFinding {
        let row = try row(
            """
            SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
                current_setting('synchronous_commit') AS synchronous_commit
            """
        )
        for name in ["fsync", "full_page_writes"] where try row.text(name) != "on" {
            return .bad(
                "durability",
                "\(name) is off: a power failure can damage the whole database.",
                StoreFinding.psql("ALTER SYSTEM SET \(name) = on") + " && "
                    + StoreFinding.psql("SELECT pg_reload_conf()")
            )
        }
        let commit = try row.text("synchronous_commit")
        guard commit != "off" else {
            return .bad(
                "durability",
                "synchronous_commit is off: a crash loses events that devices were told are kept.",
                StoreFinding.psql("ALTER DATABASE NAME SET synchronous_commit = on")
            )
        }
        return .good("durability", "commits are durable (synchronous_commit = \(commit))")
    }

    func standby() throws -> StoreFinding {
        let row = try row(
            """
            SELECT count(*) AS standbys, count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')) AS synchronous,
                coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)), 0)::BIGINT AS lag,
                count(*) FILTER (WHERE sync_state IS NULL) AS hidden, quote_ident(current_user) AS name,
                current_setting('synchronous_standby_names') AS awaited,
                current_setting('synchronous_commit') AS commits
            FROM pg_stat_replication
            """
        )
        let (standbys, lag) = (try row.integer("standbys"), try row.integer("lag"))
        guard try row.integer("hidden") == 0 else {
            let sql = "GRANT pg_read_all_stats TO \(try row.text("name"))"
            let message = "\(standbys) there; this role can't see whether one is synchronous, and how far behind."
            return .warning("standby", message, StoreFinding.psql(sql))
        }
        let waits = try !["off", "local"].contains(row.text("commits")) && !row.text("awaited").isEmpty
        if waits, try row.integer("synchronous") == 0 {
            return .bad(
                "standby",
                "Every write waits for a standby of synchronous_standby_names, and none is there.",
                StoreFinding.psql("ALTER SYSTEM RESET synchronous_standby_names") + " && "
                    + StoreFinding.psql("SELECT pg_reload_conf()")
            )
        }
        guard standbys > 0 else {
            return .warning(
                "standby",
                "There is none: with the server's disk, everything since the last backup is lost.",
                "pg_basebackup --write-recovery-conf --pgdata=FOLDER"
            )
        }
        guard lag < 64 << 20 else {
            let command = StoreFinding.psql("SELECT * FROM pg_stat_replication")
            return .warning("standby", "A standby is \(lag >> 20) MiB behind.", command)
        }
        guard try row.integer("synchronous") > 0 else {
            let command = StoreFinding.psql("SHOW synchronous_standby_names")
            return .warning("standby", "None is synchronous: a failover can lose the last events.", command)
        }
        return .good("standby", "\(standbys), at most \(Quantity.text(lag, "byte")) behind")
    }

    func connections() throws -> StoreFinding {
        let row = try row(
            """
            SELECT current_setting('max_connections')::BIGINT
                    - current_setting('superuser_reserved_connections')::BIGINT AS places,
                (SELECT sum(numbackends)::BIGINT FROM pg_stat_database) AS used,
                (SELECT nullif(rolconnlimit, -1)::BIGINT FROM pg_roles WHERE rolname = current_user) AS user_places,
                (SELECT count(*) FROM pg_stat_activity WHERE usename = current_user) AS user_used,
                (SELECT nullif(datconnlimit, -1)::BIGINT FROM pg_database WHERE datname = current_database())
                    AS database_places,
                (SELECT numbackends::BIGINT FROM pg_stat_database WHERE datname = current_database()) AS database_used,
                format('ALTER ROLE %I CONNECTION LIMIT', current_user) AS user_command,
                format('ALTER DATABASE %I CONNECTION LIMIT', current_database()) AS database_command
            """
        )
        let needed = PostgresCardStore.Options().connections
        var (places, used) = (try row.integer("places"), try row.integer("used"))
        var statement = "ALTER SYSTEM SET max_connections = 200"
        for kind in ["user", "database"] {
            guard let limit = try row.optionalInteger("\(kind)_places") else { continue }
            let own = try row.integer("\(kind)_used")
            // safe: numbers of connections
            guard limit - own < places - used else { continue }
            // safe: see above
            (places, used, statement) = (limit, own, "\(try row.text("\(kind)_command")) \(own + Int64(needed) * 2)")
        }
        // safe: numbers of connections
        let free = places - used
        let command = StoreFinding.psql(statement)
        guard free >= needed else {
            return .bad("connections", "\(free) of \(places) are free, and a node takes \(needed).", command)
        }
        // safe: a few connections
        guard free >= needed * 2 else {
            return .warning("connections", "\(free) of \(places) are free: room for one more node.", command)
        }
        return .good("connections", "\(used) of \(places) are used; a node takes \(needed)")
    }

    func clock() throws -> StoreFinding {
        let start = Date().timeIntervalSince1970
        guard let database = try connection.serverTime() else { throw StoreError.unreadable("no answer") }
        let difference = max(start - database, database - Date().timeIntervalSince1970, 0)
        guard difference > PostgresCardStore.clockTolerance else {
            return .good("database clock", "as this machine's")
        }
        // safe: less than the largest Int
        let seconds = Int(min(difference, 1e9).rounded())
        return .bad("database clock", "It is \(seconds) s off this machine's, so a node isn't ready.", "timedatectl")
    }
}
