#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI

/// Follows the feed in a view, which is drawn again when its cards change.
///
/// The feed is that of the client in the environment, or of one that is given.
///
/// ```swift
/// struct Inbox: View {
///     @LiveCardFeed private var feed
///
///     var body: some View {
///         List(feed.cards) { ContentCardView($0) }
///             .refreshable { await $feed.refresh() }
///     }
/// }
///
/// Inbox().contentCards(client)
/// ```
/// From iOS 17 on, `ObservableCardFeed` does the same for views and models.
@MainActor @propertyWrapper
public struct LiveCardFeed: DynamicProperty {
    @Environment(\.contentCards) private var environmentSource
    @StateObject private var follower = FeedFollower()
    private let ownSource: (any CardFeedSource)?

    /// Creates a property that follows the feed of the client in the environment.
    public init() {
        ownSource = nil
    }

    /// Creates a property that follows the feed of a client.
    public init(_ source: any CardFeedSource) {
        ownSource = source
    }

    /// The feed, as it was published last; an empty one where there is no client.
    public var wrappedValue: CardFeed {
        follower.feed(of: ownSource ?? environmentSource)
    }

    /// Refreshes the feed, and says how that went.
    public var projectedValue: Actions {
        Actions(follower: follower, source: ownSource ?? environmentSource)
    }

    /// Refreshes a feed, and says how that went.
    @MainActor
    public struct Actions {
        fileprivate let follower: FeedFollower
        fileprivate let source: (any CardFeedSource)?

        /// Whether a refresh that this view began is under way.
        public var isRefreshing: Bool { follower.refreshCount > 0 }
        /// The error with which the last refresh that this view began failed; `nil` if it succeeded, and where the
        /// budget was empty and there are the cards of an earlier answer.
        public var error: ContentCardsError? { follower.error }

        /// Asks for new cards, and returns when the feed has them or none could be had.
        ///
        /// - Parameter reason: why; a pull by default.
        public func refresh(_ reason: SyncReason = .pulled) async {
            if let source { await follower.refresh(source, reason) }
        }
    }
}

/// Keeps the feed of a source for a view, and tells it of changes.
@MainActor
final class FeedFollower: ObservableObject {
    @Published private var revision = 0
    @Published private(set) var refreshCount = 0
    @Published private(set) var error: ContentCardsError?
    private var feed = CardFeed(cards: [])
    private var updates: Task<Void, Never>?
    private var isFollowing = false
    private var identity: ObjectIdentifier?

    deinit { updates?.cancel() }

    /// Returns the feed of a source, and follows that from now on.
    ///
    /// It is asked while a view is drawn, so it publishes nothing itself.
    func feed(of source: (any CardFeedSource)?) -> CardFeed {
        guard let source else { return CardFeed(cards: []) }
        if isFollowing, identity == SourceIdentity.of(source) { return feed }
        (isFollowing, identity) = (true, SourceIdentity.of(source))
        feed = source.feed
        updates?.cancel()
        updates = Task { [weak self, updates = source.updates] in
            for await feed in updates {
                guard !Task.isCancelled, let self else { return }
                take(feed)
            }
        }
        return feed
    }

    private func take(_ new: CardFeed) {
        guard new != feed else { return }
        feed = new
        revision &+= 1
    }

    func refresh(_ source: any CardFeedSource, _ reason: SyncReason) async {
        refreshCount += 1
        defer { refreshCount -= 1 }
        do throws(ContentCardsError) {
            try await source.refresh(reason)
            error = nil
        } catch {
            let isAsFreshAsAllowed = error.code == .rateLimited && source.feed.lastSync != nil
            self.error = isAsFreshAsAllowed || error.code == .cancelled ? nil : error
        }
    }
}
#endif
