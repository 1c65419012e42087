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
        let used: TimeView?
        let expires: TimeView?
        /// The end of the secret that the present one took the place of, while it works.
        let previousUntil: TimeView?
        let addresses: String?
        let state: String
        let isWorking: Bool
    }

    struct Choice {
        let name: String
        let help: String
        let isChosen: Bool
    }

    struct View {
        let keys: [KeyView]
        let permissions: [Choice]
        var secret: String?
        var name = ""
        var error: String?
    }

    static let help: [Permission: String] = [
        .manage: "everything", .read: "campaigns and segments", .report: "results", .track: "send user data",
        .trigger: "send campaigns", .campaigns: "create, edit and launch", .users: "personal data",
        .keys: "API keys", .settings: "settings, webhook, audit log",
    ]

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        try visit.page("keys", title: "Keys", in: .keys, try await view(visit))
    }

    private static func view(_ visit: Visit) async throws -> View {
        let keys = try await visit.read("/v1/keys")["keys"]?.array ?? []
        return View(
            keys: keys.reversed().map { KeyView($0, visit) },
            permissions: Permission.allCases.filter { $0 != .device }
                .map { Choice(name: $0.rawValue, help: help[$0] ?? "", isChosen: $0 == .manage) }
        )
    }

    /// Shows the secret in the answer itself: it is kept nowhere, so no other page could.
    @Sendable static func create(_ visit: Visit) async throws -> Response {
        var body: JSONValue = [
            "name": .string(visit.form.text("name") ?? ""), "kind": .string(visit.form["kind"] ?? ""),
        ]
        if visit.form["kind"] == APIKey.Kind.secret.rawValue, case .object(var members) = body {
            members["permissions"] = .array(visit.form.all("permission").map(JSONValue.string))
            members["allowed_addresses"] = addresses(visit.form)
            body = .object(members)
        }
        if let days = lifetimes[visit.form["lifetime"] ?? ""], case .object(var members) = body {
            // safe: with a fraction
            members["expires_at"] = .number(visit.now + days * 86_400)
            body = .object(members)
        }
        do {
            return try await showSecret(try await visit.change(.post, "/v1/keys", body), visit, .created)
        } catch let refusal as ManagementAPI.Refusal where refusal.status == 400 {
            var view = try await view(visit)
            view.name = visit.form["name"] ?? ""
            view.error = refusal.path == "name" ? "Name is required, with at most 255 characters." : refusal.message
            return try visit.page("keys", title: "Keys", in: .keys, status: .badRequest, view)
        }
    }

    /// The choices of a lifetime, in days; any other value means for ever.
    static let lifetimes = ["30": 30.0, "90": 90.0, "365": 365.0]
    /// The choices of an overlap, in seconds.
    private static let overlaps = ["0": 0.0, "3600": 3_600.0, "86400": 86_400.0, "604800": 604_800.0]

    /// The addresses that the form names.
    static func addresses(_ form: FormData) -> JSONValue {
        let texts = (form["addresses"] ?? "").split { $0 == "," || $0.isWhitespace }
        return .array(texts.map { .string(String($0)) })
    }

    private static func showSecret(
        _ key: JSONValue,
        _ visit: Visit,
        _ status: HTTPResponse.Status
    ) async throws -> Response {
        var view = try await view(visit)
        view.secret = key["secret"]?.string
        return try visit.page("keys", title: "Keys", in: .keys, status: status, view)
    }

    /// Gives a key another secret, and shows it in the answer itself.
    @Sendable static func rotate(_ visit: Visit) async throws -> Response {
        let path = "/v1/keys/\(FormData.escape(try visit.parameter("id")))/rotate"
        let overlap = overlaps[visit.form["overlap"] ?? ""] ?? 86_400
        return try await showSecret(
            try await visit.change(.post, path, ["overlap_seconds": .number(overlap)]),
            visit,
            .ok
        )
    }

    @Sendable static func revoke(_ visit: Visit) async throws -> Response {
        _ = try await visit.change(.delete, "/v1/keys/\(FormData.escape(try visit.parameter("id")))")
        return .seeOther("/dashboard/keys?done=revoked")
    }
}

extension KeyPages.KeyView {
    init(_ json: JSONValue, _ visit: Visit) {
        func time(_ name: String) -> TimeView? { json[name]?.double.map { TimeView($0, for: visit) } }
        let isExpired = (json["expires_at"]?.double ?? .infinity) <= visit.now
        let isRevoked = json["revoked_at"]?.double != nil
        let addresses = json["allowed_addresses"]?.array?.compactMap(\.string) ?? []
        let isRotating = (json["previous_secret_expires_at"]?.double ?? 0) > visit.now
        self.init(
            id: json["id"]?.string ?? "",
            name: json["name"]?.string ?? "",
            kind: json["kind"]?.string ?? "",
            hint: json["hint"]?.string ?? "",
            permissions: json["permissions"]?.array?.compactMap(\.string).joined(separator: ", ") ?? "",
            created: TimeView(json["created_at"]?.double ?? 0, for: visit),
            used: time("last_used_at"),
            expires: isRevoked ? nil : time("expires_at"),
            previousUntil: isRotating && !isRevoked ? time("previous_secret_expires_at") : nil,
            addresses: addresses.isEmpty ? nil : addresses.joined(separator: ", "),
            state: isRevoked ? "revoked" : isExpired ? "expired" : "active",
            isWorking: !isRevoked && !isExpired
        )
    }
}
