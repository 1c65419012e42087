import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Fonts")
struct FontTests {
    @Test("are made bold, italic or of another kind from their descriptions, and still scale")
    func descriptions() throws {
        let body = UIFont.preferredFont(forTextStyle: .body)
        let bold = try #require(body.fontDescriptor.withSymbolicTraits([.traitBold, .traitItalic]))
        let font = UIFont(descriptor: bold, size: 0)
        #expect(font.weight == .bold && font.isItalic && font.pointSize == 17)
        #expect(bold.symbolicTraits == [.traitBold, .traitItalic] && bold.pointSize == 17)
        #expect(font.scaled(for: .accessibilityExtraLarge).pointSize > 30)
        let fixed = UIFont(descriptor: bold, size: 20)
        #expect(fixed.scaled(for: .accessibilityExtraLarge).pointSize == 20)
        #expect(bold.withSize(12).pointSize == 12)
        let plain = try #require(bold.withSymbolicTraits([]))
        #expect(UIFont(descriptor: plain, size: 0) == body && plain == body.fontDescriptor)
        let title = UIFontDescriptor.preferredFontDescriptor(withTextStyle: .headline)
        #expect(title.symbolicTraits == .traitBold)
        #expect(try #require(title.withSymbolicTraits(.traitBold)).font.weight == .semibold)
        #expect(try #require(title.withDesign(.rounded)).font.family?.hasPrefix("ui-rounded") == true)
        #expect(try #require(title.withDesign(.monospaced)).symbolicTraits == [.traitBold, .traitMonoSpace])
        #expect(title.withDesign(UIFontDescriptor.SystemDesign(rawValue: "unknown")) == nil)
    }

    @Test("have digits that are as wide, where that is asked, in any size")
    func digits() {
        let font = UIFont.monospacedDigitSystemFont(ofSize: 15, weight: .medium)
        #expect(font.css(lineSpacing: nil)["font-variant-numeric"] == "tabular-nums")
        #expect(font.withSize(20).css(lineSpacing: nil)["font-variant-numeric"] == "tabular-nums")
        #expect(UIFontMetrics.default.scaledFont(for: font).hasEvenDigits)
        #expect(font != .systemFont(ofSize: 15, weight: .medium))
        #expect(UIFont.systemFont(ofSize: 15).css(lineSpacing: nil)["font-variant-numeric"] == nil)
    }

    @Test("tell how far letters reach above and below their line")
    func metrics() {
        let font = UIFont.systemFont(ofSize: 17)
        #expect(font.ascender - font.descender == font.lineHeight && font.leading == 0)
        #expect(font.descender < 0 && font.xHeight < font.capHeight && font.capHeight < font.ascender)
    }

    @Test("come in each weight that style sheets know")
    func weights() {
        let weights: [UIFont.Weight] = [
            .ultraLight, .thin, .light, .regular, .medium, .semibold, .bold, .heavy, .black,
        ]
        #expect(weights.map(\.css) == Array(stride(from: 100, through: 900, by: 100)))
    }
}
