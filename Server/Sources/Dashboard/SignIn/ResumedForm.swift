import CardModel
import WireJSON

/// The fields of a form that is sent again, in the words of its own page.
///
/// What the page keeps for itself, such as the version that was edited, is sent again and isn't shown.
struct ResumedForm {
    struct ResumedField {
        let label: String
        let value: String
    }

    struct ResumedGroup {
        /// The heading on the form's page, or `nil` for a form without.
        let heading: String?
        var fields: [ResumedField]
    }

    private(set) var groups: [ResumedGroup] = []

    /// Creates what a page shows of a form.
    init(_ form: FormData) {
        var names: Set<String> = []
        for (name, _) in form.fields where names.insert(name).inserted {
            guard let label = ResumedWords.label(of: name) else { continue }
            let value = ResumedWords.value(of: name, form.all(name))
            guard !value.isEmpty || !ResumedWords.isLimit(name) else { continue }
            add(ResumedField(label: label, value: value.isEmpty ? "–" : value), to: ResumedWords.heading(of: name))
        }
    }

    private mutating func add(_ field: ResumedField, to heading: String?) {
        // Quiet hours and caps stand between other settings, and a group is shown once.
        if let place = groups.firstIndex(where: { $0.heading == heading }) {
            groups[place].fields.append(field)
        } else {
            groups.append(ResumedGroup(heading: heading, fields: [field]))
        }
    }
}

/// The labels, the headings and the values of forms, by the names of their fields.
enum ResumedWords {
    /// The fields that pages keep for themselves: nobody has typed them.
    static let silent: Set<String> = [
        "csrf", "base", "version", "zone", "list", "query", "approval", "back", "next", "theme", "token",
        "undo", "resume", "ticket", "secret", "then", "q", "to", "split", "file",
    ]

    private static let labels: [String: Phrase] = [
        "name": "Name", "email": "Email address", "role": "Role", "comment": "Comment", "tag": "Tag", "do": "Action",
        "campaign": "Campaigns", "kind": "Kind", "permission": "Permissions", "addresses": "Allowed addresses",
        "lifetime": "Expires", "overlap": "Keep the previous secret for", "variant": "Variant",
        "language": "Language", "device_name": "Device name", "device": "Test devices", "group": "Test groups",
        "user": "Users", "users": "User IDs", "group_name": "Save as test group", "alt": "Alt text",
        "share": "Share with the team", "withdraw": "Remove delivered cards", "column": "Columns",
        "remove": "Remove test device", "remove_group": "Remove test group", "c.name": "Name", "c.content": "Content",
        "c.description": "Description", "quiet_from": "Quiet hours, from", "quiet_to": "Quiet hours, to",
    ]

    private static let settings: [FormField: Settings.SettingsFieldName] = [
        .timeZone: .timeZone, .requireTwoFactor: .requireTwoFactor, .maskPersonalData: .maskPersonalData,
        .launchApproval: .launchApproval, .userTokens: .userTokens, .publicKeys: .publicKeys, .keySet: .keySet,
        .cardLimit: .cardLimit, .burst: .refreshBurst, .seconds: .refreshSeconds,
        .contentHosts: .connectedContentHosts,
    ]

    private static let sections: [(heading: Phrase, fields: [FormField])] = [
        ("Workspace", [.timeZone]), ("Team security", [.requireTwoFactor, .maskPersonalData]),
        ("Approvals", [.launchApproval]),
        (
            "User authentication",
            [.userTokens, .publicKeys, .keySetURL, .tokenIssuer, .tokenAudience, .tokenLifetime, .keySet]
        ), ("Delivery", [.quietFrom, .quietTo]), ("Connected content allowlist", [.contentHosts]),
        ("Limits", [.cardLimit, .cardSizeLimit, .burst, .seconds]),
        ("Retention", [.eventDays, .auditDays, .versionDays]),
    ]

    /// The fields of settings whose boxes are set or aren't.
    private static let boxes: Set<String> = ["require_two_factor", "mask_personal_data", "share", "withdraw"]

    // MARK: Labels

