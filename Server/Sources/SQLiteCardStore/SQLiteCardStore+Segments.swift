public import CardModel
import CardStore
import GRDB

extension SQLiteCardStore {
    /// Reads segments, those last changed first.
    public func segments(includingArchived: Bool, limit: Int, offset: Int) async throws -> [Segment] {
        try await read { try Segment.page(archived: includingArchived, limit: limit, offset: offset, in: $0) }
    }

    /// Reads one segment, or returns `nil`.
    public func segment(_ id: SegmentID) async throws -> Segment? {
        try await read { try SegmentRow.find(id, in: $0) }
    }

    /// Reads the audiences of all segments.
    public func segmentAudiences() async throws -> [SegmentID: Audience] {
        try await read(SegmentRow.audiences)
    }

    /// Keeps a new segment.
    public func insertSegment(_ segment: Segment, by actor: Actor) async throws {
        try await writer.write { try $0.insert(segment, by: actor) }
    }

    /// Keeps a changed segment.
    public func updateSegment(
        _ segment: Segment,
        from version: Int64,
        action: String,
        by actor: Actor
    ) async throws -> Segment {
        try await writer.write { try $0.update(segment, from: version, action: action, by: actor) }
    }
}

extension WriteSession {
    func insert(_ segment: Segment, by actor: Actor) throws {
        guard try SegmentRow.find(segment.id, in: database) == nil else {
            throw StoreError(.exists, "A segment with this ID already exists. Choose another ID.")
        }
        try checkRoom(.segments, in: "segments")
        try checkRoom(.segmentContents, for: segment.growth(from: nil), in: "segments")
        try segment.checkCycle(among: SegmentRow.audiences(database))
        try SegmentRow.save(segment, in: database)
        try audit("segment.create", of: segment.id.rawValue, at: segment.createdAt, by: actor)
        changes.catalog = true
    }

    func update(_ segment: Segment, from version: Int64, action: String, by actor: Actor) throws -> Segment {
        guard let old = try SegmentRow.find(segment.id, in: database) else {
            throw StoreError(.notFound, "There is no segment of that id.")
        }
        guard old.version == version else {
            throw StoreError(.conflict, "The segment was changed in between. Read it again and repeat the change.")
        }
        if segment == old { return old }
        try checkRoom(.segmentContents, for: segment.growth(from: old), in: "segments")
        try segment.checkCycle(among: SegmentRow.audiences(database))
        var kept = segment
        // safe: versions go up by one
        kept.version = max(segment.version, version + 1)
        try SegmentRow.save(kept, in: database)
        if kept.content.audience != old.content.audience, try isUsed(kept.id) {
            // Devices that have everything have to ask again: other users may be meant now.
            _ = try StoreRow.advanceGeneration(database)
        }
        changes.catalog = true
        try audit(action, of: segment.id.rawValue, at: segment.updatedAt, by: actor)
        return kept
    }

    /// Whether a campaign that was launched, or a broadcast that may still give a card, has the segment as a part.
    private func isUsed(_ id: SegmentID) throws -> Bool {
        let segments = try SegmentRow.audiences(database)
        // Few campaigns have a segment as a part, and only those are worth making sense of.
        let rows = try Row.fetchAll(
            database,
            sql: #"SELECT * FROM campaigns WHERE launched_at IS NOT NULL AND instr(content, '"segment"')"#
        )
        // What can't be read means nobody, whatever the segment says.
        var reader = RowReader()
        let campaigns = reader.values(of: rows, .campaign) { try Campaign($0).content.audience }
        let broadcasts = try BroadcastRow.alive(at: now(), in: database, &reader).map(\.audience)
        return (campaigns + broadcasts).contains { $0.reaches(id, through: segments) }
    }
}
