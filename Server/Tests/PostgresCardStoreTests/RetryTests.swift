import CardModel
import CardStore
import CardStoreConformance
import Synchronization
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: what is tried again, and what isn't", .timeLimit(.minutes(20)))
struct RetryTests {
    /// Adds a row to a table whose rows the tests count.
    private static let insert = "INSERT INTO spent_forms (token, expires_at) VALUES ($1, 0)"
    private static let count = "SELECT count(*) AS count FROM spent_forms"

    private func rows(in store: PostgresCardStore) async throws -> Int64? {
        try await store.read { try $0.row(Self.count)?.integer("count") }
    }

    /// Runs a job that writes, and then fails with what an attempt is given, by its number from 1 on.
    private func write(
        to store: PostgresCardStore,
        failing failure: @escaping @Sendable (Int) -> (any Error)?
    ) async -> (attempts: [Int64], error: StoreError?) {
        let seen = Mutex<[Int64]>([])
        do throws(StoreError) {
            try await store.writer.write { session in
                let connection = session.connection
                let before = try connection.row(Self.count)?.integer("count") ?? -1
                let number = seen.withLock { attempts in
                    attempts.append(before)
                    return attempts.count
                }
                try connection.execute(Self.insert, [[UInt8(clamping: number)] as [UInt8]])
                if let failure = failure(number) { throw failure }
            }
            return (seen.withLock { $0 }, nil)
        } catch {
            return (seen.withLock { $0 }, error)
        }
    }

    @Test(
        "What another attempt can't change is told at once, and nothing is written",
        arguments: ["22012", "22P02", "57014", "55P03", "53100", "53200", "23503", "42P01", "42501", "XX001", "0A000"]
    )
    func permanent(state: String) async throws {
        try await withStore { store in
            let failure = PostgresError(state: state)
            let (attempts, error) = await write(to: store) { _ in failure }
            #expect(attempts == [0])
            #expect(error == StoreError(failure))
            #expect(error?.message.contains("SQLSTATE \(state)") == true)
            let rowCount = try await rows(in: store)
            #expect(rowCount == 0)
            #expect(store.traffic?.retries.values.allSatisfy { $0 == 0 } == true)
        }
    }

    @Test("An attempt that follows another finds nothing of it", arguments: ["40001", "40P01", "23505", "23514"])
    func victims(state: String) async throws {
        try await withStore { store in
            let (attempts, error) = await write(to: store) { $0 < 3 ? PostgresError(state: state) : nil }
            #expect(attempts == [0, 0, 0])
            #expect(error == nil)
            let rowCount = try await rows(in: store)
            #expect(rowCount == 1)
            let retries = try #require(store.traffic).retries.filter { $0.value > 0 }
            #expect(retries == [PostgresError(state: state).retry: 2])
        }
    }

    @Test(
        "Where the server goes, only reads or has ended the connection, the job is done once on a new one",
        arguments: ["57P01", "57P02", "57P03", "08006", "08003", "25006", "25P03", "25P04"]
    )
    func otherServer(state: String) async throws {
        try await withStore { store in
            let backends = Mutex<[Int64]>([])
            try await store.writer.write { session in
                let backend = try session.connection.row("SELECT pg_backend_pid() AS pid")?.integer("pid") ?? 0
                try session.connection.execute(Self.insert, [[1] as [UInt8]])
                let count = backends.withLock { backends in
                    backends.append(backend)
                    return backends.count
                }
                if count == 1 { throw PostgresError(state: state) }
            }
            let seen = backends.withLock { $0 }
            #expect(seen.count == 2 && Set(seen).count == 2)
            let rowCount = try await rows(in: store)
            #expect(rowCount == 1)
            let retries = try #require(store.traffic).retries.filter { $0.value > 0 }
            #expect(retries == [.connection: 1])
        }
    }

