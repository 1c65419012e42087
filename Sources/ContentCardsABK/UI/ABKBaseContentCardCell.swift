// The documented calls take their card implicitly unwrapped.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, AlwaysUseLowerCamelCase

#if !os(tvOS)
import ContentCards
import ContentCardsUI
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Hears that a cell needs another height; the feed that shows the cell does.
#if canImport(ObjectiveC)
@objc
#endif
@preconcurrency @MainActor
public protocol ABKBaseContentCardCellDelegate: AnyObject {
    /// Gives the row of a cell the height that the cell needs now.
    func cellRequestSizeUpdate(_ cell: UITableViewCell!)
}

/// The priority of constraints that only what UIKit itself requires may break: 999.
public let ABKContentCardPriorityLayoutRequiredBelowAppleRequired = UILayoutPriority(999)

/// The base of all cells of cards: the card's box, the pin and the bar of unread cards.
///
/// A subclass overrides `setUp()` for lengths, ``ContentCardsUI/ContentCardCell/setUpUI()`` for what all cards share,
/// and `apply(_:)` for what depends on the card, calling super first.
#if canImport(ObjectiveC)
@objc(ABKBaseContentCardCell) @objcMembers
#endif
open class ABKBaseContentCardCell: ContentCardCell {
    /// The object whose card is shown.
    public internal(set) var card: ABKContentCard!
    /// Hears that the cell needs another height.
    open weak var delegate: (any ABKBaseContentCardCellDelegate)?

    /// Shows the live object of a card, which looks read or unread as the feed says.
    open override func apply(_ card: ContentCard) {
        let object = self.card?.contentCard.identity == card.identity ? self.card : nil
        let shown = object ?? ABKContentCard.make(card, client: nil)
        let isViewed = shown.viewed
        shown.viewed = card.isViewed
        apply(Optional(shown))
        shown.viewed = isViewed
    }

    /// Shows a card.
    #if canImport(ObjectiveC)
    @objc(applyCard:)
    #endif
    open func apply(_ card: ABKContentCard!) {
        if let card { apply(card as ABKContentCard) }
    }

    /// Shows a card; apps override this form or the one above.
    @nonobjc
    open func apply(_ card: ABKContentCard) {
        self.card = card
        super.apply(card.contentCard)
    }

    /// Returns what is shown until the image of a card is there, and where it cannot be had.
    ///
    /// The default is `nil`: an indicator turns until then, and a failure offers to try again.
    open func getPlaceHolderImage() -> UIImage! { nil }

    /// Returns the class of the view that shows the image of a card: `CardImageView` or a subclass of it, which is a
    /// `UIImageView`; another class is not used.
    ///
    /// The default is that of the image delegate.
    open func imageViewClass() -> AnyClass! {
        Appboy.sharedInstance()?.imageDelegate?.imageViewClass() ?? CardImageView.self
    }

    /// Sets the text of a label with the line spacing of cards.
    #if canImport(ObjectiveC)
    @objc(applyAppboyAttributedTextStyleFrom:forLabel:)
    #endif
    open func applyAppboyAttributedTextStyle(from text: String!, for label: UILabel!) {
        if let label { applyAppboyAttributedTextStyle(from: (text ?? "") as String, for: label as UILabel) }
    }

    /// Sets a text with the line spacing of cards; apps override this form or the one above.
    @nonobjc
    open func applyAppboyAttributedTextStyle(from text: String, for label: UILabel) {
        CardText.set(text, on: label)
    }

    /// Makes the view for the image of a card.
    func makeImageView() -> CardImageView {
        (imageViewClass() as? CardImageView.Type ?? CardImageView.self).init(frame: .zero)
    }

    /// Lets the app's placeholder and image delegate take part in showing the image at an address.
    func prepare(_ view: CardImageView, for url: URL?) {
        view.placeholder = getPlaceHolderImage()
        guard let delegate = Appboy.sharedInstance()?.imageDelegate else {
            view.setter = nil
            return
        }
        view.setter = { view, url, finish in delegate.show(url, in: view, finish: finish) }
        if url == nil { delegate.endLoading(in: view) }
    }
}
#endif
