import Foundation

/// Decides how wide a card is in a view that proposes a width, or none, or as much as the card would like.
struct CardWidth: Equatable {
    let value: CGFloat

    /// Takes a width that is one; for none and for one that is endless, the greatest that a card has.
    init(proposed: CGFloat?, greatest: CGFloat) {
        guard let proposed, proposed.isFinite else {
            value = greatest
            return
        }
        value = max(proposed, 0)
    }
}
