public import CardModel
import CardStore

extension PostgresCardStore {
    /// Counts events.
    public func recordEvents(_ batch: EventBatch) async throws -> EventOutcome {
        let queries = EventLoads.queries(for: batch, isSharded: isSharded)
        return try await writer.write([batch.user], isConfined: true, loading: queries) { try $0.record(batch) }
    }
}
