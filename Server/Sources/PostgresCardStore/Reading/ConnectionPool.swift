import CardStore
import DequeModule
import Dispatch
import Synchronization

/// Connections for reads, each with a thread of its own.
///
/// libpq's calls wait for the server, so they never run on a thread of Swift's pool. Few connections are enough: a
/// connection answers thousands of reads a second, and PostgreSQL works worse with many.
final class ConnectionPool: Sendable {
    /// Lets the caller of a read continue.
    typealias PoolAnswer = @Sendable () -> Void

    /// A read that waits.
    struct PoolJob: Sendable {
        /// Reads; returns what is done once the connection is free, such as the answer, or `nil` where the connection
        /// was lost, so that the job is tried on another one.
        let attempt: @Sendable (PostgresConnection) -> PoolAnswer?
        let fail: @Sendable (StoreError) -> Void
    }

    private struct State {
        /// The workers that have nothing to do; those that have a connection are last, and taken first.
        var idle: [PoolWorker] = []
        /// The workers that have a connection.
        var connected: Set<ObjectIdentifier> = []
        var waiting: Deque<PoolJob> = []
        var isClosed = false
        /// The number of jobs that had to wait.
        var waits = 0
        /// The number of jobs that lost their connection, and were tried on another one.
        var losses = 0
    }

    /// More waiting than that is not caught up with in the time that a device waits.
    static let waitingLimit = 20_000
    /// Long reads that wait beyond that number would be answered after whoever asked has gone.
    static let longWaitingLimit = 16
    /// Reports take milliseconds as a rule: so many are answered while a member still looks at the page.
    static let reportWaitingLimit = 256

    private let waitingLimit: Int
    private let settings: ConnectionSettings
    /// The pool that does what this one gets no connection for, or `nil` for none.
    private let fallback: ConnectionPool?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - source: Makes the connections, each when it is first needed.
    ///   - settings: How connections are made.
    ///   - size: The number of connections.
    ///   - label: What the queues are called.
    ///   - waitingLimit: How many reads wait at most; others are refused.
    ///   - fallback: Does what this pool gets no connection for, where the server has no place for one.
    init(
        _ source: ConnectionSource,
        _ settings: ConnectionSettings,
        size: Int,
        label: String = "read",
        waitingLimit: Int = ConnectionPool.waitingLimit,
        fallback: ConnectionPool? = nil
    ) {
        self.settings = settings
        self.fallback = fallback
        self.waitingLimit = waitingLimit
        state = Mutex(State())
        let workers = (0..<max(size, 1)).map { PoolWorker(source, label: "\(label).\($0)") }
        state.withLock { $0.idle = workers }
    }

    /// The number of reads that wait, of those that had to wait, and of those that lost their connection.
    var load: (waiting: Int, waits: Int, losses: Int) {
        state.withLock { ($0.waiting.count, $0.waits, $0.losses) }
    }

    /// The number of workers that have nothing to do.
    var idleCount: Int { state.withLock { $0.idle.count } }

