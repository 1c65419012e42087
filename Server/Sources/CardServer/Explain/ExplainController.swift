import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `/v1/users/{id}/explain` and `/v1/users/{id}/feed`: why a user sees what they see.
struct ExplainController: Sendable {
    /// How many of a user's events are looked through for what their devices could not read.
    private static let eventLimit = 1_000

    let services: Services

    /// Explains one campaign, a draft too, or each that was ever launched.
    @Sendable func explain(_ request: Request, _ context: AppContext) async throws -> Response {
        try await services.reads.note("user.read", of: try context.user(), by: try context.requireCaller().actor)
        let now = try moment(request)
        let user = try await state(context, at: now)
        let errors = try await decodeErrors(of: user.profile.id)
        let past = try await services.store.lastTriggers(of: user.profile.id)
        let catalog = services.catalog.current.catalog
        let campaigns = try await campaigns(request, concerning: user)
        let rendering = services.rendering
        let content = try await services.content.session(for: user, in: catalog, at: now, by: rendering)
        let explanations = try await ContentSession.$current.withValue(content) {
            try await rendering.offload {
                catalog.explanations(
                    of: campaigns,
                    for: user,
                    past: past.mapValues(\.outcome),
                    decodeErrors: errors,
                    at: now
                )
            }
        }
        return Response(
            json: [
                "user_id": .string(user.profile.id.rawValue), "at": .number(now),
                "known_at": .number(services.clock()),
                "campaigns": .array(explanations.map(\.json)),
            ]
        )
    }

    /// Shows the feed that a sync at that moment would give, without giving it.
    @Sendable func feed(_ request: Request, _ context: AppContext) async throws -> Response {
        try await services.reads.note("user.read", of: try context.user(), by: try context.requireCaller().actor)
        let now = try moment(request)
        let user = try await state(context, at: now)
        let (catalog, rendering) = (services.catalog.current.catalog, services.rendering)
        let platform = request.uri.queryParameters["platform"].flatMap { CardTemplate.Platform(rawValue: String($0)) }
        let content = try await services.content.session(
            for: user,
            in: catalog,
            at: now,
            platform: platform,
            by: rendering
        )
        let reply = try await ContentSession.$current.withValue(content) {
            try await rendering.offload {
                let user = FeedForecast(for: user, in: catalog, at: now, platform: platform).user
                return FeedReply(for: user, in: catalog, since: nil, epoch: 0, at: now, platform: platform)
            }
        }
        var writer = JSONWriter(capacity: 4_096)
        writer.raw(#"{"user_id":"#)
        writer.string(user.profile.id.rawValue)
        writer.raw(#","at":"#)
        writer.number(now)
        writer.raw(#","known_at":"#)
        writer.number(services.clock())
        writer.raw(#","cards":"#)
        reply.writeCards(to: &writer)
        writer.raw("}")
        return Response(json: writer)
    }

    // MARK: What is asked about

    private func moment(_ request: Request) throws -> UnixTime {
        guard let text = request.uri.queryParameters["at"] else { return services.clock() }
        let value = Double(text).map(JSONValue.number) ?? .string(String(text))
        guard let time = Timestamp.unixTime(of: value) else { throw RequestError.fieldInvalid("at") }
        return time
    }

    private func campaigns(_ request: Request, concerning user: UserState) async throws -> [Campaign] {
        guard let text = request.uri.queryParameters["campaign_id"] else {
            let page = try PageQuery(request)
            let campaigns = services.catalog.current.catalog.campaigns(concerning: user)
            // safe: an offset and a limit are never negative
            return Array(campaigns.dropFirst(page.offset).prefix(page.limit))
        }
        guard let id = CampaignID(checking: String(text)), let campaign = try await services.store.campaign(id) else {
            throw RequestError.notFound("campaign")
        }
        return [campaign]
    }

    /// The user as they are by now, and as a sync takes them, without the cards that they were given after the moment.
    private func state(_ context: AppContext, at now: UnixTime) async throws -> UserState {
        let id = try context.user()
        guard var user = try await services.store.userState(of: id, including: .all) else {
            throw RequestError.notFound("user")
        }
        user.profile.firstSeenAt = user.profile.firstSeenAt ?? now
        if now < services.clock() { user.deliveries.removeAll { $0.deliveredAt > now } }
        return user
    }

    /// What the user's devices could not read, by card: the last of each.
    private func decodeErrors(of user: UserID) async throws -> [CardID: String] {
        let events = try await services.store.userEvents(of: user, limit: Self.eventLimit)
        let errors = events.compactMap { event -> (CardID, String)? in
            guard event.type == "content_error", let card = event.card else { return nil }
            return (card, event.details["message"]?.string ?? "")
        }
        return Dictionary(errors, uniquingKeysWith: { newest, _ in newest })
    }
}
