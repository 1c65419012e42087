import CardModel
import CardServer
import HTTPTypes
import Hummingbird
import WireJSON

extension Section {
    static let keys = Section(
        "keys",
        in: .workspace,
        icon: """
            <circle cx='5' cy='11' r='3.2'/>\
            <path d='M7.3 8.7 13.5 2.5M11 5l2.5 2.5'/>
            """
    ) { localized("Keys") }
}

extension PageDescriptor {
    static let keys = PageDescriptor(.keys, templates: ["keys": PackageResources.keys_mustache]) { routes in
        routes.get("/dashboard/keys", .viewer, KeyPages.show)
        routes.post("/dashboard/keys", .admin, isSensitive: true, KeyPages.create)
        routes.post("/dashboard/keys/:id/rotate", .admin, isSensitive: true, KeyPages.rotate)
        routes.post("/dashboard/keys/:id/revoke", .admin, isSensitive: true, KeyPages.revoke)
    }
}

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

    struct PermissionChoice {
        let name: String
        let help: String?
        let isChosen: Bool
        /// The problem of the choice of permissions, at the first of them.
        var mark: FieldMark?
    }

    struct KeyPageView {
        let keys: [KeyView]
        let permissions: [PermissionChoice]
        var secret: String?
        var name = ""
        /// The addresses of the form; not `addresses`, which keys without any would take for theirs.
        var typedAddresses = ""
        /// The lifetimes of a new key, of which the form's is chosen.
        var lifetimes = KeyPages.choices(ofLifetimes: "")
        /// Whether the form is that of a secret key.
        var isSecret = false
        /// The problem of the whole form.
        var error: String?
        /// The problems of fields, by name.
        var wrong: [String: FieldMark] = [:]
    }

    /// Returns what a permission is for, or `nil` for one whose name says it.
    static func help(_ permission: Permission) -> String? {
        switch permission {
        case .manage: localized("everything")
        case .read: localized("campaigns and segments")
        case .report: localized("results")
        case .track: localized("send user data")
        case .trigger: localized("send campaigns")
        case .campaigns: localized("create, edit and launch")
        case .users: localized("personal data")
        case .keys: localized("API keys")
        case .settings: localized("settings, webhook, audit log")
        default: nil
        }
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        try context.page("keys", title: localized("Keys"), in: .keys, try await view(context))
    }

    /// The page, with the permissions that a form had chosen: none before, so that each is given by intent.
    private static func view(
        _ context: PageContext,
        chosen: Set<String> = [],
        wrong: [String: FieldMark] = [:]
    ) async throws -> KeyPageView {
        let keys = try await context.ask { server, _ in try await server.keys.list() }
        return KeyPageView(
            keys: keys.reversed().map { KeyView($0, context) },
            permissions: choices(Permission.allCases.filter { $0 != .device }, chosen, wrong),
            wrong: wrong
        )
    }

    /// The permissions to choose from, of which the first is marked where the choice is wrong.
    static func choices(
        _ permissions: [Permission],
        _ chosen: Set<String>,
        _ wrong: [String: FieldMark]
    ) -> [PermissionChoice] {
        permissions.enumerated().map { index, permission in
            PermissionChoice(
                name: permission.rawValue,
                help: help(permission),
                isChosen: chosen.contains(permission.rawValue),
                mark: index == 0 ? wrong[FormField.permission.rawValue] : nil
            )
        }
    }

    /// The lifetimes to choose from for a new key.
    private static func choices(ofLifetimes chosen: String) -> [SettingsPages.SettingOption] {
        SettingsChoices.newLifetimes.map {
            SettingsPages.SettingOption(value: $0.0, name: $0.1, isChosen: chosen == $0.0)
        }
    }

    /// Returns the problem of the field of a form that a path of the API leads to; none where it has no such field.
    static func marks(_ refusal: ServiceError) -> [String: FieldMark] {
        let message = localized(sentence: refusal.message)
        return switch refusal.path.prefix(before: "[") {
        case "name": FieldMark.marks(.name, localized("Name is required, with at most 255 characters."))
        case "permissions": FieldMark.marks(.permission, message)
        case "allowed_addresses": FieldMark.marks(.addresses, message)
        default: [:]
        }
    }

    /// Shows the secret in the answer itself: it is kept nowhere, so no other page could.
    @Sendable static func create(_ context: PageContext) async throws -> Response {
        do {
            let issued = try await context.change { try await $0.keys.create(newKey(context), by: $1) }
            return try await show(issued, context, .created)
        } catch let refusal as ServiceError where refusal.status == 400 {
            let marks = marks(refusal)
            return try await refused(context, marks, marks.isEmpty ? localized(sentence: refusal.message) : nil)
        }
    }

    /// The page with what was typed, and what is wrong with it.
    private static func refused(
        _ context: PageContext,
        _ marks: [String: FieldMark],
        _ message: String? = nil
    ) async throws -> Response {
        var view = try await view(context, chosen: Set(context.form.all(.permission)), wrong: marks)
        view.name = context.form.value(.name)
        view.typedAddresses = context.form.value(.addresses)
        view.isSecret = isSecret(context.form)
        view.lifetimes = choices(ofLifetimes: context.form.value(.lifetime))
        view.error = message
        return try context.page("keys", title: localized("Keys"), in: .keys, status: .badRequest, view)
    }

    private static func isSecret(_ form: FormData) -> Bool { form[.kind] == APIKey.KeyKind.secret.rawValue }

    /// The key that the form asks for, as it is read.
    private static func newKey(_ context: PageContext) -> JSONValue {
        let form = context.form
        let isSecret = Self.isSecret(form)
        return [
            "name": .string(form.trimmed(.name)), "kind": .string(form.value(.kind)),
            "permissions": isSecret ? .array(form.all(.permission).map(JSONValue.string)) : .null,
            "allowed_addresses": isSecret ? addresses(form) : .null,
            "expires_at": expiry(form, at: context.now).map(JSONValue.number) ?? .null,
        ]
    }

    /// The choices of a lifetime, in days; any other value means for ever.
    private static let lifetimes = ["30": 30.0, "90": 90.0, "365": 365.0]
    /// The choices of an overlap, in seconds.
    private static let overlaps = ["0": 0.0, "3600": 3_600.0, "86400": 86_400.0, "604800": 604_800.0]

    /// Returns the time at which a key that gets the lifetime of the form expires, or `nil` for never.
    static func expiry(_ form: FormData, at now: UnixTime) -> UnixTime? {
        // safe: with a fraction
        lifetimes[form.value(.lifetime)].map { now + $0 * 86_400 }
    }

    /// The addresses that the form names.
    static func addresses(_ form: FormData) -> JSONValue {
        let texts = form.value(.addresses).unicodeScalars.split { $0 == "," || $0.properties.isWhitespace }
        return .array(texts.map { .string(String($0)) })
    }

    private static func show(
        _ issued: KeyService.Issued,
        _ context: PageContext,
        _ status: HTTPResponse.Status
    ) async throws -> Response {
        var view = try await view(context)
        view.secret = issued.secret
        return try context.page("keys", title: localized("Keys"), in: .keys, status: status, view)
    }

    /// Gives a key another secret, and shows it in the answer itself.
    @Sendable static func rotate(_ context: PageContext) async throws -> Response {
        let id = try context.parameter("id")
        let overlap = overlaps[context.form.value(.overlap)] ?? 86_400
        let issued = try await context.change { try await $0.keys.rotate(id, overlap: overlap, by: $1) }
        return try await show(issued, context, .ok)
    }

    @Sendable static func revoke(_ context: PageContext) async throws -> Response {
        let id = try context.parameter("id")
        try await context.change { try await $0.keys.revoke(id, by: $1) }
        return .seeOther("/dashboard/keys?done=revoked")
    }
}

extension KeyPages.KeyView {
    init(_ key: APIKey, _ context: PageContext) {
        func time(_ time: UnixTime?) -> TimeView? { time.map { TimeView($0, for: context) } }
        let isRevoked = key.revokedAt != nil
        let previous = key.previousSecret.flatMap { $0.expiresAt > context.now ? $0.expiresAt : nil }
        let addresses = key.allowedAddresses.map(\.description)
        self.init(
            id: key.id,
            name: key.name,
            kind: key.kind == .publishable ? localized("publishable") : localized("secret"),
            hint: key.hint,
            permissions: key.permissions.map(\.rawValue).sorted().joined(separator: ", "),
            created: TimeView(key.createdAt, for: context),
            used: time(key.lastUsedAt),
            expires: isRevoked ? nil : time(key.expiresAt),
            previousUntil: isRevoked ? nil : time(previous),
            addresses: addresses.isEmpty ? nil : addresses.joined(separator: ", "),
            state: isRevoked
                ? localized("revoked") : key.works(at: context.now) ? localized("active") : localized("expired"),
            isWorking: key.works(at: context.now)
        )
    }
}
