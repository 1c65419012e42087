import CardModel
import CardServer
import CardStore
import Hummingbird

extension PageDescriptor {
    static let campaignActions = PageDescriptor(templates: ["stop": PackageResources.stop_mustache]) { routes in
        routes.post("/dashboard/campaigns/:id/launch", .editor, CampaignPages.launch)
        routes.post("/dashboard/campaigns/:id/pause", .editor, CampaignPages.pause)
        routes.get("/dashboard/campaigns/:id/stop", .editor, CampaignPages.stopPage)
        routes.post("/dashboard/campaigns/:id/stop", .editor, CampaignPages.stop)
        routes.post("/dashboard/campaigns/:id/archive", .editor, CampaignPages.archive)
        routes.post("/dashboard/campaigns/:id/restore", .editor, CampaignPages.restore)
        routes.post("/dashboard/campaigns/:id/duplicate", .editor, CampaignPages.duplicate)
    }
}

/// The actions on a campaign: launch, pause, stop, archive, restore, duplicate.
enum CampaignPages {
    struct StopView {
        let name: String
        let address: String
    }

    static func address(of campaign: CampaignID) -> String {
        "/dashboard/campaigns/\(FormData.escape(part: campaign.rawValue))"
    }

    static func address(_ context: PageContext) throws -> String {
        "/dashboard/campaigns/\(FormData.escape(part: try context.parameter("id")))"
    }

    /// The campaign that the path names.
    static func campaign(_ context: PageContext) async throws -> Campaign {
        guard let id = CampaignID(checking: try context.parameter("id")),
            let campaign = try await context.store.campaign(id)
        else { throw DashboardError.notFound }
        return campaign
    }

    /// The content that a request for approval, if the address names one, asks for.
    static func requestedContent(of campaign: Campaign, _ context: PageContext) async throws -> Campaign.Content? {
        guard let id = context.query[.request] else { return nil }
        guard let approval = try await context.store.approval(id), approval.campaign == campaign.id,
            case .edit(let content) = approval.change
        else { throw DashboardError.notFound }
        return content
    }

    /// Launches the version that the member has reviewed, and no other.
    @Sendable static func launch(_ context: PageContext) async throws -> Response {
        let done = try await campaign(context).launchedAt == nil ? "launched" : "resumed"
        return try await apply(.launch, context, version: context.form.position(.version) ?? 0, done: done)
    }

    @Sendable static func pause(_ context: PageContext) async throws -> Response {
        try await apply(.pause, context, done: "paused")
    }

    @Sendable static func stopPage(_ context: PageContext) async throws -> Response {
        let name = try await campaign(context).content.name
        let view = StopView(name: name, address: try address(context))
        return try context.page("stop", title: localized("Stop \(name)"), in: .campaigns, view)
    }

    @Sendable static func stop(_ context: PageContext) async throws -> Response {
        let withdraws = context.form[.withdraw] == "yes"
        return try await apply(.stop(withdraw: withdraws), context, done: withdraws ? "withdrawn" : "stopped")
    }

    @Sendable static func archive(_ context: PageContext) async throws -> Response {
        try await apply(.archive, context, done: "archived")
    }

    @Sendable static func restore(_ context: PageContext) async throws -> Response {
        try await apply(.restore, context, done: "restored")
    }

    @Sendable static func duplicate(_ context: PageContext) async throws -> Response {
        let id = try context.parameter("id")
        let copy = try await context.change { try await $0.campaigns.duplicate(id, by: $1) }
        return .seeOther("/dashboard/campaigns/\(FormData.escape(part: copy.id.rawValue))/edit?done=duplicated")
    }

    private static func apply(
        _ transition: Campaign.Transition,
        _ context: PageContext,
        version: Int64? = nil,
        done: String
    ) async throws -> Response {
        let before = try await campaign(context)
        let id = before.id.rawValue
        let after = try await context.change {
            try await $0.campaigns.apply(transition, to: id, version: version, by: $1)
        }
        let undo = canUndo(transition, from: before, to: after, at: context.now)
        return context.leading(
            to: try address(context),
            done: done,
            undo: undo ? [.campaign(id, version: after.version)] : []
        )
    }

    /// Whether a change of a status can be undone: not a first launch, which users see, nor cards that were
    /// removed, which devices have lost.
    private static func canUndo(
        _ transition: Campaign.Transition,
        from before: Campaign,
        to after: Campaign,
        at now: UnixTime
    ) -> Bool {
        if case .launch = transition, before.status != .paused { return false }
        return (try? after.undoing(to: before, at: now)) != nil
    }
}
