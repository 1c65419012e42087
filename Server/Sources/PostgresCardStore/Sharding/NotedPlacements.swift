import CardStore

/// The generations of what shards have, as the home noted them with the last move of each.
///
/// A shard that has an earlier one has forgotten that it gave users away, or got them: it was restored, or failed over
/// to a standby that was behind. One that has a later one says nothing of itself: the home may have been restored.
extension PostgresCardStore {
    /// Reads the generation that each shard has at least unless it was restored; those without a move are missing.
    package func notedPlacements() async throws -> [Int: Int64] {
        try await read { connection in
            let rows = try connection.rows(
                "SELECT id, placement FROM shards WHERE placement IS NOT NULL AND removed_at IS NULL"
            )
            let noted = try rows.map { row in
                (Int(clamping: try row.integer("id")), try row.integer("placement"))
            }
            return Dictionary(noted, uniquingKeysWith: { first, _ in first })
        }
    }
}

extension WriteSession {
    /// Notes what the databases of a move have once the target has its range.
    func notePlacements(of move: RangeMove) throws {
        // safe: generations count moves
        let generations = [move.sourcePlacement, move.targetPlacement + 1]
        let shards = [move.source, move.target]
        try connection.execute(
            """
            UPDATE shards AS s SET placement = g.placement
            FROM unnest($1::BIGINT[], $2::BIGINT[]) AS g (id, placement) WHERE s.id = g.id
            """,
            [shards, generations]
        )
    }
}
