import CardModel
import CardStore

extension SegmentStore {
    /// Reads the names of segments, many by one request of the database, which may be some way off.
    ///
    /// - Parameter ids: Their IDs; each is looked up once.
    /// - Returns: The names, without those of segments that there aren't.
    /// - Throws: What the store throws.
    func segmentNames(_ ids: some Sequence<SegmentID>) async throws -> [SegmentID: String] {
        // Segments may be large, and only their names are kept.
        let readsAtOnce = 100
        var rest = Array(Set(ids))[...]
        var names: [SegmentID: String] = [:]
        while !rest.isEmpty {
            let segments = try await findSegments(Array(rest.prefix(readsAtOnce)))
            names.merge(segments.mapValues(\.content.name)) { $1 }
            rest = rest.dropFirst(readsAtOnce)
        }
        return names
    }
}
