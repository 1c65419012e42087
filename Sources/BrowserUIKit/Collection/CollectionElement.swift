/// Names a view of a collection: an item, or a view of another kind.
struct CollectionElement: Hashable {
    /// The kind; `nil` for items.
    let kind: String?
    let path: IndexPath
}

/// The place of a view that shows no item.
struct SupplementaryPlace {
    let element: CollectionElement
    let place: GroupSolver.Place
    /// Whether the view lies behind the items, and is made by the layout.
    var isDecoration = false
}

/// The part of a collection that scrolls across it.
struct ScrollingRow: Equatable {
    /// The rectangle among the content.
    let frame: CGRect
    /// The width of what scrolls.
    let width: CGFloat
    /// The scrolling behavior, as the style sheet calls it.
    let behavior: String
}
