import CardStore

extension WriteSession {
    /// Returns whether the home says that the target has the range of a move that hasn't ended.
    func isPlaced(_ move: RangeMove) throws -> Bool {
        try connection.row(
            """
            SELECT 1 AS found FROM moves
            WHERE start = $1 AND stop = $2 AND target = $3 AND source_placement = $4 AND is_placed
            """,
            [move.start, move.stop, move.target, move.sourcePlacement]
        ) != nil
    }
}

/// Calling off a move whose users can't come to the target, such as because its disk is full: until a move has ended,
/// nobody serves them.
extension PostgresCardStore {
    /// Keeps the users of a move from coming to this database from now on, unless they have come.
    ///
    /// A mover that comes late is refused. May be called again, also after the move.
    ///
    /// - Parameter move: The move, with its generations.
    /// - Returns: Whether none of them has come.
    /// - Throws: An error that keeps the store from writing.
    package func refuseUsers(of move: RangeMove) async throws -> Bool {
        try await writer.writeAlone(scope: .placement) { session in
            let known = try session.connection.row("SELECT placement FROM store WHERE id = 1 FOR UPDATE")
            guard let placement = try known?.integer("placement") else {
                throw StoreError.unreadable("no row of its own")
            }
            // safe: generations count moves
            let taken = move.targetPlacement + 1
            guard placement != taken else { return false }
            if placement < taken {
                // safe: as above
                try session.connection.execute("UPDATE store SET placement = $1 WHERE id = 1", [taken + 1])
                session.forgetStore()
            }
            return true
        }
    }

    /// Forgets a move that the target has refused: its users are where they were, and are served there again.
    package func callOffMove(_ move: RangeMove) async throws {
        _ = try await writer.writeAlone(scope: .nobody) { session in
            try session.connection.execute(
                """
                DELETE FROM moves
                WHERE start = $1 AND stop = $2 AND target = $3 AND source_placement = $4 AND NOT is_placed
                """,
                [move.start, move.stop, move.target, move.sourcePlacement]
            )
        }
    }
}

// Where the target doesn't answer, it can't refuse anything, and may have the users already. So the home says that the
// move is called off, after which it can't be placed; the source goes past the generation at which its users would be
// removed, and has them again. The target, once it answers, removes what it has got.

extension PostgresCardStore {
    /// Notes that a move is called off, unless the target has its range: nobody brings it to an end any more.
    ///
    /// - Parameter move: The move, with its generations.
    /// - Returns: Whether it is called off.
    /// - Throws: An error that keeps the home from writing.
    package func beginCallingOff(_ move: RangeMove) async throws -> Bool {
        try await writer.writeAlone(scope: .nobody) { session in
            try session.connection.execute(
                """
                UPDATE moves SET is_called_off = TRUE
                WHERE start = $1 AND stop = $2 AND target = $3 AND source_placement = $4 AND NOT is_placed
                """,
                [move.start, move.stop, move.target, move.sourcePlacement]
            ) > 0
        }
    }

    /// Ends a move that was called off, once its source has gone past it; the target is to hear of it.
    package func endCallingOff(_ move: RangeMove) async throws {
        _ = try await writer.writeAlone(scope: .nobody) { session in
            try session.connection.execute(
                """
                WITH ended AS (
                    DELETE FROM moves
                    WHERE start = $1 AND stop = $2 AND target = $3 AND source_placement = $4 AND is_called_off
                    RETURNING *
                )
                INSERT INTO called_off_moves (target, start, stop, source, source_placement, target_placement)
                SELECT target, start, stop, source, source_placement, target_placement FROM ended
                WHERE NOT EXISTS (SELECT 1 FROM shards WHERE id = target AND removed_at IS NOT NULL)
                ON CONFLICT DO NOTHING
                """,
                [move.start, move.stop, move.target, move.sourcePlacement]
            )
        }
    }

