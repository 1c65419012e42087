import CardModel
import CardServer
import CardStore
import Hummingbird

extension PageDescriptor {
    static let launch = PageDescriptor(templates: ["launch": PackageResources.launch_mustache]) { routes in
        routes.get("/dashboard/campaigns/:id/launch", .editor, LaunchPage.show)
        routes.get("/dashboard/campaigns/:id/card", .viewer, LaunchPage.card)
    }
}

/// The review of a campaign before its launch.
enum LaunchPage {
    struct LaunchView {
        let name: String
        let address: String
        /// Whether it was launched before.
        let isResumed: Bool
        /// The campaign in a sentence.
        let sentence: String
        let summary: CampaignSummary
        let checks: [LaunchChecks.LaunchCheck]
        let isBlocked: Bool
        let reach: String
        /// The label of the button: who gets a card that needs a trigger isn't known before.
        let launchText: String
        /// The number of users that can be expected within seven days.
        let week: String
        let weekNotes: [String]
        let version: Int64
        let needsApproval: Bool
        let approvalNotice: ApprovalNotice?
        let commentLimit: String
        /// The comment that was typed.
        let comment: String
        /// The problems of fields, by name.
        let wrong: [String: FieldMark]
        let unsent: UnsentComment?
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response { try await page(context) }

    /// Returns the review, with the comment that was typed where that is wrong or wasn't sent.
    static func page(
        _ context: PageContext,
        wrong: [String: FieldMark] = [:],
        unsent: UnsentComment? = nil
    ) async throws -> Response {
        let campaign = try await CampaignPages.campaign(context)
        let base = context.site.server.publicAddress.base(context.request, context.appContext)
        async let images = context.ask { server, _ in try await server.images.checks(of: campaign.content, base: base) }
        let found = try await context.ask { server, _ in try await server.campaigns.checks(of: campaign) }
        let reach = try await context.ask { server, _ in
            try await server.segments.reach(of: campaign.content.audience)
        }
        let address = try CampaignPages.address(context)
        let checks = LaunchChecks.list(
            campaign,
            // safe: two lists
            checks: found + (try await images),
            reach: reach.users,
            at: context.now,
            timeZone: context.timeZone
        )
        let isBlocked = checks.contains { $0.isWrong }
        let needsApproval = try await context.ask { server, caller in try server.approvals.isNeeded(by: caller) }
        let shownReach = PageFormatter.part(reach.users, of: reach.total, .user)
        let view = LaunchView(
            name: campaign.content.name,
            address: address,
            isResumed: campaign.launchedAt != nil,
            sentence: try await context.sentence(of: campaign),
            summary: try await CampaignSummary(campaign, context, isAhead: true),
            checks: checks,
            isBlocked: isBlocked,
            reach: shownReach,
            launchText: launchText(campaign, reach: shownReach),
            // Not at the same time: others count, too.
            week: try await WeekReach.text(campaign.content.audience, context),
            weekNotes: WeekReach.notes(campaign.content.delivery, at: context.now, timeZone: context.timeZone),
            version: campaign.version,
            needsApproval: needsApproval,
            approvalNotice: try await ApprovalNotice.of(campaign, context),
            commentLimit: String(Approval.Comment.maximumSize),
            comment: context.form.value(.comment),
            wrong: wrong,
            unsent: unsent?.shown(hasField: needsApproval && !isBlocked)
        )
        let title = view.isResumed ? localized("Resume \(view.name)") : localized("Launch \(view.name)")
        let status = unsent?.status ?? (wrong.isEmpty ? .ok : .badRequest)
        return try context.page("launch", title: title, in: .campaigns, status: status, view)
    }

    /// Returns the label of the button: a campaign that was launched before is resumed.
    private static func launchText(_ campaign: Campaign, reach: String) -> String {
        let isTriggered = campaign.content.delivery.isTriggered
        guard campaign.launchedAt == nil else {
            return isTriggered ? localized("Resume") : localized("Resume for \(reach)")
        }
        return isTriggered ? localized("Launch") : localized("Launch to \(reach)")
    }

    /// The card of a variant as the app shows it, for a frame; of a request for approval where one is named.
    @Sendable static func card(_ context: PageContext) async throws -> Response {
        var campaign = try await CampaignPages.campaign(context)
        if let content = try await CampaignPages.requestedContent(of: campaign, context) { campaign.content = content }
        let named = context.query[.variant].map { VariantID(checking: $0).flatMap(campaign.variant)?.card }
        let first = campaign.content.variants.compactMap(\.card).first
        guard let card = named ?? first else { throw DashboardError.notFound }
        return try await EditorPreview.answer(context, card.json, of: campaign.id)
    }
}
