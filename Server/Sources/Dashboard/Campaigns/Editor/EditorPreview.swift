import CardModel
import CardServer
import Hummingbird
import OrderedCollections
import WireJSON

import struct ContentCards.ContentCard

/// Shows a card of the draft as a user would see it.
enum EditorPreview {
    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let draft = CampaignDraft(form: context.form, timeZone: context.formTimeZone)
        let variants = draft.campaign.rows(.variants)
        let index = context.form[.previewVariant].flatMap { Int($0) } ?? 0
        guard variants.indices.contains(index), let card = variants[index][.card] else {
            return try await PreviewAnswer.response([], context)
        }
        return try await answer(context, card, of: draft.id.map(CampaignID.init(rawValue:)))
    }

    /// Shows a card of a campaign, or of one that isn't saved yet.
    static func answer(_ context: PageContext, _ card: JSONValue, of campaign: CampaignID?) async throws -> Response {
        do {
            let rendered = try await rendered(context, campaign, card)
            return try await PreviewAnswer.response([ContentCard(preview: card, rendered: rendered)], context)
        } catch let refusal as ServiceError {
            let place = refusal.path.isEmpty ? "" : EditorView.fieldName(refusal.path)
            let note = PreviewNote(message: localized(sentence: refusal.message), place: place)
            return try await PreviewAnswer.response([], note: note, context)
        }
    }

    /// Returns the text that the preview shows for what a card lacks yet, and can't be drawn without.
    private static func placeholder(for field: DraftField) -> String? {
        switch field {
        case .title: localized("Title")
        case .description: localized("Description")
        case .image: "https://placeholder.invalid/"
        default: nil
        }
    }

    /// The card as a user gets it, with its Liquid rendered, and placeholders for what it lacks yet.
    private static func rendered(
        _ context: PageContext,
        _ campaign: CampaignID?,
        _ card: JSONValue
    ) async throws -> JSONValue {
        var members = card.object ?? [:]
        for _ in 0..<3 {
            do {
                return try await renderedAsIs(context, campaign, .object(members))
            } catch let refusal as ServiceError where refusal.code == "field_missing" {
                let field = refusal.path.split(at: ".").last.flatMap { DraftField(rawValue: String($0)) }
                guard let field, let placeholder = placeholder(for: field) else { throw refusal }
                members[field] = .string(placeholder)
            }
        }
        return try await renderedAsIs(context, campaign, .object(members))
    }

    /// The card as a user gets it, with its Liquid rendered; without the image where that is the placeholder.
    private static func renderedAsIs(
        _ context: PageContext,
        _ campaign: CampaignID?,
        _ card: JSONValue
    ) async throws -> JSONValue {
        func typed(_ field: FormField) -> JSONValue { context.form.text(field).map(JSONValue.string) ?? .null }
        let body: JSONValue = [
            "card": card, "user_id": typed(.previewUser), "locale": typed(.previewLanguage),
            "platform": typed(.previewPlatform), "campaign_id": campaign.map { .string($0.rawValue) } ?? .null,
            "trigger_properties": properties(context.form.value(.previewProperties)),
        ]
        do {
            switch try await context.ask({ try await $0.previews.preview(body, by: $1) }) {
            case .failure(let failure): throw ServiceError(notShown: failure.sentence)
            case .success(let card):
                var rendered = card.object ?? [:]
                if rendered[.image]?.string == placeholder(for: .image) { rendered[.image] = nil }
                return .object(rendered)
            }
        } catch let refusal as ServiceError
            where refusal.status == 404 && context.form.text(.previewUser) == nil
        {
            return .null
        }
    }

    /// The object of `name = value` on each line, or `null` for none.
    static func properties(_ text: String) -> JSONValue {
        var properties: JSONObject = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(at: "=", maxSplits: 1).map(\.trimmingSpaces)
            if parts.count == 2, !parts[0].isEmpty { properties[parts[0]] = ValueText.value(parts[1]) ?? .string("") }
        }
        return properties.isEmpty ? .null : .object(properties)
    }
}
