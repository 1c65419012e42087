import CardModel
import CardServer
import Hummingbird
import OrderedCollections
import WireJSON

import struct ContentCards.ContentCard

/// Shows a card of the draft as a user would see it.
enum EditorPreview {
    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let draft = CampaignDraft(form: visit.form, timeZone: visit.timeZone)
        let variants = draft.campaign["variants"]?.array ?? []
        let index = visit.form["preview_variant"].flatMap { Int($0) } ?? 0
        guard variants.indices.contains(index), let card = variants[index]["card"] else {
            return try await PreviewAnswer.response([], visit)
        }
        return try await answer(visit, card, of: draft.id.map(CampaignID.init(rawValue:)))
    }

    /// Shows a card of a campaign, or of one that isn't saved yet.
    static func answer(_ visit: Visit, _ card: JSONValue, of campaign: CampaignID?) async throws -> Response {
        do {
            let rendered = try await rendered(visit, campaign, card)
            return try await PreviewAnswer.response([ContentCard(preview: card, rendered: rendered)], visit)
        } catch let refusal as ManagementAPI.Refusal {
            let place = refusal.path.isEmpty ? "" : EditorView.wording(refusal.path)
            return try await PreviewAnswer.response([.note(refusal.message, path: place)], visit)
        }
    }

    /// What the preview shows for what a card lacks yet, and can't be drawn without.
    private static let placeholders: [String: String] = [
        "title": "Title", "description": "Description", "image": "https://placeholder.invalid/",
    ]

    /// The card as a user gets it, with its Liquid rendered, and placeholders for what it lacks yet.
    private static func rendered(
        _ visit: Visit,
        _ campaign: CampaignID?,
        _ card: JSONValue
    ) async throws -> JSONValue {
        var members = card.object ?? [:]
        for _ in placeholders {
            do {
                return try await renderedAsIs(visit, campaign, .object(members))
            } catch let refusal as ManagementAPI.Refusal where refusal.code == "field_missing" {
                let name = String(refusal.path.split(separator: ".").last ?? "")
                guard let placeholder = placeholders[name] else { throw refusal }
                members[name] = .string(placeholder)
            }
        }
        return try await renderedAsIs(visit, campaign, .object(members))
    }

    /// The card as a user gets it, with its Liquid rendered; without the image where that is the placeholder.
    private static func renderedAsIs(
        _ visit: Visit,
        _ campaign: CampaignID?,
        _ card: JSONValue
    ) async throws -> JSONValue {
        var body: JSONObject = ["card": card]
        body["user_id"] = visit.form.text("preview_user").map(JSONValue.string)
        body["campaign_id"] = campaign.map { .string($0.rawValue) }
        body["locale"] = visit.form.text("preview_language").map(JSONValue.string)
        body["platform"] = visit.form.text("preview_platform").map(JSONValue.string)
        let properties = properties(visit.form["preview_properties"] ?? "")
        if !properties.isEmpty { body["trigger_properties"] = .object(properties) }
        do {
            let answer = try await visit.ask("/v1/preview", .object(body))
            guard let message = answer["withheld"]?["message"]?.string else {
                guard var rendered = answer["card"]?.object else { return .null }
                if rendered["image"]?.string == placeholders["image"] { rendered["image"] = nil }
                return .object(rendered)
            }
            throw ManagementAPI.Refusal(notShown: message)
        } catch let refusal as ManagementAPI.Refusal
            where refusal.status == 404 && body["user_id"] == nil
        {
            return .null
        }
    }

    /// `name = value` on each line.
    private static func properties(_ text: String) -> JSONObject {
        var properties: JSONObject = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map(\.trimmingSpaces)
            if parts.count == 2, !parts[0].isEmpty { properties[parts[0]] = ValueText.value(parts[1]) ?? "" }
        }
        return properties
    }
}
