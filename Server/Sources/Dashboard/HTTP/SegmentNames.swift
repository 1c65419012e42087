import CardModel
import CardStore

extension SegmentStore {
    /// Reads the names of segments, many by one request of the database, which may be some way off.
    ///
    /// - Parameter ids: Their IDs; each is looked up once.
    /// - Returns: The names, without those of segments that there aren't.
    /// - Throws: What the store throws.
    func segmentNames(_ ids: some Sequence<SegmentID>) async throws -> [SegmentID: String] {
        try await ids.lookedUp(by: { try await findSegments($0) }, \.content.name)
    }
}
