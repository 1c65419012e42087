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

    /// Reads segments by their IDs.
    public func findSegments(_ ids: [SegmentID]) async throws -> [SegmentID: Segment] {
        try await read { database in
            var found: [SegmentID: Segment] = [:]
            for id in ids.prefix(PageLimit.highest) { found[id] = try SegmentRow.find(id, in: database) }
            return found
        }
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
        guard try SegmentRow.find(segment.id, in: database) == nil else { throw StoreError.segmentExists }
        try checkRoom(.segments, in: "segments")
        try apply(SegmentChange(adding: segment))
        try audit("segment.create", of: segment.id.rawValue, at: segment.createdAt, by: actor)
        changes.catalog = true
    }

    func update(_ segment: Segment, from version: Int64, action: String, by actor: Actor) throws -> Segment {
        guard let old = try SegmentRow.find(segment.id, in: database) else { throw StoreError.noSegment }
        guard let change = try SegmentChange(of: old, to: segment, from: version) else { return old }
        try apply(change)
        if change.changesAudience, try change.reaches(audiencesInUse(), through: SegmentRow.audiences(database)) {
            _ = try StoreRow.advanceGeneration(database)
        }
        changes.catalog = true
        try audit(action, of: segment.id.rawValue, at: segment.updatedAt, by: actor)
        return change.segment
    }

    /// Makes room for a change, and writes it.
    private func apply(_ change: SegmentChange) throws {
        try checkRoom(.segmentContents, for: change.growth, in: "segments")
        try change.segment.checkCycle(among: SegmentRow.audiences(database))
        try SegmentRow.save(change.segment, in: database)
    }

    /// Reads the audiences of launched campaigns that may have a segment as a part, and of open broadcasts.
    private func audiencesInUse() throws -> [Audience] {
        // Few campaigns have a segment as a part, and only those are worth making sense of.
        let rows = try Row.fetchAll(
            database,
            sql: #"SELECT * FROM campaigns WHERE launched_at IS NOT NULL AND instr(content, '"segment"')"#
        )
        // What can't be read means nobody, whatever the segment says.
        var reader = RowReader()
        let campaigns = reader.values(of: rows, .campaign) { try Campaign($0).content.audience }
        return try campaigns + BroadcastRow.alive(at: now(), in: database, &reader).map(\.audience)
    }
}
