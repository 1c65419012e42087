#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Takes the place of parts of a feed: what SwiftUI sets by modifiers, where UIKit has an app subclass.
@MainActor
struct FeedHooks {
    /// Returns the cell of a card, where it isn't that of the feed.
    var cell: (IndexPath, ContentCard) -> ContentCardCell? = { _, _ in nil }
    /// Returns whether the app has taken a click on a card.
    var opens: (ContentCard) -> Bool = { _ in false }
    /// Whether the app is asked about clicks, so that any card may do something.
    var asksApp: () -> Bool = { false }
    /// Opens what leads out of the app; `nil` has the scene do it.
    var openURL: ((URL) -> Void)?
    /// Returns what is shown in place of cards, where it isn't the view of the feed.
    var placeholder: (FeedStatus) -> UIView? = { _ in nil }
    /// The id of the card that is to be at the top, once there are rows.
    var wantedPlace: String?
    /// Keeps the id of the card at the top of the screen, or none, when the feed or the app goes.
    var keepPlace: (String?) -> Void = { _ in }
}
#endif
