package import CardModel
import CardStore
import OrderedCollections
package import WireJSON

/// Shows what a user would see of a card that need not exist, for the management API and the dashboard.
package struct PreviewService: Sendable {
    private static let fieldNames: Set<String> = [
        "card", "campaign_id", "user_id", "trigger_properties", "platform", "locale", "time_zone", "at",
        "custom_attributes", "attributes", "connected_content",
    ]

    private static let contentDenied = RequestError(
        .forbidden,
        "permission_denied",
        "The card asks other hosts, so a preview of it needs the permission campaigns as well.",
        details: [("path", "card")]
    )

    private static let contentLeftOut = RequestError(
        .forbidden,
        "permission_denied",
        "The card asks other hosts, and this preview was to ask none.",
        details: [("path", "connected_content")]
    )

    let services: Services

    /// Renders a card for a user who need not exist.
    ///
    /// - Parameters:
    ///   - json: The `card`, and the user, time and campaign that it is rendered for.
    ///   - caller: Who asks.
    /// - Returns: The card as devices get it, or why its template keeps it back.
    /// - Throws: `ModelError` or `RequestError` that names the wrong field.
    package func preview(
        _ json: JSONValue,
        by caller: Caller
    ) async throws -> Result<JSONValue, TemplateFailure> {
        if let unknown = json.object?.keys.first(where: { !Self.fieldNames.contains($0) }) {
            throw ModelError(.fieldUnknown, at: unknown, "There is no such field.")
        }
        if let id = json["user_id"], !id.isNull {
            try caller.require(.users)
            try await services.reads.note("user.read", of: id.string.map(UserID.init(rawValue:)), by: caller.actor)
        }
        let card = try CardTemplate(json: json["card"] ?? .null, at: "card")
        let (engine, rendering) = (services.catalog.current.engine, services.rendering)
        let problems = try await rendering.offload { engine.problems(in: card, at: "card") }
        if let error = RequestError.templateInvalid(problems) { throw error }
        let profile = try await profile(json)
        let now = json["at"].flatMap(Timestamp.unixTime(of:)) ?? services.clock()
        let campaign = try await campaign(json)
        let properties = json["trigger_properties"]?.object.map { JSONValue.object($0).bytes }
        let platform = json["platform"]?.string.flatMap(CardTemplate.Platform.init)
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
        // What a kept campaign may ask other hosts, whoever may make campaigns may try.
        let allowed: RequestError? = caller.permits(.campaigns) ? nil : Self.contentDenied
        if let denial = try asksHosts(json) ? allowed : Self.contentLeftOut {
            let asked = ContentSession()
            try await ContentSession.$current.withValue(asked) { _ = try await rendering.offload(render) }
            if !asked.takeMissing().isEmpty { throw denial }
        }
        let content = try await services.content.session { _ = try await rendering.offload(render) }
        let preview = try await ContentSession.$current.withValue(content) { try await rendering.offload(render) }
        return switch preview {
        case .success(let bytes): .success(try JSONValue(parsing: bytes))
        case .failure(let failure): .failure(failure)
        }
    }

    /// Whether the card may ask other hosts for connected content.
    private func asksHosts(_ body: JSONValue) throws -> Bool {
        guard let value = body["connected_content"], !value.isNull else { return true }
        guard let asks = value.bool else {
            throw RequestError.fieldInvalid("connected_content", expected: Expected.boolean)
        }
        return asks
    }

    /// The user that is named, with the attributes of the request; without a name, an unknown user with these alone.
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
            guard TimeZoneClock(named: zone) != nil else {
                throw RequestError.fieldInvalid("time_zone", expected: "an IANA time zone such as Asia/Tokyo")
            }
            profile.device.timeZone = zone
        }
        return profile
    }

    private func campaign(_ body: JSONValue) async throws -> Campaign? {
        guard let id = body["campaign_id"]?.string.flatMap(CampaignID.init(checking:)) else { return nil }
        return try await services.store.campaign(id)
    }
}
