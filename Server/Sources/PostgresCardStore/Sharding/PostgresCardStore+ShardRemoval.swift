package import CardModel
import CardStore

/// The shards that the home knows, and the numbers of those that it knew.
package struct KnownShards: Sendable, Hashable {
    /// The addresses of the shards, by their numbers, without those that were removed.
    package let addresses: [ShardAddress]
    /// The numbers of those that were removed.
    package let removed: Set<Int64>

    /// The largest number that was given; 0 where there never was a shard.
    package var last: Int64 { max(addresses.map(\.id).max() ?? 0, removed.max() ?? 0) }

    /// Reads the shards that a home has and had.
    static func read(on connection: PostgresConnection, _ secrets: StoreSecrets) throws -> KnownShards {
        // In this order, one that is removed in between isn't missing.
        let addresses = try ShardAddress.read(on: connection, secrets)
        return KnownShards(addresses: addresses, removed: try removed(on: connection))
    }

    /// Reads the numbers of the shards that were removed.
    static func removed(on connection: PostgresConnection) throws -> Set<Int64> {
        let rows = try connection.rows("SELECT id FROM shards WHERE removed_at IS NOT NULL")
        return try Set(rows.map { try $0.integer("id") })
    }
}

/// The rest that a database has which isn't to be a shard any more.
package struct ShardLeftovers: Sendable, Hashable {
    /// Whether users are there, or copies of those of other databases.
    package let hasUsers: Bool
    /// Whether the log has events.
    package let hasEvents: Bool
    /// Whether something waits for the home.
    package let hasOutbox: Bool
}

/// The loss where a shard's database is gone with all that it had.
package struct LostShard: Sendable, Hashable {
    /// The share of all users who were there, from 0 to 1.
    package let share: Double
    /// The number of positions of the log of all databases at which its events were, as far as they were read before.
    package let events: Int64
    /// The move to or from it that was under way, or `nil`.
    package var move: LostMove?
    /// The databases that have users of the shard by moves that were called off: the home, or shards of these numbers.
    package var kept: [Int64] = []
}

/// The outcome of a move of users whose source or target was lost.
package enum LostMove: Sendable, Hashable {
    /// Its users are in the database that was to give them away: the home, or a shard of that number.
    case returned(to: Int64)
    /// Its users had come from a shard that is lost to a database that has them: the home, or a shard of that number.
    case kept(by: Int64)
    /// Its users were in the shard that is lost, and are lost with it.
    case lost
}

/// The home's part in taking a shard away.
enum ShardRemoval {
    /// Throws where a shard is none any more.
    static func requireKept(_ shards: [Int64], _ connection: PostgresConnection) throws {
        let row = try connection.row(
            "SELECT id FROM shards WHERE id = ANY ($1) AND removed_at IS NOT NULL ORDER BY id LIMIT 1",
            [shards]
        )
        guard let row else { return }
        let id = try row.integer("id")
        throw StoreError(.conflict, "Shard \(id) was removed. `placard shards list` names the others.")
    }

    /// Throws where there is no such shard.
    static func requireShard(_ id: Int64, _ connection: PostgresConnection) throws {
        guard try connection.row("SELECT 1 AS found FROM shards WHERE id = $1", [id]) != nil else {
            throw StoreError(.notFound, "There is no shard \(id). `placard shards list` names them.")
        }
        try requireKept([id], connection)
    }

    /// Throws where users are moved, or a shard is to have some.
    static func requireNoUsers(at id: Int64, _ connection: PostgresConnection) throws {
        guard try connection.row("SELECT 1 AS found FROM moves LIMIT 1") == nil else {
            throw StoreError(
                .conflict,
                "Users are being moved. Wait until `placard shards balance` has ended, or run it again."
            )
        }
        guard try connection.row("SELECT 1 AS found FROM placement WHERE shard = $1 LIMIT 1", [id]) == nil else {
            throw StoreError(
                .conflict,
                "Users are in shard \(id). Move them with `placard shards balance --without \(id)`."
            )
        }
    }

    /// Keeps others from moving users, and from adding shards, until the commit.
    static func lock(_ connection: PostgresConnection) throws {
        try connection.execute("LOCK TABLE shards, moves IN SHARE ROW EXCLUSIVE MODE")
    }

    /// Notes that a shard is none any more, and forgets where it was.
    ///
    /// How much of its outbox was applied stays noted: a server that has read entries and comes late applies none
    /// twice.
    static func note(_ id: Int64, at now: UnixTime, _ connection: PostgresConnection) throws {
        try connection.execute("UPDATE shards SET removed_at = $2 WHERE id = $1", [id, now])
        try connection.execute("DELETE FROM sealed_values WHERE name = $1", ["shard:\(id)"])
        try connection.execute("DELETE FROM called_off_moves WHERE target = $1", [id])
    }
}

