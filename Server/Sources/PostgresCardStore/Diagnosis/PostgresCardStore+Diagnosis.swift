public import CardModel
public import CardStore
import Dispatch
import Foundation

extension PostgresCardStore {
    /// Looks at a database as an operator would, and changes nothing: its session can only read.
    ///
    /// Servers may be using it.
    ///
    /// - Parameters:
    ///   - url: The database, as libpq takes it.
    ///   - secretsKey: Where the keys for secrets come from.
    ///   - isFull: Whether the users are counted although there are many.
    ///   - now: The time, or `nil` for that of the clock.
    /// - Returns: What was found, in an order that stays the same.
    public static func diagnose(
        url: String,
        secretsKey: SecretsKeySource,
        isFull: Bool = false,
        at now: UnixTime? = nil
    ) async -> [StoreFinding] {
        await withUnsafeContinuation { continuation in
            DispatchQueue(label: "placard.postgres.diagnosis").async {
                let now = now ?? Date().timeIntervalSince1970
                let findings = findings(url: url, secretsKey: secretsKey, isFull: isFull, at: now)
                continuation.resume(returning: findings)
            }
        }
    }

    /// Whether a server has a database open, as far as this account may see it.
    ///
    /// - Parameter url: The database, as libpq takes it.
    /// - Returns: Whether a session of a server is there.
    public static func isInUse(url: String) async -> Bool {
        await withUnsafeContinuation { continuation in
            DispatchQueue(label: "placard.postgres.diagnosis").async {
                let found = try? reading(url) { try $0.row(PostgresTransfer.servers)?.flag("found") }
                continuation.resume(returning: found == true)
            }
        }
    }

    /// The plan of a migration.
    public struct MigrationPlan: Sendable, Hashable {
        /// The names of the steps, in order; empty where there is nothing to do.
        public internal(set) var steps: [String]
        /// The size of the database, in bytes.
        public internal(set) var databaseBytes: Int64
        /// Whether the database has none of Placard's tables yet.
        public let isNew: Bool

        /// Adds what is to be done in the database of a shard.
        package mutating func add(_ other: MigrationPlan, ofShard id: Int64) {
            steps += other.steps.map { "\($0) (shard \(id))" }
            // safe: sizes of databases
            databaseBytes += other.databaseBytes
        }
    }

    /// Says which steps are pending, and changes nothing.
    ///
    /// - Parameter url: The database, as libpq takes it.
    /// - Returns: The steps, and how large the database is.
    /// - Throws: `StoreError` where the database can't be reached, or can't be migrated at all.
    public static func migrationPlan(url: String) async throws -> MigrationPlan {
        let result: Result<MigrationPlan, StoreError> = await withUnsafeContinuation { continuation in
            DispatchQueue(label: "placard.postgres.diagnosis").async {
                continuation.resume(
                    returning: Result { () throws(StoreError) in
                        try translatingErrors { try reading(url, plan) }
                    }
                )
            }
        }
        return try result.get()
    }

    private static func plan(_ connection: PostgresConnection) throws -> MigrationPlan {
        let migrator = Migrator(connection: connection, settings: ConnectionSettings(url: ""))
        try migrator.checkServer()
        let steps = try migrator.pendingSteps().map(\.identifier)
        let size = try connection.row("SELECT pg_database_size(current_database()) AS bytes")
        return MigrationPlan(
            steps: steps,
            databaseBytes: try size?.integer("bytes") ?? 0,
            isNew: steps.count == migrator.migrations.count
        )
    }

    private static func findings(
        url: String,
        secretsKey: SecretsKeySource,
        isFull: Bool,
        at now: UnixTime
    ) -> [StoreFinding] {
        do {
            return try reading(url) { connection in
                ServerDiagnosis(connection: connection, secretsKey: secretsKey, isFull: isFull, now: now).run()
            }
        } catch {
            return [.bad("database", StoreError(error).message, "pg_isready --dbname=URL")]
        }
    }

    /// Lends a connection that only reads.
    static func reading<Value>(_ url: String, _ body: (PostgresConnection) throws -> Value) throws -> Value {
        var settings = ConnectionSettings(url: url)
        settings.applicationName = "placard-doctor"
        let connection = try PostgresConnection(settings)
        try connection.simple("BEGIN READ ONLY; \(settings.transactionSettings)")
        defer { try? connection.simple("ROLLBACK") }
        return try body(connection)
    }
}

/// Looks at a PostgreSQL server and at a database on it.
struct ServerDiagnosis {
    let connection: PostgresConnection
    let secretsKey: SecretsKeySource
    /// Whether the users are counted although there are many.
    let isFull: Bool
    let now: UnixTime

    func run() -> [StoreFinding] {
        let state = find("schema", schema)
        var findings = [
            find("database", server), find("tls", encryption), find("encoding", encoding), find("timezone", timeZone),
            find("rights", rights), find("pooler", pooler), find("durability", durability), find("standby", standby),
            find("connections", connections), find("database clock", clock), find("transactions", transactions),
            find("ages", transactionIDs), state,
        ]
        guard state.level != .bad else { return findings }
        findings += [
            find("objects", objects), find("partitions", partitions), find("slots", slots), find("dead rows", deadRows),
            find("secrets", secrets), find("contents", contents), find("counters", counters),
            find("day totals", dayTotals), find("events", events),
        ]
        if isFull { findings.append(find("rows", rows)) }
        return findings
    }

    /// Makes a finding; one that can't be made is one too.
    private func find(_ subject: String, _ check: () throws -> StoreFinding) -> StoreFinding {
        do {
            try connection.simple("SAVEPOINT finding")
            return try check()
        } catch {
            try? connection.simple("ROLLBACK TO SAVEPOINT finding")
            return .warning(subject, "This can't be read: \(StoreError(error).message)", nil)
        }
    }

    /// Runs a statement of which one row is expected.
    func row(_ sql: String) throws -> PostgresRow {
        guard let row = try connection.row(sql) else { throw StoreError.unreadable("no answer") }
        return row
    }
}

extension StoreFinding {
    static func good(_ subject: String, _ message: String) -> Self {
        Self(level: .good, subject: subject, message: message)
    }

    static func warning(_ subject: String, _ message: String, _ command: String?) -> Self {
        Self(level: .warning, subject: subject, message: message, command: command)
    }

    static func bad(_ subject: String, _ message: String, _ command: String?) -> Self {
        Self(level: .bad, subject: subject, message: message, command: command)
    }

    /// A command that runs a statement in the database.
    static func psql(_ sql: String) -> String { psql([sql]) }

    /// A command that runs statements in the database, each by itself.
    static func psql(_ statements: [String]) -> String {
        "psql \"$PLACARD_DATABASE\"" + statements.map { " --command \"\(escaped($0))\"" }.joined()
    }

    /// A text within the quotation marks of a shell: names in a database are made by whoever may create them.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            if "\\\"`$".unicodeScalars.contains(scalar) { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
    }
}
