import ContentCards
import Foundation

/// Reads what an app says at the start.
struct StartOptions {
    private let options: [AnyHashable: Any]

    /// Keys of other channels, which change nothing.
    private static let unsupported = [
        ABKMinimumTriggerTimeIntervalKey, ABKEnableAutomaticLocationCollectionKey, ABKEnableGeofencesKey,
        ABKDisableAutomaticGeofenceRequestsKey, ABKIDFADelegateKey, ABKInAppMessageControllerDelegateKey,
        ABKEnableDismissModalOnOutsideTapKey, ABKSDKFlavorKey, ABKDeviceAllowlistKey, "deviceWhitelist",
        ABKEphemeralEventsKey, ABKPushStoryAppGroupKey,
    ]

    init(_ options: [AnyHashable: Any]) {
        self.options = options
    }

    /// The settings of the client.
    var configuration: ContentCardsClient.Configuration {
        var configuration = ContentCardsClient.Configuration()
        if let timeout = number(ABKSessionTimeoutKey), timeout >= 1 { configuration.sessionTimeout = timeout }
        if let interval = number(ABKFlushIntervalOptionKey), interval > 1 { configuration.flushDelay = interval }
        if let level = number(ABKLogLevelKey), level > 8 { configuration.log = { _ in } }
        return configuration
    }

    /// Says the rest to the instance.
    func apply(to appboy: Appboy) {
        appboy.appboyUrlDelegate = options[ABKURLDelegateKey] as? any ABKURLDelegate
        #if !os(tvOS)
        appboy.imageDelegate = options[ABKImageDelegateKey] as? any ABKImageDelegate
        #endif
        appboy.sdkAuthenticationDelegate = options[ABKSdkAuthenticationDelegateKey] as? any ABKSdkAuthenticationDelegate
        if let policy { appboy.requestProcessingPolicy = policy }
        for key in Self.unsupported where options[key] != nil { appboy.client.noteUnsupported(key) }
    }

    private var policy: ABKRequestProcessingPolicy? {
        let value = options[ABKRequestProcessingPolicyOptionKey]
        return value as? ABKRequestProcessingPolicy ?? (value as? Int).flatMap(ABKRequestProcessingPolicy.init)
    }

    private func number(_ key: String) -> Double? {
        let value = options[key]
        let number = value as? Double ?? (value as? Int).map(Double.init) ?? (value as? NSNumber)?.doubleValue
        return number.flatMap { $0.isFinite && $0 <= Appboy.never ? $0 : nil }
    }
}
