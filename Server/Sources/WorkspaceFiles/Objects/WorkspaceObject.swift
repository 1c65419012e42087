import CardModel
import WireJSON

/// An object as a file describes it, or as the server has it.
package struct WorkspaceObject: Sendable, Hashable {
    /// The content of an object.
    package enum Content: Sendable, Hashable {
        /// Some or all settings, by their names.
        case settings(JSONObject)
        /// The extras that a typed content expects.
        case contentType(JSONValue)
        /// A content block.
        case contentBlock(ContentBlock)
        /// A segment, and whether it is archived; `nil` where the file doesn't say.
        case segment(Segment.SegmentContent, isArchived: Bool?)
        /// A campaign and its status; `nil` where the file doesn't say.
        case campaign(Campaign.Content, WrittenStatus?)
    }

    /// The reference that names it.
    package let reference: ObjectReference
    /// The content of the object.
    package var content: Content
    /// The version that a file was made from, if it says so.
    package var version: Int64?

    /// Creates an object.
    package init(_ reference: ObjectReference, _ content: Content, version: Int64? = nil) {
        self.reference = reference
        self.content = content
        self.version = version
    }

    /// The members of the content, in one spelling whatever the file's is: what is compared.
    package var members: JSONObject {
        switch content {
        case .settings(let members): return members
        case .contentType(let schema): return schema.object ?? [:]
        case .contentBlock(let block):
            return ["content": .string(block.content), "description": .string(block.description)]
        case .segment(let content, let isArchived):
            var members = content.json
            members["archived"] = isArchived.map(JSONValue.bool)
            return members
        case .campaign(let content, let state):
            var members: JSONObject = [:]
            state?.write(to: &members)
            members.merge(content.json) { _, last in last }
            return members
        }
    }

    /// The object as a new file says it: a segment that isn't archived says nothing of that.
    var asWritten: WorkspaceObject {
        guard case .segment(_, false) = content else { return self }
        return withoutStatus
    }

    /// The object without its status, so that who applies it leaves the status alone.
    package var withoutStatus: WorkspaceObject {
        var object = self
        switch content {
        case .segment(let content, _): object.content = .segment(content, isArchived: nil)
        case .campaign(let content, _): object.content = .campaign(content, nil)
        case .settings, .contentType, .contentBlock: break
        }
        return object
    }
}

/// The status of a campaign in a file.
package struct WrittenStatus: Sendable, Hashable {
    /// The status.
    package var status: Campaign.Status
    /// Whether delivered cards are removed as well.
    package var isWithdrawn: Bool

    /// Creates a state.
    package init(_ status: Campaign.Status, isWithdrawn: Bool = false) {
        self.status = status
        self.isWithdrawn = isWithdrawn
    }

    func write(to members: inout JSONObject) {
        members["status"] = .string(status.rawValue)
        if isWithdrawn { members["withdrawn"] = true }
    }
}
