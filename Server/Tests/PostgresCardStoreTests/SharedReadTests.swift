import CardStore
import Synchronization
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: reads that go to the server together", .timeLimit(.minutes(20)))
struct SharedReadTests {
    private typealias Body = @Sendable (PostgresConnection, [Int]) throws -> [Result<Int, any Error>]

    /// The groups that were read, each with what it was asked.
    private final class Log: Sendable {
        private let groups = Mutex<[[Int]]>([])
        let hold = HeldJob()

        var all: [[Int]] { groups.withLock { $0 } }

        /// Notes a group, and returns how many there are by now.
        func note(_ group: [Int]) -> Int {
            groups.withLock { groups in
                groups.append(group)
                return groups.count
            }
        }
    }

    /// Starts a read for each number, one after the other, and returns what all of them say.
    private func answers<Value: Sendable>(
        of reads: SharedReads<Int, Value>,
        to numbers: Range<Int>,
        then body: @Sendable () async throws -> Void
    ) async throws -> [Result<Value, StoreError>] {
        try await withThrowingTaskGroup(of: (Int, Result<Value, StoreError>).self) { group in
            let waiting = reads.waitingCount
            for number in numbers {
                group.addTask {
                    let result: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
                        reads.read(number) { continuation.resume(returning: $0) }
                    }
                    return (number, result)
                }
                // Each waits before the next one asks, so that their order is known.
                while reads.waitingCount <= waiting + number - numbers.lowerBound { await Task.yield() }
            }
            try await body()
            var found: [Int: Result<Value, StoreError>] = [:]
            for try await (number, result) in group { found[number] = result }
            return numbers.compactMap { found[$0] }
        }
    }

    /// Runs a test with reads of a single connection, of which the first is held until the log's job is ended.
    private func withHeldReads(
        of store: PostgresCardStore,
        size: Int,
        _ read: @escaping Body,
        _ body: (SharedReads<Int, Int>, Log) async throws -> Void
    ) async throws {
        let log = Log()
        let reads = SharedReads<Int, Int>(store.pool, groups: 1, size: size) { connection, requests in
            if log.note(requests) == 1 { log.hold.wait() }
            return try read(connection, requests)
        }
        let first = Task { try await reads.read(0) }
        while !log.hold.isHeld.load(ordering: .acquiring) { await Task.yield() }
        do {
            try await body(reads, log)
        } catch {
            log.hold.end.signal()
            throw error
        }
        _ = await first.result
    }

    private static func doubled(_ numbers: [Int]) -> [Result<Int, any Error>] { numbers.map { .success($0 * 2) } }

    @Test("What waits while a group is read makes the next groups, in order, and nothing joins one that has begun")
    func groups() async throws {
        try await withStore { store in
            try await withHeldReads(of: store, size: 3, { _, numbers in Self.doubled(numbers) }) { reads, log in
                let answers = try await answers(of: reads, to: 1..<9) { log.hold.end.signal() }
                let values = try answers.map { try $0.get() }
                #expect(values == [2, 4, 6, 8, 10, 12, 14, 16])
                #expect(log.all == [[0], [1, 2, 3], [4, 5, 6], [7, 8]])
                #expect(reads.waitingCount == 0)
                // With nothing under way, a read begins by itself.
                let alone = try await reads.read(50)
                #expect(alone == 100)
                #expect(log.all.last == [50])
            }
        }
    }

    @Test("A group whose connection is lost is read on another one, and every caller gets an answer")
    func lostConnection() async throws {
        try await withStore { store in
            let losses = Atomic<Int>(0)
            let read: Body = { connection, numbers in
                if numbers.count > 1, losses.add(1, ordering: .relaxed).newValue == 1 {
                    _ = try connection.row("SELECT pg_terminate_backend(pg_backend_pid()) AS ended")
                }
                return Self.doubled(numbers)
            }
            try await withHeldReads(of: store, size: 9, read) { reads, log in
                let answers = try await answers(of: reads, to: 1..<6) { log.hold.end.signal() }
                let values = try answers.map { try $0.get() }
                #expect(values == [2, 4, 6, 8, 10])
                #expect(log.all == [[0], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]])
            }
            #expect(store.traffic?.retries[.read] == 1)
        }
    }

    @Test("What is damaged of one fails no other; what keeps the server from answering is said to all")
    func failures() async throws {
        try await withStore { store in
            let read: Body = { _, numbers in
                if numbers.contains(2) { throw PostgresError(state: "XX001") }
                if numbers.contains(7) { throw PostgresError(state: "57014") }
                return Self.doubled(numbers)
            }
            try await withHeldReads(of: store, size: 4, read) { reads, log in
                let answers = try await answers(of: reads, to: 1..<9) { log.hold.end.signal() }
                let values = answers.map { try? $0.get() }
                #expect(values == [2, nil, 6, 8, nil, nil, nil, nil])
                let codes = answers.map(\.failedCode?.rawValue)
                let busy = "unavailable"
                #expect(codes == [nil, "corrupt", nil, nil, busy, busy, busy, busy])
                #expect(log.all == [[0], [1, 2, 3, 4], [1], [2], [3], [4], [5, 6, 7, 8]])
            }
        }
    }

    @Test("Reads that wait when the store is closed are refused")
    func closed() async throws {
        try await withStore { store in
            try await withHeldReads(of: store, size: 2, { _, numbers in Self.doubled(numbers) }) { reads, log in
                let answers = try await answers(of: reads, to: 1..<6) {
                    try await store.close()
                    log.hold.end.signal()
                }
                #expect(answers.filter { $0.failedCode == .unavailable }.count == 5)
                await #expect(throws: StoreError.self) { try await reads.read(6) }
                #expect(log.all == [[0]])
            }
        }
    }
}

extension Result where Failure == StoreError {
    /// The kind of the failure, if it is one.
    fileprivate var failedCode: StoreError.Code? {
        if case .failure(let error) = self { return error.code }
        return nil
    }
}
