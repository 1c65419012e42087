import CardModel
import Foundation
import OrderedCollections
import WireJSON

/// Reads an object of `attributes`: what is to become of a user's attributes.
struct AttributeReading {
    /// The names of the fields that say who is meant, or how.
    private static let control: Set<String> = [
        "external_id", "user_alias", "braze_id", "_update_existing_only", "_merge_objects", "push_token_import",
        "prioritization",
    ]
    /// Fields of the documented API about channels that there are none of here.
    private static let passedOver: Set<String> = [
        "push_tokens", "subscription_groups", "facebook", "twitter", "current_location", "date_of_first_session",
        "date_of_last_session", "marked_email_as_spam_at", "email_open_tracking_disabled",
        "email_click_tracking_disabled",
    ]

    private let merges: Bool

    /// Reads the changes of an object.
    static func read(_ object: JSONValue) throws(BackendInputError) -> AttributeChanges {
        guard let members = object.object else { throw BackendInputError("An object is expected") }
        let reading = AttributeReading(merges: try BackendFlag.read("_merge_objects", in: object) ?? false)
        var changes = AttributeChanges()
        for (name, value) in members where !control.contains(name) && !passedOver.contains(name) {
            if let attribute = StandardAttribute(rawValue: name) {
                changes.standard[attribute] = try reading.standard(attribute, value)
            } else {
                changes.custom[name] = try reading.custom(name, value)
            }
        }
        return changes
    }

    // MARK: Standard attributes

    /// Reads what becomes of an attribute with a meaning of its own: a value, `null` to remove it, or `nil` to leave
    /// it.
    private func standard(_ attribute: StandardAttribute, _ value: JSONValue) throws(BackendInputError) -> JSONValue? {
        if value.isNull { return JSONValue.null }
        // The documented API keeps the rest of the object where it does not know a zone or a country.
        switch attribute {
        case .email: return .string(try UserReference.email(value))
        case .phone: return .string(try UserReference.phone(value))
        case .timeZone: return value.string.flatMap(attribute.value).map(JSONValue.string)
        case .country: return value.string.flatMap(attribute.value).map(JSONValue.string) ?? .null
        default: break
        }
        guard let text = value.string, text.utf8.count <= attribute.valueLimit else {
            throw BackendInputError(
                "'\(attribute.rawValue)' has to be a string of at most \(attribute.valueLimit) bytes"
            )
        }
        guard let kept = attribute.value(of: text) else {
            throw BackendInputError("'\(attribute.rawValue)' has to be \(Self.expectation(of: attribute))")
        }
        return .string(kept)
    }

    /// The values that an attribute can have, as errors say it.
    private static func expectation(of attribute: StandardAttribute) -> String {
        switch attribute {
        case .gender: "M, F, O, N or P"
        case .dateOfBirth: "a date such as 1990-12-31"
        case .emailSubscription, .pushSubscription: "opted_in, subscribed or unsubscribed"
        default: "another value"
        }
    }

    // MARK: Custom attributes

    private func custom(_ name: String, _ value: JSONValue) throws(BackendInputError) -> AttributeChange {
        guard IdentityText.isValid(name) else {
            throw BackendInputError("An attribute's name has 1 to 255 bytes without control characters")
        }
        guard value.encodedSize <= UserLimits.valueBytes else {
            throw BackendInputError("'\(name)' has more than \(UserLimits.valueBytes) bytes of JSON")
        }
        guard let members = value.object else { return .set(try plain(value)) }
        if let operation = try operation(members) { return operation }
        return merges ? .merge(try plain(value)) : .set(try plain(value))
    }

    /// Reads an object that says what to do, or returns `nil` for one that is a value.
    private func operation(_ members: JSONObject) throws(BackendInputError) -> AttributeChange? {
        let names = Set(members.keys)
        if names == ["inc"] {
            guard let amount = members["inc"], amount.double != nil else {
                throw BackendInputError("'inc' has to be a number")
            }
            return .increment(by: amount)
        }
        if !names.isEmpty, names.isSubset(of: ["add", "remove"]) {
            guard members.values.allSatisfy({ $0.array != nil }) else {
                throw BackendInputError("'add' and 'remove' have to be arrays")
            }
            return .edit(
                adding: try plain(members["add"]?.array ?? []),
                removing: try plain(members["remove"]?.array ?? [])
            )
        }
        if !names.isEmpty, names.isSubset(of: ["$add", "$update", "$remove"]) { return try objectEdits(members) }
        return nil
    }

    private func objectEdits(_ members: JSONObject) throws(BackendInputError) -> AttributeChange {
        var edits = AttributeChange.ObjectEdits(additions: [], updates: [], removals: [], merges: merges)
        edits.additions = try plain(try elements("$add", members))
        for element in try elements("$update", members) {
            guard let object = element["$new_object"], object.object != nil else {
                throw BackendInputError("'$update' needs a '$new_object' that is an object")
            }
            edits.updates.append(.init(match: try match(element), object: try plain(object)))
        }
        for element in try elements("$remove", members) { edits.removals.append(try match(element)) }
        guard edits.updates.count + edits.removals.count <= AttributeChange.ObjectEdits.limit else {
            let limit = AttributeChange.ObjectEdits.limit
            throw BackendInputError("'$update' and '$remove' have at most \(limit) elements together")
        }
        return .editObjects(edits)
    }

    private func elements(
        _ name: String,
        _ members: JSONObject
    ) throws(BackendInputError) -> [JSONValue] {
        guard let value = members[name] else { return [] }
        guard let elements = value.array else { throw BackendInputError("'\(name)' has to be an array") }
        return elements
    }

    private func match(_ element: JSONValue) throws(BackendInputError) -> AttributeChange.ObjectEdits.ObjectMatch {
        guard let key = element["$identifier_key"]?.string, let value = element["$identifier_value"] else {
            throw BackendInputError("'$identifier_key' and '$identifier_value' are required")
        }
        return .init(key: key, value: try plain(value))
    }

    // MARK: Values

    /// A value with its `{"$time": …}` put in the place of the objects that hold them.
    private func plain(_ value: JSONValue) throws(BackendInputError) -> JSONValue {
        switch value {
        case .array(let elements): return .array(try plain(elements))
        case .object(let members):
            if members.count == 1, let time = members["$time"] {
                guard BackendTime.read(time) != nil else {
                    throw BackendInputError("'$time' has to be \(BackendTime.expected)")
                }
                return time
            }
            var plain: JSONObject = [:]
            for (name, member) in members { plain[name] = try self.plain(member) }
            return .object(plain)
        default: return value
        }
    }

    private func plain(_ elements: [JSONValue]) throws(BackendInputError) -> [JSONValue] {
        var plain: [JSONValue] = []
        for element in elements { plain.append(try self.plain(element)) }
        return plain
    }
}

/// Reads truth values of requests.
enum BackendFlag {
    static func read(_ name: String, in object: JSONValue) throws(BackendInputError) -> Bool? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let flag = value.bool else { throw BackendInputError("'\(name)' has to be true or false") }
        return flag
    }
}
