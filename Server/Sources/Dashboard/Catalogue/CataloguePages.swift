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
        var reach: String?
        var error: String?
    }

    @Sendable static func newSegment(_ visit: Visit) async throws -> Response {
        try segmentPage(visit, [:], name: "", description: "", audience: ["kind": "all"])
    }

    @Sendable static func segment(_ visit: Visit) async throws -> Response {
        let segment = try await visit.read("/v1/segments/\(FormData.escape(try visit.parameter("id")))")
        return try segmentPage(
            visit,
            segment,
            name: segment["name"]?.string ?? "",
            description: segment["description"]?.string ?? "",
            audience: AudienceFields.fields(of: segment["audience"] ?? .null)
        )
    }

    private static func segmentPage(
        _ visit: Visit,
        _ base: JSONValue,
        name: String,
        description: String,
        audience: JSONValue,
        reach: String? = nil,
        error: String? = nil
    ) throws -> Response {
        let id = base["id"]?.string
        let view = SegmentView(
            action: "/dashboard/segments/\(id.map(FormData.escape) ?? "new")",
            base: base.text,
            isNew: id == nil,
            id: id ?? "",
            name: name,
            description: description,
            audience: AudienceView(audience, reshape: "/dashboard/segments/reshape"),
            reach: reach,
            error: error
        )
        if visit.request.headers[.placardPart] != nil { return try visit.part("segment-fields", view) }
        let title = id == nil ? "New segment" : name
        return try visit.page("segment", title: title, in: .segments, status: error == nil ? .ok : .badRequest, view)
    }

    /// Adds and removes conditions, and counts; nothing is kept.
    @Sendable static func reshapeSegment(_ visit: Visit) async throws -> Response {
        let form = FormTree.json(visit.form)["c"] ?? [:]
        var audience = form["audience"] ?? ["kind": "all"]
        let order = (visit.form["do"] ?? "").split(separator: " ", maxSplits: 2).map(String.init)
        var reach: String?
        switch order.first {
        case "condition" where order.count == 3: audience = AudienceFields.adding(order[1], to: order[2], in: audience)
        case "uncondition" where order.count >= 2: audience = AudienceFields.removing(order[1], in: audience)
        case "reach": reach = try await Self.reach(visit, AudienceFields.audience(of: audience))
        default: break
        }
        let base = visit.form["base"].flatMap { try? JSONValue(parsing: $0) } ?? [:]
        return try segmentPage(
            visit,
            base,
            name: form["name"]?.string ?? "",
            description: form["description"]?.string ?? "",
            audience: audience,
            reach: reach
        )
    }

    static func reach(_ visit: Visit, _ audience: JSONValue) async throws -> String {
        do {
            let reach = try await visit.ask("/v1/audience/reach", ["audience": audience])
            let (users, total) = (reach["users"]?.integer ?? 0, reach["total"]?.integer ?? 0)
            let margin = reach["exact"]?.bool == false ? " ± \(Wording.count(reach["margin"]?.integer ?? 0))" : ""
            return
                "\(Wording.count(users))\(margin) of \(Wording.count(total)) users, \(Wording.rate(users, of: total))"
        } catch let refusal as ManagementAPI.Refusal {
            return "\(EditorView.wording(refusal.path)): \(refusal.message)"
        }
    }

    @Sendable static func saveSegment(_ visit: Visit) async throws -> Response {
        let form = FormTree.json(visit.form)["c"] ?? [:]
        let base = visit.form["base"].flatMap { try? JSONValue(parsing: $0) } ?? [:]
        var body = base.object ?? [:]
        body["name"] = .string(form.text("name") ?? "")
        body["description"] = form.text("description").map(JSONValue.string)
        body["audience"] = AudienceFields.audience(of: form["audience"] ?? [:])
        do {
            let id = base["id"]?.string
            let path = "/v1/segments" + (id.map { "/\(FormData.escape($0))" } ?? "")
            let saved = try await visit.change(id == nil ? .post : .put, path, .object(body))
            return .seeOther("/dashboard/segments/\(FormData.escape(saved["id"]?.string ?? ""))?done=saved")
        } catch let refusal as ManagementAPI.Refusal where [400, 409, 422].contains(refusal.status) {
            return try segmentPage(
                visit,
                base,
                name: form["name"]?.string ?? "",
                description: form["description"]?.string ?? "",
                audience: form["audience"] ?? ["kind": "all"],
                error: "\(EditorView.wording(refusal.path)) \(refusal.message)"
            )
        }
    }
}
