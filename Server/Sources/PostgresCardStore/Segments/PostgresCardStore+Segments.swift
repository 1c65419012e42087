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

    /// Reads segments by their IDs.
    public func findSegments(_ ids: [SegmentID]) async throws -> [SegmentID: Segment] {
        let wanted = ids.prefix(PageLimit.highest).map(\.rawValue)
        return try await read { connection in
            let segments = try connection.rows("SELECT * FROM segments WHERE id = ANY ($1)", [wanted])
                .map(Segment.init)
            return Dictionary(segments.map { ($0.id, $0) }) { first, _ in first }
        }
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
        try await audienceReach(of: audience, at: now, exactly: isExact, in: nil)
    }

    /// Counts the users of this database who are in an audience.
    ///
    /// - Parameters:
    ///   - audience: The audience.
    ///   - now: The time.
    ///   - isExact: Whether every user is asked.
    ///   - workspace: What is known of the workspace, where this database has a part of its users; `nil` for what the
    ///     database has of it.
    /// - Returns: The number, as a part of the workspace's users.
    /// - Throws: What the server says, or `StoreError.limitReached`.
    package func audienceReach(
        of audience: AudienceMatcher,
        at now: UnixTime,
        exactly isExact: Bool,
        in workspace: ReachedWorkspace?
    ) async throws -> AudienceReach {
        try await longSnapshot { connection in
            let workspace = try workspace ?? ReachedWorkspace(connection)
            let question = AudienceQuestion(audience)
            let scan = UserScan(on: connection, asking: question, at: now, workspaceZone: workspace.timeZone)
            return try ReachCount(audience, among: workspace.users, by: scan).run(exactly: isExact)
        }
    }

    /// Counts the users that several audiences have in common.
    public func audienceOverlap(of audiences: [AudienceMatcher], at now: UnixTime) async throws -> AudienceOverlap {
        try await audienceOverlap(of: audiences, at: now, in: nil)
    }

    /// Counts the users of this database that several audiences have in common, as
    /// ``audienceReach(of:at:exactly:in:)`` does.
    package func audienceOverlap(
        of audiences: [AudienceMatcher],
        at now: UnixTime,
        in workspace: ReachedWorkspace?
    ) async throws -> AudienceOverlap {
        try await longSnapshot { connection in
            let workspace = try workspace ?? ReachedWorkspace(connection)
            let question = AudienceQuestion(overlapOf: audiences)
            let scan = UserScan(on: connection, asking: question, at: now, workspaceZone: workspace.timeZone)
            return try OverlapCount(question, among: workspace.users, by: scan).run()
        }
    }
}

/// The state that counting the users of an audience depends on beside them.
package struct ReachedWorkspace: Sendable, Hashable {
    /// The number of all users: a sample is drawn by it.
    package let users: Int64
    /// The workspace's time zone.
    package let timeZone: String

    /// Creates what is known of a workspace.
    package init(users: Int64, timeZone: String) { (self.users, self.timeZone) = (users, timeZone) }

    init(_ connection: PostgresConnection) throws {
        self.init(users: try StoreRow.userCount(connection), timeZone: try StoreRow.settings(connection).timeZone)
    }
}

extension WriteSession {
    fileprivate func insert(_ segment: Segment, by actor: Actor) throws {
        try checkGeneration(nil)
        try checkRoom(.segments, in: "segments")
        let change = SegmentChange(adding: segment)
        try check(change)
        guard try SegmentRow.insert(change.segment, into: connection) else { throw StoreError.segmentExists }
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
        guard let old = try SegmentRow.lock(segment.id, in: connection) else { throw StoreError.noSegment }
        guard let change = try SegmentChange(of: old, to: segment, from: version) else { return old }
        try check(change)
        try SegmentRow.update(change.segment, in: connection)
        changes.catalog = true
        if change.changesAudience, try change.reaches(audiencesInUse(), through: SegmentRow.audiences(connection)) {
            _ = try advanceGeneration()
        }
        audit(action, of: segment.id.rawValue, at: segment.updatedAt, by: actor)
        return change.segment
    }

    /// Throws where there is no room for a change, or the segment would be part of itself.
    private func check(_ change: SegmentChange) throws {
        try checkRoom(.segmentContents, for: change.growth, in: "segments")
        try change.segment.checkCycle(among: SegmentRow.audiences(connection))
    }

    /// Reads the audiences of launched campaigns that may have a segment as a part, and of open broadcasts.
    private func audiencesInUse() throws -> [Audience] {
        let rows = try connection.rows("SELECT * FROM campaigns WHERE launched_at IS NOT NULL AND has_segments")
        // What can't be read means nobody, whatever the segment says.
        var reader = RowReader()
        let campaigns = reader.values(of: rows, .campaign) { try Campaign($0).content.audience }
        return try campaigns + BroadcastRow.alive(at: now(), in: connection, &reader).map(\.audience)
    }
}
