import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("The surroundings of views")
struct SurroundingsTests {
    private let controller = UIViewController()

    private func page(_ change: (inout BrowserEnvironment) -> Void = { _ in }) -> Page {
        var environment = BrowserEnvironment()
        change(&environment)
        return Page(environment) { controller }
    }

    private func add(_ view: UIView) {
        view.translatesAutoresizingMaskIntoConstraints = false
        controller.view.addSubview(view)
    }

    @Test("are dark where the user wants that, unless a view or a controller overrides it for what is in it")
    func appearance() {
        let (outer, inner) = (UIView(), UIView())
        outer.addSubview(inner)
        add(outer)
        let page = page { $0.isDark = true }
        #expect(inner.traitCollection.userInterfaceStyle == .dark)
        outer.overrideUserInterfaceStyle = .light
        page.screen.drawIfNeeded()
        #expect(inner.traitCollection.userInterfaceStyle == .light)
        #expect(controller.traitCollection.userInterfaceStyle == .dark)
        #expect(page.elements[outer.nodeID]?.style["color-scheme"] == "light")
        inner.overrideUserInterfaceStyle = .dark
        page.screen.drawIfNeeded()
        #expect(inner.traitCollection.userInterfaceStyle == .dark)
        inner.overrideUserInterfaceStyle = .unspecified
        outer.overrideUserInterfaceStyle = .unspecified
        controller.overrideUserInterfaceStyle = .light
        page.screen.drawIfNeeded()
        #expect(inner.traitCollection.userInterfaceStyle == .light)
        #expect(controller.traitCollection.userInterfaceStyle == .light)
    }

    @Test("run from right to left where the language does, unless a view is forced into a direction")
    func direction() {
        let (label, forced, player) = (UILabel(), UILabel(), UIView())
        for view in [label, forced, player] { add(view) }
        (label.text, forced.text) = ("Text", "Code")
        forced.semanticContentAttribute = .forceLeftToRight
        player.semanticContentAttribute = .playback
        let page = page { $0.isRightToLeft = true }
        #expect(label.effectiveUserInterfaceLayoutDirection == .rightToLeft)
        #expect(page.elements[label.nodeID]?.style["text-align"] == "right")
        #expect(page.elements[label.nodeID]?.attributes["dir"] == nil)
        #expect(forced.effectiveUserInterfaceLayoutDirection == .leftToRight)
        #expect(page.elements[forced.nodeID]?.style["text-align"] == "left")
        #expect(page.elements[forced.nodeID]?.attributes["dir"] == "ltr")
        #expect(player.effectiveUserInterfaceLayoutDirection == .leftToRight)
        page.screen.change(to: BrowserEnvironment())
        page.screen.drawIfNeeded()
        #expect(label.effectiveUserInterfaceLayoutDirection == .leftToRight)
        #expect(page.elements[label.nodeID]?.style["text-align"] == "left")
    }

    @Test("are others for a view and what is in it in the parts that it overrides, until it leaves them again")
    func overriddenByView() {
        let (outer, inner, label) = (UIView(), UIView(), UILabel())
        label.text = "Text"
        label.font = .preferredFont(forTextStyle: .body)
        label.adjustsFontForContentSizeCategory = true
        inner.addSubview(label)
        outer.addSubview(inner)
        add(outer)
        let page = page()
        var told: [UIContentSizeCategory] = []
        inner.registerForTraitChanges([UITraitPreferredContentSizeCategory.self]) {
            (_: UIView, previous: UITraitCollection) in
            told.append(previous.preferredContentSizeCategory)
        }
        let size = page.elements[label.nodeID]?.style["font-size"]
        outer.traitOverrides.preferredContentSizeCategory = .accessibilityLarge
        outer.traitOverrides.layoutDirection = .rightToLeft
        page.screen.drawIfNeeded()
        #expect(label.traitCollection.preferredContentSizeCategory == .accessibilityLarge && told == [.large])
        #expect(page.elements[label.nodeID]?.style["font-size"] != size)
        #expect(page.elements[label.nodeID]?.style["text-align"] == "right")
        #expect(page.elements[outer.nodeID]?.attributes["dir"] == "rtl")
        #expect(controller.traitCollection.layoutDirection == .leftToRight)
        #expect(outer.traitOverrides.contains(UITraitLayoutDirection.self))
        #expect(!outer.traitOverrides.contains(UITraitDisplayScale.self))
        for trait in [UITraitLayoutDirection.self, UITraitPreferredContentSizeCategory.self] as [UITrait] {
            outer.traitOverrides.remove(trait)
            #expect(!outer.traitOverrides.contains(trait))
        }
        page.screen.drawIfNeeded()
        #expect(page.elements[label.nodeID]?.style["font-size"] == size && told == [.large, .accessibilityLarge])
        #expect(page.elements[outer.nodeID]?.attributes["dir"] == nil)
    }

