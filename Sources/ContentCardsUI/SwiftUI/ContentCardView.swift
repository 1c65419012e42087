#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI
import UIKit

/// Shows one card in SwiftUI, as high as it needs to be for the width that it is given.
///
/// An impression is logged when half of the card has been on screen for 0.1 seconds, each time the view comes into its
/// window. A tap is logged and opens the card's address. A control card takes one pixel, and its impression is logged
/// when that is on screen.
@MainActor
public struct ContentCardView: View {
    private let card: ContentCard
    private let source: any CardFeedSource
    private let attributes: CardAttributes
    private let shouldOpen: @MainActor (URL) -> Bool
    @Environment(\.openURL) private var openURL
    @Environment(\.displayScale) private var displayScale

    /// Creates a view of a card.
    ///
    /// - Parameters:
    ///   - card: the card.
    ///   - source: logs what happens, as a rule a `ContentCardsClient`.
    ///   - attributes: how it looks.
    ///   - shouldOpen: returns whether a tapped address should be opened; `false` where the app does.
    public init(
        _ card: ContentCard,
        source: any CardFeedSource,
        attributes: CardAttributes? = nil,
        shouldOpen: @escaping @MainActor (URL) -> Bool = { _ in true }
    ) {
        self.card = card
        self.source = source
        self.attributes = attributes ?? ContentCardsAttributes.defaults.card
        self.shouldOpen = shouldOpen
    }

    /// The card, and what happens to it.
    @ViewBuilder public var body: some View {
        if card.isPresentable {
            CardCellView(card: card, attributes: attributes, onSeen: logImpression).onTapGesture(perform: open)
        } else {
            CardSlotView(card: card, onSeen: logImpression).frame(height: 1 / max(displayScale, 1))
        }
    }

    private func logImpression() {
        _ = source.logImpression(card)
    }

    private func open() {
        guard let url = CardDestination(of: card).url else { return }
        source.logClick(card, customAction: false)
        if shouldOpen(url) { openURL(url) }
    }
}

/// Shows the cell of a card without a table.
private struct CardCellView: UIViewRepresentable {
    let card: ContentCard
    let attributes: CardAttributes
    let onSeen: @MainActor () -> Void

    func makeUIView(context: Context) -> CardCellHost { CardCellHost() }

    func updateUIView(_ host: CardCellHost, context: Context) {
        host.show(card, attributes)
        host.watch(card, onSeen: onSeen)
    }

    @available(iOS 16, tvOS 16, *)
    func sizeThatFits(_ proposal: ProposedViewSize, uiView host: CardCellHost, context: Context) -> CGSize? {
        let width = proposal.width ?? attributes.maxWidth
        return CGSize(width: width, height: host.height(forWidth: width))
    }
}

/// Stands where a card would be that nobody is to see.
private struct CardSlotView: UIViewRepresentable {
    let card: ContentCard
    let onSeen: @MainActor () -> Void

    func makeUIView(context: Context) -> WatchedView { WatchedView() }

    func updateUIView(_ view: WatchedView, context: Context) {
        view.watch(card, onSeen: onSeen)
    }
}

/// Holds a cell, and is as high as that needs to be.
private final class CardCellHost: WatchedView {
    private var cell: ContentCardCell?
    private var lastWidth: CGFloat = 0

    func show(_ card: ContentCard, _ attributes: CardAttributes) {
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
