import ContentCards
import Foundation

/// Remembers how high the rows of cards were, for as long as rows are as wide and texts as large.
struct RowHeights {
    /// The conditions that all heights depend on.
    struct Conditions: Equatable {
        let width: CGFloat
        let textSize: String
    }

    /// More cards than a feed has; beyond that, it begins again.
    static let limit = 1_000

    private var conditions: Conditions?
    private var heights: [BytewiseText: CGFloat] = [:]

    /// Takes note of how high the row of a card is.
    mutating func note(_ height: CGFloat, of id: BytewiseText, under conditions: Conditions) {
        guard height.isFinite, height > 0 else { return }
        let isOver = heights.count >= Self.limit && heights[id] == nil
        if conditions != self.conditions || isOver { heights = [:] }
        self.conditions = conditions
        heights[id] = height
    }

    /// Returns how high the row of a card was; `nil` where that isn't known.
    func height(of id: BytewiseText, under conditions: Conditions) -> CGFloat? {
        conditions == self.conditions ? heights[id] : nil
    }
}
