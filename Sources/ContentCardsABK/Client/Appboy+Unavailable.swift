// Members of other channels than content cards: they are named here so that the compiler says what to do in their
// place.
import Foundation

extension Appboy {
    /// The news feed.
    @available(*, unavailable, message: "There is no news feed. Use contentCardsController.")
    @nonobjc public var feedController: Any? { nil }

    /// The messages in the app.
    @available(*, unavailable, message: "There are no messages in the app. Show a content card in a view of the app.")
    @nonobjc public var inAppMessageController: Any? { nil }

    /// The location of the user.
    @available(*, unavailable, message: "Locations are not collected. Set a custom attribute.")
    @nonobjc public var locationManager: Any? { nil }

    /// Gives the advertising identifier.
    @available(*, unavailable, message: "Advertising identifiers are not collected.")
    @nonobjc public var idfaDelegate: Any? { nil }

    /// Handles push notifications that arrive while the app is open.
    @available(
        *,
        unavailable,
        message: "There are no push notifications. Refresh content cards: requestContentCardsRefresh()."
    )
    @nonobjc public func userNotificationCenter(
        _ center: Any,
        didReceive response: Any,
        withCompletionHandler completionHandler: (() -> Void)?
    ) {}
}

extension ABKUser {
    /// The user's account of a social network.
    @available(*, unavailable, message: "Accounts of third parties are not kept. Set custom attributes.")
    @nonobjc public var facebookUser: Any? { nil }

    /// The user's account of a social network.
    @available(*, unavailable, message: "Accounts of third parties are not kept. Set custom attributes.")
    @nonobjc public var twitterUser: Any? { nil }

    /// What brought the user to the app.
    @available(*, unavailable, message: "Attribution is not kept. Set custom attributes.")
    @nonobjc public var attributionData: Any? { nil }
}
