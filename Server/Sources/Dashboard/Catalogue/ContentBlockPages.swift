import CardModel
import CardServer
import HTTPTypes
import Hummingbird

extension Section {
    static let contentBlocks = Section(
        "content-blocks",
        in: .cards,
        icon: """
            <g stroke-linejoin='round'>\
            <rect x='1.8' y='1.8' width='7' height='7' rx='1.2'/>\
            <path d='M11.5 4.5h1.5a1.2 1.2 0 0 1 1.2 1.2V13a1.2 1.2 0 0 1-1.2 1.2H5.7A1.2 1.2 0 0 1 4.5 \
            13v-1.5'/>\
            </g>
            """
    ) { localized("Content blocks") }
}

extension PageDescriptor {
    static let contentBlocks = PageDescriptor(
        .contentBlocks,
        templates: [
            "content-blocks": PackageResources.content_blocks_mustache,
            "content-block-delete": PackageResources.content_block_delete_mustache,
        ]
    ) { routes in
        routes.get("/dashboard/content-blocks", .viewer, ContentBlockPages.list)
        routes.get("/dashboard/content-blocks/:id/delete", .editor, ContentBlockPages.deletePage)
        routes.post("/dashboard/content-blocks/:id/delete", .editor, ContentBlockPages.delete)
    }
}

/// Content blocks: the list, and deleting one.
enum ContentBlockPages {
    /// A campaign or block that includes a block.
    struct BlockUse {
        let name: String
        let address: String
    }

    struct ContentBlockLine {
        let name: String
        let address: String
        let description: String?
        let uses: [BlockUse]
        let isUsed: Bool
        /// The number of uses that aren't shown.
        let more: String?
        let changed: TimeView
    }

    struct ContentBlockListView {
        let blocks: [ContentBlockLine]
        let text: String
        let isSearch: Bool
        /// Whether there are blocks that the search leaves out.
        let isEmpty: Bool
        let name: SortHead
        let updated: SortHead
        let note: String?
    }

    /// The keys that the list can be sorted by.
    enum BlockSortKey: String, SortKey {
        case name
        case updated

        static let standard = BlockSortKey.updated

        var name: String { self == .name ? localized("Name") : localized("Updated") }
        var beginsWithLargest: Bool { self == .updated }
    }

    struct DeleteView {
        let name: String
        let address: String
        let uses: [BlockUse]
        let isUsed: Bool
        let more: String?
        let error: String?
    }

    static let path = "/dashboard/content-blocks"
    /// The most blocks that the list shows.
    private static let shownBlocks = 200
    /// The most uses that are shown of a block.
    private static let shownUses = 5
    private static let longestText = 200

    static func address(of block: String) -> String { "\(path)/\(FormData.escape(part: block))" }

    // MARK: The list

    @Sendable static func list(_ context: PageContext) async throws -> Response {
        let all = context.site.server.contentBlocks.all
        let text = String(context.query.trimmed(.q).unicodeScalars.prefix(longestText))
        let sort = ListSort<BlockSortKey>(context.query)
        let found = inOrder(matching(text, all), sort)
        let shown = found.prefix(shownBlocks)
        let uses = try await context.site.server.contentBlocks.uses(of: shown.map(\.name), limit: shownUses)
        let view = ContentBlockListView(
            blocks: zip(shown, uses).map { ContentBlockLine($0, $1, context) },
            text: text,
            isSearch: !text.isEmpty,
            isEmpty: all.isEmpty,
            name: sort.head(.name) { address(of: $0, text) },
            updated: sort.head(.updated) { address(of: $0, text) },
            note: found.count > shownBlocks
                ? localized("\(PageFormatter.count(Int64(shownBlocks))) blocks are shown. Search to find the others.")
                : nil
        )
        return try context.page("content-blocks", title: localized("Content blocks"), in: .contentBlocks, view)
    }

    /// The blocks that have a text in their name or description, in either case.
    static func matching(_ text: String, _ blocks: [ContentBlock]) -> [ContentBlock] {
        guard !text.isEmpty else { return blocks }
        let wanted = text.lowercased()
        return blocks.filter {
            $0.name.lowercased().contains(wanted) || $0.description.lowercased().contains(wanted)
        }
    }

