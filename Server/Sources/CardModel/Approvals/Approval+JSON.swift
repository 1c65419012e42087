public import WireJSON

extension Approval {
    /// The request as the API shows it.
    ///
    /// - Parameter isOutdated: Whether the campaign was changed since, so that nothing can be approved.
    /// - Returns: The request, with the content of an edit.
    public func json(isOutdated: Bool) -> JSONValue {
        var members: JSONObject = [
            "id": .string(id), "campaign_id": .string(campaign.rawValue), "version": .integer(version),
            "change": .string(change.name), "status": .string(status.rawValue), "outdated": .bool(isOutdated),
            "requested_by": .string(requester), "requested_by_kind": .string(requesterKind),
            "requested_at": .number(requestedAt), "decided_by": decider.map(JSONValue.string) ?? .null,
            "decided_at": decidedAt.map(JSONValue.number) ?? .null,
            "comments": .array(comments.map(\.json)),
        ]
        if case .edit(let content) = change { members["content"] = .object(content.json) }
        return .object(members)
    }

    /// The details of the request in the audit log and the webhook.
    public var details: JSONValue {
        [
            "approval_id": .string(id), "change": .string(change.name), "version": .integer(version),
            "requested_by": .string(requester),
        ]
    }
}

extension Approval.Comment {
    /// The comment as the API shows it, and stores write it.
    public var json: JSONValue { ["author": .string(author), "at": .number(at), "text": .string(text)] }

    /// Reads a comment as a store wrote it, or returns `nil` for anything else.
    public init?(json: JSONValue) {
        guard let author = json["author"]?.string, let at = json["at"]?.double, let text = json["text"]?.string else {
            return nil
        }
        self.init(author: author, at: at, text: text)
    }
}
