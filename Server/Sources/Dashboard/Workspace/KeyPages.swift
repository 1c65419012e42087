import CardModel
import CardServer
import HTTPTypes
import Hummingbird
import WireJSON

/// The API keys.
enum KeyPages {
    struct KeyView {
        let id: String
        let name: String
        let kind: String
        let hint: String
        let permissions: String
        let created: TimeView
        let revoked: TimeView?
        let isWorking: Bool
    }

    struct Choice {
        let name: String
        let isChosen: Bool
    }

    struct View {
        let keys: [KeyView]
        let permissions: [Choice]
        var secret: String?
        var name = ""
        var error: String?
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        try visit.page("keys", title: "Keys", in: .keys, try await view(visit))
    }

    private static func view(_ visit: Visit) async throws -> View {
        let keys = try await visit.read("/v1/keys")["keys"]?.array ?? []
        return View(
            keys: keys.reversed().map { KeyView($0, visit) },
            permissions: Permission.allCases.filter { $0 != .device }
                .map { Choice(name: $0.rawValue, isChosen: $0 == .manage) }
        )
    }

    /// Shows the secret in the answer itself: it is kept nowhere, so no other page could.
    @Sendable static func create(_ visit: Visit) async throws -> Response {
        var body: JSONValue = [
            "name": .string(visit.form.text("name") ?? ""), "kind": .string(visit.form["kind"] ?? ""),
        ]
        if visit.form["kind"] == APIKey.Kind.secret.rawValue, case .object(var members) = body {
            members["permissions"] = .array(visit.form.all("permission").map(JSONValue.string))
            body = .object(members)
        }
        do {
            let made = try await visit.change(.post, "/v1/keys", body)
            var view = try await view(visit)
            view.secret = made["secret"]?.string
            return try visit.page("keys", title: "Keys", in: .keys, status: .created, view)
        } catch let refusal as ManagementAPI.Refusal where refusal.status == 400 {
            var view = try await view(visit)
            view.name = visit.form["name"] ?? ""
            view.error = refusal.path == "name" ? "A name of 1 to 255 characters is expected." : refusal.message
            return try visit.page("keys", title: "Keys", in: .keys, status: .badRequest, view)
        }
    }

    @Sendable static func revoke(_ visit: Visit) async throws -> Response {
        _ = try await visit.change(.delete, "/v1/keys/\(FormData.escape(try visit.parameter("id")))")
        return .seeOther("/dashboard/keys?done=revoked")
    }
}

extension KeyPages.KeyView {
    init(_ json: JSONValue, _ visit: Visit) {
        let revokedAt = json["revoked_at"]?.double
        self.init(
            id: json["id"]?.string ?? "",
            name: json["name"]?.string ?? "",
            kind: json["kind"]?.string ?? "",
            hint: json["hint"]?.string ?? "",
            permissions: json["permissions"]?.array?.compactMap(\.string).joined(separator: ", ") ?? "",
            created: TimeView(json["created_at"]?.double ?? 0, for: visit),
            revoked: revokedAt.map { TimeView($0, for: visit) },
            isWorking: revokedAt == nil
        )
    }
}
