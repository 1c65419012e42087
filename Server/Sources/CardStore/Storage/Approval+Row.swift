package import CardModel
import WireJSON

extension Approval {
    /// The content that is asked for as a row holds it, or `nil` for a launch.
    package var storedContent: String? {
        switch change {
        case .launch: nil
        case .edit(let content): JSONValue.object(content.json).text
        }
    }

    /// The comments as a row holds them.
    package var storedComments: String { JSONValue.array(comments.map(\.json)).text }

    /// Restores a request from its row.
    package init(_ row: some StoredRow) throws {
        guard let status = ApprovalStatus(rawValue: try row.text("status")),
            let comments = try? JSONValue(parsing: row.text("comments")).array?.map(Comment.init(json:)),
            let change = try Self.change(row.optionalText("content"))
        else { throw StoreError.unreadable("a request for approval") }
        self.init(
            id: try row.text("id"),
            campaign: CampaignID(rawValue: try row.text("campaign_id")),
            version: try row.integer("version"),
            change: change,
            by: .server,
            at: try row.double("requested_at")
        )
        requester = try row.text("requester")
        requesterKind = try row.text("requester_kind")
        self.status = status
        decider = try row.optionalText("decider")
        decidedAt = try row.optionalDouble("decided_at")
        self.comments = comments.compactMap(\.self)
    }

    private static func change(_ content: String?) throws -> Change? {
        guard let content else { return .launch }
        guard let json = try? JSONValue(parsing: content) else { return nil }
        return (try? Campaign.Content(json: json)).map(Change.edit)
    }
}
