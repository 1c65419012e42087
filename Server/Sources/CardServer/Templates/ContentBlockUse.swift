import CardModel
import CardStore
import WireJSON

/// A campaign or content block whose templates include a content block.
package struct ContentBlockUse: Sendable, Hashable {
    /// What kind of object it is, as the API calls it.
    package let type: String
    /// Its id, or the name of a content block.
    package let id: String
    /// What people call it.
    package let name: String

    /// The use by its names on the wire.
    var json: JSONValue { ["type": .string(type), "id": .string(id), "name": .string(name)] }
}

extension Services {
    /// Returns the campaigns, archived ones too because they can be restored, and the blocks that include a content
    /// block.
    func uses(ofContentBlock block: String) async throws -> [ContentBlockUse] {
        var uses: [ContentBlockUse] = []
        // In the order in which they were created, so that none is passed over that is changed while they are read.
        var page = CampaignPage()
        (page.includesArchived, page.limit) = (true, 50)
        while true {
            let campaigns = try await store.pageCampaigns(page)
            let found = try await rendering.offload { campaigns.filter { $0.content.contentBlocks.contains(block) } }
            uses += found.map { ContentBlockUse(type: "campaign", id: $0.id.rawValue, name: $0.content.name) }
            if campaigns.count < page.limit { break }
            // safe: as many campaigns as a store has
            page.offset += campaigns.count
        }
        let blocks = try await store.contentBlocks()
        let found = try await rendering.offload {
            blocks.filter { $0.name != block && TemplateEngine.contentBlocks(namedIn: $0.content).contains(block) }
        }
        return uses + found.map { ContentBlockUse(type: "content_block", id: $0.name, name: $0.name) }
    }
}

extension RequestError {
    /// Says what includes a content block, so that it can't be deleted.
    static func contentBlockInUse(_ uses: [ContentBlockUse]) -> RequestError? {
        guard let first = uses.first else { return nil }
        let others = uses.count > 1 ? " and \(uses.count - 1) more" : ""
        return RequestError(
            .conflict,
            "content_block_in_use",
            "The content block is used by \(first.id)\(others). Remove it there first, or delete it with force=true.",
            details: [("used_by", .array(uses.prefix(100).map(\.json)))]
        )
    }
}
