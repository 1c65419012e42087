#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI

extension View {
    /// Decides what a tap on a card in this view does.
    ///
    /// It is asked for cards with an address, and for those without one: some apps know from the extras what to do. A
    /// click is logged for the former in any case, and for the latter where the app has taken it.
    ///
    /// ```swift
    /// ContentCardsView(source: cards).onContentCardTap { card in
    ///     guard let recipe = card.extras["recipe"] else { return false }
    ///     path.append(recipe)
    ///     return true
    /// }
    /// ```
    /// - Parameter action: returns whether the app has taken the tap; otherwise the card's address is opened.
    /// - Returns: the view, whose cards ask the app.
    public func onContentCardTap(perform action: @escaping @MainActor (ContentCard) -> Bool) -> some View {
        transformEnvironment(\.cardViewSettings) { $0.tap = action }
    }

    /// Shows the mark of unread cards in this view, or hides it.
    ///
    /// - Parameter visibility: hidden, or as the card says, which is the default.
    /// - Returns: the view, whose cards have the mark or have none.
    public func contentCardUnreadIndicator(_ visibility: Visibility) -> some View {
        transformEnvironment(\.cardViewSettings) { $0.isUnreadHidden = visibility == .hidden }
    }

    /// Has a loader load the images of the cards in this view.
    ///
    /// - Parameter loader: the loader; `nil` for the shared one.
    /// - Returns: the view, whose cards have that loader.
    public func contentCardImageLoader(_ loader: CardImageLoader?) -> some View {
        transformEnvironment(\.cardViewSettings) { $0.imageLoader = loader }
    }

    /// Shows something of the app's own where a feed in this view has no cards.
    ///
    /// ```swift
    /// ContentCardsView(source: cards).contentCardsPlaceholder { placeholder in
    ///     switch placeholder.reason {
    ///     case .loading: ProgressView()
    ///     case .empty: Text("Nothing new")
    ///     case .failed: Button("Try again", action: placeholder.retry)
    ///     }
    /// }
    /// ```
    /// - Parameter content: returns what is shown.
    /// - Returns: the view, whose feeds show that.
    public func contentCardsPlaceholder<Content: View>(
        @ViewBuilder content: @escaping @MainActor (ContentCardsPlaceholder) -> Content
    ) -> some View {
        transformEnvironment(\.cardViewSettings) { $0.placeholder = { AnyView(content($0)) } }
    }
}

/// Says why a feed has no cards.
@MainActor
public struct ContentCardsPlaceholder {
    /// Names why a feed has no cards.
    public enum Reason: Sendable {
        /// The first cards are on their way.
        case loading
        /// There are none.
        case empty
        /// They could not be loaded.
        case failed
    }

    /// The reason why there are no cards.
    public let reason: Reason
    /// Asks for cards again.
    public let retry: @MainActor () -> Void
}

/// Holds what modifiers say of the cards in a view.
struct CardViewSettings: Sendable {
    var tap: (@MainActor (ContentCard) -> Bool)?
    var isUnreadHidden = false
    var imageLoader: CardImageLoader?
    var placeholder: (@MainActor (ContentCardsPlaceholder) -> AnyView)?
}

extension EnvironmentValues {
    private struct SettingsKey: EnvironmentKey {
        static let defaultValue = CardViewSettings()
    }

    var cardViewSettings: CardViewSettings {
        get { self[SettingsKey.self] }
        set { self[SettingsKey.self] = newValue }
    }
}
#endif
