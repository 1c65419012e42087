import CardStore

// Which of an installation's databases one is. An address can come to name another one: by a mistake, by a name that
// means another host, or by a backup that was restored in the wrong place.

extension PostgresCardStore {
    /// Reads which shard the database is; 0 is the home, and one that is no shard.
    package func shardNumber() async throws -> Int64 {
        try await read { try Self.shardNumber(on: $0) }
    }

    private static func shardNumber(on connection: PostgresConnection) throws -> Int64 {
        try connection.row("SELECT shard FROM store WHERE id = 1")?.integer("shard") ?? 0
    }

    /// Throws where the database is a shard: it has users alone, and knows of no other database.
    ///
    /// - Throws: `StoreError.incompatible` where it is.
    package func requireHome() async throws { try await read { try Self.requireHome(on: $0) } }

    /// Throws where the database of a connection is a shard.
    static func requireHome(on connection: PostgresConnection) throws {
        let number = try shardNumber(on: connection)
        guard number == 0 else {
            throw StoreError(
                .incompatible,
                "The database is shard \(number) of an installation with several databases. Give the address of its "
                    + "home."
            )
        }
    }

    /// Throws where the database isn't a certain shard of an installation.
    ///
    /// - Parameters:
    ///   - id: The number of the shard.
    ///   - key: The key of the installation's pseudonyms.
    /// - Throws: `StoreError.conflict` where it is another database.
    package func requireShard(_ id: Int64, pseudonymKey key: [UInt8]) async throws {
        let number = try await shardNumber()
        guard id > 0, number == id, try await pseudonymKey() == key else {
            throw StoreError(.conflict, "The database at that address is not shard \(id) of this installation.")
        }
    }

    /// Returns whether another store has the same database open, at whatever address.
    package func isSameDatabase(as other: PostgresCardStore) async throws -> Bool {
        // Copies on one server have one key, and servers that say nothing of themselves can have equal histories.
        let (own, others) = (try await pseudonymKey(), try await other.pseudonymKey())
        guard own == others else { return false }
        let history = try await read { $0.history }
        return try await other.read { $0.history } == history
    }
}
