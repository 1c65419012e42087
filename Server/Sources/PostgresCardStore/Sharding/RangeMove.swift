import CardModel
import CardStore

/// A range of users that goes from one database to another.
package struct RangeMove: Sendable, Hashable {
    /// The first place of the range, in the order of `SampleRank`.
    package let start: Int64
    /// The first place after it.
    package let stop: Int64
    /// The shard that gives the range away.
    package let source: Int64
    /// The shard that gets it.
    package let target: Int64
    /// The generation of the source from which on it gives away the range; a random negative number that tells the move
    /// from others, as long as the generations aren't noted.
    package let sourcePlacement: Int64
    /// The generation of the target as long as it hasn't the range.
    package let targetPlacement: Int64
    /// Whether the home says already that the target has the range.
    package var isPlaced = false
    /// Whether it was called off, so that the source is about to have its users again; never one that is placed.
    package var isCalledOff = false

    /// Whether the generations of both databases are noted, so that users can be moved.
    package var isPrepared: Bool { sourcePlacement > 0 }

    /// Creates a move before the generations of its databases are known.
    package init(_ range: Range<Int64>, from source: Int64, to target: Int64) {
        let number = Int64.random(in: .min ... -1)
        self.init(range, from: source, to: target, sourcePlacement: number, targetPlacement: 0)
    }

    /// Creates a move.
    package init(
        _ range: Range<Int64>,
        from source: Int64,
        to target: Int64,
        sourcePlacement: Int64,
        targetPlacement: Int64
    ) {
        (start, stop) = (range.lowerBound, range.upperBound)
        (self.source, self.target) = (source, target)
        (self.sourcePlacement, self.targetPlacement) = (sourcePlacement, targetPlacement)
    }

    /// Returns whether another move has places of the same users.
    package func overlaps(_ other: RangeMove) -> Bool { start < other.stop && other.start < stop }

    init(_ row: PostgresRow) throws {
        (start, stop) = (try row.integer("start"), try row.integer("stop"))
        (source, target) = (try row.integer("source"), try row.integer("target"))
        sourcePlacement = try row.integer("source_placement")
        targetPlacement = try row.integer("target_placement")
        isPlaced = try row.flag("is_placed")
        isCalledOff = try row.flag("is_called_off")
    }
}

/// The home's part in moving users.
///
/// Each step can be done again, and is refused to a mover that comes late.
extension PostgresCardStore {
    /// Reads the move that is under way, or returns `nil`.
    package func move() async throws -> RangeMove? {
        try await read { try $0.row("SELECT * FROM moves ORDER BY start LIMIT 1").map(RangeMove.init) }
    }

    /// Notes a move that begins; `false` where one is under way, or its databases are other ones by now.
    package func beginMove(_ move: RangeMove) async throws -> Bool {
        try await writer.writeAlone(scope: .nobody) { session in
            try session.connection.execute("LOCK TABLE moves IN SHARE ROW EXCLUSIVE MODE")
            return try session.connection.execute(
                """
                INSERT INTO moves (start, stop, source, target, source_placement, target_placement, is_placed)
                SELECT $1, $2, $3, $4, $5, $6, FALSE WHERE NOT EXISTS (SELECT 1 FROM moves)
                    AND coalesce((SELECT shard FROM placement WHERE start <= $1 ORDER BY start DESC LIMIT 1), 0) = $3
                    AND NOT EXISTS (SELECT 1 FROM placement WHERE start > $1 AND start < $2 AND shard <> $3)
                    AND NOT EXISTS (SELECT 1 FROM shards WHERE id = $4 AND removed_at IS NOT NULL)
                    AND NOT EXISTS (SELECT 1 FROM called_off_moves WHERE target IN ($3, $4))
                """,
                [
                    move.start, move.stop, move.source, move.target, move.sourcePlacement, move.targetPlacement,
                ]
            ) > 0
        }
    }

    /// Forgets a move whose generations aren't noted, of which nothing was done.
    package func cancelMove(_ move: RangeMove) async throws {
        _ = try await writer.writeAlone(scope: .nobody) { session in
            try session.connection.execute(
                "DELETE FROM moves WHERE start = $1 AND source_placement = $2 AND source_placement < 0",
                [move.start, move.sourcePlacement]
            )
        }
    }

