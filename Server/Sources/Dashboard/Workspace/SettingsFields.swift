import CardModel
import WireJSON

/// A field of the settings' form that shows one value of the API as it is.
struct SettingsField {
    /// Its name in the form.
    let name: String
    let label: String
    let hint: String
    /// The value of an empty field.
    let placeholder: String
    var value = ""
}

/// The settings that are single texts or numbers, or `null` where the field is empty.
enum SettingsFields {
    static let tokens = [
        SettingsField(
            name: "jwks_url",
            label: "Key set URL",
            hint: "where your identity provider publishes its keys (JWKS); fetched now and every ten minutes",
            placeholder: "https://id.example.com/.well-known/jwks.json"
        ),
        SettingsField(name: "token_issuer", label: "Issuer", hint: "the iss that tokens must have", placeholder: "any"),
        SettingsField(
            name: "token_audience",
            label: "Audience",
            hint: "the aud that tokens must have",
            placeholder: "any"
        ),
        SettingsField(
            name: "token_max_lifetime_seconds",
            label: "Maximum lifetime (seconds)",
            hint: "60 to 3,153,600,000. The default is 30 days.",
            placeholder: "2592000"
        ),
    ]

    static let retention = [
        SettingsField(
            name: "audit_days",
            label: "Audit log retention (days)",
            hint: "30 to 3,650, or empty for ever",
            placeholder: "for ever"
        ),
        SettingsField(
            name: "version_days",
            label: "Campaign version retention (days)",
            hint: "1 to 3,650, or empty for ever; the latest version always stays",
            placeholder: "for ever"
        ),
    ]

    /// The form's fields for settings of the API.
    static func fields(of settings: JSONValue) -> [(name: String, value: String)] {
        var fields = (tokens + retention).map { (name: $0.name, value: settings[$0.name]?.fieldText ?? "") }
        let keys = settings["jwks"] ?? .null
        fields.append((name: "jwks", value: keys.isNull ? "" : keys.text))
        return fields
    }

    /// Those fields with what a form says.
    static func filled(_ fields: [SettingsField], _ form: FormData) -> [SettingsField] {
        fields.map { field in
            var field = field
            field.value = form[field.name] ?? ""
            return field
        }
    }

    /// Puts what a form says in place of what the settings have; a form that lacks a field leaves it.
    static func write(_ form: FormData, to members: inout JSONObject) {
        for name in ["jwks_url", "token_issuer", "token_audience"] where form[name] != nil {
            members[name] = form.text(name).map(JSONValue.string) ?? .null
        }
        for name in ["token_max_lifetime_seconds", "audit_days", "version_days"] where form[name] != nil {
            members[name] = form.text(name).map { SettingsPages.number($0) } ?? .null
        }
        guard form["jwks"] != nil else { return }
        members["jwks"] = form.text("jwks").map { (try? JSONValue(parsing: $0)) ?? .string($0) } ?? .null
    }
}

/// The limits of requests, as rows of two numbers or one.
enum LimitFields {
    struct Row {
        let label: String
        let first: SettingsField
        let second: SettingsField
    }

    private static let groups: [RateLimit.Group: String] = [
        .track: "Track users", .export: "Export users", .identity: "Delete, alias and identify users",
        .dataSeries: "Campaign analytics", .send: "API-triggered sends", .broadcast: "API-triggered broadcasts",
        .other: "Everything else",
    ]

    private static let labels = [
        "requests_per_address": "Requests per address", "requests_per_key": "Requests per publishable key",
        "requests_per_user": "Requests per user", "new_users_per_address": "New users per address",
        "events_per_user": "Events per user", "live_opens_per_address": "Live streams opened per address",
        "failures_per_address": "Refused requests per address", "live_streams_per_user": "Open live streams per user",
        "attributes_per_user": "Custom attributes per user", "attribute_bytes_per_user": "Bytes of attributes per user",
        "event_names_per_user": "Event and product names per user", "aliases_per_user": "Aliases per user",
    ]

    /// The limits of backends: requests, and the seconds in which they may be made.
    static func backends(_ form: FormData) -> [Row] {
        RateLimit.Group.allCases.map { group in
            let (name, standard) = ("rate_limits.\(group.rawValue)", group.standard)
            // safe: a number of our own
            let requests = JSONValue.integer(Int64(standard.requests))
            return Row(
                label: groups[group] ?? group.rawValue,
                first: field("\(name).requests", "requests", requests, form),
                second: field("\(name).seconds", "per seconds", JSONValue.number(standard.seconds), form)
            )
        }
    }

    /// The limits of devices that are rates: a burst, and how many a second.
    static func rates(_ form: FormData) -> [Row] {
        let standard = DeviceLimits().json
        return DeviceLimits.rateNames.map { rate in
            let name = "device_limits.\(rate)"
            return Row(
                label: labels[rate] ?? rate,
                first: field("\(name).burst", "at once", standard[rate]?["burst"], form),
                second: field("\(name).per_second", "per second", standard[rate]?["per_second"], form)
            )
        }
    }

    /// The limits of devices that are plain numbers.
    static func counts(_ form: FormData) -> [SettingsField] {
        let standard = DeviceLimits().json
        return DeviceLimits.countRanges.map { name, range in
            let hint = "\(range.lowerBound) to \(range.upperBound)"
            return field("device_limits.\(name)", labels[name] ?? name, standard[name], form, hint: hint)
        }
    }

    private static func field(
        _ name: String,
        _ label: String,
        _ standard: JSONValue?,
        _ form: FormData,
        hint: String = ""
    ) -> SettingsField {
        SettingsField(
            name: name,
            label: label,
            hint: hint,
            placeholder: standard?.fieldText ?? "",
            value: form[name] ?? ""
        )
    }

    /// The form's fields for settings of the API.
    static func fields(of settings: JSONValue) -> [(name: String, value: String)] {
        names.map { (name: $0.joined(separator: "."), value: value(at: $0, in: settings)?.fieldText ?? "") }
    }

    /// The way to each number within the settings.
    private static var names: [[String]] {
        let groups = RateLimit.Group.allCases.flatMap { group in
            ["requests", "seconds"].map { ["rate_limits", group.rawValue, $0] }
        }
        let rates = DeviceLimits.rateNames.flatMap { name in
            ["burst", "per_second"].map { ["device_limits", name, $0] }
        }
        return groups + rates + DeviceLimits.countRanges.map { ["device_limits", $0.name] }
    }

    private static func value(at path: [String], in settings: JSONValue) -> JSONValue? {
        path.reduce(settings as JSONValue?) { $0?[$1] }
    }

    /// Puts what a form says in place of what the settings have; an empty field has its default.
    static func write(_ form: FormData, to members: inout JSONObject) {
        guard names.contains(where: { form[$0.joined(separator: ".")] != nil }) else { return }
        var limits: [String: JSONObject] = ["rate_limits": [:], "device_limits": [:]]
        for path in names {
            guard let text = form.text(path.joined(separator: ".")) else { continue }
            let number = SettingsPages.number(text)
            if path.count == 2 {
                limits[path[0]]?[path[1]] = number
            } else {
                var pair = limits[path[0]]?[path[1]]?.object ?? [:]
                pair[path[2]] = number
                limits[path[0]]?[path[1]] = .object(pair)
            }
        }
        for (name, value) in limits { members[name] = .object(value) }
    }
}
