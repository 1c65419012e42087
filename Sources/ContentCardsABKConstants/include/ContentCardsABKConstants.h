// The documented constants, for Objective-C, which does not see Swift's. scripts/check-snippets compares them with
// those.
#pragma once

#if defined(__OBJC__)
#import <Foundation/Foundation.h>

#define ABK_CONSTANT static NSString *const __attribute__((unused))

/// The name of the notification that ends a refresh of cards.
ABK_CONSTANT ABKContentCardsProcessedNotification = @"contentCardsProcessedNotification";
/// The key of a `Bool` in the notification: whether the request has succeeded.
ABK_CONSTANT ABKContentCardsProcessedIsSuccessfulKey = @"isSuccessful";
/// The start option for the address of the server: text or a `URL`.
ABK_CONSTANT ABKEndpointKey = @"endpoint";
/// The start option for the object that may take addresses over.
ABK_CONSTANT ABKURLDelegateKey = @"urlDelegate";
/// The start option for the object that loads images in place of the SDK.
ABK_CONSTANT ABKImageDelegateKey = @"imageDelegate";
/// The start option for the object that hears of refused signatures.
ABK_CONSTANT ABKSdkAuthenticationDelegateKey = @"sdkAuthenticationDelegate";
/// The start option for whether signatures are sent; they are wherever an app gives one.
ABK_CONSTANT ABKEnableSDKAuthenticationKey = @"enableSDKAuthentication";
/// The start option for how many seconds an app may be away and still continue its session.
ABK_CONSTANT ABKSessionTimeoutKey = @"sessionTimeout";
/// The start option for how many seconds events wait for others before they are sent: a number over 1.
ABK_CONSTANT ABKFlushIntervalOptionKey = @"flushInterval";
/// The start option for whether events are sent by themselves: an `ABKRequestProcessingPolicy` or its number.
ABK_CONSTANT ABKRequestProcessingPolicyOptionKey = @"requestProcessingPolicy";
/// The start option for how much is logged: from 0 for everything to 8, the default, for errors; above, nothing is.
ABK_CONSTANT ABKLogLevelKey = @"logLevel";
/// The start option for how many seconds lie between messages inside the app, of which there are none.
ABK_CONSTANT ABKMinimumTriggerTimeIntervalKey = @"minimumTriggerTimeInterval";
/// The start option for the collection of places, of which there is none.
ABK_CONSTANT ABKEnableAutomaticLocationCollectionKey = @"enableAutomaticLocationCollection";
/// The start option for geofences, of which there are none.
ABK_CONSTANT ABKEnableGeofencesKey = @"enableGeofences";
/// The start option for geofences, of which there are none.
ABK_CONSTANT ABKDisableAutomaticGeofenceRequestsKey = @"disableAutomaticGeofenceRequests";
/// The start option for the advertising identifier, which is never asked for.
ABK_CONSTANT ABKIDFADelegateKey = @"idfaDelegate";
/// The start option for messages inside the app, of which there are none.
ABK_CONSTANT ABKInAppMessageControllerDelegateKey = @"inAppMessageControllerDelegate";
/// The start option for messages inside the app, of which there are none.
ABK_CONSTANT ABKEnableDismissModalOnOutsideTapKey = @"enableDismissModalOnOutsideTap";
/// The start option for what else an app is made with, which is not reported.
ABK_CONSTANT ABKSDKFlavorKey = @"sdkFlavor";
/// The start option for what is collected of a device: nothing but what a sync says.
ABK_CONSTANT ABKDeviceAllowlistKey = @"deviceAllowlist";
/// The older name of `ABKDeviceAllowlistKey`.
ABK_CONSTANT ABKDeviceWhitelistKey = @"deviceWhitelist";
/// The start option for events that trigger messages inside the app, of which there are none.
ABK_CONSTANT ABKEphemeralEventsKey = @"ephemeralEvents";
/// The start option for stories in push notifications, of which there are none.
ABK_CONSTANT ABKPushStoryAppGroupKey = @"pushStoryAppGroup";

#undef ABK_CONSTANT
#endif
