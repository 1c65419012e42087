package import CardModel
import CardStore

/// A database beside the home that has users.
package struct ShardAddress: Sendable, Hashable {
    /// The number of the shard, from 1 on: the home is 0.
    package let id: Int64
    /// The address, as ``PostgresCardStore/init(url:options:)`` takes it.
    package let url: String
}

/// The beginning of a range of users, by their places in the order of `SampleRank`, and which shard has it.
package struct PlacedRange: Sendable, Hashable {
    /// The first place; the range ends before the next one.
    package let start: Int64
    /// The number of the shard.
    package let shard: Int64
    /// The part of the range in the names of its users' histories: what the databases had in them that the users came
    /// from.
    package let history: UInt64

    /// Creates a range.
    package init(start: Int64, shard: Int64, history: UInt64 = 0) {
        (self.start, self.shard, self.history) = (start, shard, history)
    }
}

/// The home's knowledge of the shards.
extension PostgresCardStore {
    /// Reads the addresses of the shards, by their numbers, without those that were removed.
    ///
    /// - Throws: `StoreError.locked` where the key that they are encrypted with is missing.
    package func shardAddresses() async throws -> [ShardAddress] {
        let secrets = secrets
        return try await read { try ShardAddress.read(on: $0, secrets) }
    }

    /// Reads which shard has which users; empty where the home has all.
    package func placedRanges() async throws -> [PlacedRange] {
        try await read { try PlacedRange.read(on: $0) }
    }

    /// Reads the generation of what this database has, which changes with every range that it gets or gives away.
    package func placementGeneration() async throws -> Int64 {
        try await read { try $0.row("SELECT placement FROM store WHERE id = 1")?.integer("placement") ?? 0 }
    }

    /// The key of pseudonyms, which all databases of an installation share.
    package func pseudonymKey() async throws -> [UInt8] {
        try await read { connection in
            guard let row = try connection.row("SELECT user_hash_key FROM store WHERE id = 1") else {
                throw StoreError.unreadable("no row of its own")
            }
            return try row.bytes("user_hash_key")
        }
    }

    /// Saves the address of a shard, and where users are from now on.
    ///
    /// - Parameters:
    ///   - address: The shard.
    ///   - ranges: All ranges, in order; the first begins at 0. `nil` leaves them.
    ///   - isNew: Whether there can't be a shard of that number yet.
    ///   - now: The time.
    ///   - actor: Who does it.
    /// - Throws: `StoreError.conflict` where there is such a shard already, which another process has just added, or
    ///   one was removed that is to have users.
    package func saveShard(
        _ address: ShardAddress,
        ranges: [PlacedRange]?,
        isNew: Bool = false,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        let secrets = secrets
        try await writer.writeAlone { session in
            let connection = session.connection
            let added = try connection.execute(
                "INSERT INTO shards (id, added_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
                [address.id, now]
            )
            try ShardRemoval.requireKept([address.id] + (ranges ?? []).map(\.shard), connection)
            guard added > 0 || !isNew else {
                throw StoreError(
                    .conflict,
                    "Another process has added a database at the same moment. Run the command again with a new "
                        + "database."
                )
            }
            let sealed = try secrets.seal(Array(address.url.utf8), for: ShardAddress.place(address.id), in: connection)
            try connection.execute(
                """
                INSERT INTO sealed_values (name, value) VALUES ($1, $2)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """,
                ["shard:\(address.id)", sealed]
            )
            session.audit("shard.save", of: "\(address.id)", at: now, by: actor)
            guard let ranges else { return }
            try connection.execute("DELETE FROM placement")
            try connection.execute(
                "INSERT INTO placement (start, shard) SELECT * FROM unnest($1::BIGINT[], $2::BIGINT[])",
                [ranges.map(\.start), ranges.map(\.shard)]
            )
        }
    }

