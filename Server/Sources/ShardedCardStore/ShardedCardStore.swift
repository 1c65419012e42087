import CardModel
public import CardStore
public import PostgresCardStore
import Synchronization

/// A store in several PostgreSQL databases, among which users are spread.
///
/// One of them is the home: it has campaigns, the team and all else that isn't a user's, and users as well. All data of
/// a user is in one database, so that each request of a device concerns one. Reports and lists ask all of them.
///
/// A call that concerns users of several databases is a transaction in each. It begins only while all of them answer.
public final class ShardedCardStore: Sendable {
    /// The database with all that isn't a user's, and with users.
    public let home: PostgresCardStore
    /// All databases, by the numbers of the shards; the home is the first.
    let stores: [PostgresCardStore]
    private let known: KnownPlacement
    private let reloading = Mutex<Task<Void, any Error>?>(nil)
    let catalog = ReplicatedCatalog()
    let housekeeping: Housekeeping
    /// Whether nothing is brought from one database to another.
    let isReadOnly: Bool

    /// The time for which a call is repeated where its user is being moved, and the first and the longest pause
    /// between.
    private static let patience = Duration.seconds(20)
    private static let pause = Duration.milliseconds(20)
    private static let longestPause = Duration.milliseconds(250)

    private init(_ stores: [PostgresCardStore], _ known: KnownPlacement, isReadOnly: Bool) {
        // safe: the home is among them
        home = stores[0]
        self.stores = stores
        self.known = known
        housekeeping = Housekeeping()
        self.isReadOnly = isReadOnly
    }

    /// Opens a store: all databases whose users are spread, or only the one at the address.
    ///
    /// - Parameters:
    ///   - url: The address of the home.
    ///   - options: How to open each of them; keys for secrets are the home's alone.
    /// - Returns: A sharded store, or the home where it has no shards.
    /// - Throws: What keeps a database from being opened; `StoreError.incompatible` where the address is that of a
    ///   shard, and `StoreError.conflict` where that of a shard leads to another database.
    public static func open(url: String, options: PostgresCardStore.Options) async throws -> any CardStore {
        let single = try await PostgresCardStore.open(url: url, options: options)
        let addresses: [ShardAddress]
        do {
            try await single.requireHome()
            addresses = try await single.shardAddresses()
        } catch {
            try? await single.close()
            throw error
        }
        guard !addresses.isEmpty else { return single }
        try await single.close()
        return try await open(url, addresses, options)
    }

    private static func open(
        _ url: String,
        _ addresses: [ShardAddress],
        _ options: PostgresCardStore.Options
    ) async throws -> ShardedCardStore {
        let known = KnownPlacement()
        var options = options
        // One log of the groups of all databases.
        options.commits = GroupCommitLog()
        var homeOptions = options
        let count = addresses.count + 1
        homeOptions.shard = known.role(of: 0, among: count)
        var stores = [try await PostgresCardStore.open(url: url, options: homeOptions)]
        do {
            var shardOptions = options
            (shardOptions.secretsKey, shardOptions.requiresSecretsKey) = (nil, false)
            let key = try await stores[0].pseudonymKey()
            for (place, address) in addresses.enumerated() {
                guard address.id == Int64(place) + 1 else {
                    throw StoreError(.corrupt, "The numbers in the table shards have a gap.")
                }
                shardOptions.shard = known.role(of: address.id, among: count)
                stores.append(try await open(address, key, shardOptions))
            }
            let store = ShardedCardStore(stores, known, isReadOnly: options.isReadOnly)
            try await store.reloadPlacement()
            guard !options.isReadOnly else { return store }
            try await store.replicateCatalog()
            store.startHousekeeping()
            return store
        } catch {
            for store in stores { try? await store.close() }
            throw error
        }
    }

    /// Opens a shard, and makes sure that it is the one; what is in the way is said with its number.
    private static func open(
        _ address: ShardAddress,
        _ key: [UInt8],
        _ options: PostgresCardStore.Options
    ) async throws -> PostgresCardStore {
        do {
            let shard = try await PostgresCardStore.open(url: address.url, options: options)
            do {
                try await shard.requireShard(address.id, pseudonymKey: key)
            } catch {
                try? await shard.close()
                throw error
            }
            return shard
        } catch let error as StoreError {
            throw StoreError(error.code, "Shard \(address.id): \(error.message)")
        }
    }

    /// The names of the steps by which the databases were brought up to date when the store was opened.
    public var migration: [String] { stores.flatMap(\.migration) }

    // MARK: Routes

    /// The placement of users, as far as this node knows.
    var placement: UserPlacement { known.value }

