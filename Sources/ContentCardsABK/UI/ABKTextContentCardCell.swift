// The documented calls take their card implicitly unwrapped.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

#if !os(tvOS)
import ContentCards
import ContentCardsUI
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// The base of cells with text: title, description and link, one below the other.
#if canImport(ObjectiveC)
@objc(ABKTextContentCardCell)
#endif
open class ABKTextContentCardCell: ABKBaseContentCardCell {
    let cardText = CardText()
    /// The title.
    open var titleLabel: UILabel! {
        get { cardText.titleLabel }
        set { if let newValue { cardText.titleLabel = newValue } }
    }
    /// The text.
    open var descriptionLabel: UILabel! {
        get { cardText.descriptionLabel }
        set { if let newValue { cardText.descriptionLabel = newValue } }
    }
    /// The text of the link; hidden where the card has none.
    open var linkLabel: UILabel! {
        get { cardText.linkLabel }
        set { if let newValue { cardText.linkLabel = newValue } }
    }
    /// Hold where the card has no link: below the text comes the end of the card.
    ///
    /// What is set and is no constraint is left out.
    open var descriptionConstraints: [Any]! {
        get { cardText.descriptionConstraints }
        set { cardText.descriptionConstraints = (newValue ?? []).compactMap { $0 as? NSLayoutConstraint } }
    }
    /// Hold where the card has a link: it comes below the text, and then the end of the card.
    ///
    /// What is set and is no constraint is left out.
    open var linkConstraints: [Any]! {
        get { cardText.linkConstraints }
        set { cardText.linkConstraints = (newValue ?? []).compactMap { $0 as? NSLayoutConstraint } }
    }
    /// The room around the text, in points.
    ///
    /// The default is 25. It can be set at any time.
    open var padding: CGFloat {
        get { cardText.padding }
        set { cardText.padding = newValue }
    }

    /// Holds the colours of texts that an app has set for all cells of a class.
    struct LabelColors {
        var title: UIColor?
        var description: UIColor?
        var link: UIColor?
    }

    /// The colours of this class; each kind of cell has its own.
    class var colors: LabelColors {
        get { LabelColors() }
        set {}
    }

    /// The colour of the titles of new cells of this class.
    ///
    /// The default is `label`.
    open class var titleLabelColor: UIColor! {
        get { colors.title ?? ContentCardsAttributes.defaults.card.titleColor }
        set { colors.title = newValue }
    }

    /// The colour of the texts of new cells of this class.
    ///
    /// The default is `label`.
    open class var descriptionLabelColor: UIColor! {
        get { colors.description ?? ContentCardsAttributes.defaults.card.descriptionColor }
        set { colors.description = newValue }
    }

    /// The colour of the links of new cells of this class.
    ///
    /// The default is `link`.
    open class var linkLabelColor: UIColor! {
        get { colors.link ?? ContentCardsAttributes.defaults.card.linkColor }
        set { colors.link = newValue }
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

    /// Applies fonts and colours too; those of the class win.
    open override func applyAttributes(changedFrom old: CardAttributes?) {
        super.applyAttributes(changedFrom: old)
        cardText.apply(attributes, changedFrom: old)
        guard old == nil else { return }
        if let color = Self.colors.title { titleLabel.textColor = color }
        if let color = Self.colors.description { descriptionLabel.textColor = color }
        if let color = Self.colors.link { linkLabel.textColor = color }
    }

    /// Puts a small image above the text at accessibility sizes.
    open override func adaptToTextSize() {
        cardText.adapt(to: traitCollection)
    }

    /// Shows the texts of a card.
    @nonobjc
    open override func apply(_ card: ABKContentCard) {
        super.apply(card)
        cardText.show(card.contentCard)
    }
}
#endif
