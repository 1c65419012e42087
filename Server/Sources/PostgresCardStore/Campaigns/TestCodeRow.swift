import CardModel
import CardStore

/// A code that a device shows.
enum TestCodeRow {
    /// Removes the codes that have expired; those that another node works with are left to it.
    static func prune(at now: UnixTime, in connection: PostgresConnection) throws {
        try connection.execute(
            """
            DELETE FROM test_codes WHERE hash IN
                (SELECT hash FROM test_codes WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED)
            """,
            [now]
        )
    }

    /// Adds a code in place of an earlier one of the same device, once those that have expired are gone.
    static func insert(
        _ hash: [UInt8],
        of holder: TestCodeHolder,
        client: [UInt8]?,
        at now: UnixTime,
        into connection: PostgresConnection
    ) throws -> TestCodeOutcome {
        let other = try connection.row(
            "SELECT 1 AS one FROM test_codes WHERE hash = $1 AND device_id <> $2",
            [hash, holder.device]
        )
        guard other == nil else { return .taken }
        if let end = try roomEnd(for: holder.device, client: client, on: connection) { return .tooMany(end - now) }
        try connection.execute("DELETE FROM test_codes WHERE device_id = $1", [holder.device])
        try connection.execute(
            """
            DELETE FROM test_codes WHERE hash IN (
                SELECT hash FROM test_codes WHERE user_id = $1 ORDER BY expires_at DESC OFFSET $2
            )
            """,
            [holder.user.rawValue, TestCode.userLimit - 1]
        )
        try connection.execute(
            "INSERT INTO test_codes (hash, user_id, device_id, client, expires_at) VALUES ($1, $2, $3, $4, $5)",
            [hash, holder.user.rawValue, holder.device, client, now + TestCode.lifetime]
        )
        return .saved
    }

    /// Returns the time at which there is room for another device's code, or `nil` where there is.
    private static func roomEnd(
        for device: String,
        client: [UInt8]?,
        on connection: PostgresConnection
    ) throws -> UnixTime? {
        try connection.row(
            """
            SELECT max(until) AS until FROM (
                SELECT CASE WHEN count(*) >= $3 THEN min(expires_at) END AS until
                FROM test_codes WHERE device_id <> $1
                UNION ALL
                SELECT CASE WHEN count(*) >= $4 THEN min(expires_at) END
                FROM test_codes WHERE client = $2 AND device_id <> $1
            ) AS ends
            """,
            [device, client, TestCode.limit, TestCode.clientLimit]
        )?.optionalDouble("until")
    }
}
