import ContentCards
import ContentCardsUI

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

// Each cell can be overridden where it takes any card, or where it takes the card that it is for; the documented calls
// take their card implicitly unwrapped.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

/// Shows a card under the documented names; the cells that do are subclasses of those of `ContentCardsUI`.
@MainActor
public protocol ABKContentCardCell: AnyObject {
    /// The object whose card is shown next or now.
    var liveCard: ABKContentCard? { get set }
    /// Shows a card.
    func apply(_ card: ABKContentCard!)
}

/// Is any cell of a card.
public typealias ABKBaseContentCardCell = ContentCardCell & ABKContentCardCell

extension ABKContentCardCell {
    /// Shows the live object of a card, which looks read or unread as the feed says.
    func applyLive(_ card: ContentCard) {
        let object = liveCard?.idString == card.id ? liveCard : nil
        let shown = object ?? ABKContentCard.make(card, client: nil)
        let isViewed = shown.viewed
        shown.viewed = card.isViewed
        apply(shown)
        shown.viewed = isViewed
    }
}

/// Shows a card that is an image alone.
open class ABKBannerContentCardCell: BannerContentCardCell, ABKContentCardCell {
    /// The object whose card is shown.
    public var liveCard: ABKContentCard?

    /// Shows the object of a card.
    open override func apply(_ card: ContentCard) { applyLive(card) }

    /// Shows a card, if it is of the right class.
    open func apply(_ card: ABKContentCard!) {
        if let card = card as? ABKBannerContentCard { apply(card) }
    }

    /// Shows a card.
    open func apply(_ bannerCard: ABKBannerContentCard!) {
        if let bannerCard { super.apply(bannerCard.contentCard) }
    }
}

/// Shows a card with an image above title and text.
open class ABKCaptionedImageContentCardCell: CaptionedImageContentCardCell, ABKContentCardCell {
    /// The object whose card is shown.
    public var liveCard: ABKContentCard?

    /// Shows the object of a card.
    open override func apply(_ card: ContentCard) { applyLive(card) }

    /// Shows a card, if it is of the right class.
    open func apply(_ card: ABKContentCard!) {
        if let card = card as? ABKCaptionedImageContentCard { apply(card) }
    }

    /// Shows a card.
    open func apply(_ captionedImageCard: ABKCaptionedImageContentCard!) {
        if let captionedImageCard { super.apply(captionedImageCard.contentCard) }
    }
}

/// Shows a card with a title and text.
open class ABKClassicContentCardCell: ClassicContentCardCell, ABKContentCardCell {
    /// The object whose card is shown.
    public var liveCard: ABKContentCard?

    /// Shows the object of a card.
    open override func apply(_ card: ContentCard) { applyLive(card) }

    /// Shows a card, if it is of the right class.
    open func apply(_ card: ABKContentCard!) {
        if let card = card as? ABKClassicContentCard { apply(card) }
    }

    /// Shows a card.
    open func apply(_ classicCard: ABKClassicContentCard!) {
        if let classicCard { super.apply(classicCard.contentCard) }
    }
}

/// Shows a card with a title and text beside a small image.
open class ABKClassicImageContentCardCell: ClassicImageContentCardCell, ABKContentCardCell {
    /// The object whose card is shown.
    public var liveCard: ABKContentCard?

    /// Shows the object of a card.
    open override func apply(_ card: ContentCard) { applyLive(card) }

    /// Shows a card, if it is of the right class.
    open func apply(_ card: ABKContentCard!) {
        if let card = card as? ABKClassicContentCard { apply(card) }
    }

    /// Shows a card.
    open func apply(_ classicCard: ABKClassicContentCard!) {
        if let classicCard { super.apply(classicCard.contentCard) }
    }
}

/// Takes the place of a card of a control group.
open class ABKControlTableViewCell: ControlCardCell, ABKContentCardCell {
    /// The object whose place it takes.
    public var liveCard: ABKContentCard?

    /// Shows the object of a card.
    open override func apply(_ card: ContentCard) { applyLive(card) }

    /// Shows nothing.
    open func apply(_ card: ABKContentCard!) {
        if let card { super.apply(card.contentCard) }
    }
}
