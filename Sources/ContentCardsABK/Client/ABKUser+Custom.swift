import ContentCards
import Foundation

// Each call returns whether the name is acceptable: 1 to 255 bytes, and none of an attribute with a meaning of its own.
extension ABKUser {
    /// Sets an attribute of the app's own to true or false.
    @discardableResult
    public func setCustomAttributeWithKey(_ key: String, andBOOLValue value: Bool) -> Bool {
        log(key) { $0.setAttribute(key, to: .bool(value)) }
    }

    /// Sets an attribute of the app's own to a whole number.
    @discardableResult
    public func setCustomAttributeWithKey(_ key: String, andIntegerValue value: Int) -> Bool {
        log(key) { $0.setAttribute(key, to: .integer(Int64(value))) }
    }

    /// Sets an attribute of the app's own to a number, which has to be finite.
    @discardableResult
    public func setCustomAttributeWithKey(_ key: String, andDoubleValue value: Double) -> Bool {
        guard value.isFinite else { return false }
        return log(key) { $0.setAttribute(key, to: .number(value)) }
    }

    /// Sets an attribute of the app's own to text.
    @discardableResult
    public func setCustomAttributeWithKey(_ key: String, andStringValue value: String) -> Bool {
        log(key) { $0.setAttribute(key, to: .string(value)) }
    }

    /// Sets an attribute of the app's own to a moment.
    @discardableResult
    public func setCustomAttributeWithKey(_ key: String, andDateValue value: Date) -> Bool {
        log(key) { $0.setAttribute(key, to: .string(value.ISO8601Format())) }
    }

    /// Removes an attribute of the app's own.
    @discardableResult
    public func unsetCustomAttribute(withKey key: String) -> Bool {
        log(key) { $0.setAttribute(key, to: .null) }
    }

    /// Adds to an attribute of the app's own; one that is absent counts as 0.
    ///
    /// - Parameters:
    ///   - key: the name.
    ///   - incrementValue: what to add; 1 by default.
    /// - Returns: whether the name is acceptable.
    @discardableResult
    public func incrementCustomUserAttribute(_ key: String, by incrementValue: Int = 1) -> Bool {
        log(key) { $0.incrementAttribute(key, by: incrementValue) }
    }

    /// Sets an attribute of the app's own to a list; `nil` removes it.
    @discardableResult
    public func setCustomAttributeArrayWithKey(_ key: String, array valueArray: [Any]?) -> Bool {
        let value = valueArray.map { JSONValue.array($0.map(JSONValue.init(loose:))) } ?? .null
        return log(key) { $0.setAttribute(key, to: value) }
    }

    /// Adds an element to a list of the app's own.
    @discardableResult
    public func addToCustomAttributeArray(withKey key: String, value: String) -> Bool {
        log(key) { $0.editAttribute(key, adding: [.string(value)]) }
    }

    /// Removes an element from a list of the app's own.
    @discardableResult
    public func removeFromCustomAttributeArray(withKey key: String, value: String) -> Bool {
        log(key) { $0.editAttribute(key, removing: [.string(value)]) }
    }

    private func log(_ key: String, _ body: @escaping @Sendable (ContentCardsClient) -> Void) -> Bool {
        guard (1...255).contains(key.utf8.count), ContentCardsClient.StandardAttribute(rawValue: key) == nil else {
            return false
        }
        appboy.log(body)
        return true
    }
}
