// These are the documented names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

extension NSNotification.Name {
    /// A notification that is posted once for each request for cards, on the main thread, when that has succeeded or
    /// failed.
    public static let ABKContentCardsProcessed = NSNotification.Name("contentCardsProcessedNotification")
}

/// The key of a `Bool` in the notification: whether the request has succeeded, or the cards that are there are as new
/// as the server allows.
public let ABKContentCardsProcessedIsSuccessfulKey = "isSuccessful"

/// Says what an address comes from.
#if canImport(ObjectiveC)
@objc
#endif
public enum ABKChannel: Int, Sendable {
    /// A push notification.
    #if canImport(ObjectiveC)
    @objc(ABKPushNotificationChannel)
    #endif
    case pushNotificationChannel
    /// A message inside the app.
    #if canImport(ObjectiveC)
    @objc(ABKInAppMessageChannel)
    #endif
    case inAppMessageChannel
    /// A news feed.
    #if canImport(ObjectiveC)
    @objc(ABKNewsFeedChannel)
    #endif
    case newsFeedChannel
    /// A content card.
    #if canImport(ObjectiveC)
    @objc(ABKContentCardChannel)
    #endif
    case contentCardChannel
    /// Something else.
    #if canImport(ObjectiveC)
    @objc(ABKUnknownChannel)
    #endif
    case unknownChannel
}

/// Takes addresses over from the SDK.
#if canImport(ObjectiveC)
@objc
#endif
@preconcurrency @MainActor
public protocol ABKURLDelegate: AnyObject {
    /// Returns whether the app has handled an address; with `false` the SDK opens it.
    #if canImport(ObjectiveC)
    @objc(handleAppboyURL:fromChannel:withExtras:)
    #endif
    func handleAppboyURL(_ url: URL?, from channel: ABKChannel, withExtras extras: [AnyHashable: Any]?) -> Bool
}
