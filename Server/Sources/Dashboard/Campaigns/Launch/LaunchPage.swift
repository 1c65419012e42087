import CardModel
import CardServer
import CardStore
import Hummingbird

/// The review of a campaign before its launch.
enum LaunchPage {
    struct View {
        let name: String
        let address: String
        /// The campaign in a sentence.
        let sentence: String
        let summary: CampaignSummary
        let checks: [LaunchChecks.Check]
        let isBlocked: Bool
        let reach: String
        /// How many users can be expected within seven days.
        let week: String
        let weekNotes: [String]
        let version: Int64
        let needsApproval: Bool
        let approvalNotice: ApprovalNotice?
        let commentLimit: String
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let campaign = try await CampaignPages.campaign(visit)
        let base = visit.site.server.publicAddress.base(visit.request, visit.context)
        async let images = visit.ask { server, _ in try await server.images.checks(of: campaign.content, base: base) }
        let found = try await visit.ask { server, _ in try await server.campaigns.checks(of: campaign) }
        let reach = try await visit.ask { server, _ in
            try await server.segments.reach(of: campaign.content.audience)
        }
        let address = try CampaignPages.address(visit)
        let checks = LaunchChecks.list(
            campaign,
            // safe: two lists
            checks: found + (try await images),
            reach: reach.users,
            at: visit.now,
            timeZone: visit.timeZone
        )
        let view = View(
            name: campaign.content.name,
            address: address,
            sentence: try await visit.sentence(of: campaign.content),
            summary: CampaignSummary(campaign, visit),
            checks: checks,
            isBlocked: checks.contains { $0.isWrong },
            reach: Wording.part(reach.users, of: reach.total, .user),
            // Not at the same time: others count, too.
            week: try await WeekReach.text(campaign.content.audience, visit),
            weekNotes: WeekReach.notes(campaign.content.delivery, at: visit.now, timeZone: visit.timeZone),
            version: campaign.version,
            needsApproval: try await visit.ask { server, caller in try server.approvals.isNeeded(by: caller) },
            approvalNotice: try await ApprovalNotice.of(campaign, visit),
            commentLimit: String(Approval.Comment.maximumSize)
        )
        return try visit.page("launch", title: localized("Launch \(view.name)"), in: .campaigns, view)
    }

    /// The card of a variant as the app shows it, for a frame; of a request for approval where one is named.
    @Sendable static func card(_ visit: Visit) async throws -> Response {
        var campaign = try await CampaignPages.campaign(visit)
        if let content = try await CampaignPages.requestedContent(of: campaign, visit) { campaign.content = content }
        let named = visit.query[.variant].map { VariantID(checking: $0).flatMap(campaign.variant)?.card }
        let first = campaign.content.variants.compactMap(\.card).first
        guard let card = named ?? first else { throw DashboardError.notFound }
        return try await EditorPreview.answer(visit, card.json, of: campaign.id)
    }
}
