import CardModel
import CardStore
import CardStoreConformance
import Synchronization
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: what is waited for no longer than may be", .timeLimit(.minutes(20)))
struct WaitTests {
    private static let busy = StoreError(.unavailable, "The database is busy (SQLSTATE 55P03). Try again in a moment.")
    private static let ended = StoreError(.unavailable, "The database is busy (SQLSTATE 57014). Try again in a moment.")

    /// Runs a test with a store that waits a tenth of a second for locks, and a connection that takes some.
    private func withImpatientStore(
        _ body: (_ store: PostgresCardStore, _ other: PostgresConnection) async throws -> Void
    ) async throws {
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            options.readers = 1
            options.now = { testTime }
            options.lockTimeout = .milliseconds(100)
            options.statementTimeout = .seconds(600)
            let store = try await PostgresCardStore.open(url: url, options: options)
            do {
                try await body(store, PostgresConnection(store.partitions.settings))
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
        }
    }

    private func backend(of store: PostgresCardStore) async throws -> Int64? {
        try await store.read { try $0.row("SELECT pg_backend_pid() AS pid")?.integer("pid") }
    }

    private func isUntried(_ store: PostgresCardStore) -> Bool {
        store.traffic?.retries.values.allSatisfy { $0 == 0 } == true
    }

