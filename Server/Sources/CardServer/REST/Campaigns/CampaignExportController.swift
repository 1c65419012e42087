import CardModel
import CardStore
import Hummingbird
import OrderedCollections
import WireJSON

/// `GET /campaigns/list`, `/campaigns/details` and `/campaigns/data_series`.
struct CampaignExportController: Sendable {
    @Sendable func list(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let query = BackendQuery(request)
        var page = try query.page()
        page.includesArchived = try query.flag("include_archived") ?? false
        page.changedAfter = try query.time("last_edit.time[gt]")
        let campaigns = try await caller.services.store.pageCampaigns(page)
        return Response(success: ["campaigns": .array(campaigns.map(Self.summary))], status: .ok)
    }

    @Sendable func details(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let report = try await report(BackendQuery(request), caller)
        return Response(success: Self.details(of: report), status: .ok)
    }

    @Sendable func series(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let query = BackendQuery(request)
        guard let length = try query.number("length", in: 1...100) else {
            throw RequestError.fatal("field_missing", "'length' is required.")
        }
        let report = try await report(query, caller)
        let end = try query.time("ending_at") ?? caller.services.clock()
        return Response(
            success: ["data": .array(CampaignSeries(report).days(endingAt: end, count: length))],
            status: .ok
        )
    }

    private func report(_ query: BackendQuery, _ caller: BackendCaller) async throws -> CampaignReport {
        guard let id = CampaignID(checking: try query.required("campaign_id")),
            let report = try await caller.services.store.campaignReport(of: id)
        else { throw RequestError.fatal("campaign_unknown", "Invalid Campaign ID.") }
        return report
    }

    // MARK: Writing

    private static func summary(_ campaign: Campaign) -> JSONValue {
        [
            "id": .string(campaign.id.rawValue), "last_edited": .string(BackendTime.text(campaign.updatedAt)),
            "name": .string(campaign.content.name), "is_api_campaign": .bool(campaign.isTriggeredByAPI),
            "tags": .array(campaign.content.tags.map(JSONValue.string)),
        ]
    }

    private static func details(of report: CampaignReport) -> JSONObject {
        let campaign = report.campaign
        let days = report.rows.filter { $0.counts.delivered > 0 }.map(\.day.utc)
        var messages: JSONObject = [:]
        for variant in campaign.content.variants { messages[variant.id.rawValue] = message(variant) }
        return [
            "created_at": .string(BackendTime.text(campaign.createdAt)),
            "updated_at": .string(BackendTime.text(campaign.updatedAt)),
            "archived": .bool(campaign.status == .archived), "draft": .bool(campaign.status == .draft),
            "enabled": .bool(campaign.status == .active), "has_post_launch_draft": false,
            "name": .string(campaign.content.name), "description": "",
            "schedule_type": .string(campaign.scheduleType), "channels": ["content_cards"],
            "first_sent": days.min().map { .string($0.description) } ?? .null,
            "last_sent": days.max().map { .string($0.description) } ?? .null,
            "tags": .array(campaign.content.tags.map(JSONValue.string)), "teams": [],
            "messages": .object(messages), "conversion_behaviors": .array(campaign.content.conversions.map(\.behavior)),
        ]
    }

    private static func message(_ variant: Campaign.Variant) -> JSONValue {
        guard let card = variant.card else { return ["channel": "content_cards", "type": "control"] }
        var members: JSONObject = [
            "channel": "content_cards", "name": .string(variant.name),
        ]
        if !card.extras.isEmpty { members["extras"] = .object(card.extras.mapValues(JSONValue.string)) }
        return .object(members)
    }
}

extension Campaign.Conversion {
    /// The conversion as the documented API describes it.
    fileprivate var behavior: JSONValue {
        var members: JSONObject = ["type": "Starts Session"]
        if case .event(let condition) = goal {
            switch condition.subject {
            case .event(let name): members = ["type": "Performs Custom Event", "custom_event_name": .string(name.text)]
            case .purchase(nil): members = ["type": "Makes Any Purchase"]
            case .purchase(let product?):
                members = ["type": "Makes Specific Purchase", "product": .string(product.text)]
            }
        }
        members["window"] = .number(window)
        return .object(members)
    }
}

extension Campaign {
    /// Whether backends send it.
    var isTriggeredByAPI: Bool {
        if case .apiTriggered = content.delivery { true } else { false }
    }

    /// The name in the documented API for what brings the card to a user.
    var scheduleType: String {
        switch content.delivery {
        case .scheduled, .scheduledLocally: "time_based"
        case .action: "action_based"
        case .apiTriggered: "api_triggered"
        }
    }
}
