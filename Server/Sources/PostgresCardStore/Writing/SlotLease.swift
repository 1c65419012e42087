import CardStore

/// The slot whose rows a writer adds to, leased for a while, so that no two nodes wait for each other's counts.
///
/// Only speed depends on it: where two nodes have one slot, their sums are still right.
struct SlotLease {
    private(set) var slot: Int64
    /// Whether no other node has the slot, as far as is known.
    private(set) var isOwn = false
    private let owner: Int64
    /// The number of databases that the node knows among which users are spread; 0 where it knows of none.
    private let databases: Int64
    /// Whether the node takes all users for this database's.
    private let needsAllUsers: Bool
    /// Whether the database has had all users since the lease was renewed, where that is needed.
    private var isAdmitted = false
    private var renewedAt = ContinuousClock.now

    /// The number of slots.
    static let slots: Int64 = 64
    private static let seconds = 60.0
    /// The time for which a lease is kept before it is asked for again, by default: a third of its time.
    static let renewal = Duration.seconds(20)
    private let renewal: Duration

    init(
        _ owner: Int64,
        databases: Int64 = 0,
        needsAllUsers: Bool = false,
        renewal: Duration,
        on connection: PostgresConnection
    ) throws {
        (self.owner, self.databases, self.renewal) = (owner, databases, renewal)
        self.needsAllUsers = needsAllUsers
        slot = Int64.random(in: 0..<Self.slots)
        try lease(on: connection)
        do {
            try admit(on: connection)
        } catch {
            // Each attempt would take another one.
            try? release(on: connection)
            throw error
        }
    }

    /// Keeps the slot, or leases another one where it was lost.
    ///
    /// Outside of a transaction.
    ///
    /// - Throws: `StoreError.unavailable` where other databases, which the node doesn't know, have users.
    mutating func renew(on connection: PostgresConnection) throws {
        guard !isAdmitted || ContinuousClock.now - renewedAt > renewal else { return }
        (renewedAt, isAdmitted) = (.now, false)
        let sql = """
            UPDATE signals SET leased_until = extract(epoch FROM clock_timestamp()) + $3 WHERE slot = $1 AND owner = $2
            """
        if try connection.changing(sql + " RETURNING slot", [slot, owner, Self.seconds]).isEmpty {
            try lease(on: connection)
        }
        try admit(on: connection)
    }

    /// Throws where other databases have users, or are about to, and the node takes all users for this one's.
    ///
    /// Whoever moves users notes it, and then looks for nodes that have a lease and don't know all databases. A node
    /// has the lease first, and then looks here: of the two, one sees the other, also where the node has written
    /// nothing for long.
    private mutating func admit(on connection: PostgresConnection) throws {
        if needsAllUsers, try connection.row(Self.isPart)?.flag("is_part") ?? false {
            throw StoreError(
                .unavailable,
                "Users were spread over several databases after this server was started. Restart it."
            )
        }
        isAdmitted = true
    }

    private static let isPart = """
        SELECT shard <> 0 OR EXISTS (SELECT 1 FROM placement WHERE shard <> 0) OR EXISTS (SELECT 1 FROM moves)
            AS is_part
        FROM store WHERE id = 1
        """

    /// Gives the slot back.
    ///
    /// Outside of a transaction.
    func release(on connection: PostgresConnection) throws {
        try connection.execute(
            "UPDATE signals SET owner = NULL, leased_until = 0 WHERE slot = $1 AND owner = $2",
            [slot, owner]
        )
    }

    private mutating func lease(on connection: PostgresConnection) throws {
        let rows = try connection.changing(
            """
            UPDATE signals SET owner = $1, leased_until = extract(epoch FROM clock_timestamp()) + $2,
                databases = $3, databases_of = $1
            WHERE slot = (
                SELECT slot FROM signals WHERE leased_until < extract(epoch FROM clock_timestamp())
                ORDER BY slot FOR UPDATE SKIP LOCKED LIMIT 1
            ) RETURNING slot
            """,
            [owner, Self.seconds, databases]
        )
        isOwn = !rows.isEmpty
        if let slot = try rows.first?.integer("slot") { self.slot = slot }
    }
}
