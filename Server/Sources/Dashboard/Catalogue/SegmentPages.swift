import CardModel
import CardServer
import Hummingbird
import WireJSON

/// Saved audiences.
enum SegmentPages {
    struct Line {
        let id: String
        let name: String
        let description: String?
        let summary: String
        let address: String
        let isArchived: Bool
        let changed: TimeView
    }

    struct ListView {
        let segments: [Line]
    }

    @Sendable static func list(_ visit: Visit) async throws -> Response {
        let segments = try await visit.read("/v1/segments?limit=500&include_archived=true")["segments"]?.array ?? []
        let lines = segments.map { json in
            Line(
                id: json["id"]?.string ?? "",
                name: json["name"]?.string ?? "",
                description: json["description"]?.string.flatMap { $0.isEmpty ? nil : $0 },
                summary: json["summary"]?.string ?? "",
                address: "/dashboard/segments/\(FormData.escape(json["id"]?.string ?? ""))",
                isArchived: json["archived"]?.bool ?? false,
                changed: TimeView(json["updated_at"]?.double ?? 0, for: visit)
            )
        }
        let sorted = lines.filter { !$0.isArchived } + lines.filter(\.isArchived)
        return try visit.page("segments", title: "Segments", in: .segments, ListView(segments: sorted))
    }

    struct View {
        let action: String
        let base: String
        let isNew: Bool
        let isArchived: Bool
        let canChange: Bool
        let id: String
        let name: String
        let description: String
        let audience: AudienceView
        let reach: String?
        let error: String?
        let reshaped: [CampaignDraft.Reshaped]
    }

    @Sendable static func new(_ visit: Visit) async throws -> Response {
        let audience = AudienceForm(of: [:], timeZone: visit.timeZone)
        return try await page(visit, audience, name: "", description: "")
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let segment = try await visit.read("/v1/segments/\(FormData.escape(try visit.parameter("id")))")
        return try await page(
            visit,
            AudienceForm(of: segment, timeZone: visit.timeZone),
            name: segment["name"]?.string ?? "",
            description: segment["description"]?.string ?? ""
        )
    }

    private static func page(
        _ visit: Visit,
        _ audience: AudienceForm,
        name: String,
        description: String,
        error: String? = nil
    ) async throws -> Response {
        let id = audience.base["id"]?.string
        let view = View(
            action: "/dashboard/segments/\(id.map(FormData.escape) ?? "new")",
            base: audience.base.text,
            isNew: id == nil,
            isArchived: audience.base["archived"]?.bool ?? false,
            canChange: visit.may(.editor) && audience.base["archived"]?.bool != true,
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
    @Sendable static func reshape(_ visit: Visit) async throws -> Response {
        let form = FormTree.json(visit.form)["c"] ?? [:]
        var audience = AudienceForm(form: visit.form, timeZone: visit.timeZone)
        try await audience.apply(visit)
        return try await page(
            visit,
            audience,
            name: form["name"]?.string ?? "",
            description: form["description"]?.string ?? ""
        )
    }

    @Sendable static func archive(_ visit: Visit) async throws -> Response {
        try await change(visit, to: "archive", "archived")
    }

    @Sendable static func restore(_ visit: Visit) async throws -> Response {
        try await change(visit, to: "restore", "restored")
    }

    private static func change(_ visit: Visit, to step: String, _ done: String) async throws -> Response {
        let id = FormData.escape(try visit.parameter("id"))
        _ = try await visit.change(.post, "/v1/segments/\(id)/\(step)")
        return .seeOther("/dashboard/segments/\(id)?done=\(done)")
    }

    @Sendable static func save(_ visit: Visit) async throws -> Response {
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
            return try await page(
                visit,
                audience,
                name: form["name"]?.string ?? "",
                description: form["description"]?.string ?? "",
                error: "\(EditorView.wording(refusal.path)) \(refusal.message)"
            )
        }
    }
}
