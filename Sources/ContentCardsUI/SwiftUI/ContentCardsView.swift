#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI
import UIKit

/// Shows a feed of cards in SwiftUI.
public struct ContentCardsView: UIViewControllerRepresentable {
    private let source: any CardFeedSource
    private let attributes: ContentCardsAttributes?
    private let configure: @MainActor (ContentCardsTableViewController) -> Void

    /// Creates a feed.
    ///
    /// - Parameters:
    ///   - source: where the cards come from, as a rule a `ContentCardsClient`.
    ///   - attributes: how it looks; the defaults are shared by all feeds.
    ///   - configure: sets what else should differ, once.
    public init(
        source: any CardFeedSource,
        attributes: ContentCardsAttributes? = nil,
        configure: @escaping @MainActor (ContentCardsTableViewController) -> Void = { _ in }
    ) {
        self.source = source
        self.attributes = attributes
        self.configure = configure
    }

    /// Makes the controller of the feed.
    public func makeUIViewController(context: Context) -> ContentCardsTableViewController {
        let controller = ContentCardsTableViewController(source: source, attributes: attributes)
        configure(controller)
        return controller
    }

    /// Leaves the feed as it is: it follows its source by itself.
    public func updateUIViewController(_ controller: ContentCardsTableViewController, context: Context) {}
}
#endif
