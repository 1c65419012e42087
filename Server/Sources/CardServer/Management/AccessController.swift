import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `/v1/keys`, `/v1/settings` and `/v1/audit`.
struct AccessController: Sendable {
    let services: Services

    // MARK: Keys

    @Sendable func keys(_ request: Request, _ context: AppContext) async throws -> Response {
        try services.authenticator.require(.manage, request.headers)
        return Response(json: ["keys": .array(try await services.store.keys().map(\.json))])
    }

    /// Makes a key; its secret is in this answer and nowhere else.
    @Sendable func createKey(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try services.authenticator.require(.manage, request.headers)
        let body = try await request.readJSON()
        guard let name = body["name"]?.string, (1...255).contains(name.utf8.count) else {
            throw RequestError.fieldInvalid("name")
        }
        guard let kind = body["kind"]?.string.flatMap(APIKey.Kind.init) else { throw RequestError.fieldInvalid("kind") }
        let secret = KeySecret(
            name: name,
            kind: kind,
            permissions: try permissions(body, kind),
            createdAt: services.clock()
        )
        try await services.store.insert(secret.key, by: caller.actor)
        try await services.catalog.reload()
        var members = secret.key.json.object ?? [:]
        members["secret"] = .string(secret.text)
        return Response(json: .object(members), status: .created)
    }

    private func permissions(_ body: JSONValue, _ kind: APIKey.Kind) throws(RequestError) -> Set<Permission> {
        guard let wanted = body["permissions"], !wanted.isNull else { return kind == .secret ? [.manage] : [.device] }
        guard let names = wanted.array else { throw RequestError.fieldInvalid("permissions") }
        var permissions: Set<Permission> = []
        for name in names {
            guard let permission = name.string.flatMap(Permission.init) else {
                throw RequestError.fieldInvalid("permissions")
            }
            permissions.insert(permission)
        }
        if kind == .publishable, permissions != [.device] { throw RequestError.fieldInvalid("permissions") }
        return permissions
    }

    @Sendable func revokeKey(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try services.authenticator.require(.manage, request.headers)
        let id = try context.parameters.require("id")
        guard try await services.store.revokeKey(id, at: services.clock(), by: caller.actor) else {
            throw RequestError.notFound("key that works")
        }
        try await services.catalog.reload()
        return Response(status: .noContent)
    }

    // MARK: Settings

    @Sendable func settings(_ request: Request, _ context: AppContext) async throws -> Response {
        try services.authenticator.require(.manage, request.headers)
        return Response(json: services.catalog.current.settings.json)
    }

    /// Puts all settings in place of the old ones.
    @Sendable func saveSettings(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try services.authenticator.require(.manage, request.headers)
        // What is left out gets its default, which for security is off: a body that got lost must not reset everything.
        var settings = try Settings(json: try await request.readRequiredObject())
        if let url = settings.keySetURL {
            // Keys that were fetched before stay, so that settings can be changed while the provider is down.
            let known = services.catalog.current.settings
            let isKnown = known.keySetURL?.hasSameBytes(as: url) == true
            if isKnown, let set = known.keySet {
                settings.keySet = set
            } else {
                settings.keySet = try await services.keySets.keys(at: url)
            }
        }
        try UserTokenVerifier.checkKeys(of: settings)
        try await services.store.save(settings, at: services.clock(), by: caller.actor)
        try await services.catalog.reload()
        return Response(json: settings.json)
    }

    // MARK: Audit

    @Sendable func audit(_ request: Request, _ context: AppContext) async throws -> Response {
        try services.authenticator.require(.manage, request.headers)
        let entries = try await services.store.audit(limit: try Page(request).limit)
        return Response(json: ["entries": .array(entries.map(\.json))])
    }
}

extension APIKey {
    fileprivate var json: JSONValue {
        [
            "id": .string(id), "name": .string(name), "kind": .string(kind.rawValue),
            "permissions": .array(permissions.map(\.rawValue).sorted().map(JSONValue.string)), "hint": .string(hint),
            "created_at": .number(createdAt), "revoked_at": revokedAt.map(JSONValue.number) ?? .null,
        ]
    }
}

extension AuditEntry {
    fileprivate var json: JSONValue {
        [
            "position": .integer(position), "at": .number(at), "actor": .string(actor), "action": .string(action),
            "subject": .string(subject),
        ]
    }
}
