import ContentCards
import Foundation

extension Appboy {
    /// Logs something that happened in the app.
    public func logCustomEvent(_ eventName: String, withProperties properties: [AnyHashable: Any]? = nil) {
        let properties = JSONValue.properties(properties)
        log { $0.logEvent(eventName, properties: properties) }
    }

    /// Logs a purchase.
    ///
    /// - Parameters:
    ///   - productIdentifier: what was bought.
    ///   - currency: an ISO 4217 code, such as `USD`.
    ///   - price: the price of one piece.
    ///   - quantity: how many; 1 by default.
    ///   - properties: whatever else is worth knowing.
    public func logPurchase(
        _ productIdentifier: String,
        inCurrency currency: String,
        atPrice price: NSDecimalNumber,
        withQuantity quantity: UInt = 1,
        andProperties properties: [AnyHashable: Any]? = nil
    ) {
        let (price, quantity, properties) =
            (price.decimalValue, Int(clamping: quantity), JSONValue.properties(properties))
        log {
            $0.logPurchase(
                productIdentifier,
                currency: currency,
                price: price,
                quantity: quantity,
                properties: properties
            )
        }
    }

    /// Logs the purchase of one piece.
    public func logPurchase(
        _ productIdentifier: String,
        inCurrency currency: String,
        atPrice price: NSDecimalNumber,
        withProperties properties: [AnyHashable: Any]?
    ) {
        logPurchase(productIdentifier, inCurrency: currency, atPrice: price, andProperties: properties)
    }
}

extension JSONValue {
    static func properties(_ properties: [AnyHashable: Any]?) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for (key, value) in properties ?? [:] { values[key.base as? String ?? "\(key)"] = JSONValue(loose: value) }
        return values
    }

    /// Takes whatever apps put in dictionaries; what JSON does not have becomes text.
    init(loose value: Any) {
        switch value {
        case let value as String: self = .string(value)
        case let value as NSNumber: self.init(value)
        case let value as Bool: self = .bool(value)
        case let value as Int: self = .integer(Int64(value))
        case let value as Double: self = .number(value)
        case let value as [Any]: self = .array(value.map(JSONValue.init(loose:)))
        case let value as [AnyHashable: Any]: self = .object(Self.properties(value))
        case is NSNull: self = .null
        case let value as Date: self = .string(value.ISO8601Format())
        default: self = .string("\(value)")
        }
    }

    /// Takes a number as Objective-C has it, of which each 0 and 1 could be a boolean, too.
    private init(_ number: NSNumber) {
        switch String(cString: number.objCType) {
        case "c" where (0...1).contains(number.intValue), "B": self = .bool(number.boolValue)
        case "d", "f": self = .number(number.doubleValue)
        case "Q": self = Int64(exactly: number.uint64Value).map(Self.integer) ?? .number(number.doubleValue)
        default: self = .integer(number.int64Value)
        }
    }
}
