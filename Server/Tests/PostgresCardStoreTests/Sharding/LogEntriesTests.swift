import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import ShardedCardStore

@Suite("Sharded: events of several logs")
struct LogEntriesTests {
    private func entry(_ position: Int64, isReadable: Bool = true) -> LogEntries.Entry {
        let id = EventID(high: 0, low: UInt64(position))
        let event = StoredEvent(position: 1, user: someone, id: id, type: "click", at: noon, receivedAt: noon)
        return LogEntries.Entry(at: position, isReadable ? event : nil)
    }

    @Test("Events get the positions of the index, and those that can't be read are named")
    func pages() {
        var entries = LogEntries([entry(7), entry(2)])
        entries.append(LogEntries([entry(5, isReadable: false), entry(3)]))
        #expect(entries.count == 4)
        let oldest = entries.page(limit: 3, isNewestFirst: false)
        #expect(oldest.events.map(\.position) == [2, 3] && oldest.unreadable == [5] && oldest.last == 5)
        #expect(oldest.count == 3)
        let newest = entries.page(limit: 3, isNewestFirst: true)
        #expect(newest.events.map(\.position) == [7, 3] && newest.unreadable == [5] && newest.last == 3)
        #expect(newest.events.map(\.id.low) == [7, 3])
        #expect(entries.first(2).page(limit: 9, isNewestFirst: true).events.map(\.position) == [3, 2])
    }

    @Test("No events have no last position")
    func empty() {
        let page = LogEntries().page(limit: 3, isNewestFirst: true)
        #expect(page.count == 0 && page.last == nil)
    }
}
