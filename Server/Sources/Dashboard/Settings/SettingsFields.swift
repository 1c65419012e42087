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
    /// The problem of the field, or `nil`.
    var mark: FieldMark?
}

/// The settings that are single texts or numbers, or `null` where the field is empty.
enum SettingsFields {
    static var tokens: [SettingsField] {
        [
            SettingsField(
                name: FormField.keySetURL.rawValue,
                label: localized("Key set URL"),
                hint: localized(
                    "where your identity provider publishes its keys (JWKS); fetched now and every ten minutes"
                ),
                placeholder: "https://id.example.com/.well-known/jwks.json"
            ),
            SettingsField(
                name: FormField.tokenIssuer.rawValue,
                label: localized("Issuer"),
                hint: localized("the iss that tokens must have"),
                placeholder: localized("any")
            ),
            SettingsField(
                name: FormField.tokenAudience.rawValue,
                label: localized("Audience", in: "token"),
                hint: localized("the aud that tokens must have"),
                placeholder: localized("any")
            ),
            SettingsField(
                name: FormField.tokenLifetime.rawValue,
                label: localized("Maximum lifetime (seconds)"),
                hint: localized("60 to 3,153,600,000. The default is 30 days."),
                placeholder: "2592000"
            ),
        ]
    }

    static var retention: [SettingsField] {
        [
            SettingsField(
                name: FormField.auditDays.rawValue,
                label: localized("Audit log retention (days)"),
                hint: localized("30 to 3,650, or empty to keep them forever"),
                placeholder: localized("forever")
            ),
            SettingsField(
                name: FormField.versionDays.rawValue,
                label: localized("Campaign version retention (days)"),
                hint: localized("1 to 3,650, or empty to keep them forever; the latest version always stays"),
                placeholder: localized("forever")
            ),
        ]
    }

    /// Those fields with what a form says and what is wrong with it.
    static func filled(
        _ fields: [SettingsField],
        _ form: FormData,
        _ marks: [String: FieldMark]
    ) -> [SettingsField] {
        fields.map { field in
            var field = field
            field.value = form.value(named: field.name)
            field.mark = marks[field.name]
            return field
        }
    }
}

/// The limits of requests, as rows of two numbers or one.
enum LimitFields {
    struct LimitRow {
        let label: String
        let first: SettingsField
        let second: SettingsField
    }

    private static let backendPrefix = Settings.SettingsFieldName.rateLimits.rawValue
    private static let devicePrefix = Settings.SettingsFieldName.deviceLimits.rawValue

    private static let groups: [RateLimit.Group: Phrase] = [
        .track: "Track users", .export: "Export users", .identity: "Delete, alias and identify users",
        .dataSeries: "Campaign analytics", .send: "API-triggered sends", .broadcast: "API-triggered broadcasts",
        .management: "Management API", .other: "Everything else",
    ]

    private static let labels: [String: Phrase] = [
        "requests_per_address": "Requests per address", "requests_per_key": "Requests per publishable key",
        "requests_per_user": "Requests per user", "new_users_per_address": "New users per address",
        "events_per_user": "Events per user", "event_bytes_per_address": "Bytes of events per address",
        "live_opens_per_address": "Live streams opened per address",
        "failures_per_address": "Refused requests per address", "live_streams_per_user": "Open live streams per user",
        "attributes_per_user": "Custom attributes per user", "attribute_bytes_per_user": "Bytes of attributes per user",
        "event_names_per_user": "Event and product names per user", "aliases_per_user": "Aliases per user",
    ]

    /// The limits of backends: requests, and the seconds in which they may be made.
    static func backends(_ form: FormData, _ marks: [String: FieldMark]) -> [LimitRow] {
        let fields = FieldSource(form: form, marks: marks)
        return RateLimit.Group.allCases.map { group in
            let (name, standard) = ("\(backendPrefix).\(group.rawValue)", group.standard)
            return LimitRow(
                label: label(of: group.rawValue),
                first: fields.field("\(name).requests", localized("requests"), String(standard.requests)),
                second: fields.field("\(name).seconds", localized("In seconds"), standard.seconds.fieldText)
            )
        }
    }

