import CardModel
import CardStore
import Hummingbird
import OrderedCollections
import WireJSON

/// `GET /v1/campaigns/{id}/report`: what was counted, and what the variants say.
struct ReportController: Sendable {
    let services: Services

    @Sendable func report(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let id = CampaignID(checking: try context.pathParameter("id")),
            let report = try await services.store.campaignReport(of: id)
        else { throw RequestError.notFound("campaign") }
        let range = try ReportRange(request, workspaceZone: services.catalog.current.settings.timeZone)
        let eligible = try await eligible(request, report.campaign, for: context.requireCaller())
        return Response(json: ReportDocument(report, range, eligible: eligible).json(at: services.clock()))
    }

    /// The users in the campaign's audience at present, where that is asked for: it takes longer than all the rest.
    private func eligible(_ request: Request, _ campaign: Campaign, for caller: Caller) async throws -> JSONValue? {
        let value = request.uri.queryParameters["eligible"].map(String.init) ?? "false"
        guard ["true", "false"].contains(value) else {
            throw RequestError.fieldInvalid("eligible", expected: Expected.boolean)
        }
        guard value == "true" else { return nil }
        return try await services.segments.reach(of: campaign.content.audience, exactly: false, for: caller)
    }
}

/// The days of a report that are asked for, and their calendar.
struct ReportRange {
    let workspaceZone: String
    /// The zone of the days asked for; `nil` for both.
    let timeZone: String?
    let from: String?
    let to: String?

    /// Reads `from` and `to`, both included, and `time_zone`.
    ///
    /// Events are counted by the days of UTC and of the workspace, so there are no others.
    init(_ request: Request, workspaceZone: String) throws(RequestError) {
        self.workspaceZone = workspaceZone
        from = try Self.day("from", request)
        to = try Self.day("to", request)
        if let from, let to, to < from {
            throw RequestError.fieldInvalid("to", expected: "a day that isn't before from")
        }
        timeZone = request.uri.queryParameters["time_zone"].map { String($0).removingPercentEncoding ?? String($0) }
        guard timeZone == nil || timeZone == workspaceZone || timeZone == "UTC" else {
            throw RequestError(
                .badRequest,
                "field_invalid",
                "Days are counted in UTC and in \(workspaceZone); there are no others.",
                details: [("path", "time_zone")]
            )
        }
    }

    private static func day(_ name: String, _ request: Request) throws(RequestError) -> String? {
        guard let text = request.uri.queryParameters[Substring(name)].map(String.init) else { return nil }
        guard text.utf8.count == 10, Timestamp.unixTime(of: text) != nil else {
            throw RequestError.fieldInvalid(name, expected: "a date such as 2027-01-31")
        }
        return text
    }

    func contains(_ day: Day) -> Bool {
        let text = day.description
        return (from ?? text) <= text && text <= (to ?? text)
    }
}
