/// The positions that the events of the log are given, which only grow.
///
/// Where a backup took the database's place, or a standby that lacks what the server before it has written, positions
/// after the last one were given out already. Receivers remember the largest, so that they would miss what got them
/// once more.
enum LogPositions {
    /// Goes on past all positions that were given out, where the database shows another history than it did before.
    ///
    /// A position that no server has reached: fewer events than a million a second were ever written. The clock of the
    /// server may be behind that of the one before it, from whose clock the last positions may be, so it goes on by a
    /// thousand million at least: more than a standby lacks.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - isSharded: Whether the home takes over what waits for it in this database, of which it remembers the largest
    ///     position too.
    /// - Throws: What the server says.
    static func follow(_ connection: PostgresConnection, isSharded: Bool = false) throws {
        let history = Int64(bitPattern: connection.history.number)
        let known = try connection.row("SELECT history FROM store WHERE id = 1")?.optionalInteger("history")
        guard known != history else { return }
        // First, since nothing of it is done again once the history is noted.
        if isSharded, known != nil { _ = try connection.row(skipOutbox) }
        try connection.execute(
            """
            WITH former AS (SELECT history FROM store WHERE id = 1 FOR NO KEY UPDATE),
                noted AS (UPDATE store SET history = $1 WHERE id = 1)
            UPDATE log_head SET position =
                greatest(
                    position + least(1000000000, 9223372036854775807 - position),
                    (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT
                )
            WHERE id = 1 AND EXISTS (SELECT 1 FROM former WHERE history <> $1)
            """,
            [history]
        )
    }

    private static let skipOutbox = """
        SELECT setval(
            s.name,
            greatest(nextval(s.name) + 1000000000, (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT)
        ) AS n
        FROM (SELECT pg_get_serial_sequence('outbox', 'position')::REGCLASS AS name) AS s
        """
}
