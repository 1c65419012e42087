import CardStore
import DequeModule
import Synchronization

/// Reads of one kind, of which those that wait go to the server together.
///
/// A read begins at once while few are under way, so that sharing costs no time. Each begins after its caller has asked
/// for it: nobody gets what is older than their call.
final class SharedReads<Request: Sendable, Value: Sendable>: Sendable {
    /// Reads for all requests, and returns exactly one answer for each, in their order.
    ///
    /// It runs again where a connection was lost, so it must only read.
    typealias Body = @Sendable (PostgresConnection, [Request]) throws -> [Result<Value, any Error>]
    typealias ReadCompletion = @Sendable (Result<Value, StoreError>) -> Void

    fileprivate struct Read: Sendable {
        let request: Request
        let complete: ReadCompletion
    }

    private enum Admission {
        case start
        case wait
        case refuse
    }

    private struct State {
        var waiting: Deque<Read> = []
        /// The number of groups that are read, or wait for a connection.
        var groups = 0
    }

    private let pool: ConnectionPool
    private let groupLimit: Int
    private let sizeLimit: Int
    private let body: Body
    private let state = Mutex(State())

    /// - Parameters:
    ///   - pool: The connections.
    ///   - groups: How many groups are read at the same time.
    ///   - size: How many reads a group has at most.
    ///   - body: Reads a group.
    init(_ pool: ConnectionPool, groups: Int, size: Int, _ body: @escaping Body) {
        self.pool = pool
        groupLimit = max(groups, 1)
        sizeLimit = max(size, 1)
        self.body = body
    }

    /// The number of reads that aren't part of a group yet.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Reads, and then calls a function on a thread that others wait for: it must not take long.
    func read(_ request: Request, _ completion: @escaping ReadCompletion) {
        let next: Admission = state.withLock { state in
            guard state.waiting.count < ConnectionPool.waitingLimit else { return .refuse }
            state.waiting.append(Read(request: request, complete: completion))
            guard state.groups < groupLimit else { return .wait }
            state.groups += 1
            return .start
        }
        switch next {
        case .start: pool.submit(job())
        case .wait: break
        case .refuse: completion(.failure(.busy))
        }
    }

    /// Reads.
    func read(_ request: Request) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
            read(request) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    // MARK: Groups

    /// The job of a group, which is made of what waits when a connection is free.
    private func job() -> ConnectionPool.PoolJob {
        let group = Group()
        return ConnectionPool.PoolJob(
            attempt: { [self] connection in
                guard attempt(group, on: connection) else { return nil }
                if !endGroup() { pool.submitNext(job()) }
                // Each was answered by itself.
                return {}
            },
            fail: { [self] reason in
                // Those that wait have waited for the same connection.
                for read in group.takeAll() + take(.max) { read.complete(.failure(reason)) }
                if !endGroup() { pool.submit(job()) }
            }
        )
    }

    /// Notes that a group has ended, unless others wait and another group has to follow.
    private func endGroup() -> Bool {
        state.withLock { state in
            guard state.waiting.isEmpty else { return false }
            state.groups -= 1
            return true
        }
    }

    private func take(_ count: Int) -> [Read] {
        state.withLock { state in
            // safe: a positive number, and no more than there are
            let reads = Array(state.waiting.prefix(count))
            // safe: the same
            state.waiting.removeFirst(reads.count)
            return reads
        }
    }

    /// Reads a group; returns `false` where the connection was lost, so that the rest is tried on another one.
    private func attempt(_ group: Group, on connection: PostgresConnection) -> Bool {
        let reads = group.all { take(sizeLimit) }
        guard !reads.isEmpty else { return true }
        do {
            let answers = try body(connection, reads.map(\.request))
            for (read, answer) in zip(group.takeAll(), answers) { read.complete(answer.mapError { StoreError($0) }) }
        } catch let failure as PostgresError where failure.endsConnection {
            return false
        } catch {
            if reads.count > 1, Self.mayConcernOne(error) { return attemptEach(group, on: connection) }
            for read in group.takeAll() { read.complete(.failure(StoreError(error))) }
        }
        return true
    }

    /// Reads for each by itself, so that what can't be read of one fails no other.
    private func attemptEach(_ group: Group, on connection: PostgresConnection) -> Bool {
        while let read = group.first {
            let answers: [Result<Value, any Error>]
            do {
                answers = try body(connection, [read.request])
            } catch let failure as PostgresError where failure.endsConnection {
                return false
            } catch {
                answers = [.failure(error)]
            }
            group.removeFirst()
            for answer in answers { read.complete(answer.mapError { StoreError($0) }) }
        }
        return true
    }

    /// Whether an error may come from what one of several asked for: from what is damaged, or can't be understood.
    private static func mayConcernOne(_ error: any Error) -> Bool {
        (error as? PostgresError)?.state.hasPrefix("XX") ?? true
    }
}

extension SharedReads {
    /// The reads of a group that have no answer yet; kept while they are tried on other connections.
    fileprivate final class Group: Sendable {
        private let reads = Mutex<Deque<Read>>([])

        var first: Read? { reads.withLock { $0.first } }

        func removeFirst() { reads.withLock { _ = $0.popFirst() } }

        /// The reads; those of a new group are taken from elsewhere.
        func all(_ take: () -> [Read]) -> [Read] {
            reads.withLock { reads in
                if reads.isEmpty { reads = Deque(take()) }
                return Array(reads)
            }
        }

        /// Removes and returns the reads.
        func takeAll() -> [Read] {
            reads.withLock { reads in
                defer { reads = [] }
                return Array(reads)
            }
        }
    }
}
