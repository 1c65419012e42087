import CardModel
import Hummingbird
import WireJSON

/// `/v1/users/{id}/explain` and `/v1/users/{id}/feed`: why a user sees what they see.
struct ExplainController: Sendable {
    let services: Services
    let service: ExplainService

    /// Explains one campaign, a draft too, or each that was ever launched.
    @Sendable func explain(_ request: Request, _ context: AppContext) async throws -> Response {
        let (user, caller) = (try context.user(), try context.requireCaller())
        let now = try moment(request)
        let campaign = try campaign(request)
        let page = campaign == nil ? try PageQuery(request) : nil
        let explanations = try await service.explanations(
            of: user,
            campaign: campaign,
            at: now,
            limit: page?.limit ?? 1,
            offset: page?.offset ?? 0,
            by: caller
        )
        return Response(
            json: [
                "user_id": .string(user.rawValue), "at": .number(now),
                "known_at": .number(services.clock()),
                "campaigns": .array(explanations.map(\.json)),
            ]
        )
    }

    /// Shows the feed that a sync at that moment would give, without giving it.
    @Sendable func feed(_ request: Request, _ context: AppContext) async throws -> Response {
        let (user, caller) = (try context.user(), try context.requireCaller())
        let now = try moment(request)
        let platform = request.uri.queryParameters["platform"].flatMap { CardTemplate.Platform(rawValue: String($0)) }
        let reply = try await service.feed(of: user, at: now, on: platform, by: caller)
        var writer = JSONWriter(capacity: 4_096)
        writer.raw(#"{"user_id":"#)
        writer.string(user.rawValue)
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
        guard let time = Timestamp.unixTime(of: value) else {
            throw RequestError.fieldInvalid("at", expected: Expected.time)
        }
        return time
    }

    private func campaign(_ request: Request) throws -> CampaignID? {
        guard let text = request.uri.queryParameters["campaign_id"] else { return nil }
        guard let id = CampaignID(checking: String(text)) else { throw RequestError.notFound("campaign") }
        return id
    }
}
