import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `/v1/segments`: create, list, read, change, archive and restore saved segments.
struct SegmentsController: Sendable {
    private static let kept: Set<String> = ["id", "version", "archived", "summary", "created_at", "updated_at"]

    let services: Services

    // MARK: Reading

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageQuery(request)
        var isArchivedListed = false
        if let text = request.uri.queryParameters["include_archived"] {
            guard let flag = Bool(String(text)) else { throw RequestError.fieldInvalid("include_archived") }
            isArchivedListed = flag
        }
        let segments = try await services.store.segments(
            includingArchived: isArchivedListed,
            limit: page.limit,
            offset: page.offset
        )
        return Response(json: ["segments": .array(segments.map(\.json))])
    }

    @Sendable func read(_ request: Request, _ context: AppContext) async throws -> Response {
        Response(json: try await segment(context).json)
    }

    private func segment(_ context: AppContext) async throws -> Segment {
        guard let id = SegmentID(checking: try context.parameters.require("id")),
            let segment = try await services.store.segment(id)
        else { throw RequestError.notFound("segment") }
        return segment
    }

    // MARK: Writing

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let key = try context.requireCaller()
        let body = try await request.readJSON()
        let content = try Segment.Content(json: body, allowing: ["id"])
        var id = SegmentID(rawValue: "seg_" + RandomText.letters(22))
        if let wanted = body["id"], !wanted.isNull {
            guard let wanted = wanted.string.flatMap(SegmentID.init(checking:)) else {
                throw RequestError.fieldInvalid("id")
            }
            id = wanted
        }
        try content.audience.checkSegments(in: try await services.store.segmentAudiences(), of: id)
        let segment = Segment(id: id, content: content, createdAt: services.clock())
        try await services.store.insertSegment(segment, by: key.actor)
        return Response(json: segment.json, status: .created)
    }

    @Sendable func update(_ request: Request, _ context: AppContext) async throws -> Response {
        let key = try context.requireCaller()
        let body = try await request.readJSON()
        let segment = try await segment(context)
        guard let version = body["version"] else { throw RequestError.fieldMissing("version") }
        guard let version = version.integer else { throw RequestError.fieldInvalid("version") }
        // What the server keeps may stand in the body, so that what was read can be sent back.
        let content = try Segment.Content(json: body, allowing: Self.kept)
        guard version == segment.version else { throw Self.conflict(segment) }
        try content.audience.checkSegments(in: try await services.store.segmentAudiences(), of: segment.id)
        let next = segment.updating(content, at: services.clock())
        return try await keep(next, insteadOf: segment, action: "segment.update", by: key)
    }

    @Sendable func archive(_ request: Request, _ context: AppContext) async throws -> Response {
        try await setArchived(true, action: "segment.archive", request, context)
    }

    @Sendable func restore(_ request: Request, _ context: AppContext) async throws -> Response {
        try await setArchived(false, action: "segment.restore", request, context)
    }

    private func setArchived(
        _ isArchived: Bool,
        action: String,
        _ request: Request,
        _ context: AppContext
    ) async throws -> Response {
        let key = try context.requireCaller()
        let body = try await request.readObject()
        let segment = try await segment(context)
        if let version = body["version"], version.integer != segment.version { throw Self.conflict(segment) }
        let next = segment.archiving(isArchived, at: services.clock())
        return try await keep(next, insteadOf: segment, action: action, by: key)
    }

    private func keep(
        _ next: Segment,
        insteadOf segment: Segment,
        action: String,
        by key: Caller
    ) async throws -> Response {
        guard next != segment else { return Response(json: segment.json) }
        let kept = try await services.store.updateSegment(next, from: segment.version, action: action, by: key.actor)
        // A sync that comes after this answer has to see the change, on this node at least.
        try await services.catalog.reload()
        return Response(json: kept.json)
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
