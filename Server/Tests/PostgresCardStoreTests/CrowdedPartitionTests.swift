import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: partitions that devices are in the way of", .timeLimit(.minutes(20)))
struct CrowdedPartitionTests {
    /// An event whose id was made on a day, as devices make them.
    private func event(_ number: UInt64, on day: Int64) -> DeviceEvent {
        let id = EventID(high: UInt64(day) * 86_400_000 << 16 | 0x7000, low: 1 << 63 | number)
        return DeviceEvent(id: id, kind: .custom(name: "open"), at: noon)
    }

    /// The days of the present time that have partitions.
    private func divided(in store: PostgresCardStore) async throws -> Set<Int64> {
        let known = try await store.read { try EventPartitionJob.known(on: $0) }
        return Set(known.filter { $0.start > .min }.flatMap { $0.start..<$0.end })
    }

    /// The number of events without a partition.
    private func others(in store: PostgresCardStore) async throws -> Int64? {
        try await store.read { try $0.row("SELECT count(*) AS events FROM events_other")?.integer("events") }
    }

    @Test("A day with more events than can be moved has no partition, and all others have one")
    func crowdedDay() async throws {
        try await withStore { store in
            let last = try #require(try await store.read { try EventPartitionJob.known(on: $0) }.last)
            let crowded = last.end + 3
            let events = (1...5).map { event($0, on: crowded) }
            #expect(try await store.record(events).receipt.accepted == 5)
            let days = Set(last.end...last.end + 7)
            _ = try await store.partitions.run { job in
                var job = job
                job.movable = 4
                return try job.create(on: last.end, keeping: nil)
            }
            #expect(try await days.subtracting(divided(in: store)) == [crowded])
            #expect(try await others(in: store) == 5)
            #expect(try await store.record(events).receipt.duplicate == 5)

            _ = try await store.partitions.run { try $0.create(on: last.end, keeping: nil) }
            #expect(try await days.isSubset(of: divided(in: store)))
            #expect(try await others(in: store) == 0)
            #expect(try await store.record(events).receipt.duplicate == 5)
        }
    }
}
