import CardModel
import CardStore

/// The writer's connection, and what the present group has changed so far.
///
/// Sendable without a check because only the writer's queue uses it.
final class WriteSession: @unchecked Sendable {
    /// The parts that a session needs of its store.
    struct Environment: Sendable {
        let secrets: StoreSecrets
        let pseudonyms: UserPseudonyms
        let now: @Sendable () -> UnixTime
        /// The number by which other nodes tell this one's changes from theirs.
        let writer: Int64
        /// The time for which a slot's lease is kept before it is renewed.
        let leaseRenewal: Duration
        /// The part that the database has where users are spread over several, or `nil` where it is the only one.
        var shard: ShardRole?
        /// Whether nothing of users is changed, so that other databases may have some of them.
        var leavesUsers = false
    }

    let connection: PostgresConnection
    let environment: Environment
    private let settings: ConnectionSettings
    /// Decides what is recorded, and adds up what the present group has counted.
    var recorder = Recorder()
    private var knownSettings = KnownSettings()
    var conversionRules = KnownConversionRules()
    var changes = GroupChanges()
    /// The writes at the end of the group.
    var pending = PendingWrites()
    private var slots: SlotLease
    /// Users whose rows were locked when the group began, as they still are.
    var locked: [UserID: KnownUser] = [:]
    /// The users that the group named, that aren't there and that no other node can create, as they still are: whether
    /// each was there before, and was deleted or merged into another.
    var absent: [UserID: Bool] = [:]
    /// The users that the group said it is about; those that are there are locked.
    private(set) var named: Set<UserID> = []
    /// The store's own row as it was when the group began, unless the group has changed it.
    private var storeRow: PostgresRow?
    /// The rows that the present job asked for before the group's first job ran.
    private var loaded: [[PostgresRow]]?
    /// Whether the present job writes to another user than it named.
    private(set) var isElsewhere = false
    /// Whether jobs before the present one have recorded events.
    private(set) var hasEarlierEvents = false
    /// The state that the group depends on where users are spread over several databases.
    private(set) var fence: GroupFence?
    /// The name of the transaction, where it is known from the beginning.
    private var transaction: String?
    private var writesBefore = 0

    var secrets: StoreSecrets { environment.secrets }
    var pseudonyms: UserPseudonyms { environment.pseudonyms }
    var now: @Sendable () -> UnixTime { environment.now }
    /// Whether users are spread over several databases.
    var isSharded: Bool { environment.shard != nil }
    /// The rows of counts that this node adds to.
    var slot: Int64 { slots.slot }
    /// Changes with everything that a job has written.
    var revision: Int { connection.writes + pending.revision }

    init(on connection: PostgresConnection, _ settings: ConnectionSettings, _ environment: Environment) throws {
        self.connection = connection
        self.settings = settings
        self.environment = environment
        slots = try SlotLease(
            environment.writer,
            // One that leaves users as they are is in nobody's way who moves them.
            databases: environment.shard?.databases ?? (environment.leavesUsers ? .max : 0),
            needsAllUsers: environment.shard == nil && !environment.leavesUsers,
            renewal: environment.leaseRenewal,
            on: connection
        )
        try LogPositions.follow(connection, isSharded: environment.shard != nil)
    }

    // MARK: Transactions

