// These are the documented names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

extension NSNotification.Name {
    /// Is posted once for each request for cards, on the main thread, when that has succeeded or failed.
    public static let ABKContentCardsProcessed = NSNotification.Name("contentCardsProcessedNotification")
}

/// The key of a `Bool` in the notification: whether the request has succeeded.
public let ABKContentCardsProcessedIsSuccessfulKey = "isSuccessful"

/// Says what an address comes from.
public enum ABKChannel: Int, Sendable {
    /// A push notification.
    case pushNotificationChannel
    /// A message inside the app.
    case inAppMessageChannel
    /// A news feed.
    case newsFeedChannel
    /// A content card.
    case contentCardChannel
    /// Something else.
    case unknownChannel
}

/// Takes addresses over from the SDK.
@MainActor
public protocol ABKURLDelegate: AnyObject {
    /// Returns whether the app has handled an address; with `false` the SDK opens it.
    func handleAppboyURL(_ url: URL?, from channel: ABKChannel, withExtras extras: [AnyHashable: Any]?) -> Bool
}