    /// Reads again where users are.
    func reloadPlacement() async throws {
        let generations = try await onAll { try await $0.placementGeneration() }
        // Read before the ranges: a move that ends in between is then a range that nobody has for a moment.
        let move = try await home.move()
        // safe: ranges that aren't empty
        let moving = move.flatMap { $0.isPlaced ? nil : $0.start..<$0.stop }
        let ranges = try await home.placedRanges()
        known.set(try UserPlacement(ranges, moving: moving, generations: generations))
    }

    /// Reads again where users are, once for all who ask at the same time: while a range is moved, many do.
    private func reloadPlacementTogether() async throws {
        let task = reloading.withLock { running in
            if let running { return running }
            let task = Task { [self] in
                defer { reloading.withLock { $0 = nil } }
                try await reloadPlacement()
            }
            running = task
            return task
        }
        try await task.value
    }

    /// Calls the database that has a user; again where the user has moved in the meantime.
    func onStore<Value: Sendable>(
        of user: UserID,
        _ body: @Sendable (PostgresCardStore) async throws -> Value
    ) async throws -> Value {
        try await retryingMisplaced {
            let placement = placement
            return try await onStore(try placement.shard(of: user), in: placement, body)
        }
    }

    /// Calls a database that was chosen by a placement; refused where that has changed.
    func onStore<Value>(
        _ shard: Int,
        in placement: UserPlacement,
        _ body: (PostgresCardStore) async throws -> Value
    ) async throws -> Value {
        // safe: a placement names no shard that there isn't, and has a generation of each
        let (store, generation) = (stores[shard], placement.generations[shard])
        let routing = ShardRouting(shard: Int64(shard), placement: generation)
        return try await ShardRouting.$current.withValue(routing) { try await body(store) }
    }

    /// Runs something that depends on where users are; again where that has changed in the meantime.
    func retryingMisplaced<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        var pause = Self.pause
        let end = ContinuousClock.now + Self.patience
        while true {
            do {
                return try await body()
            } catch let error as StoreError where error.isMisplaced && ContinuousClock.now < end {
                try await reloadPlacementTogether()
                try await Task.sleep(for: pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    /// Calls all databases at once, and returns what each of them says, by their numbers.
    func onAll<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresCardStore) async throws -> Value
    ) async throws -> [Value] {
        let stores = stores
        return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            for (place, store) in stores.enumerated() {
                group.addTask { (place, try await body(store)) }
            }
            var values: [Int: Value] = [:]
            for try await (place, value) in group { values[place] = value }
            return stores.indices.compactMap { values[$0] }
        }
    }

    /// Calls the databases that have some users, one after another, each with the places of its users in the list.
    ///
    /// The calls begin only while all databases that are concerned answer. Where one then fails for a while, its call
    /// is repeated.
    ///
    /// - Parameters:
    ///   - users: The users.
    ///   - body: Calls a database; run again only where it has changed nothing.
    /// - Throws: What the first of them says.
    func divide(
        _ users: [UserID],
        _ body: @Sendable (PostgresCardStore, [Int]) async throws -> Void
    ) async throws {
        var rest = Array(users.indices)
        var isPartDone = false
        try await retryingMisplaced {
            while let first = rest.first {
                let placement = placement
                let shard = try placement.shard(of: users[first])
                let own = try rest.filter { try placement.shard(of: users[$0]) == shard }
                if !isPartDone, own.count < rest.count {
                    let shards = try Set(rest.map { try placement.shard(of: users[$0]) })
                    // safe: a placement names no shard that there isn't
                    for other in shards { try await stores[other].checkHealth() }
                }
                do {
                    try await onStore(shard, in: placement) { try await body($0, own) }
                } catch let error as StoreError where isPartDone && !error.isMisplaced {
                    throw StoreError(error.code, "A part of the request was done. \(error.message)")
                }
                isPartDone = true
                let done = Set(own)
                rest.removeAll { done.contains($0) }
            }
        }
    }
}

/// The placement of users, as all databases of a store know it.
final class KnownPlacement: Sendable {
    private let placement = Mutex<UserPlacement?>(nil)

    var value: UserPlacement {
        // Before it is read, all users are at the home, which is asked for nothing but that.
        placement.withLock { $0 } ?? UserPlacement.home
    }

    func set(_ value: UserPlacement) { placement.withLock { $0 = value } }

    /// The part that a database has among so many.
    func role(of shard: Int64, among databases: Int) -> ShardRole {
        ShardRole(id: shard, among: Int64(databases)) { [self] in
            let generations = placement.withLock { $0?.generations } ?? []
            let place = Int(clamping: shard)
            return generations.indices.contains(place) ? generations[place] : 0
        }
    }
}

extension UserPlacement {
    /// All users at the home.
    static let home = UserPlacement(allAt: 0)
}
