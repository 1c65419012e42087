import CardModel
import CardStore
import CardStoreConformance
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: the moments at which partitions begin and end", .timeLimit(.minutes(20)))
struct PartitionMomentTests {
    private static let day: UInt64 = 86_400_000

    /// An event whose id begins with a number of milliseconds since 1970.
    private func event(_ number: UInt64, madeAt milliseconds: UInt64) -> DeviceEvent {
        let id = EventID(high: milliseconds << 16 | 0x7000, low: 1 << 63 | number)
        return DeviceEvent(id: id, kind: .custom(name: "open"), at: noon)
    }

    /// The numbers of events, by the table that they are in.
    private func tables(_ store: PostgresCardStore) async throws -> [String: Int64] {
        try await store.read { connection in
            let rows = try connection.rows(
                "SELECT tableoid::regclass::TEXT AS name, count(*) AS events FROM events GROUP BY 1"
            )
            return try Dictionary(rows.map { (try $0.text("name"), try $0.integer("events")) }) { $1 }
        }
    }

    private func known(_ store: PostgresCardStore) async throws -> [EventPartition] {
        try await store.read { try EventPartitionJob.known(on: $0) }
    }

    @Test("An event belongs to the day in UTC on which its id was made, to the millisecond, in whatever time zone")
    func midnight() async throws {
        try await TemplateDatabase.withCopy { url in
            // The server counts its own days otherwise.
            let store = try await PostgresCardStore.open(url: url + "&options=-c%20TimeZone%3DXXX-14")
            let last = try #require(try await known(store).last)
            _ = try await store.partitions.run { try $0.create(on: last.end, keeping: 7) }
            let midnight = UInt64(last.end + 1) * Self.day
            let times = [midnight - Self.day, midnight - 1, midnight, midnight + 1, midnight + Self.day - 1]
            try await store.record(times.enumerated().map { event(UInt64($0.offset), madeAt: $0.element) })
            let names = ([0, 1] as [Int64]).map { EventPartition(start: last.end + $0, end: last.end + $0 + 1).name }
            #expect(try await tables(store) == [names[0]: 2, names[1]: 3])
            try await store.close()
        }
    }

    @Test("Ids of the first moment, of leap days, of the year 9999 and of no time at all are recorded, and once")
    func farMoments() async throws {
        try await withStore { store in
            let times: [UInt64] = [
                0, 1, 11_016 * Self.day, 21_243 * Self.day, 2_932_896 * Self.day, 2_932_897 * Self.day - 1,
                0xFFFF_FFFF_FFFF,
            ]
            let events = times.enumerated().map { event(UInt64($0.offset), madeAt: $0.element) }
            #expect(try await store.record(events).receipt.accepted == times.count)
            #expect(try await store.record(events).receipt.duplicate == times.count)
            #expect(try await store.userEvents(of: someone, limit: 20).count == times.count)
            let tables = try await tables(store)
            #expect(tables["events_old"] == 3 && tables.values.reduce(0, +) == Int64(times.count))
            // None of them keeps partitions of these days from being created.
            let created = try await store.partitions.run { try $0.create(on: 21_243, keeping: nil) }
            #expect(created.count == 1)
            #expect(try await self.tables(store)[created[0]] == 1)
            #expect(try await store.record(events).receipt.duplicate == times.count)
        }
    }

    @Test("Partitions of the last days of the year 9999 are created and dropped as all others")
    func lastYear() async throws {
        try await withStore { store in
            let last: Int64 = 2_932_896
            let created = try await store.partitions.run { try $0.create(on: last - 7, keeping: 7) }
            #expect(created.first == "events_99991224" && created.last == "events_99991231" && created.count == 8)
            let again = try await store.partitions.run { try $0.create(on: last - 7, keeping: 7) }
            #expect(again.isEmpty)
            #expect(try await known(store).suffix(8).map(\.start) == Array(last - 7...last))
            try await store.record([event(1, madeAt: UInt64(last + 1) * Self.day - 1)])
            #expect(try await tables(store) == ["events_99991231": 1])
        }
    }