    @Test("A connection that only reads, as after a failover, is given up, and the change is written on another")
    func onlyReads() async throws {
        try await withStore { store in
            try await store.writer.write { session in
                try session.connection.simple("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
            }
            let (attempts, error) = await write(to: store) { _ in nil }
            #expect(attempts == [0, 0] && error == nil)
            let rowCount = try await rows(in: store)
            #expect(rowCount == 1)
            #expect(store.traffic?.retries[.connection] == 1)
        }
    }

    @Test("A user that another transaction has is locked with the rest next time; after eight times nobody waits on")
    func busyUser() async throws {
        try await withStore { store in
            try await store.updateUsers([UserUpdate(id: testUser, custom: ["n": 1])], at: testTime)
            let locked = Mutex<[Bool]>([])
            try await store.writer.write { session in
                let isLocked = session.locked[testUser] != nil
                locked.withLock { $0.append(isLocked) }
                if !isLocked { throw BusyUserError(user: testUser) }
            }
            let seen = locked.withLock { $0 }
            #expect(seen == [false, true])
            #expect(store.traffic?.retries[.serialization] == 1)

            let (attempts, error) = await write(to: store) { _ in BusyUserError(user: testUser) }
            #expect(attempts == Array(repeating: 0, count: 9))
            #expect(error?.code == .unavailable && error?.message.contains("busy") == true)
            let rowCount = try await rows(in: store)
            #expect(rowCount == 0)
            #expect(store.traffic?.retries[.serialization] == 9)
        }
    }

    @Test(
        "A refusal is no failure: it is told as it is, after one attempt, whatever its code",
        arguments: [StoreError.Code.notFound, .exists, .conflict, .unavailable, .corrupt, .limitReached]
    )
    func refusals(code: StoreError.Code) async throws {
        try await withStore { store in
            let refusal = StoreError(code, "Refused.")
            let (attempts, error) = await write(to: store) { _ in refusal }
            #expect(attempts == [0])
            #expect(error == refusal)
            let rowCount = try await rows(in: store)
            #expect(rowCount == 0)
            #expect(store.traffic?.retries.values.allSatisfy { $0 == 0 } == true)
        }
    }

    @Test("An error of any other kind is told without what is in it, and nothing is written")
    func others() async throws {
        struct Secret: Error { let text = "SECRET" }
        try await withStore { store in
            let (attempts, error) = await write(to: store) { _ in Secret() }
            #expect(attempts == [0])
            #expect(error?.code == .unavailable && error?.message.contains("SECRET") == false)
            let rowCount = try await rows(in: store)
            #expect(rowCount == 0)
        }
    }

    @Test("In a group, whoever is in the way is tried alone, and the others are written once")
    func group() async throws {
        try await withStore { store in
            let attempts = Mutex<[Int: Int]>([:])
            try await store.asOneGroup(4) { place in
                do {
                    try await store.writer.write { session in
                        attempts.withLock { $0[place, default: 0] += 1 }
                        try session.connection.execute(Self.insert, [[UInt8(place)] as [UInt8]])
                        if place == 2 { throw PostgresError(state: "22012") }
                    }
                    #expect(place != 2)
                } catch {
                    #expect(place == 2)
                }
            }
            // Those after the one that failed had no attempt in the group.
            let counts = attempts.withLock { $0 }
            #expect(counts == [0: 2, 1: 2, 2: 2, 3: 1])
            let rowCount = try await rows(in: store)
            #expect(rowCount == 3)
        }
    }

    @Test("Listeners hear of a change that was tried several times once, and of one that failed never")
    func announced() async throws {
        try await withStore { store in
            let changes = store.changes()
            let tries = Atomic<Int>(0)
            try await store.writer.write { session in
                session.changes.touch(UserID(rawValue: "again"), by: nil)
                if tries.add(1, ordering: .relaxed).newValue < 3 { throw PostgresError(state: "40001") }
            }
            await #expect(throws: StoreError.self) {
                try await store.writer.write { session in
                    session.changes.touch(UserID(rawValue: "never"), by: nil)
                    throw PostgresError(state: "22012")
                }
            }
            try await store.writer.write { $0.changes.touch(UserID(rawValue: "last"), by: nil) }
            var heard: [StoreChange] = []
            for await change in changes {
                heard.append(change)
                if change == .user(UserID(rawValue: "last"), except: nil) { break }
            }
            let users = ["again", "last"].map { StoreChange.user(UserID(rawValue: $0), except: nil) }
            #expect(heard == users)
        }
    }
}
