#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI

extension View {
    /// Gives the cards in this view their client, which logs what happens to them.
    ///
    /// - Parameter source: as a rule a `ContentCardsClient`; ``PreviewFeed`` in previews.
    /// - Returns: the view, whose cards have their client.
    public func contentCards(_ source: any CardFeedSource) -> some View {
        environment(\.contentCards, source)
    }
}

extension EnvironmentValues {
    private struct SourceKey: EnvironmentKey {
        static let defaultValue: (any CardFeedSource)? = nil
    }

    /// The source of a view's cards, which logs what happens to them; `nil`, the default, logs nothing.
    public var contentCards: (any CardFeedSource)? {
        get { self[SourceKey.self] }
        set { self[SourceKey.self] = newValue }
    }
}
#endif
