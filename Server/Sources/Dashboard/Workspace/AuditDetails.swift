import CardModel
import CardStore
import WireJSON

/// The details of entries of the audit log, in the words that other pages have for them.
///
/// The export has them as they are.
struct AuditDetails {
    let names: NameBook
    let timeZone: String

    /// Returns the details of an entry, one a line.
    func lines(of entry: AuditEntry) -> [String] {
        guard let json = entry.details.flatMap({ try? JSONValue(parsing: $0) }) else { return [] }
        guard let changes = AuditChange.list(in: json) else {
            return (json.object ?? [:]).filter { !Self.withoutMeaning.contains($0.key) }.map { name, value in
                PageFormatter.labeled(Self.label(of: name), shown(value, name, isQuoted: false))
            }
        }
        return changes.flatMap { differences([$0.field], $0.previous, $0.current) }
    }

    /// Returns the differences between two values, each member of objects by itself.
    private func differences(_ place: [String], _ old: JSONValue, _ new: JSONValue) -> [String] {
        guard old != new, let field = place.first else { return [] }
        guard let before = old.object, let after = new.object else {
            return [PageFormatter.labeled(Self.label(of: place), "\(shown(old, field)) → \(shown(new, field))")]
        }
        let added = after.keys.filter { before[$0] == nil }
        return (Array(before.keys) + added).flatMap {
            differences(place + [$0], before[$0] ?? .null, after[$0] ?? .null)
        }
    }

    // MARK: Names

    /// The details that name nothing that a page shows.
    private static let withoutMeaning: Set<String> = ["approval_id"]

    /// Returns the label of a field and what is in it, such as `Device limits (Requests per user, at once)`.
    private static func label(of place: [String]) -> String {
        let field = label(of: place.prefix(1).joined())
        guard place.count > 1 else { return field }
        let inner = place.dropFirst().map { name in parts[name].map(localized) ?? LimitFields.label(of: name) }
        return localized("\(field) (\(PageFormatter.list(inner)))")
    }

    private static func label(of field: String) -> String {
        if let setting = Settings.SettingsFieldName(rawValue: field) { return SettingsProblem.label(of: setting) }
        return labels[field].map(localized) ?? field
    }

    private static let labels: [String: Phrase] = [
        "name": "Name", "permissions": "Permissions", "allowed_addresses": "Allowed addresses",
        "expires_at": "Expires", "file": "File name", "bytes": "Size in bytes", "status": "Status",
        "imported": "Imported", "rejected": "Rejected", "entries": "Entries", "requested": "Requested users",
        "after": "After position", "more": "Further ones like it", "change": "Requested change",
        "version": "Version", "requested_by": "Requested by", "omitted": "Too long to be kept",
    ]

    /// The members of settings that are objects.
    private static let parts: [String: Phrase] = [
        "requests": "requests", "seconds": "In seconds", "burst": "at once", "per_second": "per second",
        "from": "From", "to": "To",
    ]

    // MARK: Values

    private static let changes: [String: Phrase] = [
        "launch": "Launch", "edit": "Edit",
    ]

    /// Returns a value as people read it; free texts are quoted where two stand side by side.
    private func shown(_ value: JSONValue, _ field: String, isQuoted: Bool = true) -> String {
        switch value {
        case .null: localized("not set")
        case .bool(let isOn): isOn ? localized("Yes") : localized("No")
        case .string(let text): word(text, field) ?? (isQuoted ? value.text : text)
        case .array(let items) where items.allSatisfy({ $0.string != nil }): list(items.compactMap(\.string), field)
        default: time(value, field) ?? value.text
        }
    }

    private func list(_ texts: [String], _ field: String) -> String {
        texts.isEmpty ? localized("not set") : PageFormatter.list(texts.map { word($0, field) ?? $0 })
    }

    /// Returns the word that pages have for a value, or `nil` for a text that a member has written.
    private func word(_ text: String, _ field: String) -> String? {
        switch field {
        case "permissions": Permission(rawValue: text).flatMap(KeyPages.help)
        case "status": ImportJob.Status(rawValue: text).map(Self.name)
        case "change": Self.changes[text].map(localized)
        case "requested_by": names.actor(text)
        case Settings.SettingsFieldName.userTokens.rawValue: Self.choice(text, among: SettingsChoices.modes)
        case Settings.SettingsFieldName.launchApproval.rawValue: Self.choice(text, among: SettingsChoices.approvals)
        default: nil
        }
    }

    private static func choice(_ value: String, among choices: [(String, String)]) -> String? {
        choices.first { $0.0 == value }?.1
    }

    private static func name(_ status: ImportJob.Status) -> String {
        switch status {
        case .uploading: localized("Upload incomplete")
        case .running: localized("Importing")
        case .finished: localized("Finished", in: "import")
        case .failed: localized("Failed", in: "import")
        case .canceled: localized("Canceled", in: "import")
        case .expired: localized("Expired", in: "import")
        }
    }

    private func time(_ value: JSONValue, _ field: String) -> String? {
        guard field == "expires_at", let time = value.double else { return nil }
        return PageFormatter.time(time, in: timeZone)
    }
}
