import CardModel
import CardServer
import CardStore
import Hummingbird
import WireJSON

extension PageDescriptor {
    static let search = PageDescriptor { routes in
        routes.get("/dashboard/search", .viewer, SearchPage.answer)
    }
}

/// The results of the command palette: pages, campaigns, segments, content blocks and users that the member is allowed
/// to see.
enum SearchPage {
    struct Item {
        let name: String
        let detail: String
        let address: String

        /// The longest name that is shown, in scalars: one character may have any number of them.
        private static let longestName = 200

        var json: JSONValue {
            ["name": .string(Self.cut(name)), "detail": .string(Self.cut(detail)), "address": .string(address)]
        }

        /// The beginning of a long text: what users are called has whatever size their attributes may have.
        private static func cut(_ text: String) -> String {
            let start = text.unicodeScalars.prefix(longestName)
            return start.count < text.unicodeScalars.count ? String(start) + "…" : text
        }
    }

    /// Longer texts are cut: no name is found by more.
    private static let longestText = 200
    /// A user is looked for by two characters or more, which find few enough.
    private static let shortestUserText = 2
    private static let groupSize = 6
    /// The segments that are looked through, those changed last first.
    private static let knownSegments = 1_000

    @Sendable static func answer(_ context: PageContext) async throws -> Response {
        let text = String(context.query.trimmed(.q).unicodeScalars.prefix(longestText))
        var groups = [(localized("Pages"), pages(context, text))]
        groups.append((localized("Campaigns"), try await campaigns(context, text)))
        groups.append((localized("Segments"), try await segments(context, text)))
        groups.append((localized("Content blocks"), blocks(context, text)))
        var isComplete = true
        if text.count >= shortestUserText, !context.hidesPersonalData {
            do throws(StoreError) {
                groups.append((localized("Users"), try await users(context, text)))
            } catch {
                // Others search, too, and this one can be repeated.
                guard error.code == .unavailable else { throw error }
                isComplete = false
            }
        }
        let shown = groups.filter { !$0.1.isEmpty }.map { name, items -> JSONValue in
            ["name": .string(name), "items": .array(items.map(\.json))]
        }
        return .json(["groups": .array(shown), "complete": .bool(isComplete)])
    }

    /// The pages whose titles have every word of a text, in the member's language or in English, in which
    /// documentation and colleagues may name them.
    private static func pages(_ context: PageContext, _ text: String) -> [Item] {
        let items = pages(context)
        let english = TextCatalog.$current.withValue(.english) { pages(context) }
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        return zip(items, english).filter { item, english in
            words.allSatisfy { word in [item, english].contains { $0.name.lowercased().contains(word) } }
        }.map { $0.0 }
    }

    /// The pages that the member may open.
    private static func pages(_ context: PageContext) -> [Item] {
        func page(_ name: String, _ address: String) -> Item { Item(name: name, detail: "", address: address) }
        var items = Section.all.filter { Dashboard.sectionRoles[$0].map(context.may) ?? false }
            .map { page($0.name, $0.address) }
        items.append(page(localized("Saved filters"), "/dashboard/filters"))
        guard context.may(.editor) else { return items }
        items.insert(page(localized("New campaign"), "/dashboard/campaigns/new"), at: 0)
        items.append(page(localized("New segment"), "/dashboard/segments/new"))
        items.append(page(localized("New content block"), "\(ContentBlockPages.path)/new"))
        items.append(page(localized("Import users"), "/dashboard/users/imports"))
        return items
    }

    private static func campaigns(_ context: PageContext, _ text: String) async throws -> [Item] {
        func search(_ status: Campaign.Status?) async throws -> [Campaign] {
            let filter = CampaignFilter(status: status, text: text.isEmpty ? nil : text)
            return try await context.store.searchCampaigns(matching: filter, after: nil, limit: groupSize)
        }
        var found = try await search(nil)
        if !text.isEmpty, found.count < groupSize { found += try await search(.archived) }
        return found.prefix(groupSize).map { campaign in
            Item(
                name: campaign.content.name,
                detail: StatusView(campaign, at: context.now).text,
                address: CampaignPages.address(of: campaign.id)
            )
        }
    }

    private static func segments(_ context: PageContext, _ text: String) async throws -> [Item] {
        guard !text.isEmpty else { return [] }
        let words = SearchText.words(of: text)
        var folder = FoldedText.Folder()
        let all = try await context.store.segments(includingArchived: false, limit: knownSegments, offset: 0)
        let found = all.filter { segment in
            let name = folder.folded(segment.content.name)
            let hasWords = !words.isEmpty && words.allSatisfy { FoldedText.contains(name, anyOf: [$0]) }
            return hasWords || segment.id.rawValue == text
        }
        return found.prefix(groupSize).map { segment in
            Item(
                name: segment.content.name,
                detail: "",
                address: "/dashboard/segments/\(FormData.escape(part: segment.id.rawValue))"
            )
        }
    }

    private static func blocks(_ context: PageContext, _ text: String) -> [Item] {
        guard !text.isEmpty else { return [] }
        return ContentBlockPages.matching(text, context.site.server.contentBlocks.all).prefix(groupSize).map { block in
            Item(name: block.name, detail: block.description, address: ContentBlockPages.address(of: block.name))
        }
    }

    /// Users are personal data: whoever reads of them is in the audit log, as on the page of users.
    private static func users(_ context: PageContext, _ text: String) async throws(StoreError) -> [Item] {
        do {
            try await context.site.server.reads.note("user.list", by: context.actor)
            let page = try await context.store.searchUsers(matching: text, after: nil, limit: groupSize)
            // Whoever finds nobody here would think that there is nobody.
            guard !page.isPartial else { throw StoreError(.unavailable, "A database with users doesn't answer.") }
            return page.users.map { user in
                let line = UserPages.UserLine(user, context)
                return Item(name: line.name, detail: line.hasName ? line.id : "", address: line.address)
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.unavailable, "\(error)")
        }
    }
}
