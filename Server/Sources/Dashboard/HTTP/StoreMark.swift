import CardStore

extension LivePage {
    /// How far the store is: another mark means that something happened.
    struct Mark: Equatable {
        let event: Int64
        let change: Int64

        init(_ store: any CardStore) async throws {
            event = try await store.lastEventPosition()
            change = try await store.latestAuditEntries(before: nil, limit: 1).first?.position ?? 0
        }
    }
}
