public import WireJSON

/// An audience with a name, kept to be used in others.
public struct Segment: Sendable, Hashable, Identifiable {
    /// The parts of a segment that people write; the server keeps the rest.
    public struct SegmentContent: Sendable, Hashable {
        /// The segment's display name; 1 to 255 characters.
        @Bytewise public var name: String
        /// The description of the segment's purpose; at most 2,000 characters.
        @Bytewise public var description: String
        /// Words to find and group segments by.
        @Bytewise public var tags: [String]
        /// The users in the segment.
        public var audience: Audience

        /// Creates the content of a segment.
        public init(name: String, description: String = "", tags: [String] = [], audience: Audience) {
            self.name = name
            self.description = description
            self.tags = tags
            self.audience = audience
        }
    }

    /// The id, which never changes.
    public let id: SegmentID
    /// The content that people wrote.
    public var content: SegmentContent
    /// Whether it is out of the way: not listed, but still good where it is used.
    public var isArchived: Bool
    /// Counts the changes, from 1; an update has to name the version it was made from.
    public var version: Int64
    /// The time at which the segment was created.
    public let createdAt: UnixTime
    /// The time at which the segment was last changed.
    public var updatedAt: UnixTime

    /// Creates a segment, or restores one from a store.
    public init(
        id: SegmentID,
        content: SegmentContent,
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
    public func updating(_ content: SegmentContent, at now: UnixTime) -> Segment {
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
        // safe: counts changes of people
        next.version += 1
        next.updatedAt = now
        return next
    }
}