    /// The limits of devices that are rates: a burst, and how many a second.
    static func rates(_ form: FormData, _ marks: [String: FieldMark]) -> [LimitRow] {
        let fields = FieldSource(form: form, marks: marks)
        return DeviceLimits.rates.map { rate, path in
            let (name, standard) = ("\(devicePrefix).\(rate)", DeviceLimits()[keyPath: path])
            return LimitRow(
                label: label(of: rate),
                first: fields.field("\(name).burst", localized("at once"), String(standard.burst)),
                second: fields.field("\(name).per_second", localized("per second"), standard.perSecond.fieldText)
            )
        }
    }

    /// The limits of devices that are plain numbers.
    static func counts(_ form: FormData, _ marks: [String: FieldMark]) -> [SettingsField] {
        let fields = FieldSource(form: form, marks: marks)
        return DeviceLimits.counts.map { name, path, range in
            let (low, high) = (PageFormatter.count(range.lowerBound), PageFormatter.count(range.upperBound))
            let standard = String(DeviceLimits()[keyPath: path])
            let hint = localized("\(low) to \(high)")
            return fields.field("\(devicePrefix).\(name)", label(of: name), standard, hint: hint)
        }
    }

    /// Returns the form's label of a limit, by its name on the wire.
    static func label(of name: String) -> String {
        if let group = RateLimit.Group(rawValue: name), let phrase = groups[group] { return localized(phrase) }
        return labels[name].map(localized) ?? name
    }

    /// The source of fields: a form, and what is wrong with it.
    private struct FieldSource {
        let form: FormData
        let marks: [String: FieldMark]

        func field(_ name: String, _ label: String, _ standard: String, hint: String = "") -> SettingsField {
            SettingsField(
                name: name,
                label: label,
                hint: hint,
                placeholder: standard,
                value: form.value(named: name),
                mark: marks[name]
            )
        }
    }

    /// The form's fields for settings; a limit of backends that is the standard one is empty.
    static func fields(of settings: Settings) -> [(name: String, value: String)] {
        let groups = RateLimit.Group.allCases.flatMap { group in
            let (name, limit) = ("\(backendPrefix).\(group.rawValue)", settings.rateLimits[group])
            return [
                ("\(name).requests", PageFormatter.shown(limit?.requests)),
                ("\(name).seconds", PageFormatter.shown(limit?.seconds.fieldText)),
            ]
        }
        let limits = settings.deviceLimits
        let rates = DeviceLimits.rates.flatMap { name, path in
            [
                ("\(devicePrefix).\(name).burst", String(limits[keyPath: path].burst)),
                ("\(devicePrefix).\(name).per_second", limits[keyPath: path].perSecond.fieldText),
            ]
        }
        let counts = DeviceLimits.counts.map { ("\(devicePrefix).\($0.name)", String(limits[keyPath: $0.path])) }
        return groups + rates + counts
    }

    /// Returns the limits that a form says, in which an empty field has its default, or `nil` where it has no such
    /// field.
    static func json(_ form: FormData) -> (rates: JSONValue, devices: JSONValue)? {
        let prefixes = ["\(backendPrefix).", "\(devicePrefix)."]
        let fields = form.fields.filter { field in prefixes.contains { field.name.hasPrefix($0) } }
        guard !fields.isEmpty else { return nil }
        let typed = FormData(fields.filter { !$0.value.trimmingSpaces.isEmpty })
        let limits = numbers(FormTree.json(typed))
        return (limits[backendPrefix] ?? [:], limits[devicePrefix] ?? [:])
    }

    private static func numbers(_ fields: JSONValue) -> JSONValue {
        fields.object.map { .object($0.mapValues(numbers)) } ?? SettingsForm.number(fields.fieldText)
    }
}
