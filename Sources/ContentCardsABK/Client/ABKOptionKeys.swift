// These are the documented names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The keys of what an app may say at the start. All are accepted; what concerns other channels than cards changes
// nothing, and is reported as `Diagnostic.notSupported`.

/// The start option for the address of the server: text or a `URL`.
public let ABKEndpointKey = "endpoint"

/// The start option for the object that may take addresses over.
public let ABKURLDelegateKey = "urlDelegate"

/// The start option for the object that loads images in place of the SDK.
public let ABKImageDelegateKey = "imageDelegate"

/// The start option for the object that hears of refused signatures.
public let ABKSdkAuthenticationDelegateKey = "sdkAuthenticationDelegate"

/// The start option for whether signatures are sent; they are wherever an app gives one.
public let ABKEnableSDKAuthenticationKey = "enableSDKAuthentication"

/// The start option for how many seconds an app may be away and still continue its session.
public let ABKSessionTimeoutKey = "sessionTimeout"

/// The start option for how many seconds events wait for others before they are sent: a number over 1.
public let ABKFlushIntervalOptionKey = "flushInterval"

/// The start option for whether events are sent by themselves: an ``ABKRequestProcessingPolicy`` or its number.
public let ABKRequestProcessingPolicyOptionKey = "requestProcessingPolicy"

/// The start option for how much is logged: from 0 for everything to 8, the default, for errors; above, nothing is.
public let ABKLogLevelKey = "logLevel"

/// The start option for how many seconds lie between messages inside the app, of which there are none.
public let ABKMinimumTriggerTimeIntervalKey = "minimumTriggerTimeInterval"

/// The start option for the collection of places, of which there is none.
public let ABKEnableAutomaticLocationCollectionKey = "enableAutomaticLocationCollection"

/// The start option for geofences, of which there are none.
public let ABKEnableGeofencesKey = "enableGeofences"

/// The start option for geofences, of which there are none.
public let ABKDisableAutomaticGeofenceRequestsKey = "disableAutomaticGeofenceRequests"

/// The start option for the advertising identifier, which is never asked for.
public let ABKIDFADelegateKey = "idfaDelegate"

/// The start option for messages inside the app, of which there are none.
public let ABKInAppMessageControllerDelegateKey = "inAppMessageControllerDelegate"

/// The start option for messages inside the app, of which there are none.
public let ABKEnableDismissModalOnOutsideTapKey = "enableDismissModalOnOutsideTap"

/// The start option for what else an app is made with, which is not reported.
public let ABKSDKFlavorKey = "sdkFlavor"

/// The start option for what is collected of a device: nothing but what a sync says.
public let ABKDeviceAllowlistKey = "deviceAllowlist"

/// The older name of ``ABKDeviceAllowlistKey``.
@available(*, deprecated, renamed: "ABKDeviceAllowlistKey")
public let ABKDeviceWhitelistKey = "deviceWhitelist"

/// The start option for events that trigger messages inside the app, of which there are none.
public let ABKEphemeralEventsKey = "ephemeralEvents"

/// The start option for stories in push notifications, of which there are none.
public let ABKPushStoryAppGroupKey = "pushStoryAppGroup"

/// Says whether events are sent by themselves.
#if canImport(ObjectiveC)
@objc
#endif
public enum ABKRequestProcessingPolicy: Int, Sendable {
    /// Events are sent after a short while.
    #if canImport(ObjectiveC)
    @objc(ABKAutomaticRequestProcessing)
    #endif
    case automaticRequestProcessing
    /// Events are sent when the app asks for it, with each request for cards, and at the end of a session.
    #if canImport(ObjectiveC)
    @objc(ABKManualRequestProcessing)
    #endif
    case manualRequestProcessing

    /// The older name of ``manualRequestProcessing``.
    @available(*, deprecated, renamed: "manualRequestProcessing")
    public static var automaticRequestProcessingExceptForDataFlush: Self { .manualRequestProcessing }
}

/// Names what an app is made with.
public enum ABKSDKFlavor: Int, Sendable {
    /// Unity.
    case UNITY = 1
    /// React Native.
    case REACT
    /// Cordova.
    case CORDOVA
    /// Xamarin.
    case XAMARIN
    /// Flutter.
    case FLUTTER
    /// Segment.
    case SEGMENT
    /// mParticle.
    case MPARTICLE
    /// Tealium.
    case TEALIUM
}
