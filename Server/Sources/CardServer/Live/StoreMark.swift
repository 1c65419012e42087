import CardStore

/// The position of a store: another mark means that something happened.
struct StoreMark: Sendable, Equatable {
    var event: Int64 = 0
    var change: Int64 = 0
}

extension StoreMark {
    init(_ store: any CardStore) async throws {
        event = try await store.lastEventPosition()
        change = try await store.latestAuditEntries(before: nil, limit: 1).first?.position ?? 0
    }
}