    /// Notes the generations of a move's databases, unless another mover has.
    ///
    /// They are read once the move is noted. No generation changes from then on until they are noted as well, so they
    /// are those that the databases have, however long the mover takes. Read before, they could be those from before a
    /// move of another mover: the target would seem to have the users already, and the source would remove them.
    ///
    /// - Parameters:
    ///   - move: The move, as it was noted.
    ///   - sourcePlacement: The generation of the source from which on it gives away the range.
    ///   - targetPlacement: The generation of the target.
    /// - Returns: The move with the generations that are noted, or `nil` where it has ended.
    /// - Throws: An error that keeps the store from writing.
    package func prepareMove(
        _ move: RangeMove,
        sourcePlacement: Int64,
        targetPlacement: Int64
    ) async throws -> RangeMove? {
        try await writer.writeAlone(scope: .nobody) { session in
            let connection = session.connection
            try connection.execute(
                """
                UPDATE moves SET source_placement = $3, target_placement = $4
                WHERE start = $1 AND source_placement = $2 AND source_placement < 0
                """,
                [move.start, move.sourcePlacement, sourcePlacement, targetPlacement]
            )
            return try connection.row(
                """
                SELECT * FROM moves WHERE start = $1 AND stop = $2 AND source = $3 AND target = $4
                    AND source_placement > 0
                """,
                [move.start, move.stop, move.source, move.target]
            ).map(RangeMove.init)
        }
    }

    /// Gives the target the range of a move.
    ///
    /// - Parameters:
    ///   - move: The move.
    ///   - history: The difference between the parts that the two databases have in the names of their users'
    ///     histories, which the range has from then on, so that the names stay.
    /// - Returns: Whether the target has it; `false` where the move has ended, or was called off.
    /// - Throws: An error that keeps the home from writing.
    @discardableResult
    package func placeMove(_ move: RangeMove, changing history: UInt64 = 0) async throws -> Bool {
        try await writer.writeAlone(scope: .nobody) { session in
            let connection = session.connection
            let isOpen = try connection.execute(
                """
                UPDATE moves SET is_placed = TRUE
                WHERE start = $1 AND stop = $2 AND target = $3 AND source_placement = $4
                    AND NOT is_placed AND NOT is_called_off
                """,
                [move.start, move.stop, move.target, move.sourcePlacement]
            )
            guard isOpen > 0 else { return try session.isPlaced(move) }
            try session.notePlacements(of: move)
            try session.place(move, at: move.target, changing: history)
            return true
        }
    }

    /// Forgets a move that has ended.
    package func endMove(_ move: RangeMove) async throws {
        _ = try await writer.writeAlone(scope: .nobody) { session in
            try session.connection.execute(
                """
                DELETE FROM moves
                WHERE start = $1 AND stop = $2 AND target = $3 AND source_placement = $4 AND is_placed
                """,
                [move.start, move.stop, move.target, move.sourcePlacement]
            )
        }
    }

    /// Returns the number of nodes that run and don't know so many databases.
    package func nodesUnaware(ofDatabases count: Int64) async throws -> Int64 {
        try await read { connection in
            try connection.row(
                """
                SELECT count(*) AS count FROM signals
                WHERE owner IS NOT NULL AND leased_until > extract(epoch FROM clock_timestamp())
                    AND (databases_of IS DISTINCT FROM owner OR databases < $1)
                """,
                [count]
            )?.integer("count") ?? 0
        }
    }
}

/// The part in moving users that the databases have that give and get them.
extension PostgresCardStore {
    /// Returns where a range ends that begins at a place and has no more users than a number.
    package func end(of range: Range<Int64>, users: Int) async throws -> Int64 {
        try await read { connection in
            let row = try connection.row(
                """
                SELECT sample_rank FROM users WHERE sample_rank >= $1 AND sample_rank < $2
                ORDER BY sample_rank OFFSET $3 LIMIT 1
                """,
                [range.lowerBound, range.upperBound, max(1, users)]
            )
            guard let end = try row?.integer("sample_rank") else { return range.upperBound }
            // safe: below the upper bound
            return max(end, range.lowerBound + 1)
        }
    }

    /// Reads the users of a move, and what is left of former ones, once the range is given away.
    package func leavingUsers(of move: RangeMove) async throws -> LeavingUsers {
        let (now, shard) = (now(), shardID)
        return try await longSnapshot { connection in
            let ids = try Self.users(of: move, on: connection)
            let columns = try UserRows.columns(on: connection)
            return LeavingUsers(
                users: try ids.compactMap { try UserRows($0, of: shard, at: now, on: connection, columns) },
                former: try FormerUserRemains(move, on: connection)
            )
        }
    }