    @Test("A partition that is being read stays for now, and is dropped once nobody reads it")
    func dropWhileReading() async throws {
        try await withStore { store in
            let last = try #require(try await known(store).last)
            _ = try await store.partitions.run { try $0.create(on: last.end, keeping: 7) }
            let partition = EventPartition(start: last.end, end: last.end + 1)
            try await store.record([event(1, madeAt: UInt64(last.end) * Self.day)], at: partition.endTime - 1)
            let state: String? = try await store.partitions.run { job in
                let reader = try PostgresConnection(job.settings)
                defer { try? reader.simple("ROLLBACK") }
                try reader.simple("BEGIN")
                _ = try reader.rows("SELECT count(*) AS events FROM \(partition.name)")
                do {
                    _ = try job.drop(all: partition.endTime)
                } catch let failure as PostgresError {
                    // The reader reads on: what it has seen is there still.
                    let row = try reader.row("SELECT count(*) AS events FROM \(partition.name)")
                    return try row?.integer("events") == 1 ? failure.state : "lost"
                }
                return nil
            }
            #expect(state == "55P03")
            #expect(try await known(store).contains(partition))
            let dropped = try await store.partitions.run { try $0.drop(all: partition.endTime) }
            #expect(dropped == 1)
            #expect(try await !known(store).contains(partition))
        }
    }

    @Test("A partition stays until the whole of its last day has gone by")
    func endOfDay() async throws {
        try await withStore { store in
            let last = try #require(try await known(store).last)
            _ = try await store.partitions.run { try $0.create(on: last.end, keeping: 90) }
            let partition = try #require(try await known(store).last { $0.start >= last.end })
            #expect(partition.end - partition.start == 2)
            let early = try await store.partitions.run { try $0.drop(all: partition.endTime.nextDown) }
            #expect(early == 0)
            #expect(try await known(store).contains(partition))
            _ = try await store.partitions.run { try $0.drop(all: partition.endTime) }
            #expect(try await !known(store).contains(partition))
        }
    }

    @Test("Whoever finds that another node is at it creates and drops nothing, and waits for nobody")
    func otherNode() async throws {
        try await withStore { store in
            let last = try #require(try await known(store).last)
            _ = try await store.partitions.run { try $0.create(on: last.end, keeping: 7) }
            let before = try await known(store)
            let (created, dropped) = try await store.partitions.run { job -> ([String], Int) in
                let other = try PostgresConnection(job.settings)
                defer { try? other.simple("ROLLBACK") }
                try other.simple("BEGIN")
                _ = try other.row("SELECT pg_advisory_xact_lock(\(0x504C_4345)) IS NULL AS is_locked")
                return (try job.create(on: last.end + 60, keeping: 7), try job.drop(all: .greatestFiniteMagnitude))
            }
            #expect(created.isEmpty && dropped == 0)
            #expect(try await known(store) == before)
            // Once it has gone, there is as much to do as before.
            let later = try await store.partitions.run { try $0.create(on: last.end + 60, keeping: 7) }
            #expect(later.count == 8)
        }
    }

    @Test("An event of a day without a partition is kept, and found by its user, its position and its id")
    func withoutPartition() async throws {
        try await withStore { store in
            let last = try #require(try await known(store).last)
            let lone = event(1, madeAt: UInt64(last.end + 400) * Self.day)
            try await store.record([lone])
            #expect(try await tables(store) == ["events_other": 1])
            let position = try #require(try await store.userEvents(of: someone, limit: 9).first?.position)
            let page = try await store.eventPage(after: position - 1, EventFilter(), limit: 9)
            #expect(page.events.map(\.position) == [position])
            #expect(try await store.record([lone]).receipt.duplicate == 1)
        }
    }

    @Test("What settings don't keep is dropped by the moment that the database and the node agree on")
    func retention() async throws {
        try await withStore { store in
            let job = try await store.partitions.run { try $0.moment(.greatestFiniteMagnitude) }
            let database = try #require(try await store.read { try $0.serverTime() })
            #expect(abs(job - database) < 600)
            // A clock that is slow decides by itself: what it takes for new is kept.
            let slow = try await store.partitions.run { try $0.moment(1_000) }
            #expect(slow == 1_000)
            let early = try await store.partitions.run { try $0.create(at: 1_000, keeping: 7) }
            #expect(early.isEmpty)
        }
    }
}
