package import CardStore
import Dispatch

/// The home's register of the databases beside it.
package struct ShardRegister: Sendable {
    /// The addresses of the shards, by their numbers, without those that were removed.
    package let addresses: [ShardAddress]
    /// The largest number that a shard has, or had.
    package let last: Int64
    /// The key of the installation's pseudonyms, which all of its databases have.
    package let pseudonymKey: [UInt8]
    /// Whether users are being moved, or were when something kept a mover from going on.
    package let isMoving: Bool
    /// The number of the database itself: 0, unless it is no home.
    package let number: Int64
    /// The ranges of users that each database has; empty where the home has all.
    package let ranges: [PlacedRange]

    fileprivate init(on connection: PostgresConnection, _ secrets: StoreSecrets) throws {
        let row = try connection.row(
            "SELECT shard, user_hash_key, EXISTS (SELECT 1 FROM moves) AS is_moving FROM store WHERE id = 1"
        )
        guard let row else { throw StoreError.unreadable("no row of its own") }
        number = try row.integer("shard")
        pseudonymKey = try row.bytes("user_hash_key")
        isMoving = try row.flag("is_moving")
        addresses = try ShardAddress.read(on: connection, secrets)
        last = try connection.row("SELECT coalesce(max(id), 0) AS last FROM shards")?.integer("last") ?? 0
        ranges = try PlacedRange.read(on: connection)
    }
}

extension PostgresCardStore {
    /// The name of the step from which on a database can have shards.
    package static var shardsMigration: String { Migration0109.migration.identifier }

    /// Reads what a home says of its shards, in a session that can only read.
    ///
    /// - Parameters:
    ///   - url: The home, as libpq takes it.
    ///   - secretsKey: Where the keys for secrets come from.
    /// - Returns: What it says.
    /// - Throws: `StoreError.locked` where the addresses can't be decrypted.
    package static func shardRegister(
        url: String,
        secretsKey: SecretsKeySource
    ) async throws(StoreError) -> ShardRegister {
        try await onDiagnosisThread { () throws -> ShardRegister in
            let secrets = try StoreSecrets(secretsKey, isRequired: false)
            return try reading(url) { try ShardRegister(on: $0, secrets) }
        }.get()
    }

    /// Says whether the database at a shard's address is that shard, in a session that can only read.
    ///
    /// - Parameters:
    ///   - address: The shard.
    ///   - key: The key of the installation's pseudonyms.
    /// - Returns: What was found; the address is named by its host and database alone.
    package static func diagnose(_ address: ShardAddress, pseudonymKey key: [UInt8]) async -> StoreFinding {
        let subject = "shard \(address.id)"
        let result = await onDiagnosisThread { () throws -> StoreFinding in
            try reading(address.url) { connection in
                let row = try connection.row(
                    "SELECT shard, user_hash_key, current_database()::TEXT AS name FROM store WHERE id = 1"
                )
                guard let row else { throw StoreError.unreadable("no row of its own") }
                let place = "\(try row.text("name")) at \(connection.server)"
                guard try row.integer("shard") == address.id, try row.bytes("user_hash_key") == key else {
                    let message = "The database \(place) is not shard \(address.id) of this installation."
                    return .bad(subject, message, "placard shards set \(address.id) -")
                }
                return .good(subject, "the database \(place)")
            }
        }
        switch result {
        case .success(let finding): return finding
        case .failure(let error): return .bad(subject, error.message, "placard shards set \(address.id) -")
        }
    }

    static func onDiagnosisThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async -> Result<Value, StoreError> {
        await withUnsafeContinuation { continuation in
            DispatchQueue(label: "placard.postgres.diagnosis").async {
                continuation.resume(
                    returning: Result { () throws(StoreError) in try translatingErrors { try body() } }
                )
            }
        }
    }
}

extension StoreFinding {
    /// Returns the finding as one of a shard, which its subject names, and whose address the command asks for.
    package func ofShard(_ id: Int64) -> StoreFinding {
        let command = command.map { $0.replacing("\"$PLACARD_DATABASE\"", with: "ADDRESS-OF-SHARD-\(id)") }
        return StoreFinding(level: level, subject: "shard \(id) \(subject)", message: message, command: command)
    }
}
