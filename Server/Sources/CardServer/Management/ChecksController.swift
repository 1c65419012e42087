import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `GET /v1/campaigns/{id}/checks` and `POST /v1/checks`: everything that would be wrong at a launch.
struct ChecksController: Sendable {
    let campaigns: CampaignService

    @Sendable func checks(_ request: Request, _ context: AppContext) async throws -> Response {
        let campaign = try await campaigns.campaign(try context.pathParameter("id"))
        let checks = try await campaigns.checks(of: campaign)
        return Response(
            json: [
                "launchable": .bool(!checks.contains { $0.severity == .error }), "checks": .array(checks.map(\.json)),
            ]
        )
    }

    /// Looks at a campaign that need not exist, and keeps nothing: the first field that cannot be read, every template
    /// that cannot be rendered, and what would be wrong at a launch.
    @Sendable func check(_ request: Request, _ context: AppContext) async throws -> Response {
        let checks = try await campaigns.checks(ofDraft: try await request.readJSON())
        return Response(
            json: [
                "valid": .bool(!checks.contains(where: \.isRefusal)),
                "launchable": .bool(!checks.contains { $0.check.severity == .error }),
                "checks": .array(checks.map(\.json)),
            ]
        )
    }
}

extension Services {
    /// Everything that would be wrong at a launch.
    func checks(of content: Campaign.Content) async throws -> [CampaignCheck] {
        let types = try await store.contentTypes().map { ContentSchema(json: $0.schema) }
        let latest = try await catalog.latest()
        let engine = latest.engine
        let blanks = try await rendering.offload { engine.blankChecks(in: content) }
        let checks = content.checks(types: types, at: clock(), quietHours: latest.settings.quietHours)
        return try await segmentChecks(of: content) + checks + blanks
    }

    /// Returns the problems of the segments of the audience, which can have changed since it was saved.
    private func segmentChecks(of content: Campaign.Content) async throws -> [CampaignCheck] {
        let segments = try await store.segmentAudiences()
        do throws(ModelError) {
            try content.audience.checkSegments(in: segments)
            return []
        } catch {
            return [CampaignCheck(error)]
        }
    }

    /// Throws where a card that is the same for everybody is too large; what is rendered is measured then.
    func checkSizes(of content: Campaign.Content) throws(ModelError) {
        try content.checkSizes(limit: catalog.current.settings.cardSizeLimit)
    }
}

extension RequestError {
    /// Refuses a launch that would not do what is meant.
    static func notLaunchable(_ errors: [CampaignCheck]) -> RequestError {
        RequestError(
            .unprocessableContent,
            "checks_failed",
            "The campaign has errors. Fix them, or launch with \"force\": true.",
            details: [("checks", .array(errors.map(\.json)))]
        )
    }
}
