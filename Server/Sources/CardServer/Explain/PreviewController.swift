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
        if let id = body["user_id"], !id.isNull {
            let caller = try context.requireCaller()
            try caller.require(.users)
            try await services.reads.note("user.read", of: id.string.map(UserID.init(rawValue:)), by: caller.actor)
        }
        let card = try CardTemplate(json: body["card"] ?? .null, at: "card")
        let (engine, rendering) = (services.catalog.current.engine, services.rendering)
        let problems = try await rendering.offload { engine.problems(in: card, at: "card") }
        if let error = RequestError.templateInvalid(problems) { throw error }
        let profile = try await profile(body)
        let now = body["at"].flatMap(Timestamp.unixTime(of:)) ?? services.clock()
        let campaign = try await campaign(body)
        let properties = body["trigger_properties"]?.object.map { JSONValue.object($0).bytes }
        let platform = body["platform"]?.string.flatMap(CardTemplate.Platform.init)
        let timeZone = services.catalog.current.settings.timeZone
        let render: @Sendable () -> Result<[UInt8], TemplateFailure> = {
            Result { () throws(TemplateFailure) in
                try CardPreview(
                    card: card,
                    campaign: campaign,
                    properties: properties,
                    platform: platform,
                    engine: engine
                ).render(for: profile, timeZone: timeZone, at: now)
            }
        }
        let content = try await services.content.session { _ = try await rendering.offload(render) }
        return try Self.response(
            try await ContentSession.$current.withValue(content) { try await rendering.offload(render) }
        )
    }

    private static func response(_ preview: Result<[UInt8], TemplateFailure>) throws -> Response {
        switch preview {
        case .success(let bytes):
            return Response(json: ["card": try JSONValue(parsing: bytes), "withheld": .null])
        case .failure(let failure):
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
            guard let known = try await services.store.userState(of: id) else { throw RequestError.notFound("user") }
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
        if let zone = body["time_zone"]?.string {
            guard TimeZoneClock(named: zone) != nil else { throw RequestError.fieldInvalid("time_zone") }
            profile.device.timeZone = zone
        }
        return profile
    }

    private func campaign(_ body: JSONValue) async throws -> Campaign? {
        guard let id = body["campaign_id"]?.string.flatMap(CampaignID.init(checking:)) else { return nil }
        return try await services.store.campaign(id)
    }
}
