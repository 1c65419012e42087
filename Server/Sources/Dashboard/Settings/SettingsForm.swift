import CardModel
import Foundation
import WireJSON

/// The settings as the fields of their form, and the form as the settings that it asks for.
enum SettingsForm {
    private static let texts: [(FormField, Settings.SettingsFieldName)] = [
        (.keySetURL, .keySetURL), (.tokenIssuer, .tokenIssuer), (.tokenAudience, .tokenAudience),
    ]
    private static let numbers: [(FormField, Settings.SettingsFieldName)] = [
        (.cardLimit, .cardLimit), (.cardSizeLimit, .cardSizeLimit), (.burst, .refreshBurst),
        (.seconds, .refreshSeconds),
    ]
    private static let optionalNumbers: [(FormField, Settings.SettingsFieldName)] = [
        (.tokenLifetime, .tokenLifetime), (.eventDays, .eventDays), (.auditDays, .auditDays),
        (.versionDays, .versionDays),
    ]
    private static let flags: [(FormField, Settings.SettingsFieldName)] = [
        (.requireTwoFactor, .requireTwoFactor), (.maskPersonalData, .maskPersonalData),
    ]

    // MARK: From settings

    /// Returns the form that shows the settings.
    static func form(of settings: Settings) -> FormData {
        func flag(_ isOn: Bool) -> String { isOn ? "on" : "" }
        let fields: [(FormField, String)] = [
            (.timeZone, settings.timeZone), (.requireTwoFactor, flag(settings.requiresTwoFactor)),
            (.maskPersonalData, flag(settings.masksPersonalData)),
            (.launchApproval, settings.launchApproval.rawValue), (.userTokens, settings.userTokens.rawValue),
            (.publicKeys, settings.publicKeys.map(\.pem).joined(separator: "\n")),
            (.keySet, PageFormatter.shown(settings.keySet?.json.text)),
            (.keySetURL, PageFormatter.shown(settings.keySetURL)),
            (.tokenIssuer, PageFormatter.shown(settings.tokenRules.issuer)),
            (.tokenAudience, PageFormatter.shown(settings.tokenRules.audience)),
            (.tokenLifetime, PageFormatter.shown(settings.tokenRules.maximumLifetime?.fieldText)),
            (.cardLimit, PageFormatter.shown(settings.cardLimit)),
            (.cardSizeLimit, PageFormatter.shown(settings.cardSizeLimit)),
            (.burst, PageFormatter.shown(settings.refreshBurst)), (.seconds, settings.refreshSeconds.fieldText),
            (.eventDays, PageFormatter.shown(settings.eventDays)),
            (.auditDays, PageFormatter.shown(settings.auditDays)),
            (.versionDays, PageFormatter.shown(settings.versionDays)),
            (.contentHosts, settings.connectedContentHosts.map(\.text).joined(separator: "\n")),
            (.quietFrom, PageFormatter.shown(settings.quietHours?.fromText)),
            (.quietTo, PageFormatter.shown(settings.quietHours?.toText)),
        ]
        let limits = LimitFields.fields(of: settings) + CapFields.fields(of: settings.frequencyCaps)
        return FormData(fields.map { ($0.rawValue, $1) } + limits)
    }

    // MARK: To settings

    /// Returns what the form asks for, as the settings are read; what the form does not show stays as it is.
    static func json(_ form: FormData, over settings: Settings) -> JSONValue {
        var members = settings.json.object ?? [:]
        func set(_ field: Settings.SettingsFieldName, _ value: JSONValue) { members[field.rawValue] = value }
        set(.timeZone, .string(form.trimmed(.timeZone)))
        set(.userTokens, .string(form.value(.userTokens)))
        if let policy = form[.launchApproval] { set(.launchApproval, .string(policy)) }
        set(.publicKeys, publicKeys(form.value(.publicKeys), known: settings.publicKeys))
        set(.quietHours, quietHours(form))
        set(.frequencyCaps, .array(CapFields.rows(in: form).compactMap(\.json)))
        if let text = form[.contentHosts] { set(.connectedContentHosts, hosts(text)) }
        if form[.keySet] != nil { set(.keySet, form.text(.keySet).map(keySet) ?? .null) }
        for (name, field) in flags where form[name] != nil { set(field, .bool(form.isOn(name))) }
        for (name, field) in texts where form[name] != nil {
            set(field, form.text(name).map(JSONValue.string) ?? .null)
        }
        for (name, field) in numbers { set(field, number(form.value(name))) }
        for (name, field) in optionalNumbers where form[name] != nil {
            set(field, form.text(name).map(number) ?? .null)
        }
        if let limits = LimitFields.json(form) {
            set(.rateLimits, limits.rates)
            set(.deviceLimits, limits.devices)
        }
        return .object(members)
    }

    /// Returns the number that a text says, or the text itself where it says none.
    ///
    /// Thousands may be apart as the page writes them, such as in `3,650`, and all of it in full width.
    static func number(_ text: String) -> JSONValue {
        let typed = text.trimmingSpaces
        let ascii = TypedNumber.ascii(typed)
        // characters: what has a mark is no number
        let isGrouped = ascii.wholeMatch(of: /[0-9]{1,3}(,[0-9]{3})+/) != nil
        // characters: digits and commas alone
        let number = isGrouped ? ascii.replacing(",", with: "") : ascii
        if let integer = Int64(number) { return .integer(integer) }
        return Double(number).map(JSONValue.number) ?? .string(typed)
    }

    private static func quietHours(_ form: FormData) -> JSONValue {
        guard form.text(.quietFrom) != nil || form.text(.quietTo) != nil else { return .null }
        let (from, to) = (form.trimmed(.quietFrom), form.trimmed(.quietTo))
        func time(_ text: String) -> JSONValue { text.isEmpty ? .null : .string(text) }
        return ["from": time(from), "to": time(to)]
    }

    private static func hosts(_ text: String) -> JSONValue {
        .array(text.unicodeScalars.split { $0.properties.isWhitespace || $0 == "," }.map { .string(String($0)) })
    }

    private static func keySet(_ text: String) -> JSONValue { (try? JSONValue(parsing: text)) ?? .string(text) }

    /// The keys of the form; one that the settings have already keeps its id, and a new one verifies tokens of any
    /// `kid`.
    private static func publicKeys(_ text: String, known: [Settings.PublicKey]) -> JSONValue {
        let end = "-----END PUBLIC KEY-----"
        // characters: what has a mark is no key, and refused
        let pems = text.components(separatedBy: end).map(\.trimmingSpaces).filter { !$0.isEmpty }
        return .array(
            pems.map { pem in
                let whole = pem.contains(bytesOf: "-----BEGIN") ? "\(pem)\n\(end)\n" : pem
                let same = known.first { $0.pem.trimmingSpaces == whole.trimmingSpaces }
                let key = same ?? Settings.PublicKey(id: "", pem: whole)
                return ["id": .string(key.id), "pem": .string(whole)]
            }
        )
    }
}
