import CardModel
import CardServer
import HTTPTypes
import Hummingbird
import OrderedCollections
import WireJSON

import struct ContentCards.ContentCard

/// Making and changing campaigns.
enum EditorPages {
    private static let empty: JSONValue = [
        "variants": [["id": "a", "name": "Card", "weight": 1, "control": false, "card": ["type": "classic"]]]
    ]

    // MARK: Pages

    @Sendable static func new(_ visit: Visit) async throws -> Response {
        var draft = CampaignDraft(campaign: empty, timeZone: visit.timeZone)
        draft = CampaignDraft(emptyWith: draft.fields, timeZone: visit.timeZone)
        return try await page(visit, draft, isDirty: false)
    }

    @Sendable static func edit(_ visit: Visit) async throws -> Response {
        let campaign = try await visit.read(try path(visit))
        return try await page(visit, CampaignDraft(campaign: campaign, timeZone: visit.timeZone), isDirty: false)
    }

    private static func path(_ visit: Visit) throws -> String {
        "/v1/campaigns/\(FormData.escape(try visit.parameter("id")))"
    }

    private static func view(_ visit: Visit, _ draft: CampaignDraft, isDirty: Bool) async throws -> EditorView {
        let types = try await visit.read("/v1/content-types")["types"]?.array ?? []
        return EditorView(draft, contentTypes: types.map(ContentTypeFields.init), isDirty: isDirty)
    }

    private static func page(_ visit: Visit, _ draft: CampaignDraft, isDirty: Bool) async throws -> Response {
        try page(visit, try await view(visit, draft, isDirty: isDirty))
    }

    private static func page(_ visit: Visit, _ view: EditorView, status: HTTPResponse.Status = .ok) throws -> Response {
        let title = view.isNew ? view.heading : "Edit \(view.heading)"
        return try visit.page("editor", title: title, in: .campaigns, status: status, view)
    }

    // MARK: Changing the form

    /// Adds and removes rows: the form comes back with what was typed, and nothing is kept.
    @Sendable static func reshape(_ visit: Visit) async throws -> Response {
        var draft = CampaignDraft(form: visit.form, timeZone: visit.timeZone)
        let parts = (visit.form["do"] ?? "").split(separator: " ", maxSplits: 2).map(String.init)
        draft.reshape(parts)
        if parts.first == "fields" { try await addFields(visit, parts, &draft) }
        var view = try await view(visit, draft, isDirty: true)
        if parts.first == "reach" {
            view.reach = try await CataloguePages.reach(visit, draft.campaign["audience"] ?? .null)
        }
        guard visit.request.headers[.placardPart] != nil else { return try page(visit, view) }
        return try visit.part("editor-fields", view)
    }

    private static func addFields(_ visit: Visit, _ parts: [String], _ draft: inout CampaignDraft) async throws {
        guard parts.count > 1, let index = Int(parts[1]) else { return }
        let types = try await visit.read("/v1/content-types")["types"]?.array ?? []
        let chosen = visit.form["content_type_\(index)"]
        if let type = types.map(ContentTypeFields.init).first(where: { $0.classType == chosen }) {
            draft.addPairs(["class_type"] + type.fields.map(\.name), value: type.classType, toVariant: index)
        }
    }

    // MARK: Saving

    @Sendable static func save(_ visit: Visit) async throws -> Response {
        let draft = CampaignDraft(form: visit.form, timeZone: visit.timeZone)
        do {
            let saved = try await send(visit, draft)
            let id = FormData.escape(saved["id"]?.string ?? "")
            let done = draft.id == nil ? "created" : "saved"
            if visit.form["then"] == "launch" { return .seeOther("/dashboard/campaigns/\(id)/launch") }
            return .seeOther("/dashboard/campaigns/\(id)?done=\(done)")
        } catch let refusal as ManagementAPI.Refusal where refusal.code == "version_conflict" {
            return try await conflict(visit, draft)
        } catch let refusal as ManagementAPI.Refusal where (400..<500).contains(refusal.status) && refusal.status != 404
        {
            var view = try await view(visit, draft, isDirty: true)
            view.show((refusal.path, refusal.message))
            return try page(visit, view, status: .badRequest)
        }
    }

    private static func send(_ visit: Visit, _ draft: CampaignDraft) async throws -> JSONValue {
        guard let id = draft.id else { return try await visit.change(.post, "/v1/campaigns", draft.campaign) }
        return try await visit.change(.put, "/v1/campaigns/\(FormData.escape(id))", draft.campaign)
    }

    /// Somebody else saved meanwhile: shows what they changed beside what was typed, and saves on top of theirs next.
    private static func conflict(_ visit: Visit, _ draft: CampaignDraft) async throws -> Response {
        let current = try await visit.read("/v1/campaigns/\(FormData.escape(draft.id ?? ""))")
        let differences = JSONDifference.list(draft.base, current).filter { !JSONDifference.kept.contains($0.place) }
        let rebased = draft.rebased(on: current)
        let mine = rebased.campaign
        var view = try await view(visit, rebased, isDirty: true)
        view.isConflict = true
        view.differences = differences.map { difference in
            EditorView.Difference(
                place: EditorView.wording(difference.place),
                theirs: difference.after,
                mine: JSONDifference.text(mine, at: difference.place),
                base: difference.before
            )
        }
        return try page(visit, view, status: .conflict)
    }

    // MARK: Preview

    @Sendable static func preview(_ visit: Visit) async throws -> Response {
        let draft = CampaignDraft(form: visit.form, timeZone: visit.timeZone)
        let variants = draft.campaign["variants"]?.array ?? []
        let index = visit.form["preview_variant"].flatMap { Int($0) } ?? 0
        guard variants.indices.contains(index), let card = variants[index]["card"] else {
            return try await PreviewAnswer.response([], visit)
        }
        do {
            let rendered = try await rendered(visit, draft, card)
            return try await PreviewAnswer.response([ContentCard(preview: card, rendered: rendered)], visit)
        } catch let refusal as ManagementAPI.Refusal {
            return try await PreviewAnswer.response([.note(refusal.message, path: refusal.path)], visit)
        }
    }

    /// The card as a user gets it, with its Liquid rendered; `null` while it lacks what a card needs.
    private static func rendered(_ visit: Visit, _ draft: CampaignDraft, _ card: JSONValue) async throws -> JSONValue {
        var body: OrderedDictionary<String, JSONValue> = ["card": card]
        body["user_id"] = visit.form.text("preview_user").map(JSONValue.string)
        body["campaign_id"] = draft.id.map(JSONValue.string)
        do {
            let answer = try await visit.ask("/v1/preview", .object(body))
            guard let message = answer["withheld"]?["message"]?.string else { return answer["card"] ?? .null }
            throw ManagementAPI.Refusal(notShown: message)
        } catch let refusal as ManagementAPI.Refusal
            where refusal.code == "field_missing" || refusal.status == 404 && body["user_id"] == nil
        {
            return .null
        }
    }
}

extension HTTPField.Name {
    /// Says that a script asks for a part of a page.
    static let placardPart = checked("Placard-Part")
}
