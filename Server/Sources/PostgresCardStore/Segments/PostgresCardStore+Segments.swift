public import CardModel
import CardStore

extension PostgresCardStore {
    /// Reads segments, those last changed first.
    public func segments(includingArchived: Bool, limit: Int, offset: Int) async throws -> [Segment] {
        try await read { connection in
            try connection.rows(
                "SELECT * FROM segments WHERE $1 OR NOT archived ORDER BY updated_at DESC, id LIMIT $2 OFFSET $3",
                [includingArchived, PageLimit.clamp(limit), max(0, offset)]
            ).map(Segment.init)
        }
    }

    /// Reads one segment, or returns `nil`.
    public func segment(_ id: SegmentID) async throws -> Segment? {
        try await read { try SegmentRow.find(id, in: $0) }
    }

    /// Reads the audiences of all segments.
    public func segmentAudiences() async throws -> [SegmentID: Audience] {
        try await read(SegmentRow.audiences)
    }

    /// Saves a new segment.
    public func insertSegment(_ segment: Segment, by actor: Actor) async throws {
        try await writer.writeAlone { try $0.insert(segment, by: actor) }
    }

    /// Saves a changed segment.
    public func updateSegment(
        _ segment: Segment,
        from version: Int64,
        action: String,
        by actor: Actor
    ) async throws -> Segment {
        try await writer.writeAlone { try $0.update(segment, from: version, action: action, by: actor) }
    }

    /// Counts the users in an audience.
    public func audienceReach(
        of audience: AudienceMatcher,
        at now: UnixTime,
        exactly isExact: Bool
    ) async throws -> AudienceReach {
        try await longSnapshot { connection in
            let zone = try StoreRow.settings(connection).timeZone
            let scan = UserScan(on: connection, asking: AudienceQuestion(audience), at: now, workspaceZone: zone)
            let total = try StoreRow.userCount(connection)
            return try ReachCount(audience, among: total, by: scan).run(exactly: isExact)
        }
    }

    /// Counts the users that several audiences have in common.
    public func audienceOverlap(of audiences: [AudienceMatcher], at now: UnixTime) async throws -> AudienceOverlap {
        try await longSnapshot { connection in
            let zone = try StoreRow.settings(connection).timeZone
            let question = AudienceQuestion(overlapOf: audiences)
            let scan = UserScan(on: connection, asking: question, at: now, workspaceZone: zone)
            return try OverlapCount(question, among: try StoreRow.userCount(connection), by: scan).run()
        }
    }
}

extension WriteSession {
    fileprivate func insert(_ segment: Segment, by actor: Actor) throws {
        try checkGeneration(nil)
        try checkRoom(.segments, in: "segments")
        try checkRoom(.segmentContents, for: segment.growth(from: nil), in: "segments")
        try segment.checkCycle(among: SegmentRow.audiences(connection))
        guard try SegmentRow.insert(segment, into: connection) else {
            throw StoreError(.exists, "A segment with this ID already exists. Choose another ID.")
        }
        audit("segment.create", of: segment.id.rawValue, at: segment.createdAt, by: actor)
        changes.catalog = true
    }

    fileprivate func update(
        _ segment: Segment,
        from version: Int64,
        action: String,
        by actor: Actor
    ) throws -> Segment {
        try checkGeneration(nil)
        guard let old = try SegmentRow.lock(segment.id, in: connection) else {
            throw StoreError(.notFound, "There is no segment of that id.")
        }
        guard old.version == version else {
            throw StoreError(.conflict, "The segment was changed in between. Read it again and repeat the change.")
        }
        if segment == old { return old }
        try checkRoom(.segmentContents, for: segment.growth(from: old), in: "segments")
        try segment.checkCycle(among: SegmentRow.audiences(connection))
        var saved = segment
        // safe: versions go up by one
        saved.version = max(segment.version, version + 1)
        try SegmentRow.update(saved, in: connection)
        changes.catalog = true
        if saved.content.audience != old.content.audience, try isUsed(saved.id) {
            // Devices that have everything have to ask again: other users may be meant now.
            _ = try advanceGeneration()
        }
        audit(action, of: segment.id.rawValue, at: segment.updatedAt, by: actor)
        return saved
    }

    /// Whether a campaign that was launched, or a broadcast that may still give a card, has the segment as a part.
    private func isUsed(_ id: SegmentID) throws -> Bool {
        let segments = try SegmentRow.audiences(connection)
        let rows = try connection.rows("SELECT * FROM campaigns WHERE launched_at IS NOT NULL AND has_segments")
        // What can't be read means nobody, whatever the segment says.
        var reader = RowReader()
        let campaigns = reader.values(of: rows, .campaign) { try Campaign($0).content.audience }
        let broadcasts = try BroadcastRow.alive(at: now(), in: connection, &reader).map(\.audience)
        return (campaigns + broadcasts).contains { $0.reaches(id, through: segments) }
    }
}
