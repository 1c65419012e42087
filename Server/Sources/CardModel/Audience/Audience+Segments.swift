extension Audience {
    /// The saved segments that the audience names itself; not those that are in them.
    public var segments: Set<SegmentID> {
        switch structure {
        case .segment(let id): [id]
        case .all(let branches), .any(let branches), .none(let branches):
            branches.reduce(into: []) { $0.formUnion($1.segments) }
        case .everyone, .filter: []
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
        switch structure {
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
        case .everyone, .filter: return 1
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
        switch structure {
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
        case .everyone, .filter: return []
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

// MARK: What any condition says

extension Audience {
    /// Returns whether a condition is about who a user is: one that lists users, or compares an id or an attribute by
    /// which a person can be recognized.
    ///
    /// Whoever counts the users of such an audience learns something of a single person: one that combines an id with
    /// any other condition has one user or none.
    ///
    /// - Parameter segments: The audiences of all saved segments.
    /// - Returns: Whether any condition is.
    public func identifiesUsers(in segments: [SegmentID: Audience]) -> Bool {
        hasFilter(in: segments) { $0.identifiesUsers }
    }

    /// Whether the number of its users follows from when each was first or last there, so that the users who were there
    /// lately say nothing of those who will be.
    ///
    /// - Parameter segments: The audiences of all saved segments.
    /// - Returns: Whether any condition is about that.
    package func dependsOnPresence(in segments: [SegmentID: Audience]) -> Bool {
        hasFilter(in: segments) { $0.dependsOnPresence }
    }

    /// Returns whether a filter of the audience, or of a segment in it, is such a one.
    private func hasFilter(in segments: [SegmentID: Audience], where isWanted: (any AudienceFilter) -> Bool) -> Bool {
        var seen: Set<SegmentID> = []
        return hasFilter(in: segments, &seen, where: isWanted)
    }

    private func hasFilter(
        in segments: [SegmentID: Audience],
        _ seen: inout Set<SegmentID>,
        where isWanted: (any AudienceFilter) -> Bool
    ) -> Bool {
        switch structure {
        case .filter(let filter): return isWanted(filter)
        case .all(let branches), .any(let branches), .none(let branches):
            for branch in branches where branch.hasFilter(in: segments, &seen, where: isWanted) { return true }
            return false
        case .segment(let id):
            guard seen.insert(id).inserted else { return false }
            return segments[id]?.hasFilter(in: segments, &seen, where: isWanted) ?? false
        case .everyone: return false
        }
    }
}
