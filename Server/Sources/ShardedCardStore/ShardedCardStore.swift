import CardModel
import CardStore
public import PostgresCardStore
import Synchronization

/// A store in several PostgreSQL databases, among which users are spread.
///
/// One of them is the home: it has campaigns, the team and all else that isn't a user's, and users as well. All data of
/// a user is in one database, so that each request of a device concerns one. Reports and lists ask all of them.
///
/// A call that concerns users of several databases is a transaction in each. It begins only while all of them answer.
/// A server can be started while shards don't answer: calls that concern these are refused until they are opened.
public final class ShardedCardStore: Sendable {
    /// The database with all that isn't a user's, and with users.
    public let home: PostgresCardStore
    /// The places of all databases, by the numbers of the shards; the home is in the first.
    let slots: [ShardSlot]
    private let known: KnownPlacement
    private let reloading = Mutex<Task<Void, any Error>?>(nil)
    let catalog = ReplicatedCatalog()
    let housekeeping: Housekeeping
    /// Counts and tells what fails of that, and of the other work that is done again and again.
    let log: HousekeepingLog
    /// Looks now and then for users whose copies a database has.
    let copyRemoval = Housekeeping()
    /// Looks now and then for events of users who were deleted.
    let erasures = Housekeeping()
    let histories = KnownHistories()
    /// The task that opens the databases which didn't answer at first.
    let absent = AbsentShards()
    /// Whether nothing is brought from one database to another.
    let isReadOnly: Bool

    /// The time for which a call is repeated where its user is being moved, and the first and the longest pause
    /// between.
    static let patience = Duration.seconds(20)
    static let pause = Duration.milliseconds(20)
    private static let longestPause = Duration.milliseconds(250)
    /// The first and the longest pause between two attempts to open a database that doesn't answer.
    static let reopeningPause = Duration.seconds(1)
    static let longestReopeningPause = Duration.seconds(8)

    init(
        _ home: PostgresCardStore,
        _ slots: [ShardSlot],
        _ known: KnownPlacement,
        _ log: HousekeepingLog,
        isReadOnly: Bool
    ) {
        self.home = home
        self.slots = slots
        self.known = known
        housekeeping = Housekeeping()
        self.log = log
        self.isReadOnly = isReadOnly
    }

    /// The names of the steps by which the databases were brought up to date when the store was opened.
    public var migration: [String] { slots.flatMap { $0.opened?.migration ?? [] } }

    // MARK: Routes

    /// The placement of users, as far as this node knows.
    var placement: UserPlacement { known.value }

    /// Reads again where users are.
    ///
    /// What a shard has that doesn't answer is taken to be what it was: users of others are served, and who comes to it
    /// or left it is asked for once more when it answers.
    func reloadPlacement() async throws {
        let former = placement.generations
        let found = try await onAnswering { store, _ in try await store.placementGeneration() }
        let generations = found.enumerated().map { place, generation in
            generation ?? (former.indices.contains(place) ? former[place] : 0)
        }
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
        let (store, generation) = (try database(shard), placement.generations[shard])
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
                    for other in shards { try await database(other).checkHealth() }
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
