import CardModel
import CardStore
import Hummingbird
import OrderedCollections
import WireJSON

/// `/v1/webhook`: where events are sent as they come in.
struct WebhookController: Sendable {
    private static let fieldNames: Set<String> = ["url", "secret", "types", "after"]
    /// The maximum number of attempts to change a webhook that others change at the same time.
    private static let attempts = 8

    let services: Services

    @Sendable func read(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let state = try await services.store.webhookState() else { throw RequestError.notFound("webhook") }
        return Response(json: .object(state.members), tag: state.webhook.tag)
    }

    /// Sets the webhook up; a new secret is in this answer and nowhere else.
    @Sendable func save(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await fields(of: request)
        return try await edit(request, context) { known, key in
            let url = try url(body)
            return try Change(url: url, types: types(body), secret: secret(body) ?? known?.secret(for: url, key))
        } after: {
            try position(body)
        }
    }

    /// Changes what the request names of the webhook; the rest stays.
    @Sendable func change(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await fields(of: request)
        return try await edit(request, context) { known, key in
            guard let known else { throw RequestError.notFound("webhook") }
            let url = body["url"] == nil ? known.url : try url(body)
            let types = body["types"] == nil ? known.types : try types(body)
            return try Change(url: url, types: types, secret: secret(body) ?? known.secret(for: url, key))
        } after: {
            try position(body)
        }
    }

    /// The new values of a webhook; without a secret it gets a new one.
    private struct Change {
        let url: String
        let types: Set<String>
        let secret: String?
    }

    /// Saves a webhook that is made of the present one, so that what others change at the same time isn't taken back.
    private func edit(
        _ request: Request,
        _ context: AppContext,
        _ change: (Webhook?, Caller) throws -> Change,
        after position: () throws -> Int64?
    ) async throws -> Response {
        let (key, condition) = (try context.requireCaller(), Precondition(request))
        let position = try position()
        // What was sent before is the log of all events, which a key might not be allowed to export.
        if position != nil { try key.require(.exportEvents) }
        return try await retrying {
            let known = try await services.store.webhookState()?.webhook
            try condition.check(known?.tag)
            let change = try change(known, key)
            let (secret, now) = (change.secret ?? Self.newSecret(), services.clock())
            let webhook = Webhook(url: change.url, secret: secret, types: change.types, createdAt: now)
            let expected = ExpectedWebhook.exactly(known)
            try await services.store.saveWebhook(webhook, inPlaceOf: expected, after: position, at: now, by: key.actor)
            let isKnown = known.map { $0.secret.hasSameBytes(as: secret) && change.secret != nil } ?? false
            return try await answer(newSecret: isKnown ? nil : secret)
        }
    }

    /// Does something again that others have changed in between.
    private func retrying(_ body: () async throws -> Response) async throws -> Response {
        for _ in 1..<Self.attempts {
            do {
                return try await body()
            } catch let error as StoreError where error == .webhookChanged {
                continue
            }
        }
        return try await body()
    }

    private func fields(of request: Request) async throws -> JSONValue {
        let body = try await request.readJSON()
        guard let fields = body.object else { throw RequestError.fieldInvalid("body", expected: Expected.object) }
        if let unknown = fields.keys.first(where: { !Self.fieldNames.contains($0) }) {
            throw ModelError(.fieldUnknown, at: unknown, "There is no such field.")
        }
        return body
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
        return Response(json: .object(members), tag: state.webhook.tag)
    }

    private static func newSecret() -> String { "whsec_" + RandomText.letters(43) }

    @Sendable func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        let (key, condition) = (try context.requireCaller(), Precondition(request))
        return try await retrying {
            let known = try await services.store.webhookState()?.webhook
            try condition.check(known?.tag)
            let expected = ExpectedWebhook.exactly(known)
            try await services.store.saveWebhook(
                nil,
                inPlaceOf: expected,
                after: nil,
                at: services.clock(),
                by: key.actor
            )
            return Response(status: .noContent)
        }
    }

    // MARK: Reading

    private func url(_ body: JSONValue) throws(RequestError) -> String {
        guard let value = body["url"], !value.isNull else { throw .fieldMissing("url") }
        guard let text = value.string, text.utf8.count <= 2048, OutboundURL(text) != nil else {
            throw .fieldInvalid("url", expected: "an http or https URL of at most 2048 bytes")
        }
        return text
    }

    /// The secret of the request, or `nil` where it names none.
    private func secret(_ body: JSONValue) throws(RequestError) -> String? {
        guard let value = body["secret"], !value.isNull else { return nil }
        guard let text = value.string, (16...255).contains(text.utf8.count) else {
            throw RequestError.fieldInvalid("secret", expected: "16 to 255 bytes")
        }
        return text
    }

    private func types(_ body: JSONValue) throws(RequestError) -> Set<String> {
        guard let value = body["types"], !value.isNull else { return [] }
        let names = Set(value.array?.compactMap(\.string) ?? [])
        guard let count = value.array?.count, names.count == count, names.isSubset(of: Webhook.typeNames) else {
            let names = Webhook.typeNames.joined(separator: ", ")
            throw .fieldInvalid("types", expected: "an array of \(names)")
        }
        return names
    }

    private func position(_ body: JSONValue) throws(RequestError) -> Int64? {
        guard let value = body["after"], !value.isNull else { return nil }
        guard let position = value.integer, position >= 0 else {
            throw .fieldInvalid("after", expected: Expected.position)
        }
        return position
    }
}

extension Webhook {
    /// The tag that tells it from one that was set up before or after it.
    ///
    /// The secret is no part of it: nobody may guess it by this.
    fileprivate var tag: String {
        Precondition.tag(of: [.string(url), .array(types.sorted().map(JSONValue.string)), .number(createdAt)])
    }

    /// The secret for an address, or `nil` where it is another receiver's and the key isn't allowed to export events.
    fileprivate func secret(for address: String, _ key: Caller) -> String? {
        key.permits(.exportEvents) ? secret : secret(for: address)
    }

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
