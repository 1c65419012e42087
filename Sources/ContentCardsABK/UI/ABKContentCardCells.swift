// Each cell can be overridden where it takes any card, or where it takes the card that it is for; the documented calls
// take their card implicitly unwrapped.
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

extension CardCellIdentifier {
    /// The documented cell in the place of this one.
    @MainActor var documented: DocumentedCell {
        switch self {
        case .control: DocumentedCell("ABKControlCardCell", ABKControlTableViewCell.self)
        case .banner: DocumentedCell("ABKBannerContentCardCell", ABKBannerContentCardCell.self)
        case .captionedImage: DocumentedCell("ABKCaptionedImageContentCardCell", ABKCaptionedImageContentCardCell.self)
        case .classicImage: DocumentedCell("ABKClassicImageCardCell", ABKClassicImageContentCardCell.self)
        case .classic: DocumentedCell("ABKClassicCardCell", ABKClassicContentCardCell.self)
        }
    }
}

/// A documented cell: its reuse identifier, which apps register classes of their own for, and its class, where an app
/// registers none.
struct DocumentedCell {
    let reuseIdentifier: String
    let cellClass: ABKBaseContentCardCell.Type

    init(_ reuseIdentifier: String, _ cellClass: ABKBaseContentCardCell.Type) {
        self.reuseIdentifier = reuseIdentifier
        self.cellClass = cellClass
    }
}

/// Shows a card that is an image alone.
#if canImport(ObjectiveC)
@objc(ABKBannerContentCardCell)
#endif
open class ABKBannerContentCardCell: ABKBaseContentCardCell {
    private lazy var sizedImage = SizedCardImage(makeImageView())
    /// The image.
    ///
    /// An app may put another in its place, as an outlet, and lay it out itself.
    open var bannerImageView: UIImageView! {
        get { sizedImage.slot.view }
        set { if let newValue { sizedImage.slot.view = newValue } }
    }
    /// Keeps the height of the image.
    open var imageRatioConstraint: NSLayoutConstraint! {
        get { sizedImage.constraint }
        set { sizedImage.constraint = newValue }
    }

    /// Lays out the image, under pin and bar.
    open override func setUpUI() {
        super.setUpUI()
        sizedImage.fill(self)
        sizedImage.onImage = { [weak self] size in
            // safe: sizes have a fraction; a ratio that is no number counts as none
            (self?.card as? ABKBannerContentCard)?.imageAspectRatio = Float(size.width / size.height)
        }
    }

    /// Returns what the image shows, or the title where nobody has said that.
    open override func spokenTexts(of card: ContentCard) -> [String] { [card.spokenAlt ?? card.title] }

    /// Shows a card, if it is of the right class.
    @nonobjc
    open override func apply(_ card: ABKContentCard) {
        if let card = card as? ABKBannerContentCard { apply(Optional(card)) }
    }

    /// Shows a card.
    @nonobjc
    open func apply(_ bannerCard: ABKBannerContentCard!) {
        if let bannerCard { apply(bannerCard as ABKBannerContentCard) }
    }

    /// Shows the card; apps override this form or the one above.
    @nonobjc
    open func apply(_ bannerCard: ABKBannerContentCard) {
        super.apply(bannerCard as ABKContentCard)
        prepare(sizedImage.view, for: bannerCard.contentCard.imageURL)
        sizedImage.show(bannerCard.contentCard, from: imageLoader)
    }

    /// Forgets the image.
    open override func prepareForReuse() {
        super.prepareForReuse()
        sizedImage.view.clear()
    }
}

/// Shows a card with an image above title and text.
#if canImport(ObjectiveC)
@objc(ABKCaptionedImageContentCardCell)
#endif
open class ABKCaptionedImageContentCardCell: ABKTextContentCardCell {
    private lazy var sizedImage = SizedCardImage(makeImageView())
    private static var ownColors = LabelColors()
    /// The image.
    ///
    /// An app may put another in its place, as an outlet, and lay it out itself.
    open var captionedImageView: UIImageView! {
        get { sizedImage.slot.view }
        set { if let newValue { sizedImage.slot.view = newValue } }
    }
    /// Keeps the height of the image.
    open var imageRatioConstraint: NSLayoutConstraint! {
        get { sizedImage.constraint }
        set { sizedImage.constraint = newValue }
    }

