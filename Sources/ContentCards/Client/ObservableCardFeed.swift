#if canImport(Observation)
import Observation

/// Follows the feed of a client on the main actor, for views that redraw themselves when what they read changes.
///
/// ```swift
/// struct Inbox: View {
///     @State private var inbox = ObservableCardFeed(cards)
///     var body: some View {
///         List(inbox.feed.cards) { ContentCardView($0, source: cards) }
///             .refreshable { await inbox.refresh() }
///             .badge(inbox.feed.unviewedCount)
///     }
/// }
/// ```
/// Control cards are among the cards: they take no room, and their impressions have to be logged. A state that equals
/// the one before redraws nothing.
@available(iOS 17, macOS 14, tvOS 17, visionOS 1, *)
@MainActor
@Observable
public final class ObservableCardFeed {
    /// The feed, as it was published last.
    public private(set) var feed: CardFeed
    /// Whether a refresh that this object began is under way.
    public var isRefreshing: Bool { refreshes > 0 }
    /// The error with which the last refresh that this object began failed; `nil` if it succeeded, and where the budget
    /// was empty and there are the cards of an earlier answer.
    public private(set) var error: ContentCardsError?

    private var refreshes = 0
    @ObservationIgnored private let ask: @Sendable (SyncReason) async throws(ContentCardsError) -> Void
    @ObservationIgnored private var updates: Task<Void, Never>?

    /// Creates an object that follows a client for as long as it lives.
    public convenience init(_ client: ContentCardsClient) {
        self.init(feed: client.feed, updates: client.updates) { reason throws(ContentCardsError) in
            try await client.refresh(reason)
        }
    }

    /// Creates an object that follows a stream of feeds for as long as it lives.
    package init(
        feed: CardFeed,
        updates stream: AsyncStream<CardFeed>,
        refresh: @escaping @Sendable (SyncReason) async throws(ContentCardsError) -> Void
    ) {
        self.feed = feed
        ask = refresh
        updates = Task { [weak self] in
            for await feed in stream {
                guard let self else { return }
                take(feed)
            }
        }
    }

    deinit { updates?.cancel() }

    private func take(_ new: CardFeed) {
        if new != feed { feed = new }
    }

    /// Asks for new cards, and returns when the feed has them or none could be had.
    ///
    /// - Parameter reason: why; a pull by default.
    public func refresh(_ reason: SyncReason = .pulled) async {
        refreshes += 1
        defer { refreshes -= 1 }
        do throws(ContentCardsError) {
            try await ask(reason)
            error = nil
        } catch {
            let isAsFreshAsAllowed = error.code == .rateLimited && feed.lastSync != nil
            self.error = isAsFreshAsAllowed || error.code == .cancelled ? nil : error
        }
    }
}
#endif
