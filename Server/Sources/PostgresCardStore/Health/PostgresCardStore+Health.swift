public import CardStore

extension PostgresCardStore {
    /// The difference that this node's clock can have from the database's, in seconds: cursors, claims and schedules
    /// allow for that.
    static let clockTolerance = 2.0

    /// Looks whether devices can be served: a connection can read, what a device would write can be written, and the
    /// node's clock is right, unless any clock is accepted.
    ///
    /// What is written is undone, but for the time of the check.
    public func healthChecks() async -> [HealthCheck] {
        async let written = HealthCheck.finding("write") { try await self.checkWriting() }
        async let read = HealthCheck.run("read") { try await self.checkReading() }
        async let clock = HealthCheck.run("clock") { try await self.checkClock() }
        return await [read, written, clock]
    }

    /// Checks that devices can be served; throws what is in the way.
    public func checkHealth() async throws {
        if let failure = await healthChecks().lazy.compactMap(\.failure).first { throw failure }
    }

    /// Pages of the tables that devices need.
    private static let samples = [
        "SELECT epoch FROM store WHERE id = 1",
        "SELECT length(content) AS length FROM campaigns LIMIT 1",
        "SELECT length(hash) AS length FROM keys LIMIT 1",
        "SELECT length(details) AS length FROM events ORDER BY position DESC LIMIT 1",
        "SELECT id FROM users ORDER BY id LIMIT 8",
        "SELECT card_id FROM deliveries ORDER BY user_id DESC, card_id DESC LIMIT 8",
    ]

    private func checkReading() async throws {
        try await read { connection in
            for sql in Self.samples { _ = try connection.rows(sql) }
            guard try connection.row("SELECT position FROM log_head WHERE id = 1") != nil else {
                throw StoreError(.corrupt, "The log has lost the position of its last event. See `placard doctor`.")
            }
        }
    }

    /// Returns which server takes writes.
    private func checkWriting() async throws -> String? {
        let now = now()
        let server = try await writer.writeAlone { session in
            try session.rehearseDeviceWrite(at: now)
            return "\(session.connection.server), timeline \(Int(session.connection.history.timeline, radix: 16) ?? 0)"
        }
        let written = try await read { connection in
            try connection.row("SELECT checked_at FROM store WHERE id = 1")?.double("checked_at")
        }
        guard let written, written >= now else { throw StoreError.lostWrite }
        return server
    }

    private func checkClock() async throws {
        guard !options.acceptsClock else { return }
        let start = options.systemClock()
        let database = try await read { try $0.serverTime() }
        let end = options.systemClock()
        guard let database else { return }
        // safe: times are seconds with a fraction
        let difference = max(start - database, database - end, 0)
        guard difference > Self.clockTolerance else { return }
        // safe: less than the largest Int
        let seconds = Int(min(difference, 1e9).rounded())
        throw StoreError(
            .unavailable,
            "This node's clock is \(seconds) s off the database's. Synchronize the clocks, for example with chrony."
        )
    }
}

extension WriteSession {
    private static let deviceWrites = [
        """
        INSERT INTO users (id, version, device, created_at, sample_rank) VALUES ($1, 1, 0, $2, 0)
        ON CONFLICT DO NOTHING
        """,
        """
        INSERT INTO deliveries (user_id, card_id, campaign_id, ordinal, variant_id, delivered_at, position, changed_at)
        VALUES ($1, $1, $1, 0, '', $2, 0, 0) ON CONFLICT DO NOTHING
        """,
        """
        INSERT INTO events (position, user_id, id, type, at, received_at) VALUES (-1, $1, '', 'custom', $2, $2)
        ON CONFLICT DO NOTHING
        """,
    ]

    /// Writes what a device that is new makes the store write, undoes it, and notes the time of the check.
    fileprivate func rehearseDeviceWrite(at now: Double) throws {
        try connection.simple("SAVEPOINT health")
        for sql in Self.deviceWrites { try connection.execute(sql, ["_placard_health", now]) }
        try connection.simple("ROLLBACK TO SAVEPOINT health; RELEASE SAVEPOINT health")
        try connection.execute("UPDATE store SET checked_at = greatest(checked_at, $1) WHERE id = 1", [now])
    }
}
