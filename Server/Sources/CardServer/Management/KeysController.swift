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
        Response(json: ["keys": .array(try await services.store.keys().map(\.json))])
    }

    /// Makes a key; its secret is in this answer and nowhere else.
    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let now = services.clock()
        let secret = KeySecret(try NewKey(json: try await request.readJSON(), at: now), createdAt: now)
        try caller.requireCovering(secret.key)
        try await services.store.insert(secret.key, by: caller.actor)
        try await services.catalog.reload()
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
        guard try await services.store.rotateKey(rotation, by: caller.actor), let rotated = try await self.key(id)
        else {
            throw RequestError.notFound("key that works")
        }
        try await services.catalog.reload()
        return Response(json: json(of: rotated, text))
    }

    @Sendable func revoke(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.parameters.require("id")
        guard try await services.store.revokeKey(id, at: services.clock(), by: caller.actor) else {
            throw RequestError.notFound("key that works")
        }
        try await services.catalog.reload()
        return Response(status: .noContent)
    }

    private func key(_ id: String) async throws -> APIKey? {
        try await services.store.keys().first { $0.id.hasSameBytes(as: id) }
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
            "This key can't create or rotate a key that may do more, lasts longer or has fewer address limits than itself."
        )
    }
}