    /// Reads the moves that were called off of which the target hasn't heard.
    package func calledOffMoves() async throws -> [RangeMove] {
        try await read { connection in
            try connection.rows(
                "SELECT *, FALSE AS is_placed, TRUE AS is_called_off FROM called_off_moves ORDER BY target, start"
            ).map(RangeMove.init)
        }
    }

    /// Reads the moves from a shard that were called off of which the target hasn't heard, where the shard has all of
    /// their range still: what has come to the target is then all that is left of their users once the shard is lost.
    package func calledOffMoves(from source: Int64) async throws -> [RangeMove] {
        try await read { connection in
            try connection.rows(
                """
                SELECT *, FALSE AS is_placed, TRUE AS is_called_off FROM called_off_moves AS m
                WHERE source = $1 AND \(Self.isAtSource) ORDER BY target, start
                """,
                [source]
            ).map(RangeMove.init)
        }
    }

    /// The condition that all of the range of a move, `m`, is at its source.
    static let isAtSource = """
        coalesce((SELECT p.shard FROM placement AS p WHERE p.start <= m.start ORDER BY p.start DESC LIMIT 1), 0)
            = m.source
        AND NOT EXISTS (
            SELECT 1 FROM placement AS p WHERE p.start > m.start AND p.start < m.stop AND p.shard <> m.source
        )
        """

    /// Forgets a move that was called off, of which the target has heard.
    package func forgetCalledOff(_ move: RangeMove) async throws {
        _ = try await writer.writeAlone(scope: .nobody) { session in
            try session.connection.execute(
                "DELETE FROM called_off_moves WHERE target = $1 AND start = $2 AND source_placement = $3",
                [move.target, move.start, move.sourcePlacement]
            )
        }
    }

    /// Removes the users of a move that was called off from this database, where they had come, and refuses them from
    /// now on.
    ///
    /// - Parameter move: The move. May be called again.
    /// - Returns: Whether that is so; `false` where its users are kept here, since their source is being given up.
    /// - Throws: An error that keeps the store from writing.
    @discardableResult
    package func undoTaking(_ move: RangeMove) async throws -> Bool {
        // safe: generations count moves
        let past = move.targetPlacement + 2
        let known = try await placementGeneration()
        guard known < past else {
            guard known == past else { return true }
            return try await !hasUsers(in: move)
        }
        return try await writer.writeAlone(scope: .placement) { session in
            let known = try session.connection.row("SELECT placement FROM store WHERE id = 1 FOR UPDATE")
            guard let placement = try known?.integer("placement") else {
                throw StoreError.unreadable("no row of its own")
            }
            // safe: generations count moves
            let taken = move.targetPlacement + 1
            guard placement <= taken else { return false }
            if placement == taken { try session.removeMoved(try Self.users(of: move, on: session.connection)) }
            // safe: as above
            try session.connection.execute("UPDATE store SET placement = $1 WHERE id = 1", [taken + 1])
            session.forgetStore()
            return true
        }
    }

    /// Keeps the users of a move that was called off, where they had come to this database: their source is lost.
    ///
    /// Whoever tells the target late that the move was called off removes nobody from here on.
    ///
    /// - Parameter move: The move. May be called again.
    /// - Returns: Whether they are here.
    /// - Throws: An error that keeps the store from writing.
    package func keepUsers(of move: RangeMove) async throws -> Bool {
        // safe: generations count moves
        let taken = move.targetPlacement + 1
        let isPast = try await writer.writeAlone(scope: .placement) { session -> Bool in
            let known = try session.connection.row("SELECT placement FROM store WHERE id = 1 FOR UPDATE")
            guard let placement = try known?.integer("placement") else {
                throw StoreError.unreadable("no row of its own")
            }
            // safe: as above
            guard placement == taken else { return placement == taken + 1 }
            // safe: as above
            try session.connection.execute("UPDATE store SET placement = $1 WHERE id = 1", [taken + 1])
            session.forgetStore()
            return true
        }
        guard isPast else { return false }
        return try await hasUsers(in: move)
    }
}
