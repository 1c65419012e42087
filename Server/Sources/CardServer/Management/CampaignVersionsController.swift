import CardModel
import CardStore
import Hummingbird
import OrderedCollections
import WireJSON

/// `/v1/campaigns/{id}/versions`: what became of a campaign, and how it was.
struct CampaignVersionsController: Sendable {
    let services: Services

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let campaign = try await campaign(context)
        let versions = try await services.store.campaignVersions(
            of: campaign,
            before: try number(request.uri.queryParameters["before"], named: "before"),
            limit: try PageQuery(request).limit
        )
        return Response(json: ["versions": .array(versions.map { .object($0.members) })])
    }

    @Sendable func read(_ request: Request, _ context: AppContext) async throws -> Response {
        let campaign = try await campaign(context)
        guard let number = Int64(try context.parameters.require("version")),
            let past = try await services.store.campaignVersion(number, of: campaign)
        else { throw RequestError.notFound("version") }
        var members = past.version.members
        members["campaign"] = past.campaign.json
        return Response(json: .object(members))
    }

    private func campaign(_ context: AppContext) async throws -> CampaignID {
        guard let id = CampaignID(checking: try context.pathParameter("id")),
            try await services.store.campaign(id) != nil
        else { throw RequestError.notFound("campaign") }
        return id
    }

    private func number(_ text: Substring?, named name: String) throws(RequestError) -> Int64? {
        guard let text else { return nil }
        guard let number = Int64(text) else { throw .fieldInvalid(name, expected: Expected.wholeNumber) }
        return number
    }
}

extension CampaignVersion {
    fileprivate var members: JSONObject {
        [
            "version": .integer(number), "at": .number(at), "actor": .string(actor), "action": .string(action),
            "status": .string(status.rawValue), "changed": .array(changedFields.map(JSONValue.string)),
            "restores": restores.map(JSONValue.integer) ?? .null,
        ]
    }
}
