import CardModel
import CardStore
import Hummingbird
import OrderedCollections
import WireJSON

/// `POST /v1/preview`: what a user would see of a card that need not exist.
struct PreviewController: Sendable {
    private static let fieldNames: Set<String> = [
        "card", "campaign_id", "user_id", "trigger_properties", "platform", "locale", "time_zone", "at",
        "custom_attributes", "attributes",
    ]

    let services: Services

    @Sendable func preview(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await request.readJSON()
        if let unknown = body.object?.keys.first(where: { !Self.fieldNames.contains($0) }) {
            throw ModelError(.fieldUnknown, at: unknown, "There is no such field.")
        }
        if body["user_id"]?.isNull == false { try context.requireCaller().require(.users) }
        let card = try CardTemplate(json: body["card"] ?? .null, at: "card")
        let engine = services.catalog.current.engine
        if let error = RequestError.templateInvalid(engine.problems(in: card, at: "card")) { throw error }
        let profile = try await profile(body)
        let now = body["at"].flatMap(Timestamp.unixTime(of:)) ?? services.clock()
        let preview = CardPreview(
            card: card,
            campaign: try await campaign(body),
            properties: body["trigger_properties"]?.object.map { JSONValue.object($0).bytes },
            platform: body["platform"]?.string.flatMap(CardTemplate.Platform.init),
            engine: engine
        )
        let timeZone = services.catalog.current.settings.timeZone
        let content = await services.content.session {
            _ = try? preview.render(for: profile, timeZone: timeZone, at: now)
        }
        do {
            let bytes = try ContentSession.$current.withValue(content) {
                try preview.render(for: profile, timeZone: timeZone, at: now)
            }
            return Response(json: ["card": try JSONValue(parsing: bytes), "withheld": .null])
        } catch let failure as TemplateFailure {
            return Response(
                json: [
                    "card": .null,
                    "withheld": [
                        "code": .string(failure.code), "field": .string(failure.field),
                        "detail": .string(failure.reason), "message": .string(failure.sentence),
                    ],
                ]
            )
        }
    }

    /// The user that is named, changed by what else is said; without a name one of whom nothing else is known.
    private func profile(_ body: JSONValue) async throws -> UserProfile {
        var profile = UserProfile(id: UserID(rawValue: "preview"), createdAt: services.clock())
        if let text = body["user_id"], !text.isNull {
            guard let id = text.string.flatMap(UserID.init(checking:)) else { throw RequestError.userInvalid }
            guard let known = try await services.store.state(of: id) else { throw RequestError.notFound("user") }
            profile = known.profile
        }
        var members: JSONObject = [:]
        for name in ["attributes", "custom_attributes"] { members[name] = body[name] }
        let update = try UserUpdate(id: profile.id, json: .object(members))
        do throws(UserLimits.Excess) {
            _ = try profile.apply(update, within: services.catalog.current.settings.deviceLimits.user)
        } catch {
            throw RequestError(error)
        }
        if let locale = body["locale"]?.string { profile.device.locale = locale }
        if let zone = body["time_zone"]?.string { profile.device.timeZone = zone }
        return profile
    }

    private func campaign(_ body: JSONValue) async throws -> Campaign? {
        guard let id = body["campaign_id"]?.string.flatMap(CampaignID.init(checking:)) else { return nil }
        return try await services.store.campaign(id)
    }
}
