#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// The base of cells with text: title, description and link, one below the other.
open class TextCardCell: ContentCardCell {
    let cardText = CardText()
    /// The title.
    public var titleLabel: UILabel { cardText.titleLabel }
    /// The text.
    public var descriptionLabel: UILabel { cardText.descriptionLabel }
    /// The text of the link; hidden where the card has none.
    public var linkLabel: UILabel { cardText.linkLabel }
    /// Hold where the card has no link: below the text comes the end of the card.
    public var descriptionConstraints: [NSLayoutConstraint] { cardText.descriptionConstraints }
    /// Hold where the card has a link: it comes below the text, and then the end of the card.
    public var linkConstraints: [NSLayoutConstraint] { cardText.linkConstraints }
    /// The room around the text, in points.
    ///
    /// The default is 25. It can be set at any time.
    open var padding: CGFloat {
        get { cardText.padding }
        set { cardText.padding = newValue }
    }

    /// Lays out the labels.
    open override func setUpUI() {
        super.setUpUI()
        layOutText()
        raiseMarks()
    }

    /// Places the labels in the card.
    func layOutText() {
        cardText.layOut(in: clippingView)
    }

    /// Applies fonts and colours too.
    open override func applyAttributes(changedFrom old: CardAttributes?) {
        super.applyAttributes(changedFrom: old)
        cardText.apply(attributes, changedFrom: old)
    }

    /// Puts a small image above the text at accessibility sizes.
    open override func adaptToTextSize() {
        cardText.adapt(to: traitCollection)
    }

    /// Shows the texts of a card.
    open override func apply(_ card: ContentCard) {
        super.apply(card)
        cardText.show(card)
    }
}
#endif