    @Test("are others for a controller in the parts that it overrides, but where a view in it says otherwise")
    func overriddenByController() {
        let (outer, inner) = (UIView(), UIView())
        outer.addSubview(inner)
        add(outer)
        let page = page()
        controller.traitOverrides.userInterfaceStyle = .dark
        controller.traitOverrides.horizontalSizeClass = .regular
        controller.traitOverrides.verticalSizeClass = .unspecified
        inner.traitOverrides.userInterfaceStyle = .light
        page.screen.drawIfNeeded()
        #expect(controller.traitCollection.userInterfaceStyle == .dark)
        #expect(outer.traitCollection.userInterfaceStyle == .dark)
        #expect(inner.traitCollection.userInterfaceStyle == .light)
        #expect(inner.traitCollection.horizontalSizeClass == .regular)
        #expect(inner.traitCollection.verticalSizeClass == .regular)
        #expect(page.elements[controller.view.nodeID]?.style["color-scheme"] == "dark")
        #expect(page.elements[inner.nodeID]?.style["color-scheme"] == "light")
        inner.overrideUserInterfaceStyle = .dark
        page.screen.drawIfNeeded()
        #expect(inner.traitCollection.userInterfaceStyle == .dark)
    }

    @Test("keep text at the side that the app has set, whatever the direction")
    func alignment() {
        let label = UILabel()
        label.text = "Text"
        add(label)
        let page = page { $0.isRightToLeft = true }
        let sides: [(alignment: NSTextAlignment, css: String)] = [
            (.left, "left"), (.center, "center"), (.right, "right"), (.justified, "justify"), (.natural, "right"),
        ]
        for (alignment, css) in sides {
            label.textAlignment = alignment
            page.screen.drawIfNeeded()
            #expect(page.elements[label.nodeID]?.style["text-align"] == css)
        }
    }

    @Test("have the room of the device, as classes of sizes and as a kind of device")
    func sizes() {
        let sizes: [(width: CGFloat, height: CGFloat, isWide: Bool, isHigh: Bool)] = [
            (390, 844, false, true), (844, 390, true, false), (834, 1_112, true, true), (320, 480, false, false),
        ]
        for (width, height, isWide, isHigh) in sizes {
            var environment = BrowserEnvironment()
            (environment.width, environment.height) = (width, height)
            let traits = environment.traits
            #expect(traits.horizontalSizeClass == (isWide ? .regular : .compact))
            #expect(traits.verticalSizeClass == (isHigh ? .regular : .compact))
            #expect(traits.userInterfaceIdiom == (isWide && isHigh ? .pad : .phone))
        }
    }

    @Test("stay within what devices have, whatever a page reports")
    func bounds() {
        var environment = BrowserEnvironment()
        environment.textSize = -3
        environment.scale = 0
        #expect(environment.traits.preferredContentSizeCategory == .extraSmall)
        #expect(environment.traits.displayScale == 1)
        environment.textSize = 99
        environment.scale = 100
        #expect(environment.traits.preferredContentSizeCategory == .accessibilityExtraExtraExtraLarge)
        #expect(environment.traits.displayScale == 4)
    }

    @Test("have text as large as the user wants, where a label follows that")
    func textSize() {
        let (following, fixed) = (UILabel(), UILabel())
        for label in [following, fixed] {
            label.font = .preferredFont(forTextStyle: .body, compatibleWith: UITraitCollection())
            label.text = "Text"
            add(label)
        }
        following.adjustsFontForContentSizeCategory = true
        let page = page()
        var environment = BrowserEnvironment()
        for (size, css) in [(3, "17px"), (0, "14px"), (6, "23px"), (11, "53px")] {
            environment.textSize = size
            page.screen.change(to: environment)
            page.screen.drawIfNeeded()
            #expect(page.elements[following.nodeID]?.style["font-size"] == css)
            #expect(page.elements[fixed.nodeID]?.style["font-size"] == "17px")
        }
    }

