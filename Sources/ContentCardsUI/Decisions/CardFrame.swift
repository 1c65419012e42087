import Foundation

/// Decides which part of a view its card fills: a tap beside that is none on the card.
struct CardFrame: Equatable {
    let rect: CGRect

    /// Takes the bounds of the view, and what the card leaves free there.
    ///
    /// - Parameters:
    ///   - bounds: the bounds of the view.
    ///   - sidePadding: the room at each side of the card.
    ///   - spacing: the room above and below it together.
    ///   - maxWidth: the greatest width of the card, which is in the middle of a wider view.
    init(in bounds: CGRect, sidePadding: CGFloat, spacing: CGFloat, maxWidth: CGFloat) {
        let width = max(0, min(bounds.width - sidePadding * 2, maxWidth))
        let height = max(0, bounds.height - spacing)
        rect = CGRect(x: bounds.midX - width / 2, y: bounds.midY - height / 2, width: width, height: height)
    }
}
