#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI
import UIKit

/// Shows a card in a feed as a style of SwiftUI draws it, over the whole width of the row.
final class StyledCardCell: ContentCardCell {
    static let identifier = "styled-card"

    /// Draws the card that the cell shows.
    var draw: (@MainActor (ContentCardCell, ContentCard) -> AnyView)?
    /// The controller of the feed.
    weak var parent: UIViewController?
    private var hosting: UIHostingController<AnyView>?

    /// Lays out nothing: all is the style's.
    override func setUpUI() {
        isAccessibilityElement = false
    }

    override var takesTapsBesideCard: Bool { true }

    override func apply(_ card: ContentCard) {
        super.apply(card)
        redraw()
    }

    override func setViewed(_ isViewed: Bool) {
        super.setViewed(isViewed)
        redraw()
    }

    /// Draws the card again, after what the style reads has changed.
    func redraw() {
        guard let shownCard, let draw else { return }
        // What a style keeps for one card is not for the next that the cell shows.
        let view = AnyView(draw(self, shownCard).id(shownCard.id))
        if #available(iOS 16, *) {
            contentConfiguration = UIHostingConfiguration { view }.margins(.all, 0).minSize(width: 0, height: 0)
        } else {
            host(AnyView(view.ignoresSafeArea()))
        }
    }

    /// Returns the height that the style needs at the width of the row.
    ///
    /// Before iOS 16 a hosted view says how large it would be without a bound, so that text of several lines would be
    /// cut.
    override func systemLayoutSizeFitting(
        _ targetSize: CGSize,
        withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
        verticalFittingPriority: UILayoutPriority
    ) -> CGSize {
        guard let hosting else {
            return super.systemLayoutSizeFitting(
                targetSize,
                withHorizontalFittingPriority: horizontalFittingPriority,
                verticalFittingPriority: verticalFittingPriority
            )
        }
        let size = hosting.sizeThatFits(in: CGSize(width: targetSize.width, height: .greatestFiniteMagnitude))
        return CGSize(width: targetSize.width, height: size.height.rounded(.up))
    }

    private func host(_ view: AnyView) {
        if let hosting {
            hosting.rootView = view
            hosting.view.invalidateIntrinsicContentSize()
            return
        }
        let made = UIHostingController(rootView: view)
        guard let shown = made.view else { return }
        hosting = made
        shown.backgroundColor = .clear
        shown.translatesAutoresizingMaskIntoConstraints = false
        parent?.addChild(made)
        contentView.addSubview(shown)
        NSLayoutConstraint.activate(Self.pin(shown, to: contentView))
        made.didMove(toParent: parent)
    }
}
#endif
