import CardModel
import CardStore
import CardStoreConformance
import PostgresTesting
import Testing
import WireJSON

@testable import PostgresCardStore

@Suite("PostgreSQL: partitions of the log", .timeLimit(.minutes(20)))
struct PartitionTests {
    private static let day = 86_400.0

    /// An event whose id was made at a time, as devices make them.
    private func event(_ number: UInt64, madeAt time: UnixTime, at happened: UnixTime? = nil) -> DeviceEvent {
        let high = UInt64(time * 1_000) << 16 | 0x7000
        let id = EventID(high: high, low: 1 << 63 | number)
        return DeviceEvent(id: id, kind: .custom(name: "open"), at: happened ?? time)
    }

    /// The first day that has a partition of its own, as a time.
    private func firstDay(_ store: PostgresCardStore) async throws -> UnixTime {
        let known = try await store.read { try EventPartitionJob.known(on: $0) }
        return Double(try #require(known.first).end) * Self.day
    }

    /// The tables that hold a user's events.
    private func tables(_ store: PostgresCardStore) async throws -> [String: Int64] {
        try await store.read { connection in
            let rows = try connection.rows(
                "SELECT tableoid::regclass::TEXT AS name, count(*) AS events FROM events GROUP BY 1"
            )
            return try Dictionary(rows.map { (try $0.text("name"), try $0.integer("events")) }) { $1 }
        }
    }

    // MARK: Which there are

    @Test("Opening a store creates them, once, whoever else does so at the same time")
    func creation() async throws {
        try await TemplateDatabase.withCopy { url in
            let stores = [try await PostgresCardStore.open(url: url), try await PostgresCardStore.open(url: url)]
            let before = try await stores[0].read { try EventPartitionJob.known(on: $0) }
            #expect(before.count >= 2)
            // A month later, from both nodes at once.
            let last = try #require(before.last)
            try await withThrowingTaskGroup(of: [String].self) { group in
                for store in stores {
                    for _ in 0..<3 {
                        group.addTask {
                            try await store.partitions.run { job in
                                try job.create(on: last.end + 29, keeping: 7)
                            }
                        }
                    }
                }
                var names: [String] = []
                for try await created in group { names += created }
                #expect(Set(names).count == names.count)
            }
            let after = try await stores[0].read { try EventPartitionJob.known(on: $0) }
            #expect(after.map(\.start).dropFirst(before.count) == ArraySlice(last.end + 29...last.end + 36))
            #expect(zip(after, after.dropFirst()).allSatisfy { $0.end <= $1.start })
            for store in stores { try await store.close() }
        }
    }

    // MARK: Events stay what they are

    @Test("An event is recognized in whichever table it is, and after it was moved to another")
    func duplicates() async throws {
        try await withStore { store in
            let start = try await firstDay(store)
            let last = try #require(try await store.read { try EventPartitionJob.known(on: $0) }.last)
            let far = last.endTime + 3 * Self.day + 60
            let events = [
                event(1, madeAt: noon - 400 * Self.day), event(2, madeAt: noon), event(3, madeAt: start + 60),
                event(4, madeAt: far), DeviceEvent(id: EventID(high: .max, low: 5), kind: .sessionStart, at: noon),
            ]
            #expect(try await store.record(events).receipt.accepted == 5)
            #expect(try await store.record(events).receipt.duplicate == 5)
            let before = try await tables(store)
            #expect(before["events_old"] == 2 && before["events_other"] == 2 && before.values.reduce(0, +) == 5)

            let created = try await store.partitions.run { job in
                try job.create(on: EventPartition.day(of: far), keeping: 7)
            }
            #expect(!created.isEmpty)
            let after = try await tables(store)
            #expect(after[created[0]] == 1 && after["events_other"] == 1 && after.values.reduce(0, +) == 5)
            #expect(try await store.record(events).receipt.duplicate == 5)
            let history = try #require(try await store.userState(of: someone, including: .all)?.history)
            #expect(history.events[ByteString("open")]?.count == 4)
            #expect(try await store.userEvents(of: someone, limit: 10).map(\.position) == [5, 4, 3, 2, 1])
        }
    }

    @Test("The same event of a user can't be in the log twice, by whatever means")
    func uniqueness() async throws {
        try await withStore { store in
            let start = try await firstDay(store)
            let once = event(1, madeAt: start + 60)
            try await store.record([once])
            await #expect(throws: StoreError.self) {
                try await store.writer.write { session in
                    try session.connection.execute(
                        """
                        INSERT INTO events (position, user_id, id, type, at, received_at)
                        SELECT 99, user_id, id, type, at + 1e6, received_at + 1e6 FROM events
                        """
                    )
                }
            }
            #expect(try await tables(store).values.reduce(0, +) == 1)
        }
    }

