import CardModel
import CardStore
import Hummingbird
import OrderedCollections
import WireJSON

/// `/v1/webhook`: where events are sent as they come in.
struct WebhookController: Sendable {
    private static let fieldNames: Set<String> = ["url", "secret", "types", "after"]

    let services: Services

    @Sendable func read(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let state = try await services.store.webhookState() else { throw RequestError.notFound("webhook") }
        return Response(json: .object(state.members))
    }

    /// Sets the webhook up; a new secret is in this answer and nowhere else.
    @Sendable func save(_ request: Request, _ context: AppContext) async throws -> Response {
        let key = try context.requireCaller()
        let body = try await request.readJSON()
        guard let fields = body.object else { throw RequestError.fieldInvalid("body") }
        if let unknown = fields.keys.first(where: { !Self.fieldNames.contains($0) }) {
            throw ModelError(.fieldUnknown, at: unknown, "There is no such field.")
        }
        let (url, types, position) = (try url(body), try types(body), try position(body))
        // What was sent before is the log of all events, which a key may not be allowed to export.
        if position != nil { try key.require(.exportEvents) }
        let webhook = try await services.store.webhookState()?.webhook
        let known = key.permits(.exportEvents) ? webhook?.secret : webhook?.secret(for: url)
        let secret = try secret(body) ?? known ?? Self.newSecret()
        let now = services.clock()
        let changed = Webhook(url: url, secret: secret, types: types, createdAt: now)
        try await services.store.saveWebhook(changed, after: position, at: now, by: key.actor)
        return try await answer(newSecret: secret == known ? nil : secret)
    }

    /// Replaces the secret; the new one is in this answer and nowhere else.
    @Sendable func rotate(_ request: Request, _ context: AppContext) async throws -> Response {
        let key = try context.requireCaller()
        let secret = Self.newSecret()
        guard try await services.store.setWebhookSecret(secret, at: services.clock(), by: key.actor) else {
            throw RequestError.notFound("webhook")
        }
        return try await answer(newSecret: secret)
    }

    private func answer(newSecret: String?) async throws -> Response {
        guard let state = try await services.store.webhookState() else { throw RequestError.notFound("webhook") }
        var members = state.members
        if let newSecret { members["secret"] = .string(newSecret) }
        return Response(json: .object(members))
    }

    private static func newSecret() -> String { "whsec_" + RandomText.letters(43) }

    @Sendable func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        let key = try context.requireCaller()
        try await services.store.saveWebhook(nil, after: nil, at: services.clock(), by: key.actor)
        return Response(status: .noContent)
    }

    // MARK: Reading

    private func url(_ body: JSONValue) throws(RequestError) -> String {
        guard let value = body["url"], !value.isNull else { throw .fieldMissing("url") }
        guard let text = value.string, text.utf8.count <= 2048, OutboundURL(text) != nil else {
            throw .fieldInvalid("url")
        }
        return text
    }

    /// The secret of the request, or `nil` where it names none.
    private func secret(_ body: JSONValue) throws(RequestError) -> String? {
        guard let value = body["secret"], !value.isNull else { return nil }
        guard let text = value.string, (16...255).contains(text.utf8.count) else {
            throw RequestError.fieldInvalid("secret")
        }
        return text
    }

    private func types(_ body: JSONValue) throws(RequestError) -> Set<String> {
        guard let value = body["types"], !value.isNull else { return [] }
        let names = Set(value.array?.compactMap(\.string) ?? [])
        guard let count = value.array?.count, names.count == count, names.isSubset(of: Webhook.typeNames) else {
            throw .fieldInvalid("types")
        }
        return names
    }

    private func position(_ body: JSONValue) throws(RequestError) -> Int64? {
        guard let value = body["after"], !value.isNull else { return nil }
        guard let position = value.integer, position >= 0 else { throw .fieldInvalid("after") }
        return position
    }
}

extension Webhook {
    /// The secret, or `nil` where an address is another receiver's, who isn't told it.
    fileprivate func secret(for address: String) -> String? {
        guard let (mine, other) = OutboundURL(url).flatMap({ mine in OutboundURL(address).map { (mine, $0) } }) else {
            return nil
        }
        return (mine.isSecure, mine.host, mine.port) == (other.isSecure, other.host, other.port) ? secret : nil
    }
}

extension WebhookState {
    /// The webhook as it is read back, without its secret.
    fileprivate var members: JSONObject {
        [
            "url": .string(webhook.url), "types": .array(webhook.types.sorted().map(JSONValue.string)),
            "created_at": .number(webhook.createdAt), "position": .integer(progress.position),
            "failures": .integer(Int64(progress.failures)), "next_attempt_at": .number(progress.nextAttemptAt),
            "last_success_at": progress.lastSuccessAt.map(JSONValue.number) ?? .null,
            "last_failure_at": progress.lastFailureAt.map(JSONValue.number) ?? .null,
            "last_failure": progress.lastFailure.map(JSONValue.string) ?? .null,
            "pending_notices": .integer(pendingNotices), "dropped_notices": .integer(droppedNotices),
        ]
    }
}
