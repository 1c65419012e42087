import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Images")
struct ImageTests {
    typealias Symbols = UIImage.SymbolConfiguration

    /// The first bytes of a PNG file of so many pixels.
    private func png(_ width: UInt8, _ height: UInt8) -> Data {
        var bytes = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
        bytes += Data("IHDR".utf8) + Data([0, 0, 0, width, 0, 0, 0, height, 8, 6])
        return bytes
    }

    private func page(_ view: UIView) -> Page {
        let controller = UIViewController()
        controller.view.addSubview(view)
        return Page { controller }
    }

    private func classes(of view: UIView, on page: Page) -> [Substring] {
        page.screen.drawIfNeeded()
        return page.elements[view.nodeID]?.attributes["class"]?.split(separator: " ") ?? []
    }

    // MARK: Values

    @Test("have their size in points, of as many pixels as their scale says")
    func scale() throws {
        let plain = try #require(UIImage(data: png(120, 60)))
        #expect(plain.scale == 1 && plain.size == CGSize(width: 120, height: 60))
        let fine = try #require(UIImage(data: png(120, 60), scale: 3))
        #expect(fine.scale == 3 && fine.size == CGSize(width: 40, height: 20))
        #expect(UIImage(data: png(120, 60), scale: 0) == nil && UIImage(data: Data("text".utf8)) == nil)
    }

    @Test("get another rendering mode, tint or direction as another image; the one before stays as it is")
    func copies() throws {
        let image = try #require(UIImage(data: png(20, 10), scale: 2))
        #expect(image.renderingMode == .automatic && !image.flipsForRightToLeftLayoutDirection)
        let template = image.withRenderingMode(.alwaysTemplate)
        let tinted = template.withTintColor(.red)
        let flipped = tinted.imageFlippedForRightToLeftLayoutDirection()
        #expect(template.renderingMode == .alwaysTemplate && template.tint == nil)
        #expect(tinted.tint == .red && !tinted.flipsForRightToLeftLayoutDirection)
        #expect(flipped.flipsForRightToLeftLayoutDirection && flipped.tint == .red)
        #expect(image.renderingMode == .automatic && image.tint == nil)
        for other in [template, tinted, flipped] {
            #expect(other.size == image.size && other.scale == 2 && other.bytes == image.bytes)
        }
        #expect(flipped.withRenderingMode(.alwaysOriginal).flipsForRightToLeftLayoutDirection)
    }

    // MARK: Symbols

    @Test("of symbols are as large as the text beside them, and smaller or larger by their scale")
    func symbolSizes() throws {
        let sides: [(Symbols, CGFloat)] = [
            (.unspecified, 20), (Symbols(pointSize: 34), 40), (Symbols(scale: .small), 16),
            (Symbols(scale: .medium), 20), (Symbols(scale: .large), 26),
            (Symbols(pointSize: 34, weight: .bold, scale: .large), 52),
            (Symbols(font: .systemFont(ofSize: 51)), 60), (Symbols(pointSize: 0), 1),
        ]
        for (configuration, side) in sides {
            let image = try #require(UIImage(systemName: "star", withConfiguration: configuration))
            #expect(image.size == CGSize(width: side, height: side))
        }
        let title = Symbols(textStyle: .largeTitle)
        #expect(title.side == Symbols(font: .preferredFont(forTextStyle: .largeTitle)).side)
    }

    @Test("of symbols have lines as heavy as their weight")
    func symbolWeights() throws {
        let weights: [UIImage.SymbolWeight] = [
            .ultraLight, .thin, .light, .regular, .medium, .semibold, .bold, .heavy, .black,
        ]
        let widths = weights.map { Symbols(weight: $0).lineWidth }
        #expect(widths == widths.sorted() && Set(widths).count == weights.count)
        #expect(Symbols(weight: .unspecified).lineWidth == Symbols(weight: .regular).lineWidth)
        let bold = try #require(UIImage(systemName: "star", withConfiguration: Symbols(weight: .bold)))
        #expect(String(decoding: bold.bytes, as: UTF8.self).contains("stroke-width=\"2.6\""))
    }

    @Test("of symbols keep what another configuration doesn't say")
    func applying() {
        let base = Symbols(pointSize: 34, weight: .bold)
        let small = base.applying(Symbols(scale: .small))
        #expect(small.side == 31 && small.lineWidth == base.lineWidth && small.color == nil)
        let light = base.applying(Symbols(weight: .light))
        #expect(light.side == base.side && light.lineWidth == Symbols(weight: .light).lineWidth)
        let red = base.applying(Symbols(hierarchicalColor: .red))
        #expect(red.color == .red && red.side == base.side)
        #expect(red.applying(Symbols(paletteColors: [.blue, .green])).color == .blue)
        #expect(base.applying(nil) === base && base.applying(Symbols.unspecified).side == base.side)
    }

