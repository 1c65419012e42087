import OrderedCollections
import WireJSON

/// The fields of the forms of campaigns and segments, by the last part of the names that browsers send, and the members
/// of the campaign that they become, as the management API names them; see ``FormTree``.
enum DraftField: String {
    // Of a campaign or segment.
    case id, name, description, tags, salt, audience, delivery, rules, conversions, variants

    // Of what the server keeps of a campaign or segment that was saved.
    case version, status, archived, summary
    case launchedAt = "launched_at"

    // Of a content block.
    case content
    case updatedAt = "updated_at"

    // Of a variant and its card.
    case weight, control, card, type, title, image, domain, url, urls, language, priority, pinned, dismissible
    case expiry, extras, key, translations, tag
    case formerKey = "former_key"
    case imageAlt = "image_alt"
    case imageAspectRatio = "image_aspect_ratio"
    case opensInWebView = "open_url_in_web_view"
    case expiresAt = "expires_at"
    case expiresAfter = "expires_after"
    case expiresInLocalTime = "expires_in_local_time"

    // Of a card as users get it.
    case viewed
    case createdAt = "created_at"

    // Of times and lengths of time.
    case kind, at, after, number, unit, local, start, end, delay, window
    case startAt = "start_at"
    case endAt = "end_at"
    case localTime = "local_time"
    case windowSeconds = "window_seconds"

    // Of what users do.
    case trigger, subject, event, purchase, properties, filters, property, comparison, value, time, on, from
    case sessionStart = "session_start"

    // Of rules.
    case again, days, follow, freeze, uncapped, loud, reeligible
    case reeligibleAfterDays = "reeligible_after_days"
    case removeOn = "remove_on"

    // Of the conditions of an audience.
    case items, segment, test, measure, currency, attribute, contact
    case customAttributeName = "custom_attribute_name"
    case productID = "product_id"
    case withinDays = "within_days"
    case withinCalendarDays = "within_calendar_days"
}

extension JSONValue {
    /// The member of an object, or `nil` for none.
    subscript(field: DraftField) -> JSONValue? { self[field.rawValue] }

    /// Returns the text of a field as it was typed, which is empty where there is none.
    func value(_ field: DraftField) -> String { value(named: field.rawValue) }

    /// Returns the text of a field as it was typed, which is empty where there is none.
    func value(named name: String) -> String { self[name]?.string ?? "" }

    /// Returns the text of a field without spaces around it.
    func trimmed(_ field: DraftField) -> String { value(field).trimmingSpaces }

    /// Returns the text of a field without spaces around it, or `nil` where nothing is left.
    func text(_ field: DraftField) -> String? { text(named: field.rawValue) }

    /// Returns the text of a field without spaces around it, or `nil` where nothing is left.
    func text(named name: String) -> String? {
        let text = value(named: name).trimmingSpaces
        return text.isEmpty ? nil : text
    }

    /// Returns the text of a field as it was typed, or `nil` where it is nothing but spaces.
    func typed(_ field: DraftField) -> JSONValue? { typed(field.rawValue) }

    /// Returns the text of a field as it was typed, or `nil` where it is nothing but spaces.
    func typed(_ name: String) -> JSONValue? {
        self[name]?.string.flatMap { $0.trimmingSpaces.isEmpty ? nil : .string($0) }
    }

    /// Returns what a member says as its field shows it, which is empty where there is none.
    func shown(_ field: DraftField) -> String { self[field]?.fieldText ?? "" }

    /// Returns whether a checkbox is set.
    func isOn(_ field: DraftField) -> Bool { value(field) == "on" || self[field]?.bool == true }

    /// Returns the rows of a list.
    func rows(_ field: DraftField) -> [JSONValue] { self[field]?.array ?? [] }

    /// Returns the fields of a part, such as those of a variant's card.
    func part(_ field: DraftField) -> JSONValue { self[field] ?? [:] }
}

extension JSONObject {
    /// The member of that name, or `nil` for none; setting `nil` removes it.
    subscript(field: DraftField) -> JSONValue? {
        get { self[field.rawValue] }
        set { self[field.rawValue] = newValue }
    }
}
