#if !os(tvOS)
import Foundation

/// Describes a cell to everything that shows cards: feeds, single cards and what loads images ahead.
@MainActor
struct CardCellDescriptor {
    /// The class of the cell.
    let cellClass: ContentCardCell.Type
    /// The width of the image in points, or `nil` where it is as wide as the card.
    let imageSide: CGFloat?
    /// Makes a cell of the class, for a card without a table.
    let makeCell: @MainActor () -> ContentCardCell

    /// Describes the cell that a closure makes.
    init<Cell: ContentCardCell>(imageSide: CGFloat? = nil, _ makeCell: @escaping @MainActor () -> Cell) {
        cellClass = Cell.self
        self.imageSide = imageSide
        self.makeCell = makeCell
    }
}
#endif