    @Test("Events that arrive while their partition is created are neither lost nor doubled")
    func creationUnderWrites() async throws {
        try await withStore { store in
            let last = try #require(try await store.read { try EventPartitionJob.known(on: $0) }.last)
            let time = last.endTime + 60
            try await withThrowingTaskGroup(of: Void.self) { group in
                for place in 0..<40 {
                    group.addTask {
                        let user = UserID(rawValue: "user-\(place)")
                        let events = (1...5).map { event($0, madeAt: time + Double(place) * 3_600) }
                        let receipt = try await store.record(events, of: user).receipt
                        #expect(receipt.accepted == 5)
                    }
                }
                for _ in 0..<3 {
                    group.addTask {
                        // What another transaction locks for too long is left for the next time.
                        _ = try? await store.partitions.run { try $0.create(on: last.end, keeping: 7) }
                    }
                }
                try await group.waitForAll()
            }
            let created = try await store.partitions.run { try $0.create(on: last.end, keeping: 7) }
            let tables = try await tables(store)
            let known = try await store.read { try EventPartitionJob.known(on: $0) }
            let found = "\(tables), created last: \(created), known: \(known.map(\.name))"
            #expect(tables.values.reduce(0, +) == 200, "\(found)")
            #expect(tables["events_other"] == nil, "\(found)")
        }
    }

    @Test("A partition is created while nobody has the log open, so that nobody keeps an old list of partitions")
    func exclusion() async throws {
        try await withStore { store in
            let last = try #require(try await store.read { try EventPartitionJob.known(on: $0) }.last)
            let state: String? = try await store.partitions.run { job in
                let reader = try PostgresConnection(job.settings)
                defer { try? reader.simple("ROLLBACK") }
                try reader.simple("BEGIN; LOCK TABLE ONLY events IN ACCESS SHARE MODE")
                do {
                    _ = try job.create(on: last.end, keeping: 7)
                } catch let failure as PostgresError {
                    return failure.state
                }
                return nil
            }
            // It waited for the reader, and no longer than it may.
            #expect(state == "55P03")
        }
    }

    // MARK: Dropping

    /// Records an event on each of three days, and returns the partitions of these days.
    private func fill(_ store: PostgresCardStore) async throws -> [EventPartition] {
        let last = try #require(try await store.read { try EventPartitionJob.known(on: $0) }.last)
        let days = last.end...(last.end + 2)
        _ = try await store.partitions.run { try $0.create(on: last.end, keeping: 7) }
        for (number, day) in days.enumerated() {
            let time = Double(day) * Self.day + 60
            try await store.record([event(UInt64(number), madeAt: time)], at: time)
        }
        let known = try await store.read { try EventPartitionJob.known(on: $0) }
        let partitions = known.filter { days.contains($0.start) }
        try #require(partitions.count == 3)
        return partitions
    }

    @Test("Partitions of which nothing is kept are dropped, and what they counted stays")
    func drop() async throws {
        try await withStore { store in
            let partitions = try await fill(store)
            let end = partitions[1].endTime
            #expect(try await store.partitions.run { try $0.drop(all: end) } == 2)
            #expect(try await store.partitions.run { try $0.drop(all: end) } == 0)
            let known = try await store.read { try EventPartitionJob.known(on: $0) }
            #expect(!known.contains(partitions[0]) && !known.contains(partitions[1]) && known.contains(partitions[2]))
            #expect(try await store.userEvents(of: someone, limit: 9).count == 1)
            let history = try #require(try await store.userState(of: someone, including: .all)?.history)
            #expect(history.events[ByteString("open")]?.count == 3)
        }
    }

    @Test("Two nodes that drop at once count each event once")
    func dropAtOnce() async throws {
        try await withStore { store in
            let end = try #require(try await fill(store).last).endTime
            let other = PartitionKeeper(store.partitions.settings, now: { noon })
            async let first = store.partitions.run { try $0.drop(all: end) }
            async let second = other.run { try $0.drop(all: end) }
            let dropped = try await [first, second, store.partitions.run { try $0.drop(all: end) }]
            #expect(dropped.reduce(0, +) == 3)
        }
    }