    @Test("of symbols keep tint, rendering mode and direction in another configuration")
    func keptLooks() throws {
        let star = try #require(UIImage(systemName: "star"))
        let red = star.withTintColor(.red).imageFlippedForRightToLeftLayoutDirection()
        let large = red.withConfiguration(Symbols(pointSize: 34))
        #expect(large.size.width == 40 && large.tint == .red && large.flipsForRightToLeftLayoutDirection)
        let bold = try #require(red.applyingSymbolConfiguration(Symbols(weight: .bold)))
        #expect(bold.size == red.size && bold.tint == .red && bold.bytes != red.bytes)
        #expect(red.withConfiguration(Symbols(hierarchicalColor: .blue)).tint == .blue)
        let original = star.withRenderingMode(.alwaysOriginal)
        #expect(original.withConfiguration(Symbols(scale: .large)).renderingMode == .alwaysOriginal)
    }

    @Test("of symbols lose the colour of a configuration with it")
    func replacedColor() throws {
        let blue = try #require(UIImage(systemName: "star", withConfiguration: Symbols(hierarchicalColor: .blue)))
        #expect(blue.tint == .blue && blue.withConfiguration(Symbols(pointSize: 34)).tint == nil)
        let larger = try #require(blue.applyingSymbolConfiguration(Symbols(pointSize: 34)))
        #expect(larger.tint == .blue && larger.size.width == 40)
    }

    @Test("that are no symbols have no configuration to be changed")
    func noSymbols() throws {
        let image = try #require(UIImage(data: png(20, 10)))
        #expect(image.withConfiguration(Symbols(pointSize: 34)) === image)
        #expect(image.applyingSymbolConfiguration(Symbols(pointSize: 34)) == nil)
    }

    // MARK: Views

    @Test("give the view that is made of one their size; it is an image, and takes no touches")
    func views() throws {
        let image = try #require(UIImage(data: png(40, 30), scale: 2))
        let view = UIImageView(image: image)
        #expect(view.frame == CGRect(x: 0, y: 0, width: 20, height: 15))
        #expect(view.intrinsicContentSize == CGSize(width: 20, height: 15))
        #expect(!view.isUserInteractionEnabled && view.accessibilityTraits == .image)
        view.image = UIImage(data: png(8, 8))
        #expect(view.intrinsicContentSize == CGSize(width: 8, height: 8) && view.frame.width == 20)
    }

    @Test("are drawn in their own colours or in the tint, by their rendering mode")
    func renderingModes() throws {
        let image = try #require(UIImage(data: png(8, 8)))
        let view = UIImageView(image: image)
        let page = page(view)
        let picture = "\(view.nodeID).image"
        #expect(!classes(of: view, on: page).contains("template") && page.elements[picture]?.tag == "img")
        view.image = image.withRenderingMode(.alwaysTemplate)
        #expect(classes(of: view, on: page).contains("template") && page.elements[picture] == nil)
        #expect(page.elements[view.nodeID]?.style["--tint"] == nil)
        view.image = image.withTintColor(.red)
        page.screen.drawIfNeeded()
        #expect(page.elements[view.nodeID]?.style["--tint"] == UIColor.red.css)
        view.image = image.imageFlippedForRightToLeftLayoutDirection()
        #expect(classes(of: view, on: page).contains("flips") && page.elements[picture] != nil)
        view.image = nil
        #expect(!classes(of: view, on: page).contains("flips") && page.elements[picture] == nil)
    }

    @Test("fill their view by its content mode")
    func contentModes() throws {
        let image = try #require(UIImage(data: png(8, 8)))
        let view = UIImageView(image: image)
        let page = page(view)
        let modes: [(UIView.ContentMode, String, String?)] = [
            (.scaleToFill, "fill", nil), (.redraw, "fill", nil), (.scaleAspectFit, "contain", nil),
            (.scaleAspectFill, "cover", nil), (.center, "none", nil), (.bottom, "none", "50% 100%"),
            (.left, "none", "0 50%"), (.right, "none", "100% 50%"), (.topLeft, "none", "0 0"),
            (.topRight, "none", "100% 0"), (.bottomLeft, "none", "0 100%"),
        ]
        for (mode, fit, position) in modes {
            view.contentMode = mode
            page.screen.drawIfNeeded()
            let style = page.elements["\(view.nodeID).image"]?.style ?? [:]
            #expect(style["object-fit"] == fit && style["object-position"] == position)
        }
    }

    @Test("of highlighted views are the highlighted ones, where there are any")
    func highlighted() throws {
        let (usual, other) = (UIImage(data: png(8, 8)), UIImage(data: png(9, 9)))
        let view = UIImageView(image: usual)
        let page = page(view)
        let address = {
            page.screen.drawIfNeeded()
            return page.elements["\(view.nodeID).image"]?.attributes["src"]
        }
        let first = try #require(address())
        view.isHighlighted = true
        #expect(address() == first)
        view.highlightedImage = other
        #expect(address() != first && view.intrinsicContentSize.width == 9)
        view.isHighlighted = false
        #expect(address() == first && view.intrinsicContentSize.width == 8)
    }

    @Test("of symbols have the size that their view prefers, and still their own tint")
    func preferred() {
        let view = UIImageView(image: UIImage(systemName: "star")?.withTintColor(.red))
        view.preferredSymbolConfiguration = Symbols(pointSize: 34)
        let page = page(view)
        #expect(view.intrinsicContentSize == CGSize(width: 40, height: 40))
        #expect(page.elements[view.nodeID]?.style["--tint"] == UIColor.red.css)
        view.image = UIImage(data: png(8, 8))
        #expect(view.intrinsicContentSize == CGSize(width: 8, height: 8))
    }
}
