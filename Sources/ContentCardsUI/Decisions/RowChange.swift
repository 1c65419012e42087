import ContentCards

/// Says which rows leave a feed and which come to it, where all others stay as they are.
struct RowChange: Equatable {
    /// Places in the old list, from the top.
    let removed: [Int]
    /// Places in the new list, from the top.
    let inserted: [Int]

    /// With more changes than that, a list that rearranges itself would only confuse.
    static let limit = 12

    /// `nil` where a card that stays has changed or moved, where too much has, and for the first cards of a feed.
    init?(from old: [ContentCard], to new: [ContentCard]) {
        guard !old.isEmpty || new.isEmpty else { return nil }
        let oldIDs = Set(old.map(\.identity))
        let newIDs = Set(new.map(\.identity))
        guard oldIDs.count == old.count, newIDs.count == new.count else { return nil }
        let kept = old.filter { newIDs.contains($0.identity) }.map(Self.shown)
        guard kept == new.filter({ oldIDs.contains($0.identity) }).map(Self.shown) else { return nil }
        removed = old.indices.filter { !newIDs.contains(old[$0].identity) }
        inserted = new.indices.filter { !oldIDs.contains(new[$0].identity) }
        guard removed.count + inserted.count <= Self.limit else { return nil }
    }

    /// Whether no row changes.
    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty }

    /// Returns the part of a card that a row shows: what the feed logged itself changes nothing, and neither does the
    /// priority, which only orders the cards, nor the ratio, which a row takes from its image once that has come.
    private static func shown(_ card: ContentCard) -> ContentCard {
        var card = card
        card.isViewed = false
        card.isClicked = false
        card.priority = 0
        card.imageAspectRatio = nil
        return card
    }
}
