public import CardStore
import PostgresCardStore
import Synchronization

/// The place of a database among those that have users; it may be empty until the database answers.
final class ShardSlot: Sendable {
    private struct State {
        var store: PostgresCardStore?
        var failure: StoreError?
        /// The database of a place that was removed, until it is closed.
        var retired: PostgresCardStore?
        var isClosed = false
        var isRemoved = false
        var waiting: [AsyncStream<PostgresCardStore>.Continuation] = []
    }

    /// The number of the shard; 0 is the home.
    let place: Int
    private let state: Mutex<State>

    /// Creates a place with a database that is open.
    init(_ place: Int, _ store: PostgresCardStore) {
        self.place = place
        state = Mutex(State(store: store))
    }

    /// Creates a place whose database couldn't be opened.
    init(_ place: Int, failure: StoreError) {
        self.place = place
        state = Mutex(State(failure: failure))
    }

    /// Creates the place of a database that was removed.
    init(removed place: Int) {
        self.place = place
        state = Mutex(State(isClosed: true, isRemoved: true))
    }

    /// Whether the database was removed: it has no users, and isn't asked for anything.
    var isRemoved: Bool { state.withLock { $0.isRemoved } }

    /// The database, where it was opened.
    var opened: PostgresCardStore? { state.withLock { $0.store } }

    /// The reason why the database couldn't be opened, or doesn't answer, as far as that was looked at last.
    var failure: StoreError? { state.withLock { $0.failure } }

    /// Returns the database.
    ///
    /// - Throws: What keeps it from being opened.
    func database() throws(StoreError) -> PostgresCardStore {
        let (store, failure, isRemoved) = state.withLock { ($0.store, $0.failure, $0.isRemoved) }
        if let store { return store }
        // Whoever comes with what was known before looks again where users are.
        if isRemoved { throw .misplaced }
        throw failure ?? StoreError(.unavailable, "Shard \(place) isn't open yet. Try again.")
    }

    /// Notes what a look at the database has found; returns whether that is another reason than before.
    @discardableResult
    func note(_ failure: StoreError?) -> Bool {
        state.withLock { state in
            guard !state.isRemoved else { return false }
            defer { state.failure = failure }
            return state.failure != failure
        }
    }

    /// Puts the database in its place; returns whether it was, which isn't so once the place is closed.
    func open(_ store: PostgresCardStore) -> Bool {
        let waiting = state.withLock { state -> [AsyncStream<PostgresCardStore>.Continuation]? in
            guard !state.isClosed else { return nil }
            (state.store, state.failure) = (store, nil)
            defer { state.waiting = [] }
            return state.waiting
        }
        guard let waiting else { return false }
        for continuation in waiting {
            continuation.yield(store)
            continuation.finish()
        }
        return true
    }

    /// Waits for the database, which comes once, or never where the place is closed before.
    func openings() -> AsyncStream<PostgresCardStore> {
        let (stream, continuation) = AsyncStream.makeStream(of: PostgresCardStore.self)
        let isWaiting = state.withLock { state in
            if let store = state.store {
                continuation.yield(store)
            } else if !state.isClosed {
                state.waiting.append(continuation)
                return true
            }
            return false
        }
        if !isWaiting { continuation.finish() }
        return stream
    }

    /// Takes the database out of its place for good; whoever calls it just now can end.
    ///
    /// - Returns: Whether it wasn't removed before.
    func remove() -> Bool {
        let waiting = state.withLock { state -> [AsyncStream<PostgresCardStore>.Continuation]? in
            guard !state.isRemoved else { return nil }
            (state.isRemoved, state.isClosed) = (true, true)
            (state.retired, state.store, state.failure) = (state.store, nil, nil)
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting ?? [] { continuation.finish() }
        return waiting != nil
    }

    /// Returns the database that was removed, once.
    func takeRetired() -> PostgresCardStore? {
        state.withLock { state in
            defer { state.retired = nil }
            return state.retired
        }
    }

    /// Closes the place, and returns the database that was in it.
    func close() -> PostgresCardStore? {
        let (store, waiting) = state.withLock { state in
            state.isClosed = true
            defer { (state.waiting, state.retired) = ([], nil) }
            return (state.store ?? state.retired, state.waiting)
        }
        for continuation in waiting { continuation.finish() }
        return store
    }
}

/// The tasks that open the databases that didn't answer at first.
final class AbsentShards: Sendable {
    private let tasks = Mutex<[Task<Void, Never>]>([])

    func set(_ new: [Task<Void, Never>]) { tasks.withLock { $0 = new } }

    /// Stops them, and returns once nothing is opened any more.
    func stop() async {
        let running = tasks.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
        for task in running { task.cancel() }
        for task in running { await task.value }
    }
}

/// A shard's state as a node finds it that couldn't open it at its start.
public struct ShardNotice: Sendable, Hashable {
    /// The number of the shard, from 1 on.
    public let shard: Int
    /// The reason why it can't be opened, or `nil` where it is open by now.
    public let failure: StoreError?
    /// The names of the steps by which it was brought up to date when it was opened.
    public let migration: [String]
}
