#if canImport(Observation)
import ContentCards

@available(iOS 17, macOS 14, tvOS 17, visionOS 1, *)
extension ObservableCardFeed {
    /// Creates an object that follows any source for as long as it lives, such as `PreviewFeed` in a preview.
    public convenience init(_ source: any CardFeedSource) {
        self.init(feed: source.feed, updates: source.updates) { reason throws(ContentCardsError) in
            try await source.refresh(reason)
        }
    }
}
#endif
