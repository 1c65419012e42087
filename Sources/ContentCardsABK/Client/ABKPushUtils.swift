import ContentCards
import Foundation

/// Says of a push message whether it is for the SDK.
///
/// Only silent ones that ask for a refresh of content cards are; give them to
/// `register(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
#if canImport(ObjectiveC)
@objc(ABKPushUtils) @objcMembers
#endif
open class ABKPushUtils: NSObject {
    /// Returns whether a message is for the SDK: whether it asks for a refresh of content cards.
    open class func isAppboyRemoteNotification(_ userInfo: [AnyHashable: Any]) -> Bool {
        userInfo[ContentCardsClient.pushKey] != nil
    }

    /// Returns whether a message is for the SDK and shows nothing to the user.
    open class func isAppboySilentRemoteNotification(_ userInfo: [AnyHashable: Any]) -> Bool {
        guard isAppboyRemoteNotification(userInfo) else { return false }
        guard let aps = userInfo["aps"] as? [AnyHashable: Any] else { return true }
        return ["alert", "badge", "sound"].allSatisfy { aps[$0] == nil }
    }

    /// Returns `false`: the SDK does not track who removes an app.
    open class func isUninstallTrackingRemoteNotification(_ userInfo: [AnyHashable: Any]) -> Bool { false }

    /// Returns `false`: there are no geofences.
    open class func isGeofencesSyncRemoteNotification(_ userInfo: [AnyHashable: Any]) -> Bool { false }

    /// Returns `false`: there are no stories in push notifications.
    open class func isPushStoryRemoteNotification(_ userInfo: [AnyHashable: Any]) -> Bool { false }

    /// Returns `false`: there are no messages in the app that a message could bring.
    open class func shouldFetchTestTriggersFlagContained(inPayload userInfo: [AnyHashable: Any]) -> Bool { false }
}

extension ABKPushUtils {
    /// Says of the answer to a notification whether it is for the SDK.
    @available(*, unavailable, message: "There are no push notifications that are shown. No answer is for the SDK.")
    @nonobjc public class func isAppboyUserNotification(_ response: Any) -> Bool { false }

    /// The categories of notifications.
    @available(*, unavailable, message: "There are no push notifications that are shown, and no categories of them.")
    @nonobjc public class func getAppboyUNNotificationCategorySet() -> Any? { nil }
}
