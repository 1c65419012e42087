import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `/v1/segments`: create, list, read, change, archive, restore and duplicate saved segments.
struct SegmentsController: Sendable {
    let services: Services
    let segments: SegmentService

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageQuery(request)
        var isArchivedListed = false
        if let text = request.uri.queryParameters["include_archived"] {
            guard let flag = Bool(String(text)) else {
                throw RequestError.fieldInvalid("include_archived", expected: Expected.boolean)
            }
            isArchivedListed = flag
        }
        let found = try await page.read(\Segment.json) {
            try await services.store.segments(includingArchived: isArchivedListed, limit: $0, offset: $1)
        }
        return Response(json: ["segments": .array(found)])
    }

    @Sendable func read(_ request: Request, _ context: AppContext) async throws -> Response {
        Response(json: try await segments.segment(try context.pathParameter("id")).json)
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let segment = try await segments.create(try await request.readJSON(), by: caller)
        return Response(json: segment.json, status: .created)
    }

    @Sendable func update(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let body = try await request.readJSON()
        return Response(json: try await segments.update(try context.pathParameter("id"), body, by: caller).json)
    }

    @Sendable func archive(_ request: Request, _ context: AppContext) async throws -> Response {
        try await setArchived(true, request, context)
    }

    @Sendable func restore(_ request: Request, _ context: AppContext) async throws -> Response {
        try await setArchived(false, request, context)
    }

    @Sendable func duplicate(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let copy = try await segments.duplicate(try context.pathParameter("id"), by: caller)
        return Response(json: copy.json, status: .created)
    }

    private func setArchived(_ isArchived: Bool, _ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let version = try await request.readObject()["version"]
        let id = try context.pathParameter("id")
        return Response(json: try await segments.setArchived(isArchived, id, version: version, by: caller).json)
    }
}
