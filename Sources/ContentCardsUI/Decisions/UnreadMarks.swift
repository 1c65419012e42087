import ContentCards

/// Keeps the bar of a fresh card until the card leaves the screen, although the card counts as viewed at once.
struct UnreadMarks {
    private(set) var ids: Set<BytewiseText> = []

    /// Takes note that a card was seen, and whether the user had viewed it before.
    mutating func saw(_ id: String, wasViewed: Bool, isControl: Bool) {
        if !wasViewed, !isControl { ids.insert(BytewiseText(id)) }
    }

    /// Takes note that a card has left the screen, or was tapped.
    mutating func left(_ id: String) {
        ids.remove(BytewiseText(id))
    }

    /// Takes note that the user asked for new content: what is on screen now is no longer fresh.
    mutating func refreshed(visible: [String]) {
        ids.subtract(visible.map(BytewiseText.init(_:)))
    }

    /// Returns whether a card looks viewed.
    func looksViewed(_ id: String, isViewed: Bool) -> Bool {
        isViewed && !ids.contains(BytewiseText(id))
    }
}