extension PostgresCardStore {
    /// Reads the shards that this home has and had.
    ///
    /// - Throws: `StoreError.locked` where the key that the addresses are encrypted with is missing.
    package func knownShards() async throws -> KnownShards {
        let secrets = secrets
        return try await read { try KnownShards.read(on: $0, secrets) }
    }

    /// Reads the numbers of the shards that were removed.
    package func removedShards() async throws -> Set<Int64> {
        try await read { try KnownShards.removed(on: $0) }
    }

    /// Throws where a shard can't be removed by what this home knows of it: users are moved, or it is to have some.
    package func requireRemovable(_ id: Int64) async throws {
        try await read { connection in
            try ShardRemoval.requireShard(id, connection)
            try ShardRemoval.requireNoUsers(at: id, connection)
        }
    }

    /// Reads what this database has that can't be given up with it.
    package func leftovers() async throws -> ShardLeftovers {
        try await read { connection in
            let row = try connection.row(
                """
                SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM departures) AS has_users,
                    EXISTS (SELECT 1 FROM events) AS has_events, EXISTS (SELECT 1 FROM outbox) AS has_outbox
                """
            )
            guard let row else { throw StoreError.unreadable("what it has") }
            return ShardLeftovers(
                hasUsers: try row.flag("has_users"),
                hasEvents: try row.flag("has_events"),
                hasOutbox: try row.flag("has_outbox")
            )
        }
    }

    /// Takes a shard away for good, and takes over what was counted there.
    ///
    /// - Parameters:
    ///   - id: The number of the shard, which no other one gets.
    ///   - counts: All that was counted there.
    ///   - now: The time.
    ///   - actor: Who does it.
    /// - Throws: `StoreError.conflict` where users are moved, it is to have some, or was removed already.
    package func removeShard(_ id: Int64, adding counts: ShardCounts, at now: UnixTime, by actor: Actor) async throws {
        try await writer.writeAlone { session in
            let connection = session.connection
            try ShardRemoval.lock(connection)
            try ShardRemoval.requireShard(id, connection)
            try ShardRemoval.requireNoUsers(at: id, connection)
            try counts.insert(into: connection)
            try ShardRemoval.note(id, at: now, connection)
            session.audit("shard.remove", of: "\(id)", at: now, by: actor)
        }
    }

    /// Takes a shard away whose database is lost: its users are this home's from now on, where nothing is known of
    /// them.
    ///
    /// - Parameters:
    ///   - id: The number of the shard, which no other one gets.
    ///   - ending: The move to or from it, as it was read, and what comes of it; the other database can't go on with it
    ///     any more.
    ///   - kept: The moves from it that were called off whose users their targets keep.
    ///   - now: The time.
    ///   - actor: Who does it.
    /// - Returns: The loss.
    /// - Throws: `StoreError.conflict` where it was removed already, or a move has changed since it was read.
    package func giveUpShard(
        _ id: Int64,
        ending: (move: RangeMove, outcome: LostMove)? = nil,
        keeping kept: [RangeMove] = [],
        at now: UnixTime,
        by actor: Actor
    ) async throws -> LostShard {
        // Otherwise what devices know of the users would seem to go on.
        let history = Int64.random(in: 1 ... .max)
        return try await writer.writeAlone { session in
            let connection = session.connection
            try ShardRemoval.lock(connection)
            try ShardRemoval.requireShard(id, connection)
            let row = try connection.row("SELECT * FROM moves WHERE source = $1 OR target = $1", [id])
            guard try row.map(RangeMove.init) == ending?.move else {
                throw StoreError(
                    .conflict,
                    "Users are being moved to or from shard \(id), and that goes on. Run the command again."
                )
            }
            if let ending {
                try session.end(ending.move, as: ending.outcome, changing: UInt64(bitPattern: history))
            }
            for move in kept { try session.keep(move, changing: UInt64(bitPattern: history)) }
            var lost = try LostShard(id, connection)
            lost.move = ending?.outcome
            lost.kept = Set(kept.map(\.target)).sorted()
            try connection.execute(
                "UPDATE placement SET shard = 0, history = history # $2 WHERE shard = $1",
                [id, history]
            )
            try ShardRemoval.note(id, at: now, connection)
            session.audit("shard.lose", of: "\(id)", at: now, by: actor)
            return lost
        }
    }
}

extension LostShard {
    /// Reads what is lost with a shard, as far as the home knows.
    fileprivate init(_ id: Int64, _ connection: PostgresConnection) throws {
        let row = try connection.row(
            """
            SELECT coalesce(sum(stop - start), 0)::BIGINT AS places,
                (SELECT coalesce(sum(count), 0)::BIGINT FROM event_index WHERE shard = $1) AS events
            FROM (SELECT shard, start, lead(start, 1, $2::BIGINT) OVER (ORDER BY start) AS stop FROM placement) AS p
            WHERE shard = $1
            """,
            [id, SampleRank.count]
        )
        guard let row else { throw StoreError.unreadable("where users are") }
        self.init(
            share: Double(try row.integer("places")) / Double(SampleRank.count),
            events: try row.integer("events")
        )
    }
}