    @Test("name the text size by one category for each, of which five are for accessibility")
    func categories() {
        let categories = UIContentSizeCategory.ordered
        #expect(categories.count == 12 && Set(categories).count == 12)
        #expect(categories.filter { $0.isAccessibilityCategory }.count == 5)
        #expect(categories.suffix(5).allSatisfy { $0.isAccessibilityCategory })
        #expect(!UIContentSizeCategory.unspecified.isAccessibilityCategory)
    }

    @Test("make the text of each style larger with each category, and never smaller")
    func styles() {
        let styles: [UIFont.TextStyle] = [
            .largeTitle, .title1, .title2, .title3, .headline, .subheadline, .body, .callout, .footnote, .caption1,
            .caption2,
        ]
        for style in styles {
            let sizes = UIContentSizeCategory.ordered.map { style.size(for: $0) }
            #expect(sizes == sizes.sorted() && sizes.first != sizes.last, "\(style.rawValue)")
        }
        let usual = styles.map { $0.size(for: .large) }
        #expect(usual == [34, 28, 22, 20, 17, 15, 17, 16, 13, 12, 11])
        #expect(UIFont.TextStyle(rawValue: "unknown").size(for: .large) == 17)
    }

    @Test("scale fonts and lengths of the app's own, up to the size that it allows")
    func metrics() {
        let large = UITraitCollection(preferredContentSizeCategory: .extraExtraExtraLarge)
        large.performAsCurrent {
            #expect(UIFontMetrics.default.scaledValue(for: 17) == 23)
            #expect(UIFontMetrics.default.scaledValue(for: 10) == 13.5)
            let font = UIFont.systemFont(ofSize: 10)
            #expect(UIFontMetrics.default.scaledFont(for: font).pointSize == 13.5)
            #expect(UIFontMetrics.default.scaledFont(for: font, maximumPointSize: 12).pointSize == 12)
            #expect(UIFontMetrics(forTextStyle: .caption2).scaledValue(for: 11) == 17)
        }
        UITraitCollection().performAsCurrent {
            #expect(UIFontMetrics.default.scaledValue(for: 10) == 10)
        }
    }

    @Test("count for a closure alone that runs under others")
    func current() {
        let before = UITraitCollection.current
        var style = UIUserInterfaceStyle.unspecified
        UITraitCollection(userInterfaceStyle: .dark).performAsCurrent {
            style = UITraitCollection.current.userInterfaceStyle
        }
        #expect(style == .dark && UITraitCollection.current == before)
    }

    @Test("let colours look different by appearance and contrast, and by nothing else")
    func differences() {
        let light = UITraitCollection(userInterfaceStyle: .light)
        #expect(light.hasDifferentColorAppearance(comparedTo: UITraitCollection(userInterfaceStyle: .dark)))
        #expect(light.hasDifferentColorAppearance(comparedTo: UITraitCollection(accessibilityContrast: .high)))
        #expect(light.hasDifferentColorAppearance(comparedTo: nil))
        let large = UITraitCollection(preferredContentSizeCategory: .extraLarge)
        #expect(!light.hasDifferentColorAppearance(comparedTo: large))
    }

    @Test("differ in the parts that were named, and in no others")
    func parts() {
        var other = UITraitCollection()
        other.layoutDirection = .rightToLeft
        let traits = UITraitCollection()
        #expect(traits.differs(from: other, in: UITraitLayoutDirection.self))
        #expect(!traits.differs(from: other, in: UITraitUserInterfaceStyle.self))
        other.displayScale = 3
        #expect(traits.differs(from: other, in: UITraitDisplayScale.self))
        other.horizontalSizeClass = .regular
        #expect(traits.differs(from: other, in: UITraitHorizontalSizeClass.self))
        #expect(!traits.differs(from: other, in: UITraitVerticalSizeClass.self))
    }

    @Test("tell how a device may be held")
    func orientations() {
        #expect(UIInterfaceOrientation.portrait.isPortrait && UIInterfaceOrientation.portraitUpsideDown.isPortrait)
        #expect(UIInterfaceOrientation.landscapeLeft.isLandscape && !UIInterfaceOrientation.portrait.isLandscape)
        #expect(!UIInterfaceOrientation.unknown.isPortrait && !UIInterfaceOrientation.unknown.isLandscape)
        let mask = UIInterfaceOrientationMask.allButUpsideDown
        #expect(mask.contains(.landscape) && mask.contains(.portrait) && !mask.contains(.portraitUpsideDown))
        #expect(UIInterfaceOrientationMask.all == [.portrait, .landscapeLeft, .landscapeRight, .portraitUpsideDown])
        #expect(controller.supportedInterfaceOrientations == mask && controller.shouldAutorotate)
    }
}
