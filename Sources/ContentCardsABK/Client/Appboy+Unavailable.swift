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

    /// The campaign that brought the user to the app.
    @available(*, unavailable, message: "Attribution is not kept. Set custom attributes.")
    @nonobjc public var attributionData: Any? { nil }
}

extension Appboy {
    /// The settings of the connections.
    @available(
        *,
        unavailable,
        message: "Give a transport of your own to a ContentCardsClient, and that to Appboy.start(with:)."
    )
    @nonobjc public class var urlSessionConfiguration: Any? { nil }

    /// Says through what the SDK was added to an app.
    @available(*, unavailable, message: "How the SDK was added is not reported. Leave the call out.")
    @nonobjc public func addSdkMetadata(_ metadata: [Any]) {}
}

// Types that apps name where they show what other channels send.

/// A message in the app.
@available(*, unavailable, message: "There are no messages in the app. Show a content card in a view of the app.")
public class ABKInAppMessage {}

/// The messages in the app.
@available(*, unavailable, message: "There are no messages in the app. Show a content card in a view of the app.")
public class ABKInAppMessageController {}

/// Decides about messages in the app.
@available(*, unavailable, message: "There are no messages in the app. Show a content card in a view of the app.")
public protocol ABKInAppMessageControllerDelegate: AnyObject {}

/// A card of the news feed.
@available(*, unavailable, renamed: "ABKContentCard", message: "There is no news feed.")
public class ABKCard {}

/// The news feed.
@available(*, unavailable, renamed: "ABKContentCardsController", message: "There is no news feed.")
public class ABKFeedController {}

/// The location of the user.
@available(*, unavailable, message: "Locations are not collected. Set a custom attribute.")
public class ABKLocationManager {}

/// Gives the advertising identifier.
@available(*, unavailable, message: "Advertising identifiers are not collected.")
public protocol ABKIDFADelegate: AnyObject {}
