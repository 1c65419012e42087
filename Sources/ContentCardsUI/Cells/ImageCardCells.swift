#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows a card that is an image alone.
open class BannerContentCardCell: ContentCardCell {
    private let sizedImage = SizedCardImage()
    /// The image.
    public var bannerImageView: CardImageView { sizedImage.view }
    /// Keeps the height of the image.
    public var imageRatioConstraint: NSLayoutConstraint? { sizedImage.constraint }

    /// Lays out the image, under pin and bar.
    open override func setUpUI() {
        super.setUpUI()
        sizedImage.fill(self)
    }

    /// A banner shows its image alone; its title is read where nobody has said what the image shows.
    open override func spokenTexts(of card: ContentCard) -> [String] {
        [card.imageAlt ?? card.title]
    }

    /// Shows the card, and begins to load its image.
    open override func apply(_ card: ContentCard) {
        super.apply(card)
        sizedImage.show(card, from: imageLoader)
    }

    /// Forgets the image.
    open override func prepareForReuse() {
        super.prepareForReuse()
        bannerImageView.clear()
    }
}

/// Shows a card with an image above title and text.
open class CaptionedImageContentCardCell: TextCardCell {
    private let sizedImage = SizedCardImage()
    /// The image.
    public var captionedImageView: CardImageView { sizedImage.view }
    /// Keeps the height of the image.
    public var imageRatioConstraint: NSLayoutConstraint? { sizedImage.constraint }

    override func layOutText() {
        sizedImage.add(to: self)
        cardText.layOut(in: clippingView, under: captionedImageView)
    }

    /// Shows the card, and begins to load its image.
    open override func apply(_ card: ContentCard) {
        super.apply(card)
        sizedImage.show(card, from: imageLoader)
    }

    /// Forgets the image.
    open override func prepareForReuse() {
        super.prepareForReuse()
        captionedImageView.clear()
    }
}

/// Takes the place of a card of a control group: nothing is shown or read aloud.
open class ControlCardCell: ContentCardCell {
    /// Lays out nothing.
    open override func setUpUI() {
        isAccessibilityElement = false
    }
}
#endif
