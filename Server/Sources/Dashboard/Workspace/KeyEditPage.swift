import CardModel
import CardServer
import HTTPTypes
import Hummingbird
import WireJSON

/// One API key: what it may do, until when and from where.
enum KeyEditPage {
    struct View {
        let id: String
        let name: String
        let hint: String
        let isSecret: Bool
        /// Whether it can be edited: a key that was revoked can't.
        let canEdit: Bool
        /// Whether the secret can be replaced: that of a key that expired can't.
        let canRotate: Bool
        let permissions: [KeyPages.Choice]
        let addresses: String
        let expires: TimeView?
        let lifetimes: [SettingsPages.Choice]
        let error: String?
    }

    private static var lifetimes: [(String, String)] {
        [
            ("never", localized("never", in: "expiry")), ("30", localized("30 days from now")),
            ("90", localized("90 days from now")), ("365", localized("a year from now")),
        ]
    }

    /// What the form's fields hold.
    private struct Fields {
        let name: String
        let permissions: [String]
        let addresses: String
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let key = try await key(visit)
        let fields = Fields(
            name: key.name,
            permissions: key.permissions.map(\.rawValue),
            addresses: key.allowedAddresses.map(\.description).joined(separator: ", ")
        )
        return try page(visit, key, fields)
    }

    /// Saves what the form says; the secret stays as it is.
    @Sendable static func save(_ visit: Visit) async throws -> Response {
        let (key, form) = (try await key(visit), visit.form)
        do {
            _ = try await visit.change { try await $0.keys.edit(key.id, edit(visit, of: key), by: $1) }
            return .seeOther("/dashboard/keys?done=key-saved")
        } catch let refusal as ServiceRefusal where refusal.status == 400 {
            let fields = Fields(
                name: form.value(.name),
                permissions: form.all(.permission),
                addresses: form.value(.addresses)
            )
            let message =
                refusal.path == "name"
                ? localized("A name of 1 to 255 characters is expected.") : localized(sentence: refusal.message)
            return try page(visit, key, fields, error: message)
        }
    }

    /// What the form changes of a key, as it is read.
    private static func edit(_ visit: Visit, of key: APIKey) -> JSONValue {
        let form = visit.form
        var edit: JSONObject = ["name": .string(form.trimmed(.name))]
        if key.kind == .secret {
            let permissions = JSONValue.array(form.all(.permission).map(JSONValue.string))
            edit.merge(["permissions": permissions, "allowed_addresses": KeyPages.addresses(form)]) { $1 }
        }
        if let expiry = KeyPages.expiry(form, at: visit.now) {
            edit.merge(["expires_at": .number(expiry)]) { $1 }
        } else if form[.lifetime] == "never" {
            edit.merge(["expires_at": .null]) { $1 }
        }
        return .object(edit)
    }

    private static func key(_ visit: Visit) async throws -> APIKey {
        let id = try visit.parameter("id")
        guard let key = try await visit.ask({ server, _ in try await server.keys.key(id) }) else {
            throw DashboardError.notFound
        }
        return key
    }

    private static func page(_ visit: Visit, _ key: APIKey, _ fields: Fields, error: String? = nil) throws -> Response {
        let canEdit = key.revokedAt == nil && visit.member.role == .admin
        let view = View(
            id: key.id,
            name: fields.name,
            hint: key.hint,
            isSecret: key.kind == .secret,
            canEdit: canEdit,
            canRotate: canEdit && key.works(at: visit.now),
            permissions: Permission.allCases.filter { $0 != .device || fields.permissions.contains($0.rawValue) }
                .map {
                    .init(
                        name: $0.rawValue,
                        help: KeyPages.help($0),
                        isChosen: fields.permissions.contains($0.rawValue)
                    )
                },
            addresses: fields.addresses,
            expires: key.expiresAt.map { TimeView($0, for: visit) },
            lifetimes: lifetimes.map { .init(value: $0.0, name: $0.1, isChosen: visit.form.value(.lifetime) == $0.0) },
            error: error
        )
        let status: HTTPResponse.Status = error == nil ? .ok : .badRequest
        return try visit.page(
            "key",
            title: canEdit ? localized("Edit key") : localized("Key"),
            in: .keys,
            status: status,
            view
        )
    }
}
