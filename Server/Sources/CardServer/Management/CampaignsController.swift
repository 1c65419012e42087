import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `/v1/campaigns`: create, read, change, launch, pause, stop, archive, restore, duplicate.
struct CampaignsController: Sendable {
    static let kept: Set<String> = [
        "id", "version", "status", "withdrawn", "created_at", "updated_at", "launched_at", "warnings",
    ]

    let services: Services

    // MARK: Reading

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageQuery(request)
        var status: Campaign.Status?
        if let name = request.uri.queryParameters["status"] {
            status = Campaign.Status(rawValue: String(name))
            if status == nil { throw RequestError.fieldInvalid("status") }
        }
        let campaigns = try await services.store.listCampaigns(status: status, limit: page.limit, offset: page.offset)
        return Response(json: ["campaigns": .array(campaigns.map(\.json))])
    }

    @Sendable func read(_ request: Request, _ context: AppContext) async throws -> Response {
        Response(json: try await campaign(context).json)
    }

    private func campaign(_ context: AppContext) async throws -> Campaign {
        guard let id = CampaignID(checking: try context.parameters.require("id")),
            let campaign = try await services.store.campaign(id)
        else { throw RequestError.notFound("campaign") }
        return campaign
    }

    // MARK: Writing

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let body = try await request.readJSON()
        let content = try await checked(body, allowing: ["id"])
        try content.audience.checkSegments(in: try await services.store.segmentAudiences())
        var id = CampaignID(rawValue: "cmp_" + RandomText.letters(22))
        if let wanted = body["id"], !wanted.isNull {
            guard let wanted = wanted.string.flatMap(CampaignID.init(checking:)) else {
                throw RequestError.fieldInvalid("id")
            }
            id = wanted
        }
        let campaign = Campaign(id: id, content: content, createdAt: services.clock())
        try await services.store.insertCampaign(campaign, by: caller.actor)
        return Response(json: try await withWarnings(campaign), status: .created)
    }

    /// The campaign with what would be wrong at a launch, if anything.
    private func withWarnings(_ campaign: Campaign) async throws -> JSONValue {
        let checks = try await services.checks(of: campaign.content)
        guard !checks.isEmpty, var members = campaign.json.object else { return campaign.json }
        members["warnings"] = .array(checks.map(\.json))
        return .object(members)
    }

    @Sendable func update(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let body = try await request.readJSON()
        let campaign = try await campaign(context)
        let version = try version(of: body)
        // What the server keeps may stand in the body, so that what was read can be sent back.
        let content = try await checked(body, allowing: Self.kept)
        try check(version, of: campaign)
        try content.audience.checkSegments(in: try await services.store.segmentAudiences())
        let next = try campaign.updating(content, at: services.clock())
        let kept = try await keep(next, insteadOf: campaign, action: "campaign.update", by: caller)
        return Response(json: try await withWarnings(kept))
    }

    @Sendable func duplicate(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        var content = try await campaign(context).content
        content.name = String("\(content.name) (copy)".suffix(255))
        let copy = Campaign(
            id: CampaignID(rawValue: "cmp_" + RandomText.letters(22)),
            content: content,
            createdAt: services.clock()
        )
        try await services.store.insertCampaign(copy, by: caller.actor)
        return Response(json: copy.json, status: .created)
    }

    @Sendable func launch(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let body = try await request.readObject()
        guard let force = (body["force"] ?? false).bool else { throw RequestError.fieldInvalid("force") }
        // Read once: an edit while it is checked is a conflict, and no text is launched that nobody checked.
        let campaign = try await campaign(context)
        if !force {
            let errors = try await services.checks(of: campaign.content).filter { $0.severity == .error }
            guard errors.isEmpty else { throw RequestError.notLaunchable(errors) }
        }
        return try await apply(.launch, to: campaign, body, caller)
    }

    @Sendable func pause(_ request: Request, _ context: AppContext) async throws -> Response {
        try await apply(request, context) { _ in .pause }
    }

    @Sendable func stop(_ request: Request, _ context: AppContext) async throws -> Response {
        try await apply(request, context) { body throws(RequestError) in
            let withdraw = body["withdraw"] ?? false
            guard let withdraw = withdraw.bool else { throw RequestError.fieldInvalid("withdraw") }
            return .stop(withdraw: withdraw)
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
        return try await apply(transition, to: try await campaign(context), body, caller)
    }

    private func apply(
        _ transition: Campaign.Transition,
        to campaign: Campaign,
        _ body: JSONValue,
        _ caller: Caller
    ) async throws -> Response {
        if body["version"] != nil { try check(try version(of: body), of: campaign) }
        if transition == .launch { try await services.checkTemplates(of: campaign.content) }
        let next = try campaign.applying(transition, at: services.clock())
        let action = "campaign.\(transition.name)"
        return Response(json: try await keep(next, insteadOf: campaign, action: action, by: caller).json)
    }

    private func keep(
        _ next: Campaign,
        insteadOf campaign: Campaign,
        action: String,
        by caller: Caller
    ) async throws -> Campaign {
        guard next != campaign else { return campaign }
        let kept = try await services.store.updateCampaign(
            next,
            from: campaign.version,
            action: action,
            by: caller.actor
        )
        // A sync that comes after this answer has to see the change, on this node at least.
        try await services.catalog.reload()
        return kept
    }

    // MARK: Checks

    private func checked(_ body: JSONValue, allowing others: Set<String>) async throws -> Campaign.Content {
        let content = try Campaign.Content(json: body, allowing: others)
        try await services.checkTemplates(of: content)
        try services.checkSizes(of: content)
        return content
    }

    private func version(of body: JSONValue) throws(RequestError) -> Int64 {
        guard let version = body["version"] else { throw RequestError.fieldMissing("version") }
        guard let version = version.integer else { throw RequestError.fieldInvalid("version") }
        return version
    }

    private func check(_ version: Int64, of campaign: Campaign) throws(RequestError) {
        guard version == campaign.version else {
            throw RequestError(
                .conflict,
                "version_conflict",
                "The campaign was changed in between. Read it again, then repeat the change.",
                details: [("version", .integer(campaign.version))]
            )
        }
    }
}

/// Which part of a list is asked for: `limit` (1 to 1000, 100 by default) and `offset`.
struct PageQuery {
    let limit: Int
    let offset: Int

    init(_ request: Request) throws(RequestError) {
        limit = try Self.number("limit", in: 1...1000, request) ?? 100
        offset = try Self.number("offset", in: 0...10_000_000, request) ?? 0
    }

    private static func number(
        _ name: String,
        in range: ClosedRange<Int>,
        _ request: Request
    ) throws(RequestError) -> Int? {
        guard let text = request.uri.queryParameters[Substring(name)] else { return nil }
        guard let number = Int(text), range.contains(number) else { throw RequestError.fieldInvalid(name) }
        return number
    }
}
