import CardModel
import CardStore

extension CampaignsPage {
    /// A page of the list, and what leads to the others.
    struct Part {
        let campaigns: [Campaign]
        let next: String?
        let isFirst: Bool
        /// Whether there are more campaigns than were sorted.
        var isCut = false
    }

    /// The page that a query asks for: in the order of the last change it goes on after a campaign, in another after so
    /// many.
    static func part(
        _ context: PageContext,
        _ tab: CampaignTab?,
        _ filter: CampaignFilter,
        _ sort: CampaignSort
    ) async throws -> Part {
        guard sort == .standard else { return try await sortedPart(context, tab, filter, sort) }
        let place = place(context.query[.after])
        let found = try await campaigns(context, tab, filter, after: place, limit: pageSize + 1)
        let shown = Array(found.prefix(pageSize))
        let next = found.count > pageSize ? shown.last.map { Self.next(context.query, after: $0) } : nil
        return Part(campaigns: shown, next: next, isFirst: place == nil)
    }

    private static func sortedPart(
        _ context: PageContext,
        _ tab: CampaignTab?,
        _ filter: CampaignFilter,
        _ sort: CampaignSort
    ) async throws -> Part {
        let places = try await context.site.sortings.run { try await Self.places(context, tab, filter, sort) }
        let number = min(context.query.position(.page) ?? 1, Int64(CampaignSort.window / pageSize))
        // safe: from 1 to the pages of the window
        let rest = sort.sorted(places, by: \.value).dropFirst(Int(number - 1) * pageSize)
        let asked = rest.prefix(pageSize).map(\.id)
        let found = try await context.campaigns(asked) { $0 }
        // One that was deleted in the meantime is left out.
        let shown = asked.compactMap { found[$0] }
        return Part(
            campaigns: shown,
            // safe: as above
            next: rest.count > pageSize ? address(context.query, page: number + 1) : nil,
            isFirst: number == 1,
            isCut: places.count == CampaignSort.window
        )
    }

    /// Returns the values that the campaigns that were changed last are compared by, up to the window, read a page at a
    /// time.
    private static func places(
        _ context: PageContext,
        _ tab: CampaignTab?,
        _ filter: CampaignFilter,
        _ sort: CampaignSort
    ) async throws -> [(id: CampaignID, value: CampaignSortValue)] {
        // Active ones are in memory, and are looked through each time.
        let step = tab?.status == .active ? CampaignSort.window : pageSize
        var places: [(id: CampaignID, value: CampaignSortValue)] = []
        var last: CampaignPlace?
        while places.count < CampaignSort.window {
            let found = try await campaigns(context, tab, filter, after: last, limit: step)
            places += try await sort.places(of: found, context)
            guard found.count == step, let end = found.last else { break }
            last = CampaignPlace(updatedAt: end.updatedAt, id: end.id)
        }
        return places
    }

    static func heads(_ sort: CampaignSort, _ query: FormData) -> [SortHead] {
        let columns: [(CampaignSortKey, String)] = [
            (.name, ""), (.status, "roomy"), (.start, "roomy"), (.delivered, "number roomy"),
            (.impressions, "number roomy"), (.clicks, "number"), (.updated, "roomy"),
        ]
        return columns.map { key, style in sort.head(key, style: style) { address(query, sort: $0) } }
    }

    /// The orders of the menu, which phones have where columns are hidden.
    static func sorts(_ sort: CampaignSort) -> [SortChoice] {
        let choices = CampaignSort.named.map { SortChoice(value: $0.text, name: $1, isChosen: $0 == sort) }
        guard !choices.contains(where: \.isChosen) else { return choices }
        return [SortChoice(value: sort.text, name: sort.title, isChosen: true)] + choices
    }
}
