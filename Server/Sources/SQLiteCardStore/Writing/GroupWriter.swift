import CardStore
import GRDB
import Synchronization

/// Writes for everybody: whatever is waiting when the disk is free goes into one transaction.
///
/// A durable commit costs one wait for the disk whether it holds one change or a thousand, so callers leave their jobs
/// here and wait; one of GRDB's queues takes all that are there, commits once, and lets all of them go on.
final class GroupWriter: Sendable {
    /// Lets a caller go on.
    typealias WriteCompletion = @Sendable () -> Void

    /// The writes that one caller wants.
    ///
    /// It throws a `StoreError` to refuse, before it has changed anything. Anything else that it throws is a failure:
    /// the group is rolled back, and each job of it is tried in a transaction of its own.
    struct WriteJob: Sendable {
        let attempt: @Sendable (WriteSession) throws -> WriteCompletion
        let fail: @Sendable (StoreError) -> Void
        /// The time at which it was asked for.
        let start = ContinuousClock.now
    }

    private struct State {
        var jobs: [WriteJob] = []
        var isDraining = false
        var isClosed = false
        /// The reason why nothing can be written now.
        var obstacle: StoreError?
    }

    /// More in one transaction would make the first of them wait without making the rest any faster.
    private static let groupLimit = 1024

    private let pool: DatabasePool
    private let files: OpenFiles
    private let listeners: ChangeListeners
    private let state = Mutex(State())
    private let session: Mutex<WriteSession?>
    /// The log of the groups so far.
    let commits = GroupCommitLog()
    /// The number by which other processes tell this one's changes from theirs.
    let id: Int64

    init(
        pool: DatabasePool,
        files: OpenFiles,
        secrets: StoreSecrets,
        listeners: ChangeListeners,
        now: @escaping @Sendable () -> Double
    ) throws {
        self.pool = pool
        self.files = files
        self.listeners = listeners
        let session = try pool.writeWithoutTransaction {
            try WriteSession(on: $0, files: files, secrets: secrets, now: now)
        }
        id = session.writerID
        self.session = Mutex(session)
    }

    /// Writes with the next group and returns once that is durable.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteSession) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
            submit(
                WriteJob(
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

    private func submit(_ job: WriteJob) {
        enum Next {
            case refuse(StoreError)
            case wait
            case start
        }
        let next: Next = state.withLock { state in
            if state.isClosed { return .refuse(.closed) }
            if let obstacle = state.obstacle { return .refuse(obstacle) }
            state.jobs.append(job)
            defer { state.isDraining = true }
            return state.isDraining ? .wait : .start
        }
        switch next {
        case .refuse(let reason): job.fail(reason)
        case .wait: break
        case .start: pool.asyncWriteWithoutTransaction { [self] database in drain(into: database) }
        }
    }

    /// Looks whether the files are there and this database's, and refuses changes for as long as they aren't.
    func lookAtFiles() {
        pool.asyncWriteWithoutTransaction { [files] database in files.lookIntoFile(database) }
        let loss = files.loss
        let isNew = state.withLock { state in
            defer { state.obstacle = loss }
            return state.obstacle == nil && loss != nil
        }
        guard isNew, !files.isOverwritten else { return }
        // What was acknowledged is then in the database itself, also where its log was deleted.
        pool.asyncWriteWithoutTransaction { database in _ = try? database.checkpoint(.full) }
    }

    /// Refuses new jobs, finishes those that wait, and lets go of the connection.
    func close() async {
        state.withLock { $0.isClosed = true }
        await withUnsafeContinuation { continuation in
            pool.asyncWriteWithoutTransaction { [self] database in
                drain(into: database)
                session.withLock { $0 = nil }
                continuation.resume()
            }
        }
    }

    // MARK: On the writer's queue

    private func drain(into database: Database) {
        while let jobs = takeGroup() {
            session.withLock { session in
                guard let session else {
                    for job in jobs { job.fail(.closed) }
                    return
                }
                commits.measure(jobs.count, since: jobs.first?.start ?? .now) {
                    session.run(jobs, in: database, announcingTo: listeners)
                }
            }
        }
    }

    private func takeGroup() -> [WriteJob]? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.isDraining = false
                return nil
            }
            let group = state.jobs.prefix(Self.groupLimit)
            state.jobs.removeFirst(group.count)
            return Array(group)
        }
    }
}
