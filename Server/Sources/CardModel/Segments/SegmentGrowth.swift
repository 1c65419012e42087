/// The growth of the audiences that have a segment as a part, through the segment's new audience.
public struct SegmentGrowth {
    private let before: [SegmentID: Audience]
    private let after: [SegmentID: Audience]
    private var sizesBefore: [SegmentID: Int] = [:]
    private var sizesAfter: [SegmentID: Int] = [:]

    /// Whether the segment has more conditions than before, so that others may have too many.
    public let grows: Bool

    /// Compares what is with what would be.
    ///
    /// - Parameters:
    ///   - segment: The segment.
    ///   - audience: The audience that it is to have.
    ///   - segments: The audiences of all saved segments.
    public init(of segment: SegmentID, to audience: Audience, in segments: [SegmentID: Audience]) {
        before = segments
        var changed = segments
        changed[segment] = audience
        after = changed
        let old = Audience.segment(segment).size(in: before, &sizesBefore)
        grows = Audience.segment(segment).size(in: after, &sizesAfter) > old
    }

    /// Whether an audience would have more conditions with its segments than it may, and more than it has.
    ///
    /// One that has too many already may become smaller by several changes.
    public mutating func isTooMuch(for audience: Audience) -> Bool {
        let size = audience.size(in: after, &sizesAfter)
        return size > Audience.maximumSizeWithSegments && size > audience.size(in: before, &sizesBefore)
    }

    /// The segments that would have too many conditions, by id.
    public mutating func excessiveSegments() -> [SegmentID] {
        after.sorted { $0.key < $1.key }.filter { isTooMuch(for: $0.value) }.map(\.key)
    }
}
