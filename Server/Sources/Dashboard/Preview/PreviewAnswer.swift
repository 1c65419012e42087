import Foundation
import HTTPTypes
import Hummingbird
import WireJSON

import struct ContentCards.ContentCard

/// A page that shows cards as an app does, for a frame.
enum PreviewAnswer {
    /// Draws cards, and beside them what no app shows.
    static func response(
        _ cards: [ContentCard],
        note: PreviewNote? = nil,
        _ context: PageContext
    ) async throws -> Response {
        let settings = context.form.fields.isEmpty ? context.query : context.form
        var look = PhonePreview.Look()
        look.isDark = settings[.previewLook] == "dark"
        look.textSize = settings[.previewSize].flatMap { Int($0) }.map { min(11, max(0, $0)) } ?? 3
        if let ratio = settings[.previewRatio].flatMap({ Double($0) }), (0.05...20).contains(ratio) {
            look.imageRatio = (settings.value(.previewImage), ratio)
        }
        let style = context.site.files.address(of: "phone.css")
        let drawing = await PhonePreview.draw(cards, note: note, look, phoneStyle: style)
        var response = Response.html(drawing.html)
        response.headers[.contentSecurityPolicy] = SecurityHeaders.previewPolicy(styleHash: drawing.styleHash)
        return response
    }
}

/// Says why the phone shows no card: of the page, and not of the app.
struct PreviewNote: Sendable {
    /// The style of notes, which the policy of the drawing allows with the rest of its style sheet.
    static let style = """
        .preview-note{position:fixed;inset:auto 12px 12px;z-index:200;padding:10px 14px;border-radius:8px;\
        border:1px dashed currentColor;font:13px/1.4 system-ui,sans-serif;overflow-wrap:anywhere;\
        background:light-dark(#fcefd4,#3a2c10);color:light-dark(#6b4200,#ffd98f)}\
        .preview-note p{margin:0}.preview-note p:first-child{font-weight:600}
        """

    let message: String
    /// The field that is meant, or empty.
    var place = ""

    var html: String {
        let texts = [localized("No card is shown"), message, place].filter { !$0.isEmpty }
        return "<div class=\"preview-note\" role=\"note\">\(texts.map { "<p>\($0.escaped)</p>" }.joined())</div>"
    }
}

extension ContentCard {
    /// A card as a template says, or as it was rendered for a user.
    init(preview template: JSONValue, rendered: JSONValue, id: String = "preview") {
        let card = rendered.object == nil ? template : rendered
        func text(_ field: DraftField) -> String? { card[field]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        let isPinned = card[.pinned]?.bool ?? false
        self.init(
            id: id,
            kind: Kind(previewName: card[.type]?.string ?? "classic"),
            title: card.value(.title),
            description: card.value(.description),
            image: text(.image),
            imageAspectRatio: card[.imageAspectRatio]?.double,
            imageAlt: text(.imageAlt),
            domain: text(.domain),
            urlString: text(.url),
            isPinned: isPinned,
            isDismissible: card[.dismissible]?.bool ?? !isPinned,
            priority: Int(card[.priority]?.integer ?? 0),
            createdAt: Date(timeIntervalSince1970: card[.createdAt]?.double ?? 0),
            isViewed: card[.viewed]?.bool ?? false,
            language: text(.language)
        )
    }
}

extension ContentCard.Kind {
    /// Takes a name of the form; what it doesn't know is drawn as a classic card, which has something of every field.
    fileprivate init(previewName name: String) {
        self.init(wireName: name)
        if case .unknown = self { self = .classic }
    }
}