    /// Writes users who come from another database, unless they came before.
    ///
    /// - Throws: `StoreError.misplaced` where the mover is late: the database got other users since.
    package func takeUsers(_ leaving: LeavingUsers, of move: RangeMove) async throws {
        try await writer.writeAlone(scope: .placement) { session in
            let known = try session.connection.row("SELECT placement FROM store WHERE id = 1 FOR UPDATE")
            let placement = try known?.integer("placement")
            // safe: generations count moves
            if placement == move.targetPlacement + 1 { return }
            guard placement == move.targetPlacement else { throw StoreError.misplaced }
            // A copy from before, as a restored backup has it, may be of a user who was deleted since.
            try session.removeMoved(try Self.users(of: move, on: session.connection))
            try session.insert(leaving.users)
            try leaving.former.insert(into: session.connection)
            try session.connection.execute("UPDATE store SET placement = placement + 1 WHERE id = 1")
            session.forgetStore()
        }
    }

    /// Removes users who are in another database by now; those of a range that came back since stay.
    package func removeUsers(of move: RangeMove) async throws {
        let ids = try await read { try Self.users(of: move, on: $0) }
        try await writer.writeAlone(scope: .placement) { session in
            let known = try session.connection.row("SELECT placement FROM store WHERE id = 1 FOR UPDATE")
            guard try known?.integer("placement") == move.sourcePlacement else { return }
            try session.removeMoved(ids)
        }
    }

    static func users(of move: RangeMove, on connection: PostgresConnection) throws -> [UserID] {
        try connection.rows(
            "SELECT id FROM users WHERE sample_rank >= $1 AND sample_rank < $2 ORDER BY sample_rank, id",
            [move.start, move.stop]
        ).map { UserID(rawValue: try $0.text("id")) }
    }

    /// Reads what is left of former users where a database remembers nothing but a hash, without a place.
    package func formerUsersWithoutPlace() async throws -> FormerUserRemains {
        try await longSnapshot { try FormerUserRemains(nil, on: $0) }
    }

    /// Writes what is left of former users of another database.
    package func takeFormerUsers(_ former: FormerUserRemains) async throws {
        try await writer.writeAlone(scope: .nobody) { try former.insert(into: $0.connection) }
    }
}

/// Users who go to another database together.
package struct LeavingUsers: Sendable {
    let users: [UserRows]
    let former: FormerUserRemains
}

/// The rest of former users, as the database keeps it that has their ids.
package struct FormerUserRemains: Sendable {
    private struct Rest: Sendable {
        let hash: [UInt8]
        let identity: String?
        let at: UnixTime
        let rank: Int64?
    }

    private let rests: [Rest]

    /// Reads those of a range, or without one, those whose place isn't known.
    init(_ move: RangeMove?, on connection: PostgresConnection) throws {
        let condition = move == nil ? "sample_rank IS NULL" : "sample_rank >= $1 AND sample_rank < $2"
        let values: [any PostgresEncodable] = move.map { [$0.start, $0.stop] } ?? []
        rests = try connection.rows(
            """
            SELECT hash, NULL AS user_id, erased_at AS at, sample_rank FROM erased_users WHERE \(condition)
            UNION ALL SELECT hash, user_id, merged_at, sample_rank FROM merged_users WHERE \(condition)
            UNION ALL SELECT hash, user_id, merged_at, sample_rank FROM departed_users WHERE \(condition)
            """,
            values
        ).map { row in
            Rest(
                hash: try row.bytes("hash"),
                identity: try row.optionalText("user_id"),
                at: try row.double("at"),
                rank: try row.optionalInteger("sample_rank")
            )
        }
    }

    /// Writes them; what is known already is older.
    func insert(into connection: PostgresConnection) throws {
        let (erased, merged) = (rests.filter { $0.identity == nil }, rests.filter { $0.identity != nil })
        if !erased.isEmpty {
            try connection.execute(
                """
                INSERT INTO erased_users (hash, erased_at, sample_rank)
                SELECT * FROM unnest($1::BYTEA[], $2::DOUBLE PRECISION[], $3::BIGINT[])
                ON CONFLICT (hash) DO UPDATE SET erased_at = greatest(erased_users.erased_at, excluded.erased_at)
                """,
                [erased.map(\.hash), erased.map(\.at), erased.map(\.rank)]
            )
        }
        guard !merged.isEmpty else { return }
        try connection.execute(
            """
            INSERT INTO departed_users (hash, user_id, merged_at, sample_rank)
            SELECT * FROM unnest($1::BYTEA[], $2::TEXT[], $3::DOUBLE PRECISION[], $4::BIGINT[])
            ON CONFLICT (hash) DO UPDATE SET user_id = excluded.user_id, merged_at = excluded.merged_at,
                sample_rank = excluded.sample_rank
            """,
            [merged.map(\.hash), merged.map(\.identity), merged.map(\.at), merged.map(\.rank)]
        )
    }
}
