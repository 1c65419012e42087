import CardModel
import CardStore
import CardStoreConformance
import PostgresTesting
import Testing
import WireJSON

@testable import PostgresCardStore

@Suite("PostgreSQL: statements that are sent together", .timeLimit(.minutes(20)))
struct PipelineTests {
    private func state(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? PostgresError)?.state
        }
    }

    // MARK: Connections

    @Test("Statements run in their order, what was put off before the one that is waited for")
    func order() async throws {
        try await withConnection { connection in
            try connection.simple("CREATE TABLE t (n BIGINT PRIMARY KEY)")
            connection.later("INSERT INTO t VALUES ($1)", [1])
            connection.later("UPDATE t SET n = n + $1", [1])
            let queries = [
                PostgresQuery("SELECT n FROM t"), PostgresQuery("SELECT $1::TEXT AS x", ["y"]),
                PostgresQuery("SELECT n FROM t WHERE n = $1", [9]),
            ]
            let rows = try connection.rows(of: queries)
            #expect(try rows[0].map { try $0.integer("n") } == [2])
            #expect(rows[2].isEmpty)
            #expect(try rows[1].first?.text("x") == "y")
            #expect(try connection.rows(of: []).isEmpty)
        }
    }

    @Test("The first failure is thrown, those after it don't run, and the connection goes on")
    func failure() async throws {
        try await withConnection { connection in
            try connection.simple("CREATE TABLE t (n BIGINT PRIMARY KEY)")
            for _ in 1...3 {
                let failed = state {
                    connection.begin(["BEGIN"])
                    connection.later("INSERT INTO t VALUES ($1)", [1])
                    connection.later("INSERT INTO t VALUES ($1)", [1])
                    connection.later("SELECT nonsense")
                    _ = try connection.rows(of: [PostgresQuery("SELECT n + $1 AS n FROM t", [1])])
                }
                #expect(failed == "23505")
                #expect(connection.isInTransaction)
                try connection.rollBack()
                #expect(!connection.isInTransaction && connection.isOpen)
                // It was prepared in vain, and is prepared now.
                #expect(try connection.rows(of: [PostgresQuery("SELECT n + $1 AS n FROM t", [1])]).map(\.count) == [0])
            }
            #expect(state { _ = try connection.rows(of: [PostgresQuery("SELECT nonsense")]) } == "42703")
        }
    }

    @Test("More statements than are sent at once, with more bytes than buffers hold, all run")
    func large() async throws {
        try await withConnection { connection in
            let text = String(repeating: "x", count: 2_000)
            let count = PostgresConnection.pipelineLimit * 2 + 1
            let queries = (0..<count).map { PostgresQuery("SELECT $1::BIGINT AS n, $2::TEXT AS t", [$0, text]) }
            let rows = try connection.rows(of: queries)
            #expect(try rows.compactMap { try $0.first?.integer("n") } == (0..<Int64(count)).map { $0 })
            #expect(try rows.allSatisfy { try $0.first?.text("t") == text })
        }
    }

    @Test("A commit of what fails is an error and no commit")
    func failedCommit() async throws {
        try await withConnection { connection in
            try connection.simple("CREATE TABLE t (n BIGINT PRIMARY KEY)")
            connection.begin(["BEGIN"])
            connection.later("INSERT INTO t VALUES (1)")
            connection.later("INSERT INTO t VALUES (1)")
            #expect(state { try connection.commit() } == "23505")
            try connection.rollBack()
            #expect(try connection.rows("SELECT n FROM t").isEmpty)
            connection.begin(["BEGIN"])
            #expect(state { _ = try connection.rows("SELECT 1 / 0") } == "22012")
            #expect(state { try connection.commit() } == "25P02")
        }
    }

    @Test("A connection that is lost between two statements is known to be")
    func lost() async throws {
        try await withConnection { connection in
            connection.begin(["BEGIN"])
            connection.later("SELECT pg_terminate_backend(pg_backend_pid())")
            connection.later("SELECT 1")
            do {
                try connection.commit()
                Issue.record("It was committed.")
            } catch {
                #expect((error as? PostgresError)?.endsConnection == true)
            }
        }
    }

    // MARK: Groups

    @Test("Batches of one user in one group see what those before them did")
    func sameUser() async throws {
        try await withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            let batches: [[DeviceEvent]] = [
                [.impression(1), DeviceEvent(2, .custom(name: "open"))],
                [.impression(1), .click(3), DeviceEvent(4, .custom(name: "open"))],
                [.impression(5), .click(3), DeviceEvent(2, .custom(name: "open"))],
            ]
            try await store.asOneGroup(3) { try await store.record(batches[$0]) }
            let counts = try await store.counts()
            #expect([counts.impressions, counts.uniqueImpressions] == [2, 1])
            #expect([counts.clicks, counts.uniqueClicks] == [1, 1])
            let state = try #require(try await store.userState(of: someone, including: .all))
            #expect(state.history.events[ByteString("open")]?.count == 2)
            #expect(try await store.userEvents(of: someone, limit: 100).count == 5)
            // The card, and each batch that marked it.
            #expect(state.version == 3)
        }
    }

    @Test("A batch of a user who was merged counts for the one they became, beside that one's own in its group")
    func mergedUser() async throws {
        try await withStore { store in
            let guest = UserID(rawValue: "unidentified-1")
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.updateUsers([UserUpdate(id: guest)], at: noon)
            let merged = try await store.identifyUsers(
                [Identification(user: .id(guest), identity: someone)],
                at: noon
            )
            #expect(merged == [.done])
            try await store.asOneGroup(3) { place in
                let event = place == 1 ? DeviceEvent(9, .custom(name: "open")) : .impression(UInt64(place))
                let user = place == 2 ? someone : guest
                var batch = EventBatch(user: user, events: [event, .impression(7)], receivedAt: noon)
                batch.device = "device"
                _ = try await store.recordEvents(batch)
            }
            let counts = try await store.counts()
            #expect([counts.impressions, counts.uniqueImpressions] == [3, 1])
            let state = try #require(try await store.userState(of: someone, including: .all))
            #expect(state.history.events[ByteString("open")]?.count == 1)
        }
    }

    @Test("A user who is deleted between two batches of a group is a new one in the second")
    func deletedUser() async throws {
        try await withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            try await store.asOneGroup(3) { place in
                if place == 1 {
                    _ = try await store.deleteUsers([.id(someone)], at: noon, by: command)
                } else {
                    try await store.record([DeviceEvent(1, .custom(name: "open"))])
                }
            }
            let state = try #require(try await store.userState(of: someone, including: .all))
            #expect(state.history.events[ByteString("open")]?.count == 1)
            #expect(try await store.userEvents(of: someone, limit: 100).count == 1)
            #expect(try await store.userCount() == 1)
        }
    }

    // MARK: Failures in the middle

    /// Makes the server fail at the first event that is appended, in the midst of what is sent with the commit.
    private func failAtFirstEvent(_ store: PostgresCardStore, _ failure: String) async throws {
        try await store.writer.write { session in
            try session.connection.simple(
                """
                CREATE SEQUENCE appended;
                CREATE FUNCTION fail_first() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF nextval('appended') = 1 THEN \(failure); END IF;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER fail_first AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION fail_first()
                """
            )
        }
    }

    @Test(
        "What fails in the midst of a commit is written once by another attempt",
        arguments: [
            ("RAISE SQLSTATE '40001'", StoreTraffic.Retry.serialization),
            ("RAISE SQLSTATE '40P01'", .deadlock),
            ("PERFORM pg_terminate_backend(pg_backend_pid())", .commit),
        ]
    )
    func retries(failure: String, reason: StoreTraffic.Retry) async throws {
        try await withStore { store in
            try await store.launch(.sample())
            let users = (1...5).map { UserID(rawValue: "user-\($0)") }
            for user in users { try await store.give("card-1", to: user) }
            try await failAtFirstEvent(store, failure)
            try await store.asOneGroup(users.count) { place in
                let receipt = try await store.record([.impression(1), .click(2)], of: users[place]).receipt
                #expect(receipt.accepted == 2 && receipt.duplicate == 0)
            }
            let counts = try await store.counts()
            #expect([counts.impressions, counts.uniqueImpressions, counts.clicks] == [5, 5, 5])
            #expect(store.traffic?.retries[reason] == 1)
            for user in users { #expect(try await store.userEvents(of: user, limit: 9).count == 2) }
        }
    }

    @Test("Events whose commit was done while its answer was lost are not counted again")
    func finishedCommit() async throws {
        let cluster = try await PostgresCluster.shared()
        let proxy = try CommitLosingProxy(to: cluster, marker: "INTO events")
        defer { proxy.close() }
        try await TemplateDatabase.withCopy { url in
            let store = try await PostgresCardStore.open(url: proxy.url(for: url))
            try await store.launch(.sample())
            try await store.give("card-1")
            let receipt = try await store.record([.impression(1), .click(2)]).receipt
            #expect(receipt.accepted == 2 && receipt.duplicate == 0)
            let counts = try await store.counts()
            #expect(counts.impressions == 1 && counts.clicks == 1)
            #expect(store.traffic?.retries[.commit] == 1)
            try await store.close()
        }
    }

    @Test("A batch that can't be written takes no others of its group with it")
    func isolation() async throws {
        try await withStore { store in
            let users = (0...4).map { UserID(rawValue: "user-\($0)") }
            try await store.updateUsers(users.map { UserUpdate(id: $0) }, at: noon)
            try await store.writer.write { session in
                try session.connection.simple("ALTER TABLE histories ADD CHECK (user_id <> 'user-2')")
            }
            try await store.asOneGroup(users.count) { place in
                do {
                    try await store.record([DeviceEvent(1, .custom(name: "open"))], of: users[place])
                    #expect(place != 2)
                } catch {
                    #expect(place == 2 && (error as? StoreError)?.code == .conflict)
                }
            }
            for (place, user) in users.enumerated() {
                let events = try await store.userEvents(of: user, limit: 9)
                #expect(events.count == (place == 2 ? 0 : 1))
            }
        }
    }
}