    /// Makes a new database a shard of an installation.
    ///
    /// - Parameters:
    ///   - id: The number of the shard.
    ///   - key: The key of the installation's pseudonyms.
    /// - Throws: `StoreError.conflict` where the database has users or campaigns, or is another shard, a shard of
    ///   another installation or the home of one already.
    package func becomeShard(_ id: Int64, pseudonymKey key: [UInt8]) async throws {
        try await writer.writeAlone { session in
            let connection = session.connection
            let row = try connection.row(
                """
                SELECT shard, user_hash_key, EXISTS (SELECT 1 FROM users) AS has_users,
                    EXISTS (SELECT 1 FROM campaigns) OR EXISTS (SELECT 1 FROM members)
                        OR EXISTS (SELECT 1 FROM shards) AS has_more
                FROM store WHERE id = 1 FOR UPDATE
                """
            )
            guard let row else { throw StoreError.unreadable("no row of its own") }
            try NewShard(row).check(id, of: key)
            // A history that says nothing yet, so that cursors stay what they are.
            let epoch = Int64(bitPattern: connection.history.number)
            try connection.execute(
                "UPDATE store SET shard = $1, user_hash_key = $2, epoch = CASE shard WHEN 0 THEN $3 ELSE epoch END",
                [id, key, epoch]
            )
            session.forgetStore()
        }
    }

    /// The host and port of the server.
    package func serverName() async throws -> String { try await read { $0.server } }

    /// The number of changes that a listener can fall behind.
    package var listenerBuffer: Int { options.listenerBuffer }

    /// Returns whether other processes have the database open to write.
    package func hasOtherWriters() async throws -> Bool {
        let own = writerID
        return try await read { connection in
            try connection.row(
                """
                SELECT 1 AS found FROM signals WHERE owner IS NOT NULL AND owner <> $1
                    AND leased_until > extract(epoch FROM clock_timestamp()) LIMIT 1
                """,
                [own]
            ) != nil
        }
    }

    /// Returns whether the database has users, or remembers former ones, whose devices can't come back elsewhere.
    package func hasUsers() async throws -> Bool {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM erased_users)
                OR EXISTS (SELECT 1 FROM merged_users) OR EXISTS (SELECT 1 FROM departed_users) AS found
            """
        return try await read { try $0.row(sql)?.flag("found") ?? false }
    }
}

extension PlacedRange {
    /// Reads which shard has which users, in the order of the ranges.
    static func read(on connection: PostgresConnection) throws -> [PlacedRange] {
        try connection.rows("SELECT start, shard, history FROM placement ORDER BY start").map { row in
            PlacedRange(
                start: try row.integer("start"),
                shard: try row.integer("shard"),
                history: UInt64(bitPattern: try row.integer("history"))
            )
        }
    }
}

extension ShardAddress {
    static func place(_ id: Int64) -> SecretPlace { SealedColumn.value.place("shard:\(id)") }

    /// Reads the addresses of the shards, by their numbers, without those that were removed.
    static func read(on connection: PostgresConnection, _ secrets: StoreSecrets) throws -> [ShardAddress] {
        // As JSON, since a home that isn't migrated yet has no such column, and nothing that was removed.
        let rows = try connection.rows(
            """
            SELECT s.id, v.value FROM shards AS s
            LEFT JOIN sealed_values AS v ON v.name = 'shard:' || s.id
            WHERE to_jsonb(s) ->> 'removed_at' IS NULL ORDER BY s.id
            """
        )
        return try rows.map { row in
            let id = try row.integer("id")
            guard let sealed = try row.optionalBytes("value") else {
                throw StoreError(
                    .locked,
                    "The address of shard \(id) is missing. Give it again with `placard shards set \(id) -`."
                )
            }
            // Without the key, also where other secrets needn't be read, there is no address to go to.
            let url = try secrets.open(sealed, for: place(id), exactly: true)
            return ShardAddress(id: id, url: String(decoding: url, as: UTF8.self))
        }
    }

    /// Creates the address of a shard.
    package init(shard id: Int64, url: String) { (self.id, self.url) = (id, url) }
}

/// The state of a database that is to be a shard.
private struct NewShard {
    private let shard: Int64
    private let key: [UInt8]
    private let isEmpty: Bool

    init(_ row: PostgresRow) throws {
        shard = try row.integer("shard")
        key = try row.bytes("user_hash_key")
        isEmpty = try !row.flag("has_users") && !row.flag("has_more")
    }

    /// Throws where it can't be the shard of that number.
    func check(_ id: Int64, of installation: [UInt8]) throws(StoreError) {
        guard shard == 0 || shard == id else {
            throw StoreError(.conflict, "The database is shard \(shard) already. Give another one.")
        }
        // An attempt that was interrupted has left it so.
        guard shard == 0 || key == installation else {
            throw StoreError(.conflict, "The database is a shard of another installation. Give another one.")
        }
        guard shard == id || isEmpty else {
            throw StoreError(
                .conflict,
                "The database has users, campaigns, members or shards. A shard has to be empty: create a new database."
            )
        }
    }
}
