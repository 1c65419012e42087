#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI
import UIKit

/// Shows a feed of cards in SwiftUI.
///
/// It follows its inputs: other attributes are applied where they differ, and another client begins another feed. What
/// `configure` sets is set once. Cards for which the views around it have a ``ContentCardStyle`` look like that, and
/// what the style reads of the environment is that of this view; all others look as the attributes say.
///
/// ```swift
/// ContentCardsView(source: cards)
///     .contentCardStyle(for: Coupon.self) { coupon, _ in CouponTile(coupon) }
///     .onContentCardTap { card in router.opens(card) }
/// ```
public struct ContentCardsView: View {
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

    /// The feed.
    public var body: some View {
        FeedController(source: source, attributes: attributes, configure: configure).id(source.objectIdentity)
    }
}

/// Wraps the controller of a feed.
private struct FeedController: UIViewControllerRepresentable {
    let source: any CardFeedSource
    let attributes: ContentCardsAttributes?
    let configure: @MainActor (ContentCardsTableViewController) -> Void

    func makeCoordinator() -> FeedCoordinator { FeedCoordinator() }

    func makeUIViewController(context: Context) -> ContentCardsTableViewController {
        let controller = ContentCardsTableViewController(source: source, attributes: attributes)
        configure(controller)
        context.coordinator.connect(controller, context.environment)
        return controller
    }

    func updateUIViewController(_ controller: ContentCardsTableViewController, context: Context) {
        context.coordinator.update(context.environment)
        if let attributes { controller.follow(attributes) }
    }
}
#endif
