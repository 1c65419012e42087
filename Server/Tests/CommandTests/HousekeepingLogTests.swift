import CardStore
import Logging
import Synchronization
import Testing

@testable import PlacardCommands
@testable import ShardedCardStore

@Suite("The log of work between shards")
struct HousekeepingLogTests {
    private final class LogEntries: Sendable {
        let all = Mutex<[String]>([])
    }

    private struct EntryHandler: LogHandler {
        let entries: LogEntries
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let details = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            entries.all.withLock { $0.append("\(event.level) \(details.joined(separator: " "))") }
        }
    }

    @Test("names the work, the shard and the reason", arguments: [(1, "1"), (nil, "all")] as [(Int?, String)])
    func entry(shard: Int?, name: String) {
        let entries = LogEntries()
        let logger = Logger(label: "test") { _ in EntryHandler(entries: entries) }
        let error = StoreError(.unavailable, "It is away.")
        HousekeepingFailure(work: .outbox, shard: shard, error: error, omitted: 7).log(to: logger)
        let expected =
            "error command=placard doctor error=It is away. failures_before=7 shard=\(name) work=outbox"
        let found = entries.all.withLock { $0 }
        #expect(found == [expected])
    }
}
