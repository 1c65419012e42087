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
    private var restorationID: String?

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
        if let restorationID {
            RestoredFeed(id: restorationID) { controller(keepingPlaceIn: $0) }
        } else {
            controller(keepingPlaceIn: nil)
        }
    }

    /// Has the feed begin, when its scene is restored, with the card that was at its top.
    ///
    /// Without this, and where that card is gone or nothing was scrolled, it begins at the top. A scene keeps the id
    /// of a card and nothing else of it.
    ///
    /// - Parameter id: what tells this feed from others of its scene.
    /// - Returns: The feed, which keeps its place in its scene.
    public func scrollRestoration(id: String) -> ContentCardsView {
        var view = self
        view.restorationID = id
        return view
    }

    private func controller(keepingPlaceIn place: Binding<String?>?) -> some View {
        FeedController(source: source, attributes: attributes, configure: configure, place: place)
            .id(SourceIdentity.of(source))
    }
}

/// Keeps with its scene where the user is in a feed.
private struct RestoredFeed<Feed: View>: View {
    @SceneStorage private var place: String?
    private let feed: (Binding<String?>) -> Feed

    init(id: String, @ViewBuilder feed: @escaping (Binding<String?>) -> Feed) {
        _place = SceneStorage("content-cards.\(id)")
        self.feed = feed
    }

    var body: some View { feed($place) }
}

/// Wraps the controller of a feed.
private struct FeedController: UIViewControllerRepresentable {
    let source: any CardFeedSource
    let attributes: ContentCardsAttributes?
    let configure: @MainActor (ContentCardsTableViewController) -> Void
    let place: Binding<String?>?

    func makeCoordinator() -> FeedCoordinator { FeedCoordinator() }

    func makeUIViewController(context: Context) -> ContentCardsTableViewController {
        let controller = ContentCardsTableViewController(source: source, attributes: attributes)
        configure(controller)
        context.coordinator.connect(controller, context.environment)
        if let place {
            controller.hooks.wantedPlace = place.wrappedValue
            controller.hooks.keepPlace = { if place.wrappedValue != $0 { place.wrappedValue = $0 } }
        }
        return controller
    }

    func updateUIViewController(_ controller: ContentCardsTableViewController, context: Context) {
        context.coordinator.update(context.environment)
        if let attributes { controller.follow(attributes) }
    }
}
#endif
