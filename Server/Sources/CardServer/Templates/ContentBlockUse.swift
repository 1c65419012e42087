import CardModel
import CardStore
import WireJSON

/// A campaign or content block whose templates include a content block.
package struct ContentBlockUse: Sendable, Hashable {
    /// The kind of the object, as the API calls it.
    package let type: String
    /// Its id, or the name of a content block.
    package let id: String
    /// The display name of the object.
    package let name: String

    /// The use by its names on the wire.
    var json: JSONValue { ["type": .string(type), "id": .string(id), "name": .string(name)] }
}

/// The uses of a content block.
package struct ContentBlockUses: Sendable, Hashable {
    /// The first of the uses: campaigns that were changed last come first, blocks last.
    package var uses: [ContentBlockUse] = []
    /// The number of uses.
    package var count = 0

    /// Creates no uses.
    package init() {}

    init(uses: [ContentBlockUse], count: Int) {
        self.uses = uses
        self.count = count
    }
}

extension Services {
    /// Returns the campaigns, archived ones too because they can be restored, and the blocks that include content
    /// blocks.
    ///
    /// Reads as much however many campaigns there are: the store knows what they name.
    ///
    /// - Parameters:
    ///   - names: The names of content blocks, 1000 at most.
    ///   - limit: The most campaigns that are read of each.
    /// - Returns: The uses of each, in that order.
    /// - Throws: What keeps the store from reading.
    func uses(ofContentBlocks names: [String], limit: Int) async throws -> [ContentBlockUses] {
        let wanted = names.map { ContentName(.contentBlock, $0) }
        let found = try await store.uses(of: wanted, includesFormer: false, limit: limit)
        let blocks = try await store.contentBlocks()
        let including = try await rendering.offload {
            var including: [ByteString: [String]] = [:]
            for block in blocks {
                for name in TemplateEngine.contentBlocks(namedIn: block.content) where name != block.name {
                    including[ByteString(name), default: []].append(block.name)
                }
            }
            return including
        }
        return zip(names, found).map { name, campaigns in
            let others = including[ByteString(name)] ?? []
            return ContentBlockUses(
                uses: campaigns.uses.map { ContentBlockUse(type: "campaign", id: $0.campaign.rawValue, name: $0.name) }
                    + others.map { ContentBlockUse(type: "content_block", id: $0, name: $0) },
                count: campaigns.count + others.count
            )
        }
    }
}

extension RequestError {
    /// Says what includes a content block, so that it can't be deleted.
    static func contentBlockInUse(_ used: ContentBlockUses) -> RequestError? {
        guard let first = used.uses.first else { return nil }
        let others = used.count > 1 ? " and \(used.count - 1) more" : ""
        return RequestError(
            .conflict,
            "content_block_in_use",
            "The content block is used by \(first.id)\(others). Remove it there first, or delete it with force=true.",
            details: [("used_by", .array(used.uses.prefix(100).map(\.json)))]
        )
    }
}
