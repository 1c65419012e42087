package import CardModel

/// The change that saving a segment writes; a store loads the segment that it has, asks for this, and writes it.
package struct SegmentChange: Sendable, Hashable {
    /// The segment as it is stored.
    package let segment: Segment
    /// The bytes by which the contents of segments grow; 0 where they don't.
    package let growth: Int64
    /// Whether the segment means other users, who may be those of a campaign; see ``reaches(_:through:)``.
    package let changesAudience: Bool

    /// Creates what adding a segment writes.
    ///
    /// No campaign can have it as a part yet.
    package init(adding segment: Segment) {
        self.segment = segment
        growth = segment.growth(from: nil)
        changesAudience = false
    }

    /// Creates what saving a changed segment writes, or returns `nil` where nothing is different.
    ///
    /// - Parameters:
    ///   - old: The segment as it is stored.
    ///   - segment: The segment as it is to be.
    ///   - version: The version that the change was made from.
    /// - Throws: `StoreError.conflict` where the version is another by now.
    package init?(of old: Segment, to segment: Segment, from version: Int64) throws(StoreError) {
        guard old.version == version else { throw .segmentChanged }
        guard segment != old else { return nil }
        var next = segment
        // safe: versions go up by one
        next.version = max(segment.version, version + 1)
        self.segment = next
        growth = next.growth(from: old)
        changesAudience = next.content.audience != old.content.audience
    }

    /// Returns whether the change gives the catalog the next generation.
    ///
    /// Devices that have everything have to ask again then, since an audience may mean other users now. It is so only
    /// where ``changesAudience`` is true; else nothing has to be read for it.
    ///
    /// - Parameters:
    ///   - audiences: The audiences of the campaigns that were launched, and of the broadcasts that may still give a
    ///     card; those in which no segment is a part may be left out.
    ///   - segments: The audiences of all segments that can be read, once the change is written.
    /// - Returns: Whether one of the audiences has the segment as a part, by whatever way, and it means others.
    package func reaches(_ audiences: [Audience], through segments: [SegmentID: Audience]) -> Bool {
        changesAudience && audiences.contains { $0.reaches(segment.id, through: segments) }
    }
}

extension StoreError {
    /// Says that there is no segment of an id.
    package static let noSegment = StoreError(.notFound, "There is no segment of that id.")
    /// Says that there is a segment of an id.
    package static let segmentExists = StoreError(
        .exists,
        "A segment with this ID already exists. Choose another ID."
    )

    fileprivate static let segmentChanged = StoreError(
        .conflict,
        "The segment was changed in between. Read it again and repeat the change."
    )
}
