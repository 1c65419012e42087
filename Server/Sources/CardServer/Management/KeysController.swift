import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `/v1/keys`.
struct KeysController: Sendable {
    /// For how many seconds both secrets of a rotated key work, unless the request says otherwise: a day.
    private static let standardOverlap = 86_400.0

    let services: Services

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Response {
        Response(json: ["keys": .array(try await services.store.apiKeys().map(\.json))])
    }

    /// Makes a key; its secret is in this answer and nowhere else.
    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let now = services.clock()
        let secret = KeySecret(try NewKey(json: try await request.readJSON(), at: now), createdAt: now)
        try caller.requireCovering(secret.key)
        try await services.store.insertKey(secret.key, by: caller.actor)
        apply(secret.key)
        return Response(json: json(of: secret.key, secret.text), status: .created)
    }

    /// Gives a key another secret, which is in this answer and nowhere else; the present one works for a while more.
    @Sendable func rotate(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let overlap = try overlap(try await request.readObject())
        let id = try context.parameters.require("id")
        let now = services.clock()
        guard let key = try await key(id), key.works(at: now) else { throw RequestError.notFound("key that works") }
        // Its secret is in the answer, so whoever rotates a key can use it.
        try caller.requireCovering(key)
        let (text, rotation) = KeySecret.rotate(key, overlap: overlap, at: now)
        guard try await services.store.rotateKey(rotation, by: caller.actor) else {
            throw RequestError.notFound("key that works")
        }
        let rotated = key.applying(rotation)
        apply(rotated)
        return Response(json: json(of: rotated, text))
    }

    /// Changes what a key may do, for how long and from where; the secret stays.
    @Sendable func edit(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.parameters.require("id")
        let body = try await request.readRequiredObject()
        let now = services.clock()
        guard let key = try await key(id), key.revokedAt == nil else { throw RequestError.notFound("key that works") }
        let edit = try KeyEdit(json: body, of: key, at: now)
        // Neither may it give others what it doesn't have, nor take from those who may more.
        try caller.requireCovering(key)
        try caller.requireCovering(key.applying(edit))
        guard let edited = try await services.store.editKey(id, edit, at: now, by: caller.actor) else {
            throw RequestError.notFound("key that works")
        }
        apply(edited)
        return Response(json: edited.json)
    }

    @Sendable func revoke(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.parameters.require("id")
        let now = services.clock()
        // Read first: once it is revoked, nothing that fails may keep it working.
        guard var key = try await key(id) else { throw RequestError.notFound("key that works") }
        try caller.requireCovering(key)
        guard try await services.store.revokeKey(id, at: now, by: caller.actor) else {
            throw RequestError.notFound("key that works")
        }
        key.revokedAt = now
        apply(key)
        return Response(status: .noContent)
    }

    /// Makes a change that the store has kept hold at once, for open streams too, whether the store can be read or not.
    private func apply(_ key: APIKey) {
        services.catalog.set(key)
        services.hub.review(by: services.catalog.current, at: services.clock())
    }

    private func key(_ id: String) async throws -> APIKey? {
        try await services.store.apiKeys().first { $0.id.hasSameBytes(as: id) }
    }

    private func overlap(_ body: JSONValue) throws(RequestError) -> Double {
        if let unknown = body.object?.keys.first(where: { $0 != "overlap_seconds" }) {
            throw RequestError(ModelError(.fieldUnknown, at: unknown, "There is no such field."))
        }
        guard let value = body["overlap_seconds"], !value.isNull else { return Self.standardOverlap }
        guard let seconds = value.double, (0...APIKey.maximumOverlap).contains(seconds) else {
            throw RequestError.fieldInvalid("overlap_seconds")
        }
        return seconds
    }

    private func json(of key: APIKey, _ secret: String) -> JSONValue {
        var members = key.json.object ?? [:]
        members["secret"] = .string(secret)
        return .object(members)
    }
}

extension Caller {
    /// Throws `RequestError` with 403 where a key would be able to do more than its maker.
    fileprivate func requireCovering(_ other: APIKey) throws(RequestError) {
        guard let key, !key.covers(other) else { return }
        throw RequestError(
            .forbidden,
            "permission_denied",
            "This key can't create, edit, rotate or revoke a key that may do more, lasts longer or has fewer address limits."
        )
    }
}