    override class var colors: LabelColors {
        get { ownColors }
        set { ownColors = newValue }
    }

    override func layOutText() {
        sizedImage.add(to: self)
        cardText.layOut(in: clippingView, under: captionedImageView)
        sizedImage.onImage = { [weak self] size in
            // safe: sizes have a fraction; a ratio that is no number counts as none
            (self?.card as? ABKCaptionedImageContentCard)?.imageAspectRatio = Float(size.width / size.height)
        }
    }

    /// Shows a card, if it is of the right class.
    @nonobjc
    open override func apply(_ card: ABKContentCard) {
        if let card = card as? ABKCaptionedImageContentCard { apply(Optional(card)) }
    }

    /// Shows a card.
    @nonobjc
    open func apply(_ captionedImageCard: ABKCaptionedImageContentCard!) {
        if let captionedImageCard { apply(captionedImageCard as ABKCaptionedImageContentCard) }
    }

    /// Shows the card; apps override this form or the one above.
    @nonobjc
    open func apply(_ captionedImageCard: ABKCaptionedImageContentCard) {
        super.apply(captionedImageCard as ABKContentCard)
        prepare(sizedImage.view, for: captionedImageCard.contentCard.imageURL)
        sizedImage.show(captionedImageCard.contentCard, from: imageLoader)
    }

    /// Forgets the image.
    open override func prepareForReuse() {
        super.prepareForReuse()
        sizedImage.view.clear()
    }
}

/// Shows a card with a title and text.
#if canImport(ObjectiveC)
@objc(ABKClassicContentCardCell)
#endif
open class ABKClassicContentCardCell: ABKTextContentCardCell {
    private static var ownColors = LabelColors()

    override class var colors: LabelColors {
        get { ownColors }
        set { ownColors = newValue }
    }

    /// Shows a card, if it is of the right class.
    @nonobjc
    open override func apply(_ card: ABKContentCard) {
        if let card = card as? ABKClassicContentCard { apply(Optional(card)) }
    }

    /// Shows a card.
    @nonobjc
    open func apply(_ classicCard: ABKClassicContentCard!) {
        if let classicCard { apply(classicCard as ABKClassicContentCard) }
    }

    /// Shows the card; apps override this form or the one above.
    @nonobjc
    open func apply(_ classicCard: ABKClassicContentCard) {
        super.apply(classicCard as ABKContentCard)
    }
}

/// Shows a card with a title and text beside a small image.
#if canImport(ObjectiveC)
@objc(ABKClassicImageContentCardCell)
#endif
open class ABKClassicImageContentCardCell: ABKClassicContentCardCell {
    /// The image.
    ///
    /// An app may put another in its place, as an outlet, and lay it out itself.
    open var classicImageView: UIImageView! {
        get { slot.view }
        set { if let newValue { slot.view = newValue } }
    }
    private lazy var slot = CardImageSlot(makeImageView())

    override func layOutText() {
        cardText.layOut(in: clippingView, beside: classicImageView)
    }

    /// Shows a card.
    @nonobjc
    open override func apply(_ classicCard: ABKClassicContentCard) {
        super.apply(classicCard)
        prepare(slot.loading, for: classicCard.contentCard.imageURL)
        slot.loading.show(classicCard.contentCard.imageURL, from: imageLoader)
    }

    /// Forgets the image.
    open override func prepareForReuse() {
        super.prepareForReuse()
        slot.loading.clear()
    }
}

/// Takes the place of a card of a control group.
#if canImport(ObjectiveC)
@objc(ABKControlTableViewCell)
#endif
open class ABKControlTableViewCell: ABKBaseContentCardCell {
    /// Lays out nothing.
    open override func setUpUI() {
        isAccessibilityElement = false
    }
}
#endif
