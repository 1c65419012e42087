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
}
