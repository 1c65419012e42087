import CardModel
import CardServer
import Hummingbird
import WireJSON

/// Content types and segments.
enum CataloguePages {
    struct FieldView {
        let name: String
        let type: String
        let isOptional: Bool
    }

    struct TypeView {
        let name: String
        let fields: [FieldView]
        let updated: TimeView?
        let schema: String
    }

    struct TypesView {
        let types: [TypeView]
    }

    struct SegmentLine {
        let id: String
        let name: String
        let address: String
        let isArchived: Bool
        let changed: TimeView
    }

    struct SegmentsView {
        let segments: [SegmentLine]
    }

    @Sendable static func contentTypes(_ visit: Visit) async throws -> Response {
        let types = try await visit.read("/v1/content-types")["types"]?.array ?? []
        let views = types.map { json in
            let type = ContentTypeFields(json)
            return TypeView(
                name: type.classType,
                fields: type.fields.map { FieldView(name: $0.name, type: $0.type, isOptional: $0.isOptional) },
                updated: json["updated_at"]?.double.map { TimeView($0, for: visit) },
                schema: json.text
            )
        }
        return try visit.page("content-types", title: "Content types", in: .contentTypes, TypesView(types: views))
    }

    // MARK: Segments

    @Sendable static func segments(_ visit: Visit) async throws -> Response {
        let segments = try await visit.read("/v1/segments?limit=500")["segments"]?.array ?? []
        let lines = segments.map { json in
            SegmentLine(
                id: json["id"]?.string ?? "",
                name: json["name"]?.string ?? "",
                address: "/dashboard/segments/\(FormData.escape(json["id"]?.string ?? ""))",
                isArchived: json["archived"]?.bool ?? (json["archived_at"]?.double != nil),
                changed: TimeView(json["updated_at"]?.double ?? 0, for: visit)
            )
        }
        return try visit.page("segments", title: "Segments", in: .segments, SegmentsView(segments: lines))
    }

    struct SegmentView {
        let action: String
        let base: String
        let isNew: Bool
        let id: String
        let name: String
        let description: String
        let audience: AudienceView
        let reach: String?
        let error: String?
        let reshaped: [CampaignDraft.Reshaped]
    }

    @Sendable static func newSegment(_ visit: Visit) async throws -> Response {
        let audience = AudienceForm(of: [:], timeZone: visit.timeZone)
        return try await segmentPage(visit, audience, name: "", description: "")
    }

    @Sendable static func segment(_ visit: Visit) async throws -> Response {
        let segment = try await visit.read("/v1/segments/\(FormData.escape(try visit.parameter("id")))")
        return try await segmentPage(
            visit,
            AudienceForm(of: segment, timeZone: visit.timeZone),
            name: segment["name"]?.string ?? "",
            description: segment["description"]?.string ?? ""
        )
    }

    private static func segmentPage(
        _ visit: Visit,
        _ audience: AudienceForm,
        name: String,
        description: String,
        error: String? = nil
    ) async throws -> Response {
        let id = audience.base["id"]?.string
        let view = SegmentView(
            action: "/dashboard/segments/\(id.map(FormData.escape) ?? "new")",
            base: audience.base.text,
            isNew: id == nil,
            id: id ?? "",
            name: name,
            description: description,
            audience: try await audience.view(visit, reshape: "/dashboard/segments/reshape"),
            reach: audience.reach,
            error: error,
            reshaped: audience.reshaped
        )
        if visit.request.headers[.placardPart] != nil { return try visit.part("segment-fields", view) }
        let title = id == nil ? "New segment" : name
        return try visit.page("segment", title: title, in: .segments, status: error == nil ? .ok : .badRequest, view)
    }

    /// Adds and removes conditions, and counts; nothing is kept.
    @Sendable static func reshapeSegment(_ visit: Visit) async throws -> Response {
        let form = FormTree.json(visit.form)["c"] ?? [:]
        var audience = AudienceForm(form: visit.form, timeZone: visit.timeZone)
        try await audience.apply(visit)
        return try await segmentPage(
            visit,
            audience,
            name: form["name"]?.string ?? "",
            description: form["description"]?.string ?? ""
        )
    }

    @Sendable static func saveSegment(_ visit: Visit) async throws -> Response {
        let form = FormTree.json(visit.form)["c"] ?? [:]
        var audience = AudienceForm(form: visit.form, timeZone: visit.timeZone)
        var body = audience.base.object ?? [:]
        body["name"] = .string(form.text("name") ?? "")
        body["description"] = form.text("description").map(JSONValue.string)
        body["audience"] = audience.audience
        do {
            let id = audience.base["id"]?.string
            let path = "/v1/segments" + (id.map { "/\(FormData.escape($0))" } ?? "")
            let saved = try await visit.change(id == nil ? .post : .put, path, .object(body))
            return .seeOther("/dashboard/segments/\(FormData.escape(saved["id"]?.string ?? ""))?done=saved")
        } catch let refusal as ManagementAPI.Refusal where [400, 409, 422].contains(refusal.status) {
            audience.problems = [FieldProblem(refusal)]
            return try await segmentPage(
                visit,
                audience,
                name: form["name"]?.string ?? "",
                description: form["description"]?.string ?? "",
                error: "\(EditorView.wording(refusal.path)) \(refusal.message)"
            )
        }
    }
}
