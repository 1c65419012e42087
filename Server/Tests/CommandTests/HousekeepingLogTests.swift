import CardStore
import LiveTesting
import Logging
import Testing

@testable import PlacardCommands
@testable import ShardedCardStore

@Suite("The log of work between shards")
struct HousekeepingLogTests {
    @Test("names the work, the shard and the reason", arguments: [(1, "1"), (nil, "all")] as [(Int?, String)])
    func entry(shard: Int?, name: String) {
        let log = RecordedLog()
        let error = StoreError(.unavailable, "It is away.")
        HousekeepingFailure(work: .outbox, shard: shard, error: error, omitted: 7).log(to: log.logger())
        let entries = log.events.map { event in
            let details = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
            return "\(event.level) \(details.joined(separator: " "))"
        }
        let expected =
            "error command=placard doctor error=It is away. failures_before=7 shard=\(name) work=outbox"
        #expect(entries == [expected])
    }
}
