import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Labels")
struct LabelTests {
    private let label = UILabel()

    private func page(isRightToLeft: Bool = false, textSize: Int = 3) -> Page {
        var environment = BrowserEnvironment()
        environment.isRightToLeft = isRightToLeft
        environment.textSize = textSize
        return Page(environment) {
            let controller = UIViewController()
            controller.view.addSubview(label)
            return controller
        }
    }

    private func style(on page: Page) -> [String: String] {
        page.screen.drawIfNeeded()
        return page.elements[label.nodeID]?.style ?? [:]
    }

    private func classes(on page: Page) -> [Substring] {
        page.screen.drawIfNeeded()
        return page.elements[label.nodeID]?.attributes["class"]?.split(separator: " ") ?? []
    }

    private func text(_ string: String, _ attributes: [NSAttributedString.Key: Any]) -> NSAttributedString {
        NSAttributedString(string: string, attributes: attributes)
    }

    @Test("begin with one line of 17 points in the colour of labels, cut off at its end")
    func defaults() {
        #expect(label.text == nil && label.attributedText == nil && label.numberOfLines == 1)
        #expect(label.font == .systemFont(ofSize: 17) && label.textColor == .label)
        #expect(label.textAlignment == .natural && label.lineBreakMode == .byTruncatingTail)
        #expect(label.isAccessibilityElement && label.accessibilityTraits == .staticText)
    }

    @Test("have one text, with attributes or without")
    func texts() {
        label.attributedText = text("rich", [.foregroundColor: UIColor.red])
        #expect(label.text == "rich")
        label.text = "plain"
        #expect(label.attributedText?.string == "plain")
        #expect(label.attributedText?.attribute(.foregroundColor, at: 0, effectiveRange: nil) == nil)
        label.text = nil
        #expect(label.attributedText == nil)
        let page = page()
        #expect(page.elements[label.nodeID]?.text == "")
    }

    @Test("set their lines to a side, which is that of the language by itself")
    func alignment() {
        label.text = "text"
        let page = page()
        let expected: [(NSTextAlignment, String)] = [
            (.left, "left"), (.center, "center"), (.right, "right"), (.justified, "justify"), (.natural, "left"),
        ]
        for (alignment, side) in expected {
            label.textAlignment = alignment
            #expect(style(on: page)["text-align"] == side)
        }
    }

    @Test("set their lines to the right by themselves where the language begins there")
    func rightToLeft() {
        label.text = "text"
        let page = page(isRightToLeft: true)
        #expect(style(on: page)["text-align"] == "right")
        label.textAlignment = .left
        #expect(style(on: page)["text-align"] == "left")
    }

    @Test("have one line, some or all of them, which break as they say")
    func lines() {
        label.text = "text"
        let page = page()
        #expect(classes(on: page).contains("one-line"))
        label.numberOfLines = 3
        #expect(classes(on: page).contains("clamped") && style(on: page)["-webkit-line-clamp"] == "3")
        label.numberOfLines = 0
        #expect(!classes(on: page).contains("clamped") && style(on: page)["-webkit-line-clamp"] == nil)
        #expect(style(on: page)["word-break"] == nil)
        label.lineBreakMode = .byCharWrapping
        #expect(style(on: page)["word-break"] == "break-all")
    }

    @Test("have the lines of a paragraph style where their text has one, and their own alignment where that has none")
    func paragraphs() {
        let paragraph = NSMutableParagraphStyle()
        paragraph.lineSpacing = 5
        paragraph.alignment = .right
        paragraph.lineBreakMode = .byCharWrapping
        label.font = .systemFont(ofSize: 20)
        label.textAlignment = .center
        label.attributedText = text("text", [.paragraphStyle: paragraph])
        let page = page()
        let height = UIFont.systemFont(ofSize: 20).lineHeight
        #expect(style(on: page)["line-height"] == CSS.points(height + 5))
        #expect(style(on: page)["text-align"] == "right" && style(on: page)["word-break"] == "break-all")
        label.attributedText = text("text", [.paragraphStyle: NSParagraphStyle()])
        #expect(style(on: page)["text-align"] == "center" && style(on: page)["line-height"] == CSS.points(height))
    }

    @Test("draw parts of a text in fonts and colours of their own, and the others in the label's")
    func parts() throws {
        let whole = NSMutableAttributedString(string: "plain ")
        whole.append(text("bold ", [.font: UIFont.boldSystemFont(ofSize: 12)]))
        whole.append(text("red", [.foregroundColor: UIColor.red, .underlineStyle: NSUnderlineStyle.single.rawValue]))
        label.attributedText = whole
        let page = page()
        func run(_ index: Int) -> Page.Element? { page.elements["\(label.nodeID).run\(index)"] }
        #expect((0..<3).map { run($0)?.text } == ["plain ", "bold ", "red"] && run(3) == nil)
        #expect(run(0)?.style.isEmpty == true)
        #expect(run(1)?.style["font-size"] == "12px" && run(1)?.style["font-weight"] == "700")
        #expect(run(2)?.style["color"] == UIColor.red.css && run(2)?.style["text-decoration"] == "underline")
        label.text = "all plain"
        page.screen.drawIfNeeded()
        #expect(run(0) == nil && page.elements[label.nodeID]?.text == "all plain")
    }

