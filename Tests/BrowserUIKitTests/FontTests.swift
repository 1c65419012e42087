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
        #expect(font.weight == .bold && font.isItalic && font.pointSize == body.pointSize)
        #expect(bold.symbolicTraits == [.traitBold, .traitItalic] && bold.pointSize == body.pointSize)
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

    @Test("and lengths are scaled for traits that are given, and text sizes have an order")
    func givenTraits() {
        let traits = UITraitCollection(preferredContentSizeCategory: .accessibilityLarge)
        let font = UIFont.systemFont(ofSize: 17)
        #expect(UIFontMetrics.default.scaledFont(for: font, compatibleWith: traits).pointSize > 30)
        #expect(
            UIFontMetrics.default.scaledFont(for: font, maximumPointSize: 24, compatibleWith: traits).pointSize == 24
        )
        #expect(UIFontMetrics.default.scaledValue(for: 34, compatibleWith: traits) > 34)
        #expect(UIContentSizeCategory.medium < .large && UIContentSizeCategory.accessibilityMedium >= .extraLarge)
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

    @Test("Parts of a text have room between letters and a colour behind them, and lines an end")
    func runs() throws {
        let (label, controller) = (UILabel(), UIViewController())
        let text = NSMutableAttributedString(string: "plain")
        let look: [NSAttributedString.Key: Any] = [.kern: 1.5, .backgroundColor: UIColor.yellow]
        text.append(NSAttributedString(string: "wide", attributes: look))
        label.attributedText = text
        label.numberOfLines = 0
        label.preferredMaxLayoutWidth = 120
        controller.view.addSubview(label)
        let page = Page { controller }
        let wide = try #require(page.elements.values.first { $0.text == "wide" })
        #expect(wide.style["letter-spacing"] == "1.5px" && wide.style["background-color"] == UIColor.yellow.css)
        #expect(page.elements[label.nodeID]?.style["max-width"] == "120px")
        label.numberOfLines = 1
        page.screen.drawIfNeeded()
        #expect(page.elements[label.nodeID]?.style["max-width"] == nil)
    }

    @Test("Another text size is told to whoever listens, once")
    func textSize() {
        let page = Page { UIViewController() }
        var names: [String?] = []
        let observer = NotificationCenter.default.addObserver(
            forName: UIContentSizeCategory.didChangeNotification,
            object: nil,
            queue: nil
        ) { notification in
            let name = notification.userInfo?[UIContentSizeCategory.newValueUserInfoKey] as? String
            MainActor.assumeIsolated { names.append(name) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        var environment = BrowserEnvironment()
        environment.textSize = 6
        page.screen.change(to: environment)
        environment.isDark = true
        page.screen.change(to: environment)
        #expect(names == [environment.traits.preferredContentSizeCategory.rawValue])
    }

    @Test("Traits are the current ones while a closure runs")
    func traits() {
        let before = UITraitCollection.current.userInterfaceStyle
        for style in [UIUserInterfaceStyle.light, .dark] {
            var inside = UIUserInterfaceStyle.unspecified
            UITraitCollection(userInterfaceStyle: style).performAsCurrent {
                inside = UITraitCollection.current.userInterfaceStyle
            }
            #expect(inside == style && UITraitCollection.current.userInterfaceStyle == before)
        }
    }
}
