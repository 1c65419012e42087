import CardStore

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
