import CardModel
import CardServer
import HTTPTypes
import Hummingbird
import WireJSON

extension PageDescriptor {
    static let key = PageDescriptor(templates: ["key": PackageResources.key_mustache]) { routes in
        routes.get("/dashboard/keys/:id", .viewer, KeyEditPage.show)
        routes.post("/dashboard/keys/:id", .admin, isSensitive: true, KeyEditPage.save)
    }
}

/// One API key: what it may do, until when and from where.
enum KeyEditPage {
    struct KeyEditView {
        let id: String
        let name: String
        let hint: String
        let isSecret: Bool
        /// Whether it can be edited: a key that was revoked can't.
        let canEdit: Bool
        /// Whether the secret can be replaced: that of a key that expired can't.
        let canRotate: Bool
        let isRevoked: Bool
        let permissions: [KeyPages.PermissionChoice]
        let addresses: String
        let expires: TimeView?
        let lifetimes: [SettingsPages.SettingOption]
        /// The problem of the whole form.
        let error: String?
        /// The problems of fields, by name.
        let wrong: [String: FieldMark]
        /// The values of the fields for the key as it is, as JSON.
        let base: String
        let isConflict: Bool
        /// The fields that others have changed to other values since the page was opened.
        let conflicts: [String]
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let key = try await key(context)
        return try page(context, key, KeyMerge.fields(of: key), base: KeyMerge.base(of: key))
    }

    /// Saves what the form changes; the secret stays as it is.
    @Sendable static func save(_ context: PageContext) async throws -> Response {
        let (key, form) = (try await key(context), context.form)
        let merge = KeyMerge(form, of: key, at: context.now)
        let base = KeyMerge.base(of: key)
        guard merge.conflicts.isEmpty || key.revokedAt != nil else {
            // The next save goes on top of theirs.
            return try page(context, key, merge.fields, base: base, conflicts: merge.conflicts, status: .conflict)
        }
        do {
            _ = try await context.change { try await $0.keys.edit(key.id, .object(merge.edit), by: $1) }
            return .seeOther("/dashboard/keys?done=key-saved")
        } catch let refusal as ServiceError where refusal.status == 400 {
            let typed = KeyMerge.fields(of: form)
            return try page(context, key, typed, base: form[.base] ?? base, refusal: refusal, status: .badRequest)
        }
    }

    private static func key(_ context: PageContext) async throws -> APIKey {
        let id = try context.parameter("id")
        guard let key = try await context.ask({ server, _ in try await server.keys.key(id) }) else {
            throw DashboardError.notFound
        }
        return key
    }

    private static func page(
        _ context: PageContext,
        _ key: APIKey,
        _ fields: KeyMerge.Fields,
        base: String,
        refusal: ServiceError? = nil,
        conflicts: [String] = [],
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let canEdit = key.revokedAt == nil && context.member.role == .admin
        let chosen = Set((fields[.permissions]?.array ?? []).compactMap(\.string))
        let marks = refusal.map(KeyPages.marks) ?? [:]
        let view = KeyEditView(
            id: key.id,
            name: PageFormatter.shown(fields[.name]?.string),
            hint: key.hint,
            isSecret: key.kind == .secret,
            canEdit: canEdit,
            canRotate: canEdit && key.works(at: context.now),
            isRevoked: key.revokedAt != nil,
            permissions: KeyPages.choices(
                Permission.allCases.filter { $0 != .device || chosen.contains($0.rawValue) },
                chosen,
                marks
            ),
            addresses: PageFormatter.shown(fields[.addresses]?.string),
            expires: key.expiresAt.map { TimeView($0, for: context) },
            lifetimes: SettingsChoices.lifetimes.map {
                .init(value: $0.0, name: $0.1, isChosen: context.form.value(.lifetime) == $0.0)
            },
            error: marks.isEmpty ? refusal.map { localized(sentence: $0.message) } : nil,
            wrong: marks,
            base: base,
            isConflict: !conflicts.isEmpty,
            conflicts: conflicts
        )
        return try context.page(
            "key",
            title: canEdit ? localized("Edit key") : localized("Key"),
            in: .keys,
            status: status,
            view
        )
    }
}
