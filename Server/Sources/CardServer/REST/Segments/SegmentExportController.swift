import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `GET /segments/list` and `/segments/details`.
struct SegmentExportController: Sendable {
    @Sendable func list(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let page = try BackendQuery(request).page()
        let segments = try await all(caller.services.store).sorted { first, second in
            let isOlder = (first.createdAt, first.id.rawValue) < (second.createdAt, second.id.rawValue)
            return page.isNewestFirst ? !isOlder : isOlder
        }
        // safe: an offset and a limit are never negative
        let wanted = segments.dropFirst(page.offset).prefix(page.limit)
        return Response(success: ["segments": .array(wanted.map(Self.summary))], status: .ok)
    }

    /// Every segment that is in use; people make some dozens of them.
    private func all(_ store: any CardStore) async throws -> [Segment] {
        var segments: [Segment] = []
        while true {
            let page = try await store.segments(includingArchived: false, limit: 1000, offset: segments.count)
            segments += page
            if page.count < 1000 { return segments }
        }
    }

    @Sendable func details(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        guard let id = SegmentID(checking: try BackendQuery(request).required("segment_id")),
            let segment = try await caller.services.store.segment(id)
        else { throw RequestError.fatal("segment_unknown", "Invalid Segment ID.") }
        return Response(
            success: [
                "created_at": .string(BackendTime.text(segment.createdAt)),
                "updated_at": .string(BackendTime.text(segment.updatedAt)), "name": .string(segment.content.name),
                "description": .string(segment.content.audience.json.text),
                "text_description": .string(segment.content.description),
                "tags": .array(segment.content.tags.map(JSONValue.string)), "teams": [],
            ],
            status: .ok
        )
    }

    private static func summary(_ segment: Segment) -> JSONValue {
        [
            "id": .string(segment.id.rawValue), "name": .string(segment.content.name),
            "analytics_tracking_enabled": false, "tags": .array(segment.content.tags.map(JSONValue.string)),
        ]
    }
}
