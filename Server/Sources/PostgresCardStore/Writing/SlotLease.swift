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
    private var renewedAt = ContinuousClock.now

    /// The number of slots.
    static let slots: Int64 = 64
    private static let seconds = 60.0
    /// The time for which a lease is kept before it is asked for again, by default: a third of its time.
    static let renewal = Duration.seconds(20)
    private let renewal: Duration

    init(_ owner: Int64, databases: Int64 = 0, renewal: Duration, on connection: PostgresConnection) throws {
        (self.owner, self.databases, self.renewal) = (owner, databases, renewal)
        slot = Int64.random(in: 0..<Self.slots)
        try lease(on: connection)
    }

    /// Keeps the slot, or leases another one where it was lost.
    ///
    /// Outside of a transaction.
    mutating func renew(on connection: PostgresConnection) throws {
        guard ContinuousClock.now - renewedAt > renewal else { return }
        renewedAt = .now
        let sql = """
            UPDATE signals SET leased_until = extract(epoch FROM clock_timestamp()) + $3 WHERE slot = $1 AND owner = $2
            """
        if try connection.changing(sql + " RETURNING slot", [slot, owner, Self.seconds]).isEmpty {
            try lease(on: connection)
        }
    }

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