    /// Reads on a connection that nothing else uses at the time; no transaction is around it.
    ///
    /// The body runs again on another connection where the first one was lost, so it must only read.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
            submit(
                PoolJob(
                    attempt: { connection in
                        do {
                            let value = try body(connection)
                            return { continuation.resume(returning: .success(value)) }
                        } catch let failure as PostgresError where failure.endsConnection {
                            return nil
                        } catch {
                            let reason = StoreError(error)
                            return { continuation.resume(returning: .failure(reason)) }
                        }
                    },
                    fail: { continuation.resume(returning: .failure($0)) }
                )
            )
        }
        return try result.get()
    }

    /// Reads everything as it was at one moment.
    func snapshot<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        let settings = settings
        return try await read { connection in
            let isShared = !connection.usesPreparedStatements
            let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            try connection.simple(isShared ? "\(begin); \(settings.transactionSettings)" : begin)
            do {
                try connection.requireSameHistory()
                let value = try body(connection)
                try connection.simple("COMMIT")
                return value
            } catch {
                try? connection.simple("ROLLBACK")
                throw error
            }
        }
    }

    /// Runs a job as soon as there is a connection for it.
    func submit(_ job: PoolJob) {
        enum Next {
            case refuse(StoreError)
            case wait
            case start(PoolWorker)
        }
        let next: Next = state.withLock { state in
            if state.isClosed { return .refuse(.closed) }
            if let worker = state.idle.popLast() { return .start(worker) }
            guard state.waiting.count < waitingLimit else { return .refuse(.busy) }
            state.waiting.append(job)
            state.waits += 1
            return .wait
        }
        switch next {
        case .refuse(let reason): job.fail(reason)
        case .wait: break
        case .start(let worker): worker.queue.async { [self] in run(job, on: worker) }
        }
    }

    /// Adds a job from within another one's attempt that has succeeded: the same worker does it after those that wait.
    func submitNext(_ job: PoolJob) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.waiting.append(job) }
            return state.isClosed
        }
        if isClosed { job.fail(.closed) }
    }

    /// Runs a job and those that wait, on the worker's queue.
    private func run(_ first: PoolJob, on worker: PoolWorker) {
        var next: PoolJob? = first
        let id = ObjectIdentifier(worker)
        while let job = next {
            let outcome = worker.run(
                job,
                onConnect: { state.withLock { _ = $0.connected.insert(id) } },
                onLoss: { state.withLock { $0.losses += 1 } }
            )
            let answer: PoolAnswer
            switch outcome {
            case .done(let done): answer = done
            case .refused(let refusal):
                switch hand(job, from: worker) {
                case .handed: return
                case .alone: answer = { [fallback] in fallback?.submit(job) ?? job.fail(refusal) }
                case .refused(let reason): answer = { job.fail(reason) }
                }
            }
            next = state.withLock { state in
                if !worker.isConnected { state.connected.remove(id) }
                if let job = state.waiting.popFirst() { return job }
                if !state.isClosed { state.idle.append(worker) }
                return nil
            }
            // After that, so that a caller's next read finds this connection, and makes no other one.
            answer()
        }
    }

    /// The result of handing a read to another worker, where the server takes no further connection.
    private enum Handing {
        /// Another worker does it, and this one has nothing to do.
        case handed
        /// No worker of this pool has a connection.
        case alone
        /// Nobody does.
        case refused(StoreError)
    }

    /// Gives a job for which a worker gets no connection to one that has a connection.
    ///
    /// Where the server has no place for another connection, those that there are do the work.
    private func hand(_ job: PoolJob, from worker: PoolWorker) -> Handing {
        let (handing, other): (Handing, PoolWorker?) = state.withLock { state in
            state.connected.remove(ObjectIdentifier(worker))
            guard !state.connected.isEmpty, !state.isClosed else { return (.alone, nil) }
            let connected = state.connected
            if let place = state.idle.lastIndex(where: { connected.contains(ObjectIdentifier($0)) }) {
                let other = state.idle.remove(at: place)
                state.idle.insert(worker, at: 0)
                return (.handed, other)
            }
            guard state.waiting.count < waitingLimit else { return (.refused(.busy), nil) }
            state.waiting.append(job)
            state.waits += 1
            state.idle.insert(worker, at: 0)
            return (.handed, nil)
        }
        if let other { other.queue.async { [self] in run(job, on: other) } }
        return handing
    }

    /// Refuses new reads; those under way end by themselves.
    func close() {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.idle) = ([], []) }
            state.isClosed = true
            return state.waiting
        }
        for job in waiting { job.fail(.closed) }
    }
}

/// A connection of a pool, made when it is first needed.
///
/// Sendable without a check because only its queue uses it.
private final class PoolWorker: @unchecked Sendable {
    /// The end of a job on a worker.
    enum Outcome {
        /// It was run or has failed, and what lets its caller know.
        case done(ConnectionPool.PoolAnswer)
        /// The server has no place for another connection.
        case refused(StoreError)
    }

    let queue: DispatchQueue
    private var source: ConnectionSource
    private var connection: PostgresConnection?

    init(_ source: ConnectionSource, label: String) {
        queue = DispatchQueue(label: "placard.postgres.\(label)")
        self.source = source
    }

    /// Whether there is a connection; asked on its queue.
    var isConnected: Bool { connection != nil }

    /// Runs a job; `onConnect` is called once there is a new connection, and `onLoss` where one was lost.
    ///
    /// - Returns: The answer, or what is said where the server has no place for another connection, so that others may
    ///   do the job.
    func run(_ job: ConnectionPool.PoolJob, onConnect: () -> Void, onLoss: () -> Void) -> Outcome {
        for _ in 0..<2 {
            do {
                let present = self.connection
                let connection = try present ?? source.connect()
                self.connection = connection
                if present == nil { onConnect() }
                if let answer = job.attempt(connection) {
                    // A body that left a transaction open has failed in the middle of it.
                    if connection.isInTransaction { self.connection = nil }
                    return .done(answer)
                }
                self.connection = nil
                onLoss()
            } catch {
                let reason = StoreError(error)
                if (error as? PostgresError)?.state == "53300" { return .refused(reason) }
                return .done { job.fail(reason) }
            }
        }
        return .done { job.fail(StoreError(PostgresError.lost)) }
    }
}
