import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `/v1/campaigns`: create, read, change, launch, pause, stop, archive, restore, duplicate.
struct CampaignsController: Sendable {
    let services: Services
    let campaigns: CampaignService

    // MARK: Reading

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageQuery(request)
        var status: Campaign.Status?
        if let name = request.uri.queryParameters["status"] {
            status = Campaign.Status(rawValue: String(name))
            if status == nil {
                let names = Campaign.Status.allCases.map(\.rawValue).joined(separator: ", ")
                throw RequestError.fieldInvalid("status", expected: "one of \(names)")
            }
        }
        let found = try await page.read(\Campaign.json) {
            try await services.store.listCampaigns(status: status, limit: $0, offset: $1)
        }
        return Response(json: ["campaigns": .array(found)])
    }

    @Sendable func read(_ request: Request, _ context: AppContext) async throws -> Response {
        Response(json: try await campaigns.campaign(try context.pathParameter("id")).json)
    }

    // MARK: Writing

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let saved = try await campaigns.create(try await request.readJSON(), by: caller)
        return Response(json: json(of: saved), status: .created)
    }

    @Sendable func update(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let body = try await request.readJSON()
        let saved = try await campaigns.update(try context.pathParameter("id"), body, by: caller)
        return Response(json: json(of: saved))
    }

    /// The campaign with what would be wrong at a launch, if anything.
    private func json(of saved: CampaignService.Saved) -> JSONValue {
        guard !saved.warnings.isEmpty, var members = saved.campaign.json.object else { return saved.campaign.json }
        members["warnings"] = .array(saved.warnings.map(\.json))
        return .object(members)
    }

    @Sendable func duplicate(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let copy = try await campaigns.duplicate(try context.pathParameter("id"), by: caller)
        return Response(json: copy.json, status: .created)
    }

    @Sendable func launch(_ request: Request, _ context: AppContext) async throws -> Response {
        try await apply(request, context) { _ in .launch }
    }

    @Sendable func pause(_ request: Request, _ context: AppContext) async throws -> Response {
        try await apply(request, context) { _ in .pause }
    }

    @Sendable func stop(_ request: Request, _ context: AppContext) async throws -> Response {
        try await apply(request, context) { body throws(RequestError) in
            .stop(withdraw: try Self.flag("withdraw", of: body))
        }
    }

    @Sendable func archive(_ request: Request, _ context: AppContext) async throws -> Response {
        try await apply(request, context) { _ in .archive }
    }

    @Sendable func restore(_ request: Request, _ context: AppContext) async throws -> Response {
        try await apply(request, context) { _ in .restore }
    }

    private func apply(
        _ request: Request,
        _ context: AppContext,
        _ transition: (JSONValue) throws(RequestError) -> Campaign.Transition
    ) async throws -> Response {
        let caller = try context.requireCaller()
        let body = try await request.readObject()
        let transition = try transition(body)
        let isForced = transition == .launch ? try Self.flag("force", of: body) : false
        let version = try body["version"].map { value throws(RequestError) in
            guard let version = value.integer else {
                throw RequestError.fieldInvalid("version", expected: Expected.wholeNumber)
            }
            return version
        }
        let campaign = try await campaigns.apply(
            transition,
            to: try context.pathParameter("id"),
            version: version,
            force: isForced,
            by: caller
        )
        return Response(json: campaign.json)
    }

    private static func flag(_ name: String, of body: JSONValue) throws(RequestError) -> Bool {
        guard let flag = (body[name] ?? false).bool else {
            throw RequestError.fieldInvalid(name, expected: Expected.boolean)
        }
        return flag
    }
}
