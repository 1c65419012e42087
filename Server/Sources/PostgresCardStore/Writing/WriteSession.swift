import CardModel
import CardStore

/// The writer's connection, and what the present group has changed so far.
///
/// Sendable without a check because only the writer's queue uses it.
final class WriteSession: @unchecked Sendable {
    /// What a session needs of its store.
    struct Environment: Sendable {
        let secrets: StoreSecrets
        let pseudonyms: UserPseudonyms
        let now: @Sendable () -> UnixTime
        /// How other nodes tell this one's changes from theirs.
        let writer: Int64
    }

    let connection: PostgresConnection
    let environment: Environment
    private let settings: ConnectionSettings
    /// Decides what is recorded, and adds up what the present group has counted.
    var recorder = Recorder()
    private var knownSettings = KnownSettings()
    var conversionRules = KnownConversionRules()
    var changes = GroupChanges()
    /// What is to be written at the end of the group.
    var pending = PendingWrites()
    private var slots: SlotLease
    private var writesBefore = 0

    var secrets: StoreSecrets { environment.secrets }
    var pseudonyms: UserPseudonyms { environment.pseudonyms }
    var now: @Sendable () -> UnixTime { environment.now }
    /// The rows of counts that this node adds to.
    var slot: Int64 { slots.slot }
    /// Changes with everything that a job has written.
    // safe: counts of statements
    var revision: Int { connection.writes + pending.revision }

    init(on connection: PostgresConnection, _ settings: ConnectionSettings, _ environment: Environment) throws {
        self.connection = connection
        self.settings = settings
        self.environment = environment
        slots = try SlotLease(environment.writer, on: connection)
    }

    // MARK: Transactions

    func begin() throws {
        changes = GroupChanges()
        recorder.counts = RecordedCounts()
        pending = PendingWrites()
        try slots.renew(on: connection)
        writesBefore = connection.writes
        let isShared = !connection.usesPreparedStatements
        try connection.simple(isShared ? "BEGIN; \(settings.transactionSettings)" : "BEGIN")
    }

    /// Locks the rows of users, in an order that is the same for every node.
    func lock(_ users: [UserID]) throws {
        guard !users.isEmpty else { return }
        _ = try connection.rows(
            "SELECT 1 AS locked FROM users WHERE id = ANY ($1) ORDER BY id FOR UPDATE",
            [Array(Set(users.map(\.rawValue)))]
        )
    }

    /// Writes what the group has added up, and returns the name of the transaction, or `nil` where nothing was changed.
    ///
    /// Every node does it in this order, and each table in the order of its keys, so that none waits for another in a
    /// circle. The rows that all nodes share come last, and are held no longer than the commit takes.
    func finish() throws -> String? {
        try flushCounts()
        try flushUserCount()
        try flushNotices()
        try flushAudit()
        try flushSignals()
        try flushEvents()
        guard connection.writes != writesBefore else { return nil }
        return try connection.row("SELECT pg_current_xact_id_if_assigned()::TEXT AS transaction")?
            .optionalText("transaction")
    }

    func rollBack() {
        try? connection.simple("ROLLBACK")
        knownSettings = KnownSettings()
        conversionRules = KnownConversionRules()
        recorder.conversions = .none
    }

    func releaseSlot() throws { try slots.release(on: connection) }

    // MARK: Settings

    /// The days on which something at that time counts.
    func day(of time: UnixTime) throws -> CountingDay {
        try readSettings()
        return recorder.calendar.day(of: time)
    }

    /// Reads the settings that the recorder needs, once in a group.
    func readSettings() throws {
        guard changes.readsSettings else { return }
        changes.readsSettings = false
        guard let row = try connection.row("SELECT settings FROM store WHERE id = 1") else { return }
        try knownSettings.follow(row.text("settings"))
        recorder.calendar.follow(zone: knownSettings.value.timeZone)
        recorder.limits = knownSettings.value.deviceLimits.user
    }

    private func flushUserCount() throws {
        guard changes.newUsers != 0 else { return }
        try connection.execute(
            """
            INSERT INTO user_counts (slot, users) VALUES ($1, $2)
            ON CONFLICT (slot) DO UPDATE SET users = user_counts.users + excluded.users
            """,
            [slot, changes.newUsers]
        )
    }
}

/// The campaigns' conversions, kept for as long as the catalog stays at its generation.
struct KnownConversionRules {
    var generation: CatalogGeneration = -1
    /// Those that have any.
    var campaigns: [Campaign] = []
}