    private static func inOrder(_ blocks: [ContentBlock], _ sort: ListSort<BlockSortKey>) -> [ContentBlock] {
        switch sort.key {
        case .name: sort.sorted(blocks) { $0.name.lowercased() }
        case .updated: sort.sorted(blocks, by: \.updatedAt)
        }
    }

    private static func address(of sort: ListSort<BlockSortKey>, _ text: String) -> String {
        let parts = [
            text.isEmpty ? nil : "q=\(FormData.escape(text))", sort == .standard ? nil : "sort=\(sort.text)",
        ]
        let query = parts.compactMap(\.self).joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    // MARK: Deleting

    /// Asks before a block is deleted; whoever comes back to it after that gets the list.
    @Sendable static func deletePage(_ context: PageContext) async throws -> Response {
        do {
            let name = try await block(context).name
            return try deletePage(context, name, try await context.site.server.contentBlocks.uses(of: name))
        } catch let refusal as ServiceError where refusal.status == 404 {
            return .seeOther(path)
        }
    }

    @Sendable static func delete(_ context: PageContext) async throws -> Response {
        let name = try context.parameter("id")
        do {
            let block = try await context.change { try await $0.contentBlocks.delete(name, by: $1) }
            let undo = [UndoableChange.contentBlock(block)]
            return try await context.leading(to: path, done: "block-deleted", undo: undo, orShowing: list)
        } catch let refusal as ServiceError where refusal.code == "content_block_in_use" {
            let uses = try await context.site.server.contentBlocks.uses(of: name)
            return try deletePage(context, name, uses, status: .conflict)
        } catch let refusal as ServiceError where [403, 409].contains(refusal.status) {
            let message = localized(sentence: refusal.message)
            let status = HTTPResponse.Status(code: refusal.status)
            return try deletePage(context, name, ContentBlockUses(), error: message, status: status)
        }
    }

    private static func deletePage(
        _ context: PageContext,
        _ name: String,
        _ used: ContentBlockUses,
        error: String? = nil,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let view = DeleteView(
            name: name,
            address: address(of: name),
            uses: used.uses.prefix(shownDeleteUses).map(BlockUse.init),
            isUsed: used.count > 0,
            more: more(used.count, beyond: shownDeleteUses),
            error: error
        )
        let title = localized("Delete content block")
        return try context.page("content-block-delete", title: title, in: .contentBlocks, status: status, view)
    }

    private static let shownDeleteUses = 100

    /// The block that the path names.
    static func block(_ context: PageContext) async throws -> ContentBlock {
        let name = try context.parameter("id")
        return try await context.ask { server, _ in try await server.contentBlocks.block(name) }
    }

    static func uses(_ used: ContentBlockUses) -> (shown: [BlockUse], more: String?) {
        (used.uses.prefix(shownUses).map(BlockUse.init), more(used.count, beyond: shownUses))
    }

    static func more(_ count: Int, beyond limit: Int) -> String? {
        count > limit ? localized("and \(PageFormatter.count(Int64(count - limit))) more") : nil
    }
}

extension ContentBlockPages.BlockUse {
    init(_ use: ContentBlockUse) {
        let isCampaign = use.type == "campaign"
        name = isCampaign ? use.name : localized("Content block \(use.name)")
        address =
            isCampaign
            ? "/dashboard/campaigns/\(FormData.escape(part: use.id))" : ContentBlockPages.address(of: use.id)
    }
}

extension ContentBlockPages.ContentBlockLine {
    init(_ block: ContentBlock, _ used: ContentBlockUses, _ context: PageContext) {
        let (shown, more) = ContentBlockPages.uses(used)
        self.init(
            name: block.name,
            address: ContentBlockPages.address(of: block.name),
            description: block.description.isEmpty ? nil : block.description,
            uses: shown,
            isUsed: used.count > 0,
            more: more,
            changed: TimeView(block.updatedAt, for: context)
        )
    }
}
