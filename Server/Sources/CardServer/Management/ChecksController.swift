import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `GET /v1/campaigns/{id}/checks`: everything that would be wrong at a launch.
struct ChecksController: Sendable {
    let services: Services

    @Sendable func checks(_ request: Request, _ context: AppContext) async throws -> Response {
        try services.authenticator.require(.manage, request.headers)
        guard let id = CampaignID(checking: try context.parameters.require("id")),
            let campaign = try await services.store.campaign(id)
        else { throw RequestError.notFound("campaign") }
        let checks = try await services.checks(of: campaign.content)
        return Response(
            json: [
                "launchable": .bool(!checks.contains { $0.severity == .error }), "checks": .array(checks.map(\.json)),
            ]
        )
    }
}

extension Services {
    /// Everything that would be wrong at a launch.
    func checks(of content: Campaign.Content) async throws -> [CampaignCheck] {
        let types = try await store.contentTypes().map { ContentSchema(json: $0.schema) }
        return content.checks(types: types, at: clock())
    }
}

extension RequestError {
    /// Refuses a launch that would not do what is meant.
    static func notLaunchable(_ errors: [CampaignCheck]) -> RequestError {
        RequestError(
            .unprocessableContent,
            "checks_failed",
            "The campaign has mistakes. Mend them, or launch with \"force\": true.",
            details: [("checks", .array(errors.map(\.json)))]
        )
    }
}
