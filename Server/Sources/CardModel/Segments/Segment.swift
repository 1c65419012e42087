/// An audience with a name, kept to be used in others.
public struct Segment: Sendable, Hashable, Identifiable {
    /// What a person writes of a segment; the rest the server keeps.
    public struct Content: Sendable, Hashable {
        /// What people call it; 1 to 255 characters.
        public var name: String
        /// What it is for; at most 2,000 characters.
        public var description: String
        /// Words to find and group segments by.
        public var tags: [String]
        /// Who is meant.
        public var audience: Audience

        /// Makes the content of a segment.
        public init(name: String, description: String = "", tags: [String] = [], audience: Audience) {
            self.name = name
            self.description = description
            self.tags = tags
            self.audience = audience
        }
    }

    /// The id, which never changes.
    public let id: SegmentID
    /// What people wrote.
    public var content: Content
    /// Whether it is out of the way: not listed, but still good where it is used.
    public var isArchived: Bool
    /// Counts the changes, from 1; an update has to name the version it was made from.
    public var version: Int64
    /// When it was made.
    public let createdAt: UnixTime
    /// When it was last changed.
    public var updatedAt: UnixTime

    /// Makes a segment, or restores one from a store.
    public init(
        id: SegmentID,
        content: Content,
        isArchived: Bool = false,
        version: Int64 = 1,
        createdAt: UnixTime,
        updatedAt: UnixTime? = nil
    ) {
        self.id = id
        self.content = content
        self.isArchived = isArchived
        self.version = version
        self.createdAt = createdAt
        self.updatedAt = updatedAt ?? createdAt
    }

    /// The segment with another content; itself where that is the same.
    public func updating(_ content: Content, at now: UnixTime) -> Segment {
        changing(at: now) { $0.content = content }
    }

    /// The segment archived, or taken back; itself where it is so already.
    public func archiving(_ isArchived: Bool, at now: UnixTime) -> Segment {
        changing(at: now) { $0.isArchived = isArchived }
    }

    private func changing(at now: UnixTime, _ change: (inout Segment) -> Void) -> Segment {
        var next = self
        change(&next)
        guard next != self else { return self }
        next.version += 1
        next.updatedAt = now
        return next
    }
}

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

    /// Refuses an audience that names a segment which is not there or, where it is a segment's own, leads back to it.
    ///
    /// - Parameters:
    ///   - segments: The audiences of all saved segments.
    ///   - owner: The segment that the audience is to be of, or `nil` for none.
    ///   - path: The place of the audience.
    /// - Throws: `ModelError` with `segment_unknown` or `segment_cycle` that names the node.
    public func checkSegments(
        in segments: [SegmentID: Audience],
        of owner: SegmentID? = nil,
        at path: String = "audience"
    ) throws(ModelError) {
        switch self {
        case .segment(let id):
            guard let audience = segments[id] else {
                throw ModelError(.segmentUnknown, at: "\(path).segment", "There is no segment of that id.")
            }
            guard let owner else { return }
            if id == owner || audience.reaches(owner, through: segments) {
                throw ModelError(.segmentCycle, at: "\(path).segment", "The segment would be part of itself.")
            }
        case .all(let branches), .any(let branches), .none(let branches):
            for (index, branch) in branches.enumerated() {
                try branch.checkSegments(in: segments, of: owner, at: "\(path).\(condition)[\(index)]")
            }
        case .everyone, .users, .attribute, .history, .contact, .bucket: return
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
