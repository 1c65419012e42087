import CardModel
import CardStore
import DequeModule
import Dispatch
import Synchronization

/// Writes for all callers: whatever waits when the connection is free goes into one transaction.
///
/// A durable commit costs one wait for the disk whether it holds one change or a thousand. A node has one connection
/// that writes, with a thread of its own.
final class GroupWriter: Sendable {
    /// Lets a caller continue.
    typealias WriteCompletion = @Sendable () -> Void

    /// The writes that one caller wants.
    ///
    /// It throws a `StoreError` to refuse, before it has changed anything. Anything else that it throws is a failure:
    /// the group is rolled back, and each job of it is tried in a transaction of its own.
    struct WriteJob: Sendable {
        /// The users that it is about, as far as that is known; their rows are locked before the group begins.
        let users: [UserID]
        /// The names that it can take of which there can be only one, such as an alias: two nodes don't make such a
        /// thing at once.
        ///
        /// Also those of rows of which jobs of one group change several, in any order.
        var names: [String] = []
        /// Whether it writes nothing but rows of those users, and what the group adds up.
        var isConfined = false
        /// Whether it is a transaction of its own.
        var isAlone = false
        /// The condition under which it is done where users are spread over several databases.
        var fence = JobFence.always
        /// The queries for what it depends on, as far as that is known; read once those rows are locked, for all jobs
        /// at once.
        var queries: [PostgresQuery] = []
        let attempt: @Sendable (WriteSession) throws -> WriteCompletion
        let fail: @Sendable (StoreError) -> Void
        /// The time at which it was asked for.
        let start = ContinuousClock.now
    }

    private struct State {
        var jobs: Deque<WriteJob> = []
        var isDraining = false
        var isClosed = false
    }

    /// More in one transaction would make the first of them wait without making the rest any faster.
    private static let groupLimit = 256
    /// More waiting than that is not caught up with in the time that a device waits.
    private static let waitingLimit = 50_000

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "placard.postgres.write")
    private let transactions: TransactionRunner
    private let role: ShardRole?
    /// The log of the groups so far.
    let commits: GroupCommitLog

    /// - Parameters:
    ///   - transactions: What runs the groups.
    ///   - role: The part that the database has where users are spread over several.
    ///   - commits: The log of the groups, which several writers can share.
    init(_ transactions: TransactionRunner, _ role: ShardRole? = nil, _ commits: GroupCommitLog? = nil) {
        self.transactions = transactions
        self.role = role
        self.commits = commits ?? GroupCommitLog()
    }

    /// The number of jobs that the next group or a later one will write.
    var waiting: Int { state.withLock { $0.jobs.count } }

    /// Writes with the next group and returns once that is durable.
    ///
    /// - Parameters:
    ///   - users: The users that it is about, as far as that is known.
    ///   - names: What it may make of which there can be only one.
    ///   - isConfined: Whether it writes nothing but their rows, and what the group adds up.
    ///   - isAlone: Whether it is a transaction of its own.
    ///   - scope: The users whose database it depends on.
    ///   - queries: What it reads first, for ``WriteSession/takeLoaded()``; only where it is confined.
    ///   - body: Writes; run again where the group is tried again.
    /// - Returns: What the body returned.
    /// - Throws: What the body refused with, or why the group wasn't written.
    func write<Value: Sendable>(
        _ users: [UserID] = [],
        names: [String] = [],
        isConfined: Bool = false,
        isAlone: Bool = false,
        scope: JobScope = .named,
        loading queries: [PostgresQuery] = [],
        _ body: @escaping @Sendable (WriteSession) throws -> Value
    ) async throws(StoreError) -> Value {
        let fence = scope.fence(role, isNaming: !users.isEmpty || !names.isEmpty)
        let result: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
            submit(
                WriteJob(
                    users: users,
                    names: names,
                    isConfined: isConfined,
                    isAlone: isAlone,
                    fence: fence,
                    queries: queries,
                    attempt: { session in
                        let value = try body(session)
                        return { continuation.resume(returning: .success(value)) }
                    },
                    fail: { continuation.resume(returning: .failure($0)) }
                )
            )
        }
        return try result.get()
    }

    /// Writes in a transaction of its own and returns once that is durable.
    ///
    /// A change of a campaign, segment or key locks its row and then the store's, which has the generation of the
    /// catalog. Two of them in one transaction would lock a row after the store's, and wait for another node in a
    /// circle. The same is true of two jobs that each lock a row in the middle of a group that other nodes lock as
    /// well: a group locks nothing but what it has named, unless it never waits for it.
    ///
    /// - Parameters:
    ///   - scope: The users whose database it depends on.
    ///   - body: Writes; run again where the transaction is tried again.
    /// - Returns: What the body returned.
    /// - Throws: What the body refused with, or why it wasn't written.
    func writeAlone<Value: Sendable>(
        scope: JobScope = .named,
        _ body: @escaping @Sendable (WriteSession) throws -> Value
    ) async throws(StoreError) -> Value {
        try await write(isAlone: true, scope: scope, body)
    }

    private func submit(_ job: WriteJob) {
        enum Next {
            case refuse(StoreError)
            case wait
            case start
        }
        let next: Next = state.withLock { state in
            if state.isClosed { return .refuse(.closed) }
            guard state.jobs.count < Self.waitingLimit else { return .refuse(.busy) }
            state.jobs.append(job)
            defer { state.isDraining = true }
            return state.isDraining ? .wait : .start
        }
        switch next {
        case .refuse(let reason): job.fail(reason)
        case .wait: break
        case .start: queue.async { [self] in drain() }
        }
    }

    /// Refuses new jobs, finishes those that wait, and closes the connection.
    func close() async {
        state.withLock { $0.isClosed = true }
        await withUnsafeContinuation { continuation in
            queue.async { [self] in
                drain()
                transactions.close()
                continuation.resume()
            }
        }
    }

    // MARK: On the writer's queue

    private func drain() {
        while let jobs = takeGroup() {
            commits.measure(jobs.count, since: jobs.first?.start ?? .now) { transactions.run(jobs) }
        }
    }

    private func takeGroup() -> [WriteJob]? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.isDraining = false
                return nil
            }
            let size = state.jobs[0].isAlone ? 1 : state.jobs.prefix(Self.groupLimit).prefix { !$0.isAlone }.count
            let group = Array(state.jobs.prefix(size))
            state.jobs.removeFirst(group.count)
            return group
        }
    }
}
