extension Audience {
    /// The saved segments that the audience names itself; not those that are in them.
    public var segments: Set<SegmentID> {
        switch self {
        case .segment(let id): [id]
        case .all(let branches), .any(let branches), .none(let branches):
            branches.reduce(into: []) { $0.formUnion($1.segments) }
        case .everyone, .users, .attribute, .history, .contact, .bucket: []
        }
    }

    /// The maximum number of conditions in an audience with those of its segments, each counted wherever it stands.
    public static let maximumSizeWithSegments = 10_000

    /// Refuses an audience that names a segment which is not there, that leads back to it where it is a segment's own,
    /// or that is too large with the segments in it.
    ///
    /// - Parameters:
    ///   - segments: The audiences of all saved segments.
    ///   - owner: The segment that the audience is to be of, or `nil` for none.
    ///   - path: The place of the audience.
    /// - Throws: `ModelError` with `segment_unknown`, `segment_cycle` or `field_invalid` that names the node.
    public func checkSegments(
        in segments: [SegmentID: Audience],
        of owner: SegmentID? = nil,
        at path: String = "audience"
    ) throws(ModelError) {
        if let error = segmentErrors(in: segments, of: owner, at: path).first { throw error }
        var sizes: [SegmentID: Int] = [:]
        guard size(in: segments, &sizes) <= Self.maximumSizeWithSegments else {
            throw ModelError(
                .fieldInvalid,
                at: path,
                "With its segments an audience has at most \(Self.maximumSizeWithSegments) conditions."
            )
        }
    }

    /// The number of conditions with those of segments, whose sizes are noted on the way.
    func size(in segments: [SegmentID: Audience], _ sizes: inout [SegmentID: Int]) -> Int {
        switch self {
        case .all(let branches), .any(let branches), .none(let branches):
            var size = 1
            // Beyond the limit it makes no difference, and doubling sixty times would not fit a number.
            // safe: neither is more than half of the largest number
            for branch in branches { size = min(size + branch.size(in: segments, &sizes), .max / 2) }
            return size
        case .segment(let id):
            if let known = sizes[id] { return known }
            // A segment that leads back to itself counts as one there.
            sizes[id] = 1
            // safe: at most half of the largest number
            let size = 1 + (segments[id]?.size(in: segments, &sizes) ?? 0)
            sizes[id] = size
            return size
        case .everyone, .users, .attribute, .history, .contact, .bucket: return 1
        }
    }

    /// Everything that is wrong with the segments that the audience names: those that are not there, and those that
    /// lead back to it.
    ///
    /// - Parameters:
    ///   - segments: The audiences of all saved segments.
    ///   - owner: The segment that the audience is to be of, or `nil` for none.
    ///   - path: The place of the audience.
    /// - Returns: The errors, in the order of the nodes.
    public func segmentErrors(
        in segments: [SegmentID: Audience],
        of owner: SegmentID? = nil,
        at path: String = "audience"
    ) -> [ModelError] {
        switch self {
        case .segment(let id):
            guard let audience = segments[id] else {
                return [ModelError(.segmentUnknown, at: "\(path).segment", "There is no segment of that id.")]
            }
            guard let owner, id == owner || audience.reaches(owner, through: segments) else { return [] }
            return [ModelError(.segmentCycle, at: "\(path).segment", "The segment would be part of itself.")]
        case .all(let branches), .any(let branches), .none(let branches):
            return branches.enumerated().flatMap { index, branch in
                branch.segmentErrors(in: segments, of: owner, at: "\(path).\(condition)[\(index)]")
            }
        case .everyone, .users, .attribute, .history, .contact, .bucket: return []
        }
    }

    /// Whether a segment is part of the audience, by whatever way.
    public func reaches(_ target: SegmentID, through segments: [SegmentID: Audience]) -> Bool {
        var seen: Set<SegmentID> = []
        var next = Array(self.segments)
        while let id = next.popLast() {
            if id == target { return true }
            guard seen.insert(id).inserted else { continue }
            next += segments[id]?.segments ?? []
        }
        return false
    }
}
