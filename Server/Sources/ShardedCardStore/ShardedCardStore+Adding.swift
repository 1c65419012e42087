public import CardModel
import CardStore
public import PostgresCardStore

extension ShardedCardStore {
    /// The number of databases that an installation can have: each node has connections to all of them.
    public static let databaseLimit = 64

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
    /// - Throws: `StoreError.conflict` where the database isn't empty or is used already, one of an older version is
    ///   left as it is; `StoreError.limitReached` where there are ``databaseLimit`` of them.
    public static func addShard(
        _ url: String,
        to home: String,
        options: PostgresCardStore.Options,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> (id: Int64, isUsed: Bool) {
        // Before this process has it open itself.
        let isServed = try await isServed(home)
        let store = try await openHome(home, options)
        do {
            try await store.requireHome()
            let added = try await add(url, to: store, isServed: isServed, options, at: now, by: actor)
            try await store.close()
            return added
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// Opens the home alone, to change what it knows of the shards.
    static func openHome(
        _ url: String,
        _ options: PostgresCardStore.Options
    ) async throws -> PostgresCardStore {
        var options = options
        options.leavesUsers = true
        return try await PostgresCardStore.open(url: url, options: options)
    }

    /// Returns whether a server has a database open, also one that writes nothing; one that was just stopped may be
    /// seen for a moment.
    private static func isServed(_ url: String) async throws -> Bool {
        for _ in 0..<100 {
            guard await PostgresCardStore.isInUse(url: url) else { return false }
            try await Task.sleep(for: .milliseconds(20))
        }
        return true
    }

    private static func add(
        _ url: String,
        to home: PostgresCardStore,
        isServed: Bool,
        _ options: PostgresCardStore.Options,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> (id: Int64, isUsed: Bool) {
        let shards = try await home.knownShards()
        let known = shards.addresses
        guard known.count + 1 < databaseLimit else {
            throw StoreError(.limitReached, "An installation has at most \(databaseLimit) databases.")
        }
        // No number is given twice.
        // safe: a count of shards
        let id = shards.last + 1
        var shardOptions = options
        (shardOptions.secretsKey, shardOptions.requiresSecretsKey) = (nil, false)
        shardOptions.leavesUsers = true
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
            guard try await !shard.isSameDatabase(as: home) else {
                throw StoreError(.conflict, "That is the database of the home. Give another one.")
            }
            guard try await !shard.hasOtherWriters() else {
                throw StoreError(.conflict, "A server uses that database. Stop it, or give another database.")
            }
            try await shard.becomeShard(id, pseudonymKey: try await home.pseudonymKey())
            try await shard.close()
        } catch {
            try? await shard.close()
            throw error
        }
        // Where nobody can be elsewhere yet, all is as it will be.
        var isNew = !isServed
        if isNew { isNew = try await !home.hasOtherWriters() }
        if isNew { isNew = try await !home.hasUsers() }
        for address in known where isNew {
            let other = try await PostgresCardStore.open(url: address.url, options: otherOptions)
            isNew = (try? await other.hasUsers()) == false
            try await other.close()
        }
        let places = [0] + known.map { Int(clamping: $0.id) } + [Int(clamping: id)]
        let ranges = isNew ? UserPlacement.even(among: places) : nil
        let address = ShardAddress(shard: id, url: url)
        try await home.saveShard(address, ranges: ranges, isNew: true, at: now, by: actor)
        return (id, isNew)
    }

    // MARK: Other addresses

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
        let store = try await openHome(home, options)
        do {
            try await store.requireHome()
            let shard = try await PostgresCardStore.open(url: url, options: shardOptions)
            do {
                try await shard.requireShard(id, pseudonymKey: try await store.pseudonymKey())
                try await shard.close()
            } catch {
                try? await shard.close()
                throw error
            }
            try await store.saveShard(ShardAddress(shard: id, url: url), ranges: nil, at: now, by: actor)
            try await store.close()
        } catch {
            try? await store.close()
            throw error
        }
    }
}
