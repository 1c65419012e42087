import CardModel
import WireJSON

/// The changes of a key's form, over what others have saved since its page was opened.
///
/// What nobody touched on the form stays as it is by now, whatever the form shows.
struct KeyMerge {
    /// A field of the form.
    enum KeyField: String, CaseIterable {
        case name, permissions, addresses, expires

        fileprivate var label: String {
            switch self {
            case .name: localized("Name")
            case .permissions: localized("Permissions")
            case .addresses: localized("Allowed addresses")
            case .expires: localized("Expires")
            }
        }
    }

    /// The values that fields show.
    typealias Fields = [KeyField: JSONValue]

    /// The changes to make, as the service reads them.
    private(set) var edit: JSONObject = [:]
    /// The values that the form shows: the key as it is, with what was typed.
    private(set) var fields: Fields
    /// The fields that the form and others have changed to different values.
    private(set) var conflicts: [String] = []
    /// The values that the page has shown.
    private let shown: Fields
    /// The values that the page would show by now.
    private let current: Fields

    /// Reads a form.
    ///
    /// - Parameters:
    ///   - form: The form. Where it doesn't say what its page has shown, it was made from the present key.
    ///   - key: The key as it is.
    ///   - now: From when lifetimes count.
    init(_ form: FormData, of key: APIKey, at now: UnixTime) {
        current = Self.fields(of: key)
        fields = current
        if let base = form[.base] {
            // What can't be read is no reason to take anything back: all that differs is a conflict.
            shown = Self.fields(ofBase: base)
        } else {
            shown = current
        }
        let typed = Self.fields(of: form)
        take(.name, typed, as: ["name": .string(form.trimmed(.name))])
        if key.kind == .secret {
            take(.permissions, typed, as: ["permissions": Self.list(form.all(.permission))])
            take(.addresses, typed, as: ["allowed_addresses": KeyPages.addresses(form)])
        }
        if let expiry = KeyPages.expiry(form, at: now) {
            change(.expires, as: ["expires_at": .number(expiry)])
        } else if form[.lifetime] == "never", key.expiresAt != nil {
            change(.expires, as: ["expires_at": .null])
        }
    }

    /// Takes a field where it was touched.
    private mutating func take(_ field: KeyField, _ typed: Fields, as change: JSONObject) {
        guard typed[field] != shown[field], typed[field] != current[field] else { return }
        fields[field] = typed[field]
        self.change(field, as: change)
    }

    /// Changes what a field stands for, which others may have changed, too.
    private mutating func change(_ field: KeyField, as change: JSONObject) {
        edit.merge(change) { $1 }
        if shown[field] != current[field] { conflicts.append(field.label) }
    }

    /// Returns the values that the fields of a key's form show.
    static func fields(of key: APIKey) -> Fields {
        [
            .name: .string(key.name), .permissions: list(key.permissions.map(\.rawValue)),
            .addresses: .string(key.allowedAddresses.map(\.description).joined(separator: ", ")),
            .expires: .string(PageFormatter.shown(key.expiresAt?.fieldText)),
        ]
    }

    /// Returns the values that were typed, as they are shown again.
    static func fields(of form: FormData) -> Fields {
        [
            .name: .string(form.value(.name)), .permissions: list(form.all(.permission)),
            .addresses: .string(form.value(.addresses)),
        ]
    }

    private static func list(_ names: [String]) -> JSONValue { .array(names.sorted().map(JSONValue.string)) }

    /// The fields of a key's form as it carries them along.
    static func base(of key: APIKey) -> String {
        let fields = fields(of: key)
        var members: JSONObject = [:]
        for field in KeyField.allCases { members[field.rawValue] = fields[field] }
        return JSONValue.object(members).text
    }

    private static func fields(ofBase text: String) -> Fields {
        var fields: Fields = [:]
        for (name, value) in (try? JSONValue(parsing: text))?.object ?? [:] {
            if let field = KeyField(rawValue: name) { fields[field] = value }
        }
        return fields
    }
}
