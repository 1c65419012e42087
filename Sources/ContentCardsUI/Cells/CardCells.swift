#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Names the cell that a card is shown in.
///
/// The raw value is the reuse identifier that a feed registers the class of the cell for.
public enum CardCellIdentifier: String, CaseIterable, Sendable {
    /// The slot of a card that is not shown.
    case control = "control-card"
    /// An image alone.
    case banner = "banner-card"
    /// An image above title and text.
    case captionedImage = "captioned-image-card"
    /// Title and text beside a small image.
    case classicImage = "classic-image-card"
    /// Title and text.
    case classic = "classic-card"

    /// Names the cell of a card.
    ///
    /// A card of a kind that is not known takes no room, as a control card does.
    public init(for card: ContentCard) {
        switch card.kind {
        case .control, .unknown: self = .control
        case .banner: self = .banner
        case .captionedImage: self = .captionedImage
        case .classic: self = card.imageURL == nil ? .classic : .classicImage
        }
    }

    /// The cell, as everything that shows cards has to know it.
    @MainActor var descriptor: CardCellDescriptor {
        switch self {
        case .control: CardCellDescriptor { ControlCardCell(style: .default, reuseIdentifier: nil) }
        case .banner: CardCellDescriptor { BannerContentCardCell(style: .default, reuseIdentifier: nil) }
        case .captionedImage:
            CardCellDescriptor { CaptionedImageContentCardCell(style: .default, reuseIdentifier: nil) }
        case .classicImage:
            CardCellDescriptor(imageSide: CardText.imageSide) {
                ClassicImageContentCardCell(style: .default, reuseIdentifier: nil)
            }
        case .classic: CardCellDescriptor { ClassicContentCardCell(style: .default, reuseIdentifier: nil) }
        }
    }

    /// The class of the cell, where an app registers none of its own.
    @preconcurrency @MainActor public var cellClass: ContentCardCell.Type { descriptor.cellClass }
}

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
        [card.spokenAlt ?? card.title]
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

/// Shows a card with a title and text.
open class ClassicContentCardCell: TextCardCell {}

/// Shows a card with a title and text beside a small image.
open class ClassicImageContentCardCell: ClassicContentCardCell {
    /// The image.
    public let classicImageView = CardImageView(frame: .zero)

    override func layOutText() {
        cardText.layOut(in: clippingView, beside: classicImageView)
    }

    /// Shows the card, and begins to load its image.
    open override func apply(_ card: ContentCard) {
        super.apply(card)
        classicImageView.show(card.imageURL, from: imageLoader)
    }

    /// Forgets the image.
    open override func prepareForReuse() {
        super.prepareForReuse()
        classicImageView.clear()
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