    /// Returns the label of a field, or `nil` for one that isn't shown.
    static func label(of name: String) -> String? {
        guard !silent.contains(name), !name.hasPrefix("preview_") else { return nil }
        if let field = FormField(rawValue: name), let setting = settings[field] {
            return SettingsProblem.label(of: setting)
        }
        let own = (SettingsFields.tokens + SettingsFields.retention).first { $0.name == name }?.label
        return own ?? labels[name].map(localized) ?? bytes(name) ?? part(of: name) ?? name
    }

    private static func bytes(_ name: String) -> String? {
        switch FormField(rawValue: name) {
        case .cardSizeLimit: localized("Card size limit (bytes)")
        case .eventDays: localized("Event retention (days)")
        default: nil
        }
    }

    /// Returns the label of a field in a row: of a frequency cap, or of a limit of requests.
    private static func part(of name: String) -> String? {
        let parts = name.split(atAnyOf: ".").map(String.init)
        guard parts.count > 1 else { return nil }
        if parts[0] == "cap", parts.count == 3, let index = Int64(parts[1]) {
            let row = localized("Frequency cap \(PageFormatter.count(index.addingClamped(1)))")
            return PageFormatter.labeled(row, capPart(parts[2]))
        }
        guard isLimit(name) else { return nil }
        let row = LimitFields.label(of: parts[1])
        return parts.count == 3 ? PageFormatter.labeled(row, limitPart(parts[2])) : row
    }

    private static func capPart(_ name: String) -> String {
        switch name {
        case "cards": localized("Cards")
        case "days": localized("in the last … days")
        default: localized("with tag")
        }
    }

    private static func limitPart(_ name: String) -> String {
        switch name {
        case "requests": localized("requests")
        case "seconds": localized("In seconds")
        case "burst": localized("at once")
        default: localized("per second")
        }
    }

    private static let backendLimit = "\(Settings.SettingsFieldName.rateLimits.rawValue)."
    private static let deviceLimit = "\(Settings.SettingsFieldName.deviceLimits.rawValue)."

    /// Whether a field is one of many limits, most of which are empty.
    static func isLimit(_ name: String) -> Bool {
        ["cap.", backendLimit, deviceLimit].contains { name.hasPrefix($0) }
    }

    /// Returns the heading over a field on its own page, or `nil` for a field of a form without.
    static func heading(of name: String) -> String? {
        if name.hasPrefix("cap.") { return localized("Delivery") }
        if name.hasPrefix(backendLimit) { return localized("Backend rate limits") }
        if name.hasPrefix(deviceLimit) { return localized("Device limits") }
        guard let field = FormField(rawValue: name) else { return nil }
        return sections.first { $0.fields.contains(field) }.map { localized($0.heading) }
    }

    // MARK: Values

    /// Returns the values of a field as its page says them.
    static func value(of name: String, _ values: [String]) -> String {
        if boxes.contains(name) {
            return values.last.map { $0 == "on" || $0 == "yes" } == true ? localized("yes") : localized("no")
        }
        let filled = values.filter { !$0.isEmpty }
        if name == FormField.campaign.rawValue { return PageFormatter.counted(Int64(filled.count), .campaign) }
        return PageFormatter.list(filled.map { word(for: $0, of: name) })
    }

    /// Returns what an option of a field is called.
    private static func word(for value: String, of name: String) -> String {
        let named: String? =
            switch FormField(rawValue: name) {
            case .role: Role(rawValue: value)?.displayName
            case .launchApproval: SettingsChoices.approvals.first { $0.0 == value }?.1
            case .userTokens: SettingsChoices.modes.first { $0.0 == value }?.1
            case .lifetime: SettingsChoices.lifetimes.first { $0.0 == value }?.1
            case .language: TextCatalog.all.first { $0.tag == value }?.name ?? LanguageNames.name(value)
            case .overlap: Int64(value).map { PageFormatter.duration(Double($0)) }
            case .kind, .do: options[value].map(localized)
            default: nil
            }
        return named ?? value
    }

    private static let options: [String: Phrase] = [
        "publishable": "Publishable", "secret": "Secret", "pause": "Pause", "stop": "Stop", "archive": "Archive",
        "tag": "Add tag",
    ]
}
