public import CardModel
import CardStore
public import PostgresCardStore

extension ShardedCardStore {
    /// Adds a database to those among which users are spread.
    ///
    /// Where there are no users yet, and no server runs, they are spread evenly from now on. Otherwise ``balance``
    /// moves users once all servers were restarted.
    ///
    /// - Parameters:
    ///   - url: The address of an empty database.
    ///   - home: The address of the home.
    ///   - options: How the home is opened.
    ///   - now: The time.
    ///   - actor: Who does it.
    /// - Returns: The number of the shard, and whether it gets users without being told.
    /// - Throws: `StoreError.conflict` where the database isn't empty; one of an older version is left as it is.
    public static func addShard(
        _ url: String,
        to home: String,
        options: PostgresCardStore.Options,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> (id: Int64, isUsed: Bool) {
        let store = try await PostgresCardStore.open(url: home, options: options)
        do {
            let added = try await add(url, to: store, options, at: now, by: actor)
            try await store.close()
            return added
        } catch {
            try? await store.close()
            throw error
        }
    }

    private static func add(
        _ url: String,
        to home: PostgresCardStore,
        _ options: PostgresCardStore.Options,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> (id: Int64, isUsed: Bool) {
        let known = try await home.shardAddresses()
        let id = Int64(known.count) + 1
        var shardOptions = options
        (shardOptions.secretsKey, shardOptions.requiresSecretsKey) = (nil, false)
        let otherOptions = shardOptions
        let plan = try await PostgresCardStore.migrationPlan(url: url)
        guard plan.isNew || plan.steps.isEmpty else {
            throw StoreError(
                .conflict,
                "The database at that address is of an older version of Placard, and isn't empty. A shard has to be "
                    + "empty: create a new database. Nothing was changed."
            )
        }
        shardOptions.migrates = true
        let shard = try await PostgresCardStore.open(url: url, options: shardOptions)
        do {
            try await shard.becomeShard(id, pseudonymKey: try await home.pseudonymKey())
            try await shard.close()
        } catch {
            try? await shard.close()
            throw error
        }
        // Where nobody can be elsewhere yet, all is as it will be.
        var isNew = try await !home.hasOtherWriters()
        if isNew { isNew = try await !home.hasUsers() }
        for address in known where isNew {
            let other = try await PostgresCardStore.open(url: address.url, options: otherOptions)
            isNew = (try? await other.hasUsers()) == false
            try await other.close()
        }
        let ranges = isNew ? UserPlacement.even(among: known.count + 2) : nil
        try await home.saveShard(ShardAddress(shard: id, url: url), ranges: ranges, at: now, by: actor)
        return (id, isNew)
    }

    // MARK: Looking, and other addresses

    /// A database that has users.
    public struct Shard: Sendable, Hashable {
        /// The number; 0 is the home.
        public let id: Int64
        /// The number of users that it has.
        public let users: Int64
        /// The host and port of its server.
        public let server: String
    }

    /// Returns the databases that have users: the home, and the shards by their numbers.
    public static func shards(of home: String, options: PostgresCardStore.Options) async throws -> [Shard] {
        var options = options
        options.isReadOnly = true
        let opened = try await open(url: home, options: options)
        do {
            let stores = (opened as? ShardedCardStore)?.stores ?? [opened].compactMap { $0 as? PostgresCardStore }
            var shards: [Shard] = []
            for (place, store) in stores.enumerated() {
                let shard = Shard(
                    id: Int64(place),
                    users: try await store.userCount(),
                    server: try await store.serverName()
                )
                shards.append(shard)
            }
            try await opened.close()
            return shards
        } catch {
            try? await opened.close()
            throw error
        }
    }

    /// Saves another address of a shard.
    ///
    /// - Parameters:
    ///   - id: The number of the shard, from 1 on.
    ///   - url: The address, at which there has to be that shard.
    ///   - home: The address of the home.
    ///   - options: How the home is opened.
    ///   - now: The time.
    ///   - actor: Who does it.
    /// - Throws: `StoreError.conflict` where another database is at the address.
    public static func setShard(
        _ id: Int64,
        url: String,
        of home: String,
        options: PostgresCardStore.Options,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        var shardOptions = options
        (shardOptions.secretsKey, shardOptions.requiresSecretsKey) = (nil, false)
        let shard = try await PostgresCardStore.open(url: url, options: shardOptions)
        let found: (id: Int64, key: [UInt8])
        do {
            found = (try await shard.shardNumber(), try await shard.pseudonymKey())
            try await shard.close()
        } catch {
            try? await shard.close()
            throw error
        }
        let store = try await PostgresCardStore.open(url: home, options: options)
        do {
            guard id > 0, found.id == id, found.key == (try await store.pseudonymKey()) else {
                throw StoreError(.conflict, "The database at that address is not shard \(id) of this installation.")
            }
            try await store.saveShard(ShardAddress(shard: id, url: url), ranges: nil, at: now, by: actor)
            try await store.close()
        } catch {
            try? await store.close()
            throw error
        }
    }
}
