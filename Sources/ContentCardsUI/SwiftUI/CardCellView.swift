#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI
import UIKit

/// Shows the cell of a card without a table.
struct CardCellView: UIViewRepresentable {
    let card: ContentCard
    let attributes: CardAttributes
    /// The card as its view is told of taps on it.
    var watched: WatchedCard?
    /// A closure that is told when the card counts as seen; without it, nothing is watched.
    var onSeen: (@MainActor () -> Void)?
    /// A closure that is told that the card should go, by people who do not swipe.
    var onDelete: (@MainActor () -> Void)?
    @Environment(\.cardViewSettings) private var settings

    func makeUIView(context: Context) -> CardCellHost { CardCellHost() }

    func updateUIView(_ host: CardCellHost, context: Context) {
        host.show(card, attributes, settings, onDelete: onDelete)
        if let onSeen { host.watch(card, as: watched, onSeen: onSeen) }
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

    func show(
        _ card: ContentCard,
        _ attributes: CardAttributes,
        _ settings: CardViewSettings,
        onDelete: (@MainActor () -> Void)?
    ) {
        let cell = cell(for: card)
        cell.attributes = attributes
        cell.hideUnreadIndicator = settings.isUnreadHidden
        cell.isActionable = CardDestination(of: card).isActionable(asksApp: settings.tap != nil)
        cell.imageLoader = settings.imageLoader ?? .shared
        cell.onSizeChange = { [weak self] _ in self?.invalidateIntrinsicContentSize() }
        if let onDelete { cell.onDelete = { _ in onDelete() } } else { cell.onDelete = nil }
        cell.apply(card)
        invalidateIntrinsicContentSize()
    }

    private func cell(for card: ContentCard) -> ContentCardCell {
        let descriptor = CardCellIdentifier(for: card).descriptor
        if let cell, type(of: cell) == descriptor.cellClass { return cell }
        cell?.removeFromSuperview()
        let made = descriptor.makeCell()
        addSubview(made)
        cell = made
        return made
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
