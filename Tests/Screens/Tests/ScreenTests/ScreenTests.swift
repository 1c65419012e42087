#if canImport(UIKit) && canImport(ObjectiveC)
import ContentCards
import ContentCardsUI
import Foundation
import Screens
import SwiftUI
import Testing
import UIKit

@MainActor
@Suite("On a simulator", .serialized)
struct ScreenTests {
    /// Where pictures are kept, if the environment says so.
    private static let folder = ProcessInfo.processInfo.environment["PLACARD_SCREENS"].map(URL.init(fileURLWithPath:))

    private func window(_ screen: Screen) -> UIWindow {
        let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
        window.overrideUserInterfaceStyle = screen.isDark ? .dark : .light
        let container = UIViewController()
        let controller = screen.make()
        window.rootViewController = container
        window.makeKeyAndVisible()
        container.addChild(controller)
        container.setOverrideTraitCollection(traits(of: screen), forChild: controller)
        controller.view.frame = container.view.bounds
        container.view.addSubview(controller.view)
        controller.didMove(toParent: container)
        window.layoutIfNeeded()
        return window
    }

    private func traits(of screen: Screen) -> UITraitCollection {
        UITraitCollection(traitsFrom: [
            UITraitCollection(preferredContentSizeCategory: screen.textSize),
            UITraitCollection(layoutDirection: screen.isRightToLeft ? .rightToLeft : .leftToRight),
        ])
    }

    /// The size of a picture that shows nothing, at the most; in bytes.
    private static let blank = 5_000

    /// Where no app hosts the tests, nothing is on a screen that could be copied: layers draw themselves then, without
    /// what is blurred.
    private func picture(of window: UIWindow) -> Data {
        let renderer = UIGraphicsImageRenderer(bounds: window.bounds)
        let seen = renderer.pngData { _ in
            _ = window.drawHierarchy(in: window.bounds, afterScreenUpdates: true)
        }
        guard seen.count <= Self.blank else { return seen }
        return renderer.pngData { context in window.layer.render(in: context.cgContext) }
    }

    private func isLoading(_ view: UIView) -> Bool {
        (view as? CardImageView)?.state == .loading || view.subviews.contains(where: isLoading)
    }

    @Test("each screen is drawn, and its picture kept")
    func pictures() async throws {
        for screen in Screen.all {
            let window = window(screen)
            // Pictures of cards are decoded away from the main actor.
            while isLoading(window) { await Task.yield() }
            window.layoutIfNeeded()
            let data = picture(of: window)
            #expect(data.count > Self.blank, "\(screen.name) is blank")
            if let folder = Self.folder {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try data.write(to: folder.appendingPathComponent("\(screen.name).png"))
            }
            window.isHidden = true
        }
    }

    @Test("a card is as high as its texts need, and higher at accessibility sizes")
    func heights() throws {
        let card = try #require(PreviewFeed.sample.feed.cards.first { $0.kind == .classic })
        let cell = ClassicContentCardCell(style: .default, reuseIdentifier: nil)
        cell.apply(card)
        let size = CGSize(width: 390, height: UIView.layoutFittingCompressedSize.height)
        let fitting = cell.contentView.systemLayoutSizeFitting(
            size,
            withHorizontalFittingPriority: .required,
            verticalFittingPriority: .fittingSizeLevel
        )
        #expect(fitting.height > 60 && fitting.height < 300)
        #expect(cell.isAccessibilityElement && cell.accessibilityLabel?.contains(card.title) == true)
    }

    @Test("a picture is decoded no wider than it is shown")
    func decoding() async throws {
        let size = CGSize(width: 2_000, height: 1_000)
        let format = UIGraphicsImageRendererFormat()
        format.scale = 1
        let data = UIGraphicsImageRenderer(size: size, format: format).pngData { context in
            UIColor.red.setFill()
            context.fill(CGRect(origin: .zero, size: size))
        }
        let url = try #require(URL(string: "data:image/png;base64," + data.base64EncodedString()))
        let loader = CardImageLoader(fetcher: URLSessionImages(), directory: nil)
        let image = try #require(await loader.image(for: url, width: 500))
        #expect(image.size.width * image.scale == 500)
        #expect(image.size.height * image.scale == 250)
    }

    @Test("a feed is released with its screen")
    func lifetime() async throws {
        weak var feed: ContentCardsTableViewController?
        do {
            let shown = ContentCardsTableViewController(source: PreviewFeed.sample)
            shown.loadViewIfNeeded()
            shown.beginAppearanceTransition(true, animated: false)
            shown.endAppearanceTransition()
            shown.beginAppearanceTransition(false, animated: false)
            shown.endAppearanceTransition()
            feed = shown
        }
        for _ in 0..<100 where feed != nil { await Task.yield() }
        #expect(feed == nil)
    }
}
#endif
