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

    private static let lifetimes = [
        ("never", "never"), ("30", "30 days from now"), ("90", "90 days from now"), ("365", "a year from now"),
    ]

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let key = try await key(visit)
        let addresses = key["allowed_addresses"]?.array?.compactMap(\.string) ?? []
        let names = key["permissions"]?.array?.compactMap(\.string) ?? []
        return try page(visit, key, key["name"]?.string ?? "", names, addresses.joined(separator: ", "))
    }

    /// Saves what the form says; the secret stays as it is.
    @Sendable static func save(_ visit: Visit) async throws -> Response {
        let key = try await key(visit)
        var edit: JSONObject = ["name": .string(visit.form.text("name") ?? "")]
        if isSecret(key) {
            edit["permissions"] = .array(visit.form.all("permission").map(JSONValue.string))
            edit["allowed_addresses"] = KeyPages.addresses(visit.form)
        }
        let lifetime = visit.form["lifetime"] ?? ""
        if let days = KeyPages.lifetimes[lifetime] {
            // safe: with a fraction
            edit["expires_at"] = .number(visit.now + days * 86_400)
        } else if lifetime == "never" {
            edit["expires_at"] = .null
        }
        do {
            _ = try await visit.change(.patch, "/v1/keys/\(try path(visit))", .object(edit))
            return .seeOther("/dashboard/keys?done=key-saved")
        } catch let refusal as ManagementAPI.Refusal where refusal.status == 400 {
            let (form, message) = (visit.form, refusal.message)
            return try page(
                visit,
                key,
                form["name"] ?? "",
                form.all("permission"),
                form["addresses"] ?? "",
                error: refusal.path == "name" ? "A name of 1 to 255 characters is expected." : message
            )
        }
    }

    private static func path(_ visit: Visit) throws -> String { FormData.escape(try visit.parameter("id")) }

    private static func isSecret(_ key: JSONValue) -> Bool { key["kind"]?.string == APIKey.Kind.secret.rawValue }

    private static func key(_ visit: Visit) async throws -> JSONValue {
        let (id, keys) = (try visit.parameter("id"), try await visit.read("/v1/keys")["keys"]?.array ?? [])
        guard let key = keys.first(where: { $0["id"]?.string?.hasSameBytes(as: id) == true }) else {
            throw DashboardError.notFound
        }
        return key
    }

    private static func page(
        _ visit: Visit,
        _ key: JSONValue,
        _ name: String,
        _ permissions: [String],
        _ addresses: String,
        error: String? = nil
    ) throws -> Response {
        let chosen = visit.form["lifetime"] ?? ""
        let canEdit = key["revoked_at"]?.double == nil && visit.member.role == .admin
        let view = View(
            id: key["id"]?.string ?? "",
            name: name,
            hint: key["hint"]?.string ?? "",
            isSecret: isSecret(key),
            canEdit: canEdit,
            canRotate: canEdit && key["expires_at"]?.double ?? .infinity > visit.now,
            permissions: Permission.allCases.filter { $0 != .device || permissions.contains($0.rawValue) }
                .map {
                    .init(
                        name: $0.rawValue,
                        help: KeyPages.help[$0] ?? "",
                        isChosen: permissions.contains($0.rawValue)
                    )
                },
            addresses: addresses,
            expires: key["expires_at"]?.double.map { TimeView($0, for: visit) },
            lifetimes: lifetimes.map { .init(value: $0.0, name: $0.1, isChosen: chosen == $0.0) },
            error: error
        )
        let status: HTTPResponse.Status = error == nil ? .ok : .badRequest
        return try visit.page("key", title: canEdit ? "Edit key" : "Key", in: .keys, status: status, view)
    }
}
