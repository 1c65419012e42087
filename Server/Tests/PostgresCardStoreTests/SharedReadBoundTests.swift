import CardStore
import PostgresTesting
import Synchronization
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: bounds of reads that go together", .timeLimit(.minutes(20)))
struct SharedReadBoundTests {
    /// Runs a test with a pool on an empty database.
    private func withPool(
        size: Int = 1,
        waitingLimit: Int = ConnectionPool.waitingLimit,
        _ body: (ConnectionPool) async throws -> Void
    ) async throws {
        try await PostgresCluster.shared().withDatabase { url in
            let settings = ConnectionSettings(url: url)
            let source = ConnectionSource(settings) { _ in }
            let pool = ConnectionPool(source, settings, size: size, waitingLimit: waitingLimit)
            try await body(pool)
            pool.close()
        }
    }

    /// Holds a connection of a pool while something else is done.
    private func holding(_ pool: ConnectionPool, _ body: () async throws -> Void) async throws {
        let hold = HeldJob()
        let held = Task { try await pool.read { _ in hold.wait() } }
        while !hold.isHeld.load(ordering: .acquiring) { await Task.yield() }
        do {
            try await body()
        } catch {
            hold.end.signal()
            throw error
        }
        hold.end.signal()
        try await held.value
    }

    /// Waits until every connection has nothing to do: a worker answers before that.
    private func idle(_ pool: ConnectionPool, _ count: Int = 1) async {
        while pool.idleCount < count { await Task.yield() }
    }

    /// The sizes of the groups that were read.
    private final class Sizes: Sendable {
        private let sizes = Mutex<[Int]>([])

        var all: [Int] { sizes.withLock { $0 } }

        func note(_ size: Int) { sizes.withLock { $0.append(size) } }
    }

    private func doubling(_ pool: ConnectionPool, groups: Int, size: Int, _ sizes: Sizes) -> SharedReads<Int, Int> {
        SharedReads(pool, groups: groups, size: size) { _, numbers in
            sizes.note(numbers.count)
            return numbers.map { .success($0 * 2) }
        }
    }

    @Test("Where the pool has no room for another read, a group is refused as busy, and the next one is read")
    func refused() async throws {
        try await withPool(waitingLimit: 0) { pool in
            let sizes = Sizes()
            let reads = doubling(pool, groups: 2, size: 8, sizes)
            try await holding(pool) {
                for number in 0..<3 {
                    let error = await #expect(throws: StoreError.self) { try await reads.read(number) }
                    #expect(error == .busy)
                }
                #expect(reads.waitingCount == 0)
            }
            await idle(pool)
            let answer = try await reads.read(21)
            #expect(answer == 42)
            #expect(sizes.all == [1])
        }
    }

    @Test("A caller who gives up while they wait takes no answer from the others")
    func cancelled() async throws {
        try await withPool { pool in
            let sizes = Sizes()
            let reads = doubling(pool, groups: 1, size: 8, sizes)
            var tasks: [Task<Int, any Error>] = []
            try await holding(pool) {
                for number in 0..<6 {
                    let waiting = reads.waitingCount
                    tasks.append(Task { try await reads.read(number) })
                    while reads.waitingCount <= waiting { await Task.yield() }
                }
                for place in [0, 3] { tasks[place].cancel() }
            }
            for (number, task) in tasks.enumerated() where ![0, 3].contains(number) {
                let answer = try await task.value
                #expect(answer == number * 2)
            }
            for place in [0, 3] { _ = await tasks[place].result }
            #expect(reads.waitingCount == 0)
            // All of them were one question.
            #expect(sizes.all == [6])
        }
    }

    @Test("No groups, or groups of nobody, are one group of one", arguments: [(0, 0), (-1, -1), (1, 1)])
    func least(groups: Int, size: Int) async throws {
        try await withPool { pool in
            let sizes = Sizes()
            let reads = doubling(pool, groups: groups, size: size, sizes)
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<5 { group.addTask { try await reads.read(number) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.sorted() == [0, 2, 4, 6, 8])
            #expect(sizes.all == [1, 1, 1, 1, 1])
        }
    }

    @Test("Of several groups one is read while another waits for the server")
    func severalGroups() async throws {
        try await withPool(size: 2) { pool in
            let hold = HeldJob()
            let reads = SharedReads<Int, Int>(pool, groups: 2, size: 8) { _, numbers in
                if numbers == [0] { hold.wait() }
                return numbers.map { .success($0 * 2) }
            }
            let first = Task { try await reads.read(0) }
            while !hold.isHeld.load(ordering: .acquiring) { await Task.yield() }
            for number in 1...3 {
                let answer = try await reads.read(number)
                #expect(answer == number * 2)
            }
            hold.end.signal()
            let last = try await first.value
            #expect(last == 0)
        }
    }

    @Test("A group that loses two connections is refused, with those who wait for the same, and the next is read")
    func lostTwice() async throws {
        try await withPool { pool in
            let isEnding = Atomic<Bool>(true)
            let attempts = Atomic<Int>(0)
            let reads = SharedReads<Int, Int>(pool, groups: 1, size: 2) { connection, numbers in
                attempts.add(1, ordering: .relaxed)
                if isEnding.load(ordering: .acquiring) {
                    _ = try connection.row("SELECT pg_terminate_backend(pg_backend_pid()) AS is_ended")
                }
                return numbers.map { .success($0 * 2) }
            }
            var tasks: [Task<Int, any Error>] = []
            try await holding(pool) {
                for number in 0..<5 {
                    let waiting = reads.waitingCount
                    tasks.append(Task { try await reads.read(number) })
                    while reads.waitingCount <= waiting { await Task.yield() }
                }
            }
            for task in tasks {
                let error = await #expect(throws: StoreError.self) { try await task.value }
                #expect(error?.code == .unavailable)
            }
            #expect(attempts.load(ordering: .relaxed) == 2)
            #expect(pool.load.losses == 2)
            isEnding.store(false, ordering: .releasing)
            await idle(pool)
            let answer = try await reads.read(21)
            #expect(answer == 42)
            #expect(reads.waitingCount == 0)
        }
    }

    @Test("An error of one among the answers is that caller's alone")
    func ownAnswers() async throws {
        try await withPool { pool in
            let refusal = StoreError(.notFound, "Nobody.")
            let reads = SharedReads<Int, Int>(pool, groups: 1, size: 8) { _, numbers in
                numbers.map { number -> Result<Int, any Error> in
                    switch number {
                    case 1: .failure(refusal)
                    case 2: .failure(PostgresError(state: "57014"))
                    default: .success(number * 2)
                    }
                }
            }
            var tasks: [Task<Int, any Error>] = []
            try await holding(pool) {
                for number in 0..<4 {
                    let waiting = reads.waitingCount
                    tasks.append(Task { try await reads.read(number) })
                    while reads.waitingCount <= waiting { await Task.yield() }
                }
            }
            var codes: [StoreError.Code?] = []
            for task in tasks {
                do {
                    _ = try await task.value
                    codes.append(nil)
                } catch {
                    codes.append(StoreError(error).code)
                }
            }
            #expect(codes == [nil, .notFound, .unavailable, nil])
        }
    }
}
