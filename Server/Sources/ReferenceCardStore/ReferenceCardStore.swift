public import CardModel
public import CardStore
import Synchronization
import WireJSON

/// The data that reference stores that are opened together keep, in memory.
public final class ReferenceDatabase: Sendable {
    struct Contents: Sendable {
        var state = ReferenceState()
        var listeners: [ReferenceListener] = []
    }

    let contents = Mutex(Contents())

    /// Creates an empty database.
    public init() {}
}

/// One who hears of changes, through the store that was asked.
struct ReferenceListener: Sendable {
    let store: ObjectIdentifier
    let continuation: AsyncStream<StoreChange>.Continuation
}

/// A store in memory that is simple enough to be obviously right: the oracle of other stores' tests.
///
/// It keeps plain values and searches all of them, decides with the same rules as other stores do (`CardModel`), and
/// knows no cache and no index. A write works on a copy of everything, which takes the place of the original once it
/// has succeeded. It is for tests: everything takes time in proportion to what it holds, and nothing survives the
/// process.
public final class ReferenceCardStore: CardStore {
    private let database: ReferenceDatabase
    private let listenerBuffer: Int
    private let isClosed = Mutex(false)
    let now: @Sendable () -> UnixTime
    /// The name of the store's history: the same for every reference store, since none is ever restored.
    public let epoch: UInt64 = 1

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - database: What it keeps, together with other stores that are opened with it.
    ///   - listenerBuffer: The number of changes that a listener may fall behind before it is told
    ///     ``CardStore/StoreChange/anything``.
    ///   - now: The present time.
    public init(
        _ database: ReferenceDatabase = ReferenceDatabase(),
        listenerBuffer: Int = 1024,
        now: @escaping @Sendable () -> UnixTime
    ) {
        self.database = database
        self.listenerBuffer = listenerBuffer
        self.now = now
    }

    func read<Value>(_ body: (ReferenceState) throws -> Value) throws -> Value {
        try requireOpen()
        return try body(database.contents.withLock { $0.state })
    }

    @discardableResult
    func write<Value: Sendable>(_ body: (inout ReferenceState) throws -> sending Value) throws -> Value {
        try requireOpen()
        let now = now()
        return try database.contents.withLock { contents in
            var state = contents.state
            state.now = now
            state.changes = ReferenceChanges()
            let value = try body(&state)
            contents.state = state
            for change in state.changes.announced { Self.announce(change, to: contents.listeners) }
            return value
        }
    }

    private func requireOpen() throws(StoreError) {
        if isClosed.withLock({ $0 }) { throw StoreError(.unavailable, "The store is closed.") }
    }

    // MARK: Lifecycle

    /// Tells of changes from now on, whichever store made them.
    public func changes() -> AsyncStream<StoreChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StoreChange.self,
            bufferingPolicy: .bufferingNewest(listenerBuffer)
        )
        if isClosed.withLock({ $0 }) {
            continuation.finish()
        } else {
            let listener = ReferenceListener(store: ObjectIdentifier(self), continuation: continuation)
            database.contents.withLock { $0.listeners.append(listener) }
        }
        return stream
    }

    private static func announce(_ change: StoreChange, to listeners: [ReferenceListener]) {
        for listener in listeners {
            guard case .dropped = listener.continuation.yield(change) else { continue }
            // Whatever was lost to make room is covered by this, which is behind it in the buffer.
            listener.continuation.yield(.anything)
        }
    }

    /// Checks that the store is open.
    public func checkHealth() async throws { try requireOpen() }

    /// Checks that the store is open.
    public func healthChecks() async -> [HealthCheck] {
        [await HealthCheck.run("open") { try requireOpen() }]
    }

    /// Closes the store; what it keeps stays in the database.
    public func close() async throws {
        isClosed.withLock { $0 = true }
        let own = ObjectIdentifier(self)
        let closed = database.contents.withLock { contents in
            defer { contents.listeners.removeAll { $0.store == own } }
            return contents.listeners.filter { $0.store == own }
        }
        for listener in closed { listener.continuation.finish() }
    }
}

/// The changes of one write, to be announced.
struct ReferenceChanges: Sendable {
    var catalog = false
    /// The users whose version changed, in the order of the first change, with the device that changed it: `nil` where
    /// it was none, or several.
    private var users: [(id: UserID, device: String?)] = []
    private var removed: [UserID] = []

    var announced: [StoreChange] {
        (catalog ? [.catalog] : []) + removed.map { .removed($0) } + users.map { .user($0.id, except: $0.device) }
    }

    mutating func touch(_ user: UserID, by device: String?) {
        guard let index = users.firstIndex(where: { $0.id == user }) else { return users.append((user, device)) }
        if users[index].device.map({ ByteString($0) }) != device.map({ ByteString($0) }) { users[index].device = nil }
    }

    mutating func remove(_ user: UserID) {
        if !removed.contains(user) { removed.append(user) }
        touch(user, by: nil)
    }
}
