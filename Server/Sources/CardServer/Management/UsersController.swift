import CardModel
import CardStore
import Hummingbird
import OrderedCollections
import WireJSON

/// `/v1/users/{id}`: what is known of a user, and their events.
struct UsersController: Sendable {
    let services: Services
    let users: UserService

    @Sendable func read(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        return Response(json: try await users.state(of: try context.user(), by: caller).json)
    }

    /// Sets attributes, making the user where there is none; `null` removes one.
    ///
    /// The answer has all that is known of the user, so it is noted as a read of that.
    @Sendable func update(_ request: Request, _ context: AppContext) async throws -> Response {
        let (caller, user) = (try context.requireCaller(), try context.user())
        let update = try UserUpdate(id: user, json: try await request.readJSON())
        try await services.reads.note("user.read", of: user, by: caller.actor)
        if let excess = try await services.store.updateUsers([update], at: services.clock()).first ?? nil {
            throw RequestError(excess)
        }
        return Response(json: try await users.state(of: user).json)
    }

    @Sendable func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        try await users.delete(try context.user(), by: caller)
        return Response(status: .noContent)
    }

    @Sendable func events(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let limit = try PageQuery(request).limit
        let events = try await users.events(of: try context.user(), limit: limit, by: caller)
        return Response(json: ["events": .array(events.map(\.json))])
    }
}

extension UserState {
    fileprivate var json: JSONValue {
        var attributes: JSONObject = [:]
        for attribute in StandardAttribute.allCases { attributes[attribute.rawValue] = profile.value(of: attribute) }
        return [
            "user_id": .string(profile.id.rawValue), "attributes": .object(attributes),
            "custom_attributes": .object(profile.custom), "created_at": .number(profile.createdAt),
            "first_seen_at": profile.firstSeenAt.map(JSONValue.number) ?? .null,
            "last_seen_at": profile.lastSeenAt.map(JSONValue.number) ?? .null,
            "app_version": profile.device.appVersion.map(JSONValue.string) ?? .null,
            "cards": .array(deliveries.map(\.json)), "history": history.json,
        ]
    }
}

extension UserHistory {
    /// The events and purchases as JSON, the most recent first.
    fileprivate var json: JSONValue {
        let events = events.sorted { ($1.value.last, $0.key) < ($0.value.last, $1.key) }
        let purchases = purchases.sorted {
            ($1.value.occurrences.last, ByteString($0.key.id)) < ($0.value.occurrences.last, ByteString($1.key.id))
        }
        return [
            "sessions": sessions.map { .object($0.members) } ?? .null,
            "events": .array(events.map { .object($1.members.merging(["name": .string($0.text)]) { $1 }) }),
            "purchases": .array(
                purchases.map { product, record in
                    let members: JSONObject = [
                        "product_id": .string(product.id), "currency": .string(product.currency),
                        "revenue": JSONValue(record.revenue),
                    ]
                    return .object(record.occurrences.members.merging(members) { $1 })
                }
            ),
        ]
    }
}

extension Occurrences {
    fileprivate var members: JSONObject {
        ["count": .integer(count), "first_at": .number(first), "last_at": .number(last)]
    }
}

extension Delivery {
    fileprivate var json: JSONValue {
        [
            "card_id": .string(card.rawValue), "campaign_id": .string(campaign.rawValue),
            "variant_id": .string(variant.rawValue), "delivered_at": .number(deliveredAt), "viewed": .bool(isViewed),
            "clicked": .bool(isClicked), "dismissed": .bool(isDismissed),
            "ended": end.map { .string($0.rawValue) } ?? .null,
        ]
    }
}

extension StoredEvent {
    fileprivate var json: JSONValue {
        [
            "id": .string(id.description), "type": .string(type), "at": .number(at), "received_at": .number(receivedAt),
            "card_id": card.map { .string($0.rawValue) } ?? .null,
            "campaign_id": campaign.map { .string($0.rawValue) } ?? .null,
            "variant_id": variant.map { .string($0.rawValue) } ?? .null, "details": details,
        ]
    }
}
