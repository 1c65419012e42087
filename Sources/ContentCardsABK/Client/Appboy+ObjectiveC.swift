#if canImport(ObjectiveC)
import Foundation

// Objective-C has no default arguments: these are the documented shorter forms of calls, for it alone.

extension Appboy {
    /// Starts the SDK with the settings of the main bundle.
    @objc(startWithApiKey:inApplication:withLaunchOptions:)
    @available(swift, obsoleted: 1, message: "Use start(withApiKey:in:withLaunchOptions:withAppboyOptions:).")
    public static func startWithoutOptions(_ apiKey: String, application: Any?, launchOptions: [AnyHashable: Any]?) {
        start(withApiKey: apiKey, in: application, withLaunchOptions: launchOptions, withAppboyOptions: nil)
    }

    /// Logs something that happened in the app.
    @objc(logCustomEvent:)
    @available(swift, obsoleted: 1, message: "Use logCustomEvent(_:withProperties:).")
    public func logCustomEventWithoutProperties(_ eventName: String) {
        logCustomEvent(eventName, withProperties: nil)
    }

    /// Logs the purchase of one piece.
    @objc(logPurchase:inCurrency:atPrice:)
    @available(swift, obsoleted: 1, message: "Use logPurchase(_:inCurrency:atPrice:withQuantity:andProperties:).")
    public func logPurchaseOfOne(_ productIdentifier: String, currency: String, price: NSDecimalNumber) {
        logPurchase(productIdentifier, inCurrency: currency, atPrice: price, withQuantity: 1, andProperties: nil)
    }

    /// Logs a purchase.
    @objc(logPurchase:inCurrency:atPrice:withQuantity:)
    @available(swift, obsoleted: 1, message: "Use logPurchase(_:inCurrency:atPrice:withQuantity:andProperties:).")
    public func logPurchaseOfMany(
        _ productIdentifier: String,
        currency: String,
        price: NSDecimalNumber,
        quantity: UInt
    ) {
        logPurchase(productIdentifier, inCurrency: currency, atPrice: price, withQuantity: quantity, andProperties: nil)
    }
}

extension ABKUser {
    /// Adds 1 to an attribute.
    @objc(incrementCustomUserAttribute:)
    @available(swift, obsoleted: 1, message: "Use incrementCustomUserAttribute(_:by:).")
    public func incrementByOne(_ key: String) -> Bool {
        incrementCustomUserAttribute(key, by: 1)
    }
}
#endif
