import CardModel
import CardStore

extension WriteSession {
    /// Has the home say that a shard has the range of a move, whose part in the names of histories changes.
    func place(_ move: RangeMove, at shard: Int64, changing history: UInt64) throws {
        try connection.execute("INSERT INTO placement (start, shard) VALUES (0, 0) ON CONFLICT (start) DO NOTHING")
        // What is behind the range stays with whoever has it.
        for bound in [move.start, move.stop] where bound < SampleRank.count {
            try connection.execute(
                """
                INSERT INTO placement (start, shard, history)
                SELECT $1, shard, history FROM placement WHERE start <= $1 ORDER BY start DESC LIMIT 1
                ON CONFLICT (start) DO NOTHING
                """,
                [bound]
            )
        }
        try connection.execute(
            "UPDATE placement SET shard = $3, history = history # $4 WHERE start >= $1 AND start < $2",
            [move.start, move.stop, shard, Int64(bitPattern: history)]
        )
        // Neighbours of one shard with one history are one range.
        try connection.execute(
            """
            DELETE FROM placement AS p WHERE start > 0 AND (shard, history) =
                (SELECT shard, history FROM placement AS o WHERE o.start < p.start ORDER BY o.start DESC LIMIT 1)
            """
        )
    }

    /// Ends a move whose source or target is lost.
    ///
    /// Users who stay where the home doesn't say they are get histories of other names: versions were given out for
    /// them by the shard that is lost, or by a database that had nothing to do with these names.
    func end(_ move: RangeMove, as outcome: LostMove, changing history: UInt64) throws {
        switch outcome {
        case .returned(let source):
            if move.isPlaced { try place(move, at: source, changing: history) }
            // safe: generations count moves
            if move.isPrepared { try notePlacement(move.sourcePlacement + 1, of: source) }
        case .kept(let target):
            if !move.isPlaced {
                try place(move, at: target, changing: history)
                // safe: as above
                try notePlacement(move.targetPlacement + 1, of: target)
            }
        case .lost: break
        }
        try connection.execute(
            "DELETE FROM moves WHERE start = $1 AND source = $2 AND target = $3",
            [move.start, move.source, move.target]
        )
    }

    /// Gives the target of a move that was called off its range after all, since the source is lost; the target keeps
    /// the users who had come.
    ///
    /// They get histories of other names: the source has given out versions since.
    ///
    /// - Throws: `StoreError.conflict` where the target has heard by now that the move was called off, or the range has
    ///   gone elsewhere.
    func keep(_ move: RangeMove, changing history: UInt64) throws {
        let forgotten = try connection.execute(
            """
            DELETE FROM called_off_moves AS m WHERE target = $1 AND start = $2 AND source_placement = $3
                AND \(PostgresCardStore.isAtSource)
            """,
            [move.target, move.start, move.sourcePlacement]
        )
        guard forgotten > 0 else {
            throw StoreError(.conflict, "Users are being moved at the same moment. Run the command again.")
        }
        try place(move, at: move.target, changing: history)
        // safe: generations count moves
        try notePlacement(move.targetPlacement + 2, of: move.target)
    }

    private func notePlacement(_ generation: Int64, of shard: Int64) throws {
        try connection.execute("UPDATE shards SET placement = $2 WHERE id = $1", [shard, generation])
    }
}

extension PostgresCardStore {
    /// Returns whether this database has users of the range of a move.
    package func hasUsers(in move: RangeMove) async throws -> Bool {
        let (start, stop) = (move.start, move.stop)
        return try await read { connection in
            try connection.row(
                "SELECT 1 AS found FROM users WHERE sample_rank >= $1 AND sample_rank < $2 LIMIT 1",
                [start, stop]
            ) != nil
        }
    }
}