    @Test("follow the user's text size where they say so, also in parts of a text, and fixed fonts never do")
    func textSize() {
        let whole = NSMutableAttributedString(string: "body ")
        whole.append(text("title", [.font: UIFont.preferredFont(forTextStyle: .title1)]))
        whole.append(text("fixed", [.font: UIFont.systemFont(ofSize: 9)]))
        label.attributedText = whole
        let page = page(textSize: 6)
        func sizes() -> [String?] {
            let whole = style(on: page)["font-size"]
            return [whole] + (1...2).map { page.elements["\(label.nodeID).run\($0)"]?.style["font-size"] }
        }
        label.font = .preferredFont(forTextStyle: .body, compatibleWith: nil)
        label.adjustsFontForContentSizeCategory = true
        #expect(sizes() == ["23px", "34px", "9px"])
        label.font = .systemFont(ofSize: 10)
        #expect(sizes()[0] == "10px")
    }
}

@MainActor
@Suite("Text styles")
struct TextStyleTests {
    private static let styles: [UIFont.TextStyle] = [
        .largeTitle, .title1, .title2, .title3, .headline, .subheadline, .body, .callout, .footnote, .caption1,
        .caption2,
    ]

    private func sizes(_ category: UIContentSizeCategory) -> [CGFloat] {
        let traits = UITraitCollection(preferredContentSizeCategory: category)
        return Self.styles.map { UIFont.preferredFont(forTextStyle: $0, compatibleWith: traits).pointSize }
    }

    @Test("have the sizes of the guidelines, and grow with the user's choice")
    func growth() {
        #expect(sizes(.large) == [34, 28, 22, 20, 17, 15, 17, 16, 13, 12, 11])
        #expect(sizes(.extraSmall) == [31, 25, 19, 17, 14, 12, 14, 13, 12, 11, 11])
        #expect(sizes(.extraExtraExtraLarge) == [40, 34, 28, 26, 23, 21, 23, 22, 19, 18, 17])
        for style in Self.styles {
            let all = UIContentSizeCategory.ordered.map { style.size(for: $0) }
            #expect(all == all.sorted() && all.count == 12)
        }
        #expect(UIFont.preferredFont(forTextStyle: .body, compatibleWith: nil).pointSize == 17)
    }

    @Test("are regular, but for headlines")
    func weights() {
        let fonts = Self.styles.map { UIFont.preferredFont(forTextStyle: $0) }
        #expect(zip(Self.styles, fonts).filter { $1.weight == .semibold }.map { $0.0 } == [.headline])
        #expect(fonts.filter { $0.weight == .regular }.count == 10)
    }

    @Test("unknown to the system have the sizes of running text")
    func unknown() {
        let style = UIFont.TextStyle(rawValue: "own")
        #expect(style.sizes == UIFont.TextStyle.body.sizes)
    }

    @Test("scale fonts of an app's own from their size at the usual text size, up to the largest that is wanted")
    func metrics() {
        let own = UIFont.systemFont(ofSize: 20, weight: .bold)
        let scaled = UIFontMetrics(forTextStyle: .body).scaledFont(for: own, maximumPointSize: 30)
        #expect(scaled.scaled(for: .large).pointSize == 20 && scaled.weight == .bold)
        #expect(scaled.scaled(for: .extraExtraLarge).pointSize == 24.5)
        #expect(scaled.scaled(for: .accessibilityExtraExtraExtraLarge).pointSize == 30)
        #expect(scaled.withSize(20).scaled(for: .accessibilityExtraExtraExtraLarge).pointSize == 20)
        let small = UITraitCollection(preferredContentSizeCategory: .extraSmall)
        #expect(UIFontMetrics.default.scaledFont(for: own, compatibleWith: small).pointSize == 16.5)
        #expect(UIFontMetrics.default.scaledFont(for: own, compatibleWith: nil).weight == .bold)
    }

    @Test("Paragraph styles are equal where they set lines alike")
    func paragraphs() {
        let (plain, changed) = (NSParagraphStyle(), NSMutableParagraphStyle())
        #expect(plain == changed && plain.alignment == .natural && plain.lineBreakMode == .byWordWrapping)
        changed.lineSpacing = 4
        #expect(plain != changed)
        changed.lineSpacing = 0
        changed.lineBreakMode = .byClipping
        #expect(plain != changed)
        changed.lineBreakMode = .byWordWrapping
        #expect(plain == changed && Set([plain, changed]).count == 1)
    }

    @Test("Traits with another appearance or contrast draw colours differently, and those with another text size don't")
    func traits() {
        let light = UITraitCollection(userInterfaceStyle: .light)
        #expect(light.hasDifferentColorAppearance(comparedTo: UITraitCollection(userInterfaceStyle: .dark)))
        #expect(light.hasDifferentColorAppearance(comparedTo: UITraitCollection(accessibilityContrast: .high)))
        #expect(light.hasDifferentColorAppearance(comparedTo: nil))
        let large = UITraitCollection(preferredContentSizeCategory: .accessibilityLarge)
        #expect(!light.hasDifferentColorAppearance(comparedTo: large) && light != large)
    }
}
