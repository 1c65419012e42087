import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: which partitions the log has")
struct EventPartitionTests {
    @Test("Partitions hold every day until a week ahead, whatever is there already")
    func missing() {
        func partition(_ start: Int64, _ end: Int64) -> EventPartition { EventPartition(start: start, end: end) }
        let none = EventPartition.missing(beside: [partition(.min, 102)], on: 100, width: 1)
        #expect(none.map(\.start) == Array(102...107) && none.allSatisfy { $0.end == $0.start + 1 })
        #expect(EventPartition.missing(beside: [partition(.min, 108)], on: 100, width: 1).isEmpty)
        let gap = EventPartition.missing(beside: [partition(.min, 90), partition(103, 105)], on: 100, width: 30)
        #expect(gap == [partition(100, 103), partition(105, 135)])
        #expect(EventPartition.missing(beside: gap + [partition(103, 105)], on: 100, width: 1).isEmpty)
        #expect(EventPartition.missing(beside: gap + [partition(103, 105)], on: 128, width: 1) == [partition(135, 136)])
    }

    @Test("There are few partitions however long events are kept")
    func width() {
        #expect(EventPartition.width(keeping: 1) == 1)
        #expect(EventPartition.width(keeping: 45) == 1)
        #expect(EventPartition.width(keeping: 90) == 2)
        #expect(EventPartition.width(keeping: 36_500) == 30)
        #expect(EventPartition.width(keeping: nil) == 30)
    }

    @Test("A bound is read as it is written")
    func bounds() {
        let partition = EventPartition(start: 20_780, end: 20_781)
        #expect(partition.name == "events_20261123")
        #expect(partition.day == "2026-11-23" && partition.lastDay == "2026-11-23")
        let text = "FOR VALUES FROM ('\(partition.lowerBound)') TO ('\(partition.upperBound)')"
        #expect(EventPartition(bounds: text) == partition)
        #expect(EventPartition(bounds: "FOR VALUES FROM (MINVALUE) TO ('\(partition.upperBound)')")?.end == 20_781)
        #expect(EventPartition(bounds: "DEFAULT") == nil)
    }
}
