import CardModel
import CardStore

extension ReferenceState {
    /// Throws where the contents of launched campaigns would have more bytes than they may.
    func checkLaunchedRoom(for growth: Int64) throws(StoreError) {
        guard growth > 0 else { return }
        let launched = campaigns.values.filter { $0.launchedAt != nil }
        try WorkspaceLimit.launchedContents.check(Self.bytes(launched.map(\.storedContent)), adding: growth)
    }

    /// Throws where the contents of segments would have more bytes than they may.
    func checkSegmentRoom(for growth: Int64) throws(StoreError) {
        guard growth > 0 else { return }
        try WorkspaceLimit.segmentContents.check(Self.bytes(segments.values.map(\.storedContent)), adding: growth)
    }

    /// Removes the keys that were revoked the longest ago, but for as many as are kept.
    mutating func removeRevokedKeys() {
        let revoked = keys.enumerated().filter { $0.element.revokedAt != nil }.sorted { left, right in
            (left.element.revokedAt ?? 0, left.offset) > (right.element.revokedAt ?? 0, right.offset)
        }
        for place in revoked.dropFirst(WorkspaceLimit.revokedKeys).map(\.offset).sorted(by: >) {
            keys.remove(at: place)
        }
    }

    private static func bytes(_ texts: [String]) -> Int64 {
        // safe: sizes of texts in memory
        texts.reduce(0) { $0 + Int64($1.utf8.count) }
    }
}
