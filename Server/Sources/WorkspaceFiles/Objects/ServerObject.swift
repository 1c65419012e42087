import CardModel
import WireJSON

/// An object as the server has it.
package struct ServerObject: Sendable {
    /// The object on the server.
    package let object: WorkspaceObject
    /// The campaign, of an object that is one.
    package let campaign: Campaign?

    /// Reads an object as the API answers it.
    ///
    /// - Throws: `ObjectError` where the server says what this command doesn't know.
    package init(_ kind: ObjectKind, json: JSONValue) throws(ObjectError) {
        let object = try WorkspaceObject(kind, json: json)
        self.object = object
        guard case .campaign(let content, let state?) = object.content else {
            campaign = nil
            return
        }
        let updatedAt = json["updated_at"]?.double ?? 0
        campaign = Campaign(
            id: CampaignID(rawValue: object.reference.id.text),
            content: content,
            status: state.status,
            isWithdrawn: state.isWithdrawn,
            version: object.version ?? 0,
            generation: 0,
            createdAt: json["created_at"]?.double ?? updatedAt,
            updatedAt: updatedAt,
            launchedAt: json["launched_at"]?.double
        )
    }

    /// Whether it is out of the way.
    package var isArchived: Bool {
        switch object.content {
        case .campaign(_, let state): state?.status == .archived
        case .segment(_, let isArchived): isArchived == true
        case .settings, .contentType, .contentBlock: false
        }
    }

    /// The version, of an object that has one.
    package var version: Int64? { object.version }
}
