import Testing
import WireJSON

import struct ContentCards.ContentCard

@testable import Dashboard

@Suite("Dashboard: the preview")
struct CardPreviewTests {
    @Test("Every card of a long feed is drawn")
    func longFeed() async {
        let cards = (0..<60).map { number in
            ContentCard(preview: ["title": .string("Card <\(number)>")], rendered: .null, id: "card-\(number)")
        }
        let drawing = await PhonePreview.draw(cards, PhonePreview.Look(), phoneStyle: "")
        for number in 0..<60 { #expect(drawing.html.contains("Card &lt;\(number)&gt;")) }
    }

    @Test("Drawings that are asked for at once each have their own images")
    func isolation() async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let address = "https://images.example.com/\(number).jpg"
                    let template: JSONValue = [
                        "type": "captioned_image", "title": "Card", "description": "Text", "image": .string(address),
                        "image_aspect_ratio": .number(1 + Double(number) / 10),
                    ]
                    let card = ContentCard(preview: template, rendered: .null)
                    let drawing = await PhonePreview.draw([card], PhonePreview.Look(), phoneStyle: "")
                    #expect(drawing.html.contains(address))
                }
            }
        }
    }

    @Test("Why there is no card stands beside the phone's feed, which is empty")
    func note() async {
        let note = PreviewNote(message: "'if' lacks its <endif>.", place: "Title")
        let drawing = await PhonePreview.draw([], note: note, PhonePreview.Look(), phoneStyle: "")
        let plain = await PhonePreview.draw([], PhonePreview.Look(), phoneStyle: "")
        let texts = "<p>No card is shown</p><p>&#39;if&#39; lacks its &lt;endif&gt;.</p><p>Title</p>"
        #expect(drawing.html.contains("</main><div class=\"preview-note\" role=\"note\">\(texts)</div></body>"))
        #expect(drawing.styleHash != plain.styleHash && !plain.html.contains("preview-note"))
        // No cell is drawn, which would look like a card of the app.
        #expect(drawing.html.ranges(of: "No card is shown").count == 1)
    }
}
