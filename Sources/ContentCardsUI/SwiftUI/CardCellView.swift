#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI
import UIKit

/// Shows the cell of a card without a table.
struct CardCellView: UIViewRepresentable {
    let card: ContentCard
    let attributes: CardAttributes
    /// Is told when the card counts as seen; without it, nothing is watched.
    var onSeen: (@MainActor () -> Void)?
    /// Is told that the card should go, by people who do not swipe.
    var onDelete: (@MainActor () -> Void)?

    func makeUIView(context: Context) -> CardCellHost { CardCellHost() }

    func updateUIView(_ host: CardCellHost, context: Context) {
        host.show(card, attributes, onDelete: onDelete)
        if let onSeen { host.watch(card, onSeen: onSeen) }
    }

    @available(iOS 16, tvOS 16, *)
    func sizeThatFits(_ proposal: ProposedViewSize, uiView host: CardCellHost, context: Context) -> CGSize? {
        let width = CardWidth(proposed: proposal.width, greatest: attributes.maxWidth).value
        return CGSize(width: width, height: host.height(forWidth: width))
    }
}

/// Holds a cell, and is as high as that needs to be.
final class CardCellHost: WatchedView {
    private var cell: ContentCardCell?
    private var lastWidth: CGFloat = 0

    func show(_ card: ContentCard, _ attributes: CardAttributes, onDelete: (@MainActor () -> Void)?) {
        let cellClass = CardCellIdentifier(for: card).cellClass
        let cell: ContentCardCell
        if let old = self.cell, type(of: old) == cellClass {
            cell = old
        } else {
            self.cell?.removeFromSuperview()
            cell = CardCellIdentifier(for: card).makeCell()
            addSubview(cell)
            self.cell = cell
        }
        cell.attributes = attributes
        cell.onSizeChange = { [weak self] _ in self?.invalidateIntrinsicContentSize() }
        if let onDelete { cell.onDelete = { _ in onDelete() } } else { cell.onDelete = nil }
        cell.apply(card)
        invalidateIntrinsicContentSize()
    }

    func height(forWidth width: CGFloat) -> CGFloat {
        let size = CGSize(width: width, height: UIView.layoutFittingCompressedSize.height)
        let fitting = cell?.contentView.systemLayoutSizeFitting(
            size,
            withHorizontalFittingPriority: .required,
            verticalFittingPriority: .fittingSizeLevel
        )
        return fitting?.height ?? 0
    }

    override var intrinsicContentSize: CGSize {
        CGSize(width: UIView.noIntrinsicMetric, height: bounds.width > 0 ? height(forWidth: bounds.width) : 0)
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        cell?.frame = bounds
        guard bounds.width != lastWidth else { return }
        lastWidth = bounds.width
        invalidateIntrinsicContentSize()
    }
}
#endif
