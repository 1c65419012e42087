import CardModel
import CardServer
import CardStore
import Hummingbird

/// The actions on a campaign: launch, pause, stop, archive, restore, duplicate.
enum CampaignPages {
    struct StopView {
        let name: String
        let address: String
    }

    static func address(of campaign: CampaignID) -> String {
        "/dashboard/campaigns/\(FormData.escape(part: campaign.rawValue))"
    }

    static func address(_ visit: Visit) throws -> String {
        "/dashboard/campaigns/\(FormData.escape(part: try visit.parameter("id")))"
    }

    /// The campaign that the path names.
    static func campaign(_ visit: Visit) async throws -> Campaign {
        guard let id = CampaignID(checking: try visit.parameter("id")),
            let campaign = try await visit.store.campaign(id)
        else { throw DashboardError.notFound }
        return campaign
    }

    /// The content that a request for approval, if the address names one, asks for.
    static func requestedContent(of campaign: Campaign, _ visit: Visit) async throws -> Campaign.Content? {
        guard let id = visit.query[.request] else { return nil }
        guard let approval = try await visit.store.approval(id), approval.campaign == campaign.id,
            case .edit(let content) = approval.change
        else { throw DashboardError.notFound }
        return content
    }

    /// Launches the version that the member has reviewed, and no other.
    @Sendable static func launch(_ visit: Visit) async throws -> Response {
        try await apply(.launch, visit, version: visit.form.position(.version) ?? 0, done: "launched")
    }

    @Sendable static func pause(_ visit: Visit) async throws -> Response {
        try await apply(.pause, visit, done: "paused")
    }

    @Sendable static func stopPage(_ visit: Visit) async throws -> Response {
        let name = try await campaign(visit).content.name
        let view = StopView(name: name, address: try address(visit))
        return try visit.page("stop", title: localized("Stop \(name)"), in: .campaigns, view)
    }

    @Sendable static func stop(_ visit: Visit) async throws -> Response {
        let withdraws = visit.form[.withdraw] == "yes"
        return try await apply(.stop(withdraw: withdraws), visit, done: withdraws ? "withdrawn" : "stopped")
    }

    @Sendable static func archive(_ visit: Visit) async throws -> Response {
        try await apply(.archive, visit, done: "archived")
    }

    @Sendable static func restore(_ visit: Visit) async throws -> Response {
        try await apply(.restore, visit, done: "restored")
    }

    @Sendable static func duplicate(_ visit: Visit) async throws -> Response {
        let id = try visit.parameter("id")
        let copy = try await visit.change { try await $0.campaigns.duplicate(id, by: $1) }
        return .seeOther("/dashboard/campaigns/\(FormData.escape(part: copy.id.rawValue))/edit?done=duplicated")
    }

    private static func apply(
        _ transition: Campaign.Transition,
        _ visit: Visit,
        version: Int64? = nil,
        done: String
    ) async throws -> Response {
        let id = try visit.parameter("id")
        _ = try await visit.change { try await $0.campaigns.apply(transition, to: id, version: version, by: $1) }
        return .seeOther("\(try address(visit))?done=\(done)")
    }
}
