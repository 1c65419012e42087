import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `/v1/approvals` and `/v1/campaigns/{id}/approvals`: requests that another member decides on, in the dashboard.
struct ApprovalsController: Sendable {
    let services: Services

    /// Lists the requests that wait, the oldest first.
    @Sendable func pending(_ request: Request, _ context: AppContext) async throws -> Response {
        let approvals = try await PageQuery(request).read(
            { $0.json(isOutdated: false) },
            from: { try await services.store.pendingApprovals(limit: $0, offset: $1) }
        )
        return Response(json: ["approvals": .array(approvals)])
    }

    /// Lists the requests of a campaign, the newest first.
    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let page = try PageQuery(request)
        let campaign = try await services.campaigns.campaign(id)
        let approvals = try await page.read(
            { $0.json(for: campaign) },
            from: { try await services.store.approvals(of: campaign.id, limit: $0, offset: $1) }
        )
        return Response(json: ["approvals": .array(approvals)])
    }

    @Sendable func request(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let body = try await request.readObject()
        let fields = try ApprovalFields(body, known: ["version", "comment", "content"])
        let approval = try await services.approvals.request(
            try context.pathParameter("id"),
            version: fields.version,
            content: fields.content,
            comment: fields.comment,
            by: caller
        )
        return Response(json: approval.json(isOutdated: false), status: .created)
    }

    @Sendable func withdraw(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let fields = try ApprovalFields(try await request.readObject(), known: ["comment"])
        let approval = try await services.approvals.withdraw(
            try context.pathParameter("approval"),
            of: try context.pathParameter("id"),
            comment: fields.comment,
            by: caller
        )
        return Response(json: approval.json(isOutdated: false))
    }
}

extension Approval {
    fileprivate func json(for campaign: Campaign) -> JSONValue {
        json(isOutdated: status == .pending && !isCurrent(for: campaign))
    }
}

/// The fields of a request for approval.
private struct ApprovalFields {
    var version: Int64?
    var comment: String?
    var content: Campaign.Content?

    init(_ body: JSONValue, known: Set<String>) throws {
        for (name, value) in body.object ?? [:] where !value.isNull || !known.contains(name) {
            guard known.contains(name) else {
                throw ModelError(
                    .fieldUnknown,
                    at: name,
                    "There is no such field. Known here: \(known.sorted().joined(separator: ", "))."
                )
            }
            switch name {
            case "version":
                guard let number = value.integer else {
                    throw RequestError.fieldInvalid(name, expected: Expected.wholeNumber)
                }
                version = number
            case "comment":
                guard let text = value.string else {
                    throw RequestError.fieldInvalid(name, expected: Expected.text)
                }
                comment = text
            default: content = try Campaign.Content(json: value, allowing: Campaign.keptFieldNames)
            }
        }
    }
}
