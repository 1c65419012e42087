package import CardModel
import CardStore
package import WireJSON

/// Creates and edits saved segments, and counts the users of an audience, for the management API and the dashboard.
package struct SegmentService: Sendable {
    let services: Services

    /// Returns a segment.
    ///
    /// - Throws: `RequestError` with 404 where there is none of that id.
    package func segment(_ id: String) async throws -> Segment {
        guard let id = SegmentID(checking: id), let segment = try await services.store.segment(id) else {
            throw RequestError.notFound("segment")
        }
        return segment
    }

    /// Creates a segment.
    ///
    /// - Parameters:
    ///   - json: Its content, and its `id` if it is to have a certain one.
    ///   - caller: Who creates it.
    /// - Returns: The segment.
    /// - Throws: `ModelError` or `RequestError` that names the wrong field.
    package func create(_ json: JSONValue, by caller: Caller) async throws -> Segment {
        let content = try Segment.SegmentContent(json: json, allowing: ["id"])
        var id = Self.newID
        if let wanted = json["id"], !wanted.isNull {
            guard let wanted = wanted.string.flatMap(SegmentID.init(checking:)) else {
                throw RequestError.fieldInvalid("id", expected: Expected.slug)
            }
            try ReservedID.check(wanted)
            id = wanted
        }
        try content.audience.checkSegments(in: try await services.store.segmentAudiences(), of: id)
        let segment = Segment(id: id, content: content, createdAt: services.clock())
        try await services.store.insertSegment(segment, by: caller.actor)
        return segment
    }

    /// Creates a segment with the content of another one, archived or not, which no campaign uses yet.
    ///
    /// - Throws: `RequestError` with 404 where there is no such segment.
    package func duplicate(_ id: String, by caller: Caller) async throws -> Segment {
        var content = try await segment(id).content
        content.name = CopyName.of(content.name)
        let copy = Segment(id: Self.newID, content: content, createdAt: services.clock())
        try content.audience.checkSegments(in: try await services.store.segmentAudiences(), of: copy.id)
        try await services.store.insertSegment(copy, by: caller.actor)
        return copy
    }

    private static var newID: SegmentID { SegmentID(rawValue: "seg_" + RandomText.letters(22)) }

    /// Changes a segment's content.
    ///
    /// - Parameters:
    ///   - id: The segment's id.
    ///   - json: The content with the `version` that it was made from. What the server keeps may stand in it, so that
    ///     what was read can be sent back.
    ///   - caller: Who changes it.
    /// - Returns: The segment as saved.
    /// - Throws: `ModelError` or `RequestError` that names the wrong field, or says that the version is another by now.
    package func update(_ id: String, _ json: JSONValue, by caller: Caller) async throws -> Segment {
        let segment = try await segment(id)
        guard let version = json["version"] else { throw RequestError.fieldMissing("version") }
        guard let version = version.integer else {
            throw RequestError.fieldInvalid("version", expected: Expected.wholeNumber)
        }
        let content = try Segment.SegmentContent(json: json, allowing: Segment.keptFieldNames)
        guard version == segment.version else { throw Self.conflict(segment) }
        let segments = try await services.store.segmentAudiences()
        try content.audience.checkSegments(in: segments, of: segment.id)
        try await checkUses(of: SegmentGrowth(of: segment.id, to: content.audience, in: segments))
        let next = segment.updating(content, at: services.clock())
        if next != segment { try await services.checkApproval(ofSegment: segment.id, by: caller) }
        return try await save(next, insteadOf: segment, action: "segment.update", by: caller)
    }

    /// Archives or restores a segment.
    ///
    /// - Parameters:
    ///   - isArchived: Whether it is archived from now on.
    ///   - id: The segment's id.
    ///   - version: The version that is meant, or `nil` for whichever is current.
    ///   - caller: Who does it.
    /// - Returns: The segment as saved.
    /// - Throws: `RequestError` where there is no such segment, or the version is another by now.
    package func setArchived(
        _ isArchived: Bool,
        _ id: String,
        version: JSONValue? = nil,
        by caller: Caller
    ) async throws -> Segment {
        let segment = try await segment(id)
        if let version, version.integer != segment.version { throw Self.conflict(segment) }
        let next = segment.archiving(isArchived, at: services.clock())
        let action = isArchived ? "segment.archive" : "segment.restore"
        return try await save(next, insteadOf: segment, action: action, by: caller)
    }

    /// Returns the number of users that an audience means, by a sample where there are many unless it has to be exact.
    ///
    /// - Throws: `ModelError` where the audience names a segment that does not exist.
    package func reach(of audience: Audience, exactly isExact: Bool = false) async throws -> AudienceReach {
        let matcher = try await matcher(of: audience)
        return try await services.store.audienceReach(of: matcher, at: services.clock(), exactly: isExact)
    }

    /// Returns the number of users that an audience means, as JSON, as exactly as a caller may know it.
    ///
    /// - Parameters:
    ///   - audience: The audience.
    ///   - isExact: Whether every user is asked, however many there are.
    ///   - caller: Who asks. Without the permission for users they are told hundreds.
    /// - Returns: The number, with its bounds.
    /// - Throws: `ModelError` where the audience names a segment that does not exist, or `RequestError` with 403 where
    ///   it names users, and the caller can't see what single users are like.
    func reach(of audience: Audience, exactly isExact: Bool, for caller: Caller) async throws -> JSONValue {
        // One that names a user counts to one or to none: it answers any question about them.
        if audience.identifiesUsers(in: try await services.store.segmentAudiences()) { try caller.require(.users) }
        let reach = try await reach(of: audience, exactly: isExact)
        return caller.permits(.users) ? reach.json : reach.coarseJSON
    }

    /// Returns how many users several audiences have in common, by a sample where there are many.
    ///
    /// An audience that names a segment that does not exist means nobody. The count shares the places of
    /// ``reach(of:exactly:)``: few run at once, and others wait.
    ///
    /// - Parameter audiences: The audiences; those beyond `AudienceOverlap.limit` are left out.
    /// - Returns: The users in common, by the places of the audiences.
    /// - Throws: `StoreError` where too many counts wait already, or the audiences cost too much to ask.
    package func overlap(of audiences: [Audience]) async throws -> AudienceOverlap {
        let segments = try await services.store.segmentAudiences()
        let matchers = audiences.prefix(AudienceOverlap.limit).map { AudienceMatcher($0, segments: segments) }
        return try await services.store.audienceOverlap(of: matchers, at: services.clock())
    }

    /// Returns what decides whether a user is in an audience, with the segments that it names.
    func matcher(of audience: Audience) async throws -> AudienceMatcher {
        let segments = try await services.store.segmentAudiences()
        try audience.checkSegments(in: segments)
        return AudienceMatcher(audience, segments: segments)
    }

    /// Refuses what would give a segment or campaign more conditions than an audience may have.
    private func checkUses(of growth: SegmentGrowth) async throws {
        guard growth.grows else { return }
        var growth = growth
        let limit = Audience.maximumSizeWithSegments
        if let id = growth.excessiveSegments().first {
            throw Self.refusal("The segment \(id.rawValue) would have more than \(limit) conditions.")
        }
        for broadcast in services.catalog.current.source.broadcasts where growth.isTooMuch(for: broadcast.audience) {
            let campaign = broadcast.trigger.campaign.rawValue
            throw Self.refusal("A send of the campaign \(campaign) would have more than \(limit) conditions.")
        }
        var page = CampaignPage()
        page.limit = 50
        while true {
            let campaigns = try await services.store.pageCampaigns(page)
            for campaign in campaigns where growth.isTooMuch(for: campaign.content.audience) {
                throw Self.refusal("The campaign \(campaign.id.rawValue) would have more than \(limit) conditions.")
            }
            guard campaigns.count == page.limit else { return }
            // safe: as many campaigns as a store has
            page.offset += campaigns.count
        }
    }

    private static func refusal(_ message: String) -> ModelError {
        ModelError(.fieldInvalid, at: "audience", message)
    }

    private func save(
        _ next: Segment,
        insteadOf segment: Segment,
        action: String,
        by caller: Caller
    ) async throws -> Segment {
        guard next != segment else { return segment }
        let (store, version) = (services.store, segment.version)
        let saved = try await store.updateSegment(next, from: version, action: action, by: caller.actor)
        // A sync that comes after this answer has to see the change, on this node at least.
        try await services.catalog.reload()
        return saved
    }

    private static func conflict(_ segment: Segment) -> RequestError {
        RequestError(
            .conflict,
            "version_conflict",
            "The segment was changed in between. Read it again, then repeat the change.",
            details: [("version", .integer(segment.version))]
        )
    }
}
