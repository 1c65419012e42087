import CardModel
import CardStore
import DequeModule
import Dispatch
import Synchronization

/// Writes for all callers: whatever waits when the connection is free goes into one transaction.
///
/// A durable commit costs one wait for the disk whether it holds one change or a thousand. A node has one connection that
/// writes, with a thread of its own.
final class GroupWriter: Sendable {
    /// Lets a caller continue.
    typealias Completion = @Sendable () -> Void

    /// What one caller wants written.
    ///
    /// It throws a `StoreError` to refuse, before it has changed anything. Anything else that it throws is a failure:
    /// the group is rolled back, and each job of it is tried in a transaction of its own.
    struct Job: Sendable {
        /// The users that it is about, as far as that is known; their rows are locked before the group begins.
        let users: [UserID]
        let attempt: @Sendable (WriteSession) throws -> Completion
        let fail: @Sendable (StoreError) -> Void
    }

    private struct State {
        var jobs: Deque<Job> = []
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

    init(_ transactions: TransactionRunner) { self.transactions = transactions }

    /// Writes with the next group and returns once that is durable.
    func write<Value: Sendable>(
        _ users: [UserID] = [],
        _ body: @escaping @Sendable (WriteSession) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
            submit(
                Job(
                    users: users,
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

    private func submit(_ job: Job) {
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
        while let jobs = takeGroup() { transactions.run(jobs) }
    }

    private func takeGroup() -> [Job]? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.isDraining = false
                return nil
            }
            let group = Array(state.jobs.prefix(Self.groupLimit))
            state.jobs.removeFirst(group.count)
            return group
        }
    }
}