    @Test(
        "A partition stays for one event that is still kept",
        arguments: ["late arrival", "future", "webhook"]
    )
    func kept(reason: String) async throws {
        try await withStore { store in
            let partitions = try await fill(store)
            let (time, end) = (partitions[0].endTime - 60, partitions[0].endTime)
            switch reason {
            case "late arrival": try await store.record([event(9, madeAt: time)], at: end + 1)
            case "future": try await store.record([event(9, madeAt: time, at: end + 1)], at: time)
            default:
                _ = try await store.writer.write { session in
                    try session.connection.execute(
                        """
                        INSERT INTO webhooks (id, url, types, created_at, position, failures, next_attempt_at)
                        VALUES (1, 'https://example.com', '[]', 0, 0, 0, 0)
                        """
                    )
                }
            }
            #expect(try await store.partitions.run { try $0.drop(all: end) } == 0)
            #expect(try await store.read { try EventPartitionJob.known(on: $0) }.contains(partitions[0]))
            #expect(try await store.userEvents(of: someone, limit: 9).count == (reason == "webhook" ? 3 : 4))
        }
    }

    @Test("A fast clock neither drops events nor creates partitions of times to come")
    func fastClock() async throws {
        try await withStore { store in
            _ = try await fill(store)
            let before = try await store.read { try EventPartitionJob.known(on: $0) }
            let later = noon + 10_000 * Self.day
            #expect(try await store.partitions.run { try $0.drop(before: later) } == 0)
            #expect(try await store.partitions.run { try $0.create(at: later, keeping: 7) }.isEmpty)
            #expect(try await store.read { try EventPartitionJob.known(on: $0) } == before)
        }
    }

    // MARK: Plans

    @Test("What is asked by an event's id looks into its partition alone")
    func plan() async throws {
        try await withStore { store in
            let partition = try await fill(store)[1]
            let id = event(1, madeAt: partition.endTime - 86_340).id
            let hex = id.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let plan = try await store.read { connection in
                let name = "known_\(UInt32.random(in: 0 ... .max))"
                try connection.simple(
                    "SET plan_cache_mode = force_generic_plan; PREPARE \(name) (TEXT, BYTEA[]) AS \(SQL.knownEvents)"
                )
                let explain = "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE \(name)"
                return try connection.rows("\(explain) ('user-1', ARRAY['\\x\(hex)'::BYTEA])")
                    .map { try $0.text("QUERY PLAN") }
            }
            let scans = plan.filter { $0.contains(" on events_") && !$0.contains("never executed") }
            #expect(scans.count == 1 && scans[0].contains(partition.name), "\(plan)")
            #expect(plan.contains { $0.contains("Index Cond: ((user_id = $1) AND (id = k.id))") }, "\(plan)")
            #expect(!plan.contains { $0.contains("Seq Scan") }, "\(plan)")
        }
    }

    // MARK: Older databases

    @Test("A database of before partitions keeps its events, and none of them counts again")
    func migration() async throws {
        try await PostgresCluster.shared().withDatabase { url in
            var settings = ConnectionSettings(url: url)
            settings.applicationName = "placard-test"
            let events = [event(1, madeAt: noon - 30 * Self.day), event(2, madeAt: noon), event(3, madeAt: noon * 2)]
            do {
                let connection = try PostgresConnection(settings)
                var migrator = Migrator(connection: connection, settings: settings)
                let identifier = Migration0063.migration.identifier
                migrator.migrations = Array(Schema.migrations.prefix { $0.identifier != identifier })
                _ = try migrator.migrate(isAllowed: true)
                for (place, event) in events.enumerated() {
                    try connection.execute(
                        """
                        INSERT INTO events (position, user_id, id, type, at, received_at)
                        VALUES ($1, 'user-1', $2, 'custom', $3, $3)
                        """,
                        [place + 1, event.id.bytes, event.at]
                    )
                }
                try connection.execute("UPDATE log_head SET position = 3")
            }
            let store = try await PostgresCardStore.open(url: url)
            #expect(store.migration.first == Migration0063.migration.identifier)
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            #expect(try await store.userEvents(of: someone, limit: 9).map(\.position) == [3, 2, 1])
            #expect(try await store.record(events).receipt.duplicate == 3)
            let tables = try await tables(store)
            #expect(tables == ["events_old": 2, "events_other": 1])
            try await store.close()
        }
    }

    @Test("Doctor says when a partition is missing")
    func diagnosis() async throws {
        try await TemplateDatabase.withCopy { url in
            let store = try await PostgresCardStore.open(url: url)
            func finding() async throws -> StoreFinding? {
                await PostgresCardStore.diagnose(url: url, secretsKey: .keyring(SecretsKeyring()))
                    .first { $0.subject == "partitions" }
            }
            #expect(try await finding()?.level == .good)
            let known = try await store.read { try EventPartitionJob.known(on: $0) }
            // As if servers had last been up long ago.
            try await store.read { connection in
                try connection.simple("DROP TABLE \(known.dropFirst().map(\.name).joined(separator: ", "))")
                try connection.simple("ALTER TABLE events DETACH PARTITION events_old")
            }
            let missing = try #require(try await finding())
            #expect(missing.level == .warning && missing.command == "placard migrate")
            try await store.close()
        }
    }
}
