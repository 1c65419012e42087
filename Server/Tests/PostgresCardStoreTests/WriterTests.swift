import CardModel
import CardStore
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: the writer", .timeLimit(.minutes(20)))
struct WriterTests {
    /// Adds a row to a table whose rows the tests count.
    private static let insert = "INSERT INTO spent_forms (token, expires_at) VALUES ($1, 0)"

    private func tokens(in store: PostgresCardStore) async throws -> Int64 {
        try await store.read { try $0.row("SELECT count(*) AS count FROM spent_forms")?.integer("count") ?? -1 }
    }

    /// Runs a job that writes, refuses or fails, by its number.
    private func error(ofJob number: Int, in store: PostgresCardStore) async -> StoreError? {
        do {
            try await store.writer.write { session in
                if number % 3 == 1 { throw StoreError(.notFound, "Refused.") }
                try session.connection.execute(Self.insert, [[UInt8(number)] as [UInt8]])
                if number % 3 == 2 { try session.connection.execute("SELECT 1 / 0") }
            }
            return nil
        } catch {
            return error
        }
    }

    @Test("Jobs at once are all written, and neither a refusal nor a failure takes others with it")
    func isolation() async throws {
        try await withStore { store in
            let results = await withTaskGroup(of: (Int, StoreError?).self) { group in
                for number in 0..<90 { group.addTask { (number, await error(ofJob: number, in: store)) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for (number, error) in results {
                let expected: [StoreError.Code?] = [nil, .notFound, .unavailable]
                #expect(error?.code == expected[number % 3])
            }
            let written = try await tokens(in: store)
            #expect(written == 30)
        }
    }

    @Test("A job whose connection is lost before the commit is run again, and once in effect")
    func lostConnection() async throws {
        try await withStore { store in
            try await store.writer.write { session in
                try session.connection.simple("CREATE SEQUENCE attempts_made")
            }
            try await store.writer.write { session in
                try session.connection.execute(Self.insert, [[1] as [UInt8]])
                try session.connection.execute(
                    "SELECT CASE WHEN nextval('attempts_made') = 1 THEN pg_terminate_backend(pg_backend_pid()) END"
                )
            }
            let written = try await tokens(in: store)
            #expect(written == 1)
            #expect(store.traffic?.retries[.connection] == 1)
        }
    }

    @Test("A commit that was rolled back while the connection was lost is tried again")
    func abortedCommit() async throws {
        try await withStore { store in
            // At the commit, and only the first time, the server ends the connection.
            try await store.writer.write { session in
                try session.connection.simple(
                    """
                    CREATE SEQUENCE commits_tried;
                    CREATE FUNCTION end_first() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                        IF nextval('commits_tried') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
                        RETURN NULL;
                    END $$;
                    CREATE CONSTRAINT TRIGGER end_first AFTER INSERT ON spent_forms
                        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_first()
                    """
                )
            }
            _ = try await store.writer.write { try $0.connection.execute(Self.insert, [[1] as [UInt8]]) }
            let written = try await tokens(in: store)
            #expect(written == 1)
            #expect(store.traffic?.retries[.commit] == 1)
        }
    }

    @Test("A commit that was done while the connection was lost is not done again")
    func finishedCommit() async throws {
        let cluster = try await PostgresCluster.shared()
        let proxy = try CommitLosingProxy(to: cluster, marker: "INSERT INTO spent_forms")
        defer { proxy.close() }
        try await TemplateDatabase.withCopy { url in
            let store = try await PostgresCardStore.open(url: proxy.url(for: url))
            _ = try await store.writer.write { try $0.connection.execute(Self.insert, [[1] as [UInt8]]) }
            let written = try await tokens(in: store)
            #expect(written == 1)
            #expect(store.traffic?.retries[.commit] == 1)
            try await store.close()
        }
    }

    @Test("Transactions that wait for each other are tried again")
    func deadlock() async throws {
        try await TemplateDatabase.withCopy { url in
            let stores = [
                try await PostgresCardStore.open(url: url), try await PostgresCardStore.open(url: url),
            ]
            let users = [UserID(rawValue: "a"), UserID(rawValue: "b")]
            try await stores[0].updateUsers(users.map { UserUpdate(id: $0, custom: ["n": 1]) }, at: testTime)
            // Neither says which users it is about, and each locks them in another order.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (store, order) in [(stores[0], users), (stores[1], users.reversed())] {
                    group.addTask {
                        for _ in 0..<20 {
                            try await store.writer.write { session in
                                for user in order {
                                    _ = try session.user(user)
                                    _ = try session.connection.rows("SELECT pg_sleep(0.01) IS NULL AS slept")
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let retries = stores.compactMap(\.traffic).map(\.retries)
            let conflicts: [StoreTraffic.Retry] = [.deadlock, .serialization, .duplicate]
            #expect(retries.contains { counts in conflicts.contains { counts[$0, default: 0] > 0 } })
            for store in stores { try await store.close() }
        }
    }

    @Test("A closed store refuses")
    func closed() async throws {
        try await withStore { store in
            try await store.close()
            await #expect(throws: StoreError.self) { try await store.writer.write { _ in } }
            await #expect(throws: StoreError.self) { try await store.userRevision(of: testUser) }
        }
    }

    @Test("Each node has a slot of its own, and counts are summed over them")
    func slots() async throws {
        try await TemplateDatabase.withCopy { url in
            let stores = [
                try await PostgresCardStore.open(url: url), try await PostgresCardStore.open(url: url),
            ]
            var slots: Set<Int64> = []
            for (index, store) in stores.enumerated() {
                slots.insert(try await store.writer.write { $0.slot })
                try await store.updateUsers([UserUpdate(id: UserID(rawValue: "u\(index)"), custom: [:])], at: testTime)
            }
            #expect(slots.count == 2)
            let users = try await stores[0].userCount()
            #expect(users == 2)
            for store in stores { try await store.close() }
        }
    }
}