    @Test("A change of a user that another transaction has is refused as busy, and made once that has ended")
    func lockedUser() async throws {
        try await withImpatientStore { store, other in
            let update = UserUpdate(id: testUser, custom: ["n": 1])
            try await store.updateUsers([update], at: testTime)
            try other.simple("BEGIN")
            _ = try other.rows("SELECT id FROM users WHERE id = $1 FOR UPDATE", [testUser.rawValue])
            let error = await #expect(throws: StoreError.self) {
                try await store.updateUsers([UserUpdate(id: testUser, custom: ["n": 2])], at: testTime)
            }
            #expect(error == Self.busy)
            #expect(isUntried(store))
            // Reading waits for no change.
            let before = try #require(try await store.userRevision(of: testUser))
            try other.simple("ROLLBACK")
            try await store.updateUsers([UserUpdate(id: testUser, custom: ["n": 2])], at: testTime)
            let after = try #require(try await store.userRevision(of: testUser))
            #expect(after.version > before.version)
        }
    }

    @Test("Of a group only the changes of that user are refused, and the others are made")
    func lockedUserOfGroup() async throws {
        try await withImpatientStore { store, other in
            let users = (0..<4).map { UserID(rawValue: "user-\($0)") }
            try await store.updateUsers(users.map { UserUpdate(id: $0, custom: ["n": 1]) }, at: testTime)
            try other.simple("BEGIN")
            _ = try other.rows("SELECT id FROM users WHERE id = 'user-2' FOR UPDATE")
            let errors = Mutex<[Int: StoreError]>([:])
            try await store.asOneGroup(4) { place in
                do {
                    try await store.updateUsers([UserUpdate(id: users[place], custom: ["n": 2])], at: testTime)
                } catch let error as StoreError {
                    errors.withLock { $0[place] = error }
                }
            }
            let refused = errors.withLock { $0 }
            #expect(refused == [2: Self.busy])
            try other.simple("ROLLBACK")
            let values = try await store.read { connection in
                try connection.rows("SELECT custom FROM users ORDER BY id").map { try $0.text("custom") }
            }
            #expect(values.map { $0.contains("2") } == [true, true, false, true])
        }
    }

    @Test("Reads that meet a locked table are refused as busy, all that went together, and no others")
    func lockedTable() async throws {
        try await withImpatientStore { store, other in
            try await store.updateUsers([UserUpdate(id: testUser, custom: ["n": 1])], at: testTime)
            let before = try await backend(of: store)
            try other.simple("BEGIN; LOCK TABLE deliveries IN ACCESS EXCLUSIVE MODE")
            let errors = await withTaskGroup(of: StoreError?.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        do {
                            _ = try await store.userState(of: testUser, including: .all)
                            return nil
                        } catch {
                            return StoreError(error)
                        }
                    }
                }
                return await group.reduce(into: [StoreError?]()) { $0.append($1) }
            }
            #expect(errors == [Self.busy, Self.busy, Self.busy])
            // A sync with nothing new reads the user alone.
            let revision = try await store.userRevision(of: testUser)
            #expect(revision != nil)
            try other.simple("ROLLBACK")
            let state = try await store.userState(of: testUser, including: .all)
            #expect(state?.profile.id == testUser)
            // The connection can be used as before, and nothing was asked twice.
            #expect(try await backend(of: store) == before)
            #expect(isUntried(store))
        }
    }

    @Test("A read that takes too long is refused as busy, and its connection goes on")
    func longRead() async throws {
        try await withImpatientStore { store, _ in
            let before = try await backend(of: store)
            let error = await #expect(throws: StoreError.self) {
                try await store.read { connection in
                    try connection.simple("SET statement_timeout = 30")
                    defer { try? connection.simple("RESET statement_timeout") }
                    _ = try connection.rows("SELECT pg_sleep(600)")
                }
            }
            #expect(error == Self.ended)
            #expect(try await backend(of: store) == before)
            #expect(isUntried(store))
        }
    }

    @Test("A read of one moment that takes too long leaves no transaction open")
    func longSnapshot() async throws {
        try await withImpatientStore { store, _ in
            let before = try await backend(of: store)
            let error = await #expect(throws: StoreError.self) {
                try await store.snapshot { connection in
                    try connection.simple("SET LOCAL statement_timeout = 30")
                    _ = try connection.rows("SELECT pg_sleep(600)")
                }
            }
            #expect(error == Self.ended)
            let isOpen = try await store.read { $0.isInTransaction }
            #expect(!isOpen)
            #expect(try await backend(of: store) == before)
        }
    }

    @Test("A change that takes too long is undone, once, and keeps its connection")
    func longWrite() async throws {
        try await withImpatientStore { store, _ in
            let attempts = Atomic<Int>(0)
            let error = await #expect(throws: StoreError.self) {
                try await store.writer.write { session in
                    attempts.add(1, ordering: .relaxed)
                    let connection = session.connection
                    try connection.execute("INSERT INTO spent_forms (token, expires_at) VALUES ('', 0)")
                    try connection.simple("SET LOCAL statement_timeout = 30")
                    _ = try connection.rows("SELECT pg_sleep(600)")
                }
            }
            #expect(error == Self.ended)
            #expect(attempts.load(ordering: .relaxed) == 1)
            let timeout = try await store.writer.write { session in
                try session.connection.row("SELECT current_setting('statement_timeout') AS value")?.text("value")
            }
            #expect(timeout == "10min")
            let isEmpty = try await store.read { try $0.rows("SELECT 1 FROM spent_forms").isEmpty }
            #expect(isEmpty)
            #expect(isUntried(store))
        }
    }

    @Test("Users that no node has yet are waited for by their name, by whoever would create one")
    func absentUser() async throws {
        try await withImpatientStore { store, other in
            // Another node creates the user: the row is there for nobody else until it commits.
            try other.simple("BEGIN")
            try other.execute(
                "INSERT INTO users (id, version, device, created_at, sample_rank) VALUES ($1, 1, 0, 0, 0)",
                [testUser.rawValue]
            )
            let error = await #expect(throws: StoreError.self) {
                try await store.updateUsers([UserUpdate(id: testUser, custom: ["n": 1])], at: testTime)
            }
            #expect(error == Self.busy)
            // Users of other names are created in the meantime.
            try await store.updateUsers([UserUpdate(id: UserID(rawValue: "other"), custom: ["n": 1])], at: testTime)
            try other.simple("COMMIT")
            try await store.updateUsers([UserUpdate(id: testUser, custom: ["n": 1])], at: testTime)
            let count = try await store.read { try $0.row("SELECT count(*) AS count FROM users")?.integer("count") }
            #expect(count == 2)
        }
    }
}
