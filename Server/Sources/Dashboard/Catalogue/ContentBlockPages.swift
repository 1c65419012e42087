import CardModel
import CardServer
import HTTPTypes
import Hummingbird

/// Content blocks: the list, and deleting one.
enum ContentBlockPages {
    /// A campaign or block that includes a block.
    struct Use {
        let name: String
        let address: String
    }

    struct Line {
        let name: String
        let address: String
        let description: String?
        let uses: [Use]
        let isUsed: Bool
        /// How many uses aren't shown.
        let more: String?
        let changed: TimeView
    }

    struct ListView {
        let blocks: [Line]
        let text: String
        let isSearch: Bool
        /// Whether there are blocks that the search leaves out.
        let isEmpty: Bool
        let name: SortHead
        let updated: SortHead
        let notes: [String]
    }

    /// What the list can be sorted by.
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
        let uses: [Use]
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

    @Sendable static func list(_ visit: Visit) async throws -> Response {
        let all = visit.site.server.contentBlocks.all
        let text = String(visit.query.trimmed(.q).unicodeScalars.prefix(longestText))
        let sort = ListSort<BlockSortKey>(visit.query)
        let found = inOrder(matching(text, all), sort)
        let usage = try await visit.site.server.contentBlocks.recentUses()
        let view = ListView(
            blocks: found.prefix(shownBlocks).map { Line($0, usage.uses[$0.name] ?? [], visit) },
            text: text,
            isSearch: !text.isEmpty,
            isEmpty: all.isEmpty,
            name: sort.head(.name) { address(of: $0, text) },
            updated: sort.head(.updated) { address(of: $0, text) },
            notes: notes(found.count, usage)
        )
        return try visit.page("content-blocks", title: localized("Content blocks"), in: .contentBlocks, view)
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

    private static func notes(_ count: Int, _ usage: ContentBlockService.RecentUses) -> [String] {
        var notes: [String] = []
        if count > shownBlocks {
            notes.append(localized("\(Wording.count(Int64(shownBlocks))) blocks are shown. Search to find the others."))
        }
        if !usage.isComplete {
            let limit = Wording.count(Int64(ContentBlockService.recentCampaigns))
            notes.append(localized("Uses are those in the \(limit) campaigns that were updated last."))
        }
        return notes
    }

    // MARK: Deleting

    @Sendable static func deletePage(_ visit: Visit) async throws -> Response {
        let name = try await block(visit).name
        let usage = try await visit.site.server.contentBlocks.recentUses()
        return try deletePage(visit, name, usage.uses[name] ?? [])
    }

    @Sendable static func delete(_ visit: Visit) async throws -> Response {
        let name = try visit.parameter("id")
        do {
            try await visit.change { try await $0.contentBlocks.delete(name, by: $1) }
            return .seeOther("\(path)?done=block-deleted")
        } catch let refusal as ServiceRefusal where refusal.code == "content_block_in_use" {
            let uses = try await visit.site.server.contentBlocks.uses(of: name)
            return try deletePage(visit, name, uses, status: .conflict)
        } catch let refusal as ServiceRefusal where [403, 409].contains(refusal.status) {
            let message = localized(sentence: refusal.message)
            return try deletePage(visit, name, [], error: message, status: HTTPResponse.Status(code: refusal.status))
        }
    }

    private static func deletePage(
        _ visit: Visit,
        _ name: String,
        _ uses: [ContentBlockUse],
        error: String? = nil,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let view = DeleteView(
            name: name,
            address: address(of: name),
            uses: uses.prefix(shownDeleteUses).map(Use.init),
            isUsed: !uses.isEmpty,
            more: more(uses.count, beyond: shownDeleteUses),
            error: error
        )
        let title = localized("Delete content block")
        return try visit.page("content-block-delete", title: title, in: .contentBlocks, status: status, view)
    }

    private static let shownDeleteUses = 100

    /// The block that the path names.
    static func block(_ visit: Visit) async throws -> ContentBlock {
        let name = try visit.parameter("id")
        return try await visit.ask { server, _ in try await server.contentBlocks.block(name) }
    }

    static func uses(_ uses: [ContentBlockUse]) -> (shown: [Use], more: String?) {
        (uses.prefix(shownUses).map(Use.init), more(uses.count, beyond: shownUses))
    }

    private static func more(_ count: Int, beyond limit: Int) -> String? {
        count > limit ? localized("and \(Wording.count(Int64(count - limit))) more") : nil
    }
}

extension ContentBlockPages.Use {
    init(_ use: ContentBlockUse) {
        let isCampaign = use.type == "campaign"
        name = isCampaign ? use.name : localized("Content block \(use.name)")
        address =
            isCampaign
            ? "/dashboard/campaigns/\(FormData.escape(part: use.id))" : ContentBlockPages.address(of: use.id)
    }
}

extension ContentBlockPages.Line {
    init(_ block: ContentBlock, _ uses: [ContentBlockUse], _ visit: Visit) {
        let (shown, more) = ContentBlockPages.uses(uses)
        self.init(
            name: block.name,
            address: ContentBlockPages.address(of: block.name),
            description: block.description.isEmpty ? nil : block.description,
            uses: shown,
            isUsed: !uses.isEmpty,
            more: more,
            changed: TimeView(block.updatedAt, for: visit)
        )
    }
}
