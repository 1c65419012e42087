import Foundation

// Attributes go the way of events: they survive a crash from the moment a call returns, and are delivered in order and
// counted once, so that an increment is never made twice.
extension ContentCardsClient {
    /// Sets an attribute of the current user, for audiences and for the texts of cards.
    ///
    /// The names of ``StandardAttribute`` have a meaning of their own; under any other name the attribute is the app's.
    ///
    /// - Parameters:
    ///   - name: 1 to 255 bytes.
    ///   - value: what is to be there; `.null` removes the attribute. Dates are text in ISO 8601.
    /// - Returns: whether it was logged; false when nobody is identified, or name or value are not acceptable.
    @discardableResult
    public func setAttribute(_ name: String, to value: JSONValue) -> Bool {
        core.logAttribute(name, value)
    }

    /// Sets a standard attribute of the current user; `nil` removes it.
    @discardableResult
    public func setAttribute(_ attribute: StandardAttribute, to value: String?) -> Bool {
        core.logAttribute(attribute.rawValue, value.map(JSONValue.string) ?? .null)
    }

    /// Adds to an attribute of the current user that is a number; one that is absent counts as 0.
    ///
    /// - Parameters:
    ///   - name: 1 to 255 bytes.
    ///   - amount: what to add, negative to subtract; 1 by default.
    /// - Returns: whether it was logged.
    @discardableResult
    public func incrementAttribute(_ name: String, by amount: Int = 1) -> Bool {
        core.logAttribute(name, ["inc": .integer(Int64(amount))])
    }

    /// Adds elements to an attribute of the current user that is a list, and removes some; one that is absent counts as
    /// an empty list.
    ///
    /// The server keeps each element once, and the last 500 of them.
    /// - Returns: whether it was logged.
    @discardableResult
    public func editAttribute(_ name: String, adding: [JSONValue] = [], removing: [JSONValue] = []) -> Bool {
        core.logAttribute(name, ["add": .array(adding), "remove": .array(removing)])
    }

    /// Names the attributes of users that have a meaning of their own.
    public enum StandardAttribute: String, Sendable, CaseIterable {
        /// The given name.
        case firstName = "first_name"
        /// The family name.
        case lastName = "last_name"
        /// The e-mail address.
        case email
        /// The telephone number.
        case phone
        /// `M`, `F`, `O` (other), `N` (not applicable) or `P` (prefers not to say).
        case gender
        /// The date of birth: `yyyy-MM-dd`.
        case dateOfBirth = "dob"
        /// ISO 3166-1, two letters; without it, the region of the device's locale counts.
        case country
        /// The city.
        case homeCity = "home_city"
        /// ISO 639; without it, the language of the device's locale counts.
        case language
        /// An IANA name; without it, the device's time zone counts.
        case timeZone = "time_zone"
        /// `opted_in`, `subscribed` or `unsubscribed`.
        case emailSubscription = "email_subscribe"
        /// `opted_in`, `subscribed` or `unsubscribed`.
        case pushSubscription = "push_subscribe"
    }
}

extension ClientCore {
    fileprivate func logAttribute(_ name: String, _ value: JSONValue) -> Bool {
        guard (1...255).contains(name.utf8.count) else {
            report(.eventRefused(type: "attributes", reason: "the name of an attribute has 1 to 255 bytes"))
            return false
        }
        return log(.attribute(name, value))
    }
}
