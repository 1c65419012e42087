import CardModel
import CardServer
import CardStore
import Hummingbird
import WireJSON

/// The actions on a campaign: launch, pause, stop, archive, restore, duplicate.
enum CampaignPages {
    struct StopView {
        let name: String
        let address: String
    }

    static func path(_ visit: Visit) throws -> String {
        "/v1/campaigns/\(FormData.escape(try visit.parameter("id")))"
    }

    static func address(_ visit: Visit) throws -> String {
        "/dashboard/campaigns/\(FormData.escape(try visit.parameter("id")))"
    }

    /// The campaign that the path names.
    static func campaign(_ visit: Visit) async throws -> Campaign {
        guard let id = CampaignID(checking: try visit.parameter("id")),
            let campaign = try await visit.store.campaign(id)
        else { throw DashboardError.notFound }
        return campaign
    }

    @Sendable static func launch(_ visit: Visit) async throws -> Response {
        let version = visit.form.position("version").map(JSONValue.integer) ?? .null
        return try await transition(visit, "launch", ["version": version], "launched")
    }

    @Sendable static func pause(_ visit: Visit) async throws -> Response {
        try await transition(visit, "pause", [:], "paused")
    }

    @Sendable static func stopPage(_ visit: Visit) async throws -> Response {
        let name = try await campaign(visit).content.name
        let view = StopView(name: name, address: try address(visit))
        return try visit.page("stop", title: "Stop \(name)", in: .campaigns, view)
    }

    @Sendable static func stop(_ visit: Visit) async throws -> Response {
        let withdraws = visit.form["withdraw"] == "yes"
        return try await transition(visit, "stop", ["withdraw": .bool(withdraws)], withdraws ? "withdrawn" : "stopped")
    }

    @Sendable static func archive(_ visit: Visit) async throws -> Response {
        try await transition(visit, "archive", [:], "archived")
    }

    @Sendable static func restore(_ visit: Visit) async throws -> Response {
        try await transition(visit, "restore", [:], "restored")
    }

    @Sendable static func duplicate(_ visit: Visit) async throws -> Response {
        let copy = try await visit.change(.post, "\(try path(visit))/duplicate", [:])
        return .seeOther("/dashboard/campaigns/\(FormData.escape(copy["id"]?.string ?? ""))/edit?done=duplicated")
    }

    private static func transition(
        _ visit: Visit,
        _ name: String,
        _ body: JSONValue,
        _ done: String
    ) async throws -> Response {
        _ = try await visit.change(.post, "\(try path(visit))/\(name)", body)
        return .seeOther("\(try address(visit))?done=\(done)")
    }
}
