import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("The font of a card")
struct CardFontTests {
    private let plain = CardFont(style: .callout, size: 16, weight: .bold)

    @Test("is that of its name, as large as the system's and scaled alike")
    func named() {
        var font = plain
        font.name = "Georgia"
        #expect(font.font.family?.hasPrefix("Georgia") == true && plain.font.family == nil)
        #expect(font.font.pointSize == plain.font.pointSize && font.font.scaling == plain.font.scaling)
        #expect(font != plain)
    }

    @Test("is the system's where there is none of its name", arguments: ["", "No Such Font", "; color: red"])
    func unknown(name: String) {
        let font = CardFont(style: .callout, size: 16, weight: .bold, name: name)
        #expect(font.font == plain.font)
    }
}