    /// Begins a group's transaction.
    ///
    /// - Parameters:
    ///   - users: The users whose rows are locked.
    ///   - names: What may be made of which there can be only one.
    ///   - queries: What the group's jobs depend on.
    ///   - isExclusive: Whether it changes which users the database has.
    /// - Returns: The rows of each query.
    /// - Throws: What the server says.
    func begin(
        locking users: [UserID],
        names: [String],
        loading queries: [PostgresQuery],
        isExclusive: Bool = false
    ) throws -> [[PostgresRow]] {
        changes = GroupChanges()
        recorder.counts = RecordedCounts()
        pending = PendingWrites()
        try slots.renew(on: connection)
        writesBefore = connection.writes
        forgetUsers()
        (storeRow, transaction, fence) = (nil, nil, nil)
        let begin = [ConnectionSettings.begin]
        let statements = connection.usesPreparedStatements ? begin : begin + settings.transactionStatements
        connection.begin(isExclusive ? statements + [settings.exclusiveStatement] : statements)
        try connection.requireSameHistory()
        let fences = fenceQueries(isExclusive: isExclusive)
        guard !users.isEmpty || !names.isEmpty else {
            let rows = try connection.rows(of: fences + queries)
            fence = try Self.fence(rows.prefix(fences.count), departing: [[PostgresRow]]())
            return Array(rows.dropFirst(fences.count))
        }
        named = Set(users)
        // A locked row has the transaction's name in it, so the name costs nothing here, and a round trip at the end.
        let first = [Self.lock(named), PostgresQuery(Self.name), PostgresQuery(Self.readStore)]
        let departures = departureQueries(for: named)
        let all = try connection.rows(of: fences + first + departures + queries)
        let rows = Array(all.dropFirst(fences.count))
        // safe: a list for each statement
        try note(locked: rows[0])
        transaction = try rows[1].first?.text("transaction")  // safe: the lists of the two other statements
        storeRow = rows[2].first
        let rest = rows.dropFirst(first.count)
        fence = try Self.fence(all.prefix(fences.count), departing: rest.prefix(departures.count))
        try lockAbsent(named.filter { locked[$0] == nil }, names)
        return Array(rest.dropFirst(departures.count))
    }

    private static let readStore = "SELECT settings, generation FROM store WHERE id = 1"
    private static let name = "SELECT pg_current_xact_id()::TEXT AS transaction"

    /// Writes what the group has added up, and returns the name of the transaction, or `nil` where nothing was changed.
    ///
    /// Every node does it in this order, and each table in the order of its keys, so that none waits for another in a
    /// circle. The rows that all nodes share come last, and are held no longer than the commit takes.
    func finish() throws -> String? {
        try flushCounts()
        try flushUserCount()
        if let role = environment.shard, role.id != 0 {
            try flushOutbox()
        } else {
            try flushNotices()
            try flushAudit()
        }
        try flushSignals()
        try flushEvents()
        guard connection.writes != writesBefore else { return nil }
        if let transaction { return transaction }
        return try connection.row("SELECT pg_current_xact_id_if_assigned()::TEXT AS transaction")?
            .optionalText("transaction")
    }

    func rollBack() {
        try? connection.rollBack()
        forgetUsers()
        knownSettings = KnownSettings()
        conversionRules = KnownConversionRules()
        recorder.conversions = .none
    }

    private func forgetUsers() {
        (named, locked, absent) = ([], [:], [:])
        (loaded, isElsewhere) = (nil, false)
    }

    // MARK: What jobs load

    /// Gives the next job what it asked for, or `nil` where it has to ask again.
    func prepare(_ rows: [[PostgresRow]]?) {
        (loaded, isElsewhere) = (rows, false)
        hasEarlierEvents = !pending.events.isEmpty
    }

    /// Takes what the present job asked for, or returns `nil` where it has to ask again.
    func takeLoaded() -> [[PostgresRow]]? {
        defer { loaded = nil }
        return loaded
    }

    /// Notes that the present job writes to another user than it named.
    func turnElsewhere() { (loaded, isElsewhere) = (nil, true) }

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
        guard let row = try store() else { return }
        try knownSettings.follow(row.text("settings"))
        recorder.calendar.follow(zone: knownSettings.value.timeZone)
        recorder.limits = knownSettings.value.deviceLimits.user
    }

    /// Returns the store's own row.
    func store() throws -> PostgresRow? {
        if storeRow == nil { storeRow = try connection.row(Self.readStore) }
        return storeRow
    }

    /// Notes that the group has changed the store's own row.
    func forgetStore() { storeRow = nil }

    private func flushUserCount() throws {
        guard changes.newUsers != 0 else { return }
        connection.later(
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
