import ContentCards
import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Keeps the height of an image in step with its ratio: that of the card before it is loaded, its own afterwards.
@MainActor
final class RatioKeeper {
    private let view: CardImageView
    private var constraint: NSLayoutConstraint?
    private(set) var ratio = ImageRatio(1)

    init(_ view: CardImageView) {
        self.view = view
        set(ImageRatio(1))
    }

    /// Returns whether the height has changed.
    @discardableResult
    func set(_ new: ImageRatio) -> Bool {
        guard constraint == nil || new.differs(from: ratio) else { return false }
        ratio = new
        constraint?.isActive = false
        let height = view.heightAnchor.constraint(equalTo: view.widthAnchor, multiplier: 1 / new.value)
        height.priority = .defaultHigh
        height.isActive = true
        constraint = height
        return true
    }
}

/// Shows a card that is an image alone.
open class BannerContentCardCell: ContentCardCell {
    /// The image.
    public let bannerImageView = CardImageView()
    private lazy var ratio = RatioKeeper(bannerImageView)

    /// Lays out the image, under pin and bar.
    open override func setUpUI() {
        super.setUpUI()
        bannerImageView.translatesAutoresizingMaskIntoConstraints = false
        clippingView.addSubview(bannerImageView)
        NSLayoutConstraint.activate(Self.pin(bannerImageView, to: clippingView))
        ratio.set(ImageRatio(1))
        raiseMarks()
        bannerImageView.onImage = { [weak self] size in
            guard let self, ratio.set(ImageRatio(size)) else { return }
            onSizeChange?(self)
        }
    }

    /// A banner shows its image alone; its title is read where nobody has said what the image shows.
    override func spokenTexts(of card: ContentCard) -> [String?] {
        [card.imageAlt ?? card.title]
    }

    /// Shows the card, and begins to load its image.
    open override func apply(_ card: ContentCard) {
        super.apply(card)
        ratio.set(ImageRatio(card.imageAspectRatio))
        bannerImageView.loader = imageLoader
        bannerImageView.show(card.imageURL)
    }

    /// Forgets the image.
    open override func prepareForReuse() {
        super.prepareForReuse()
        bannerImageView.clear()
    }
}

/// Shows a card with an image above title and text.
open class CaptionedImageContentCardCell: TextCardCell {
    /// The image.
    public let captionedImageView = CardImageView()
    private lazy var ratio = RatioKeeper(captionedImageView)

    override func constrainText() {
        clippingView.addSubview(captionedImageView)
        captionedImageView.translatesAutoresizingMaskIntoConstraints = false
        let leading = textStack.leadingAnchor.constraint(equalTo: clippingView.leadingAnchor)
        NSLayoutConstraint.activate([
            captionedImageView.topAnchor.constraint(equalTo: clippingView.topAnchor),
            captionedImageView.leadingAnchor.constraint(equalTo: clippingView.leadingAnchor),
            captionedImageView.trailingAnchor.constraint(equalTo: clippingView.trailingAnchor),
            textStack.topAnchor.constraint(equalTo: captionedImageView.bottomAnchor, constant: Self.topPadding),
            leading,
        ])
        paddingConstraints.append(leading)
        constrainEnds()
        ratio.set(ImageRatio(1))
        captionedImageView.onImage = { [weak self] size in
            guard let self, ratio.set(ImageRatio(size)) else { return }
            onSizeChange?(self)
        }
    }

    /// Shows the card, and begins to load its image.
    open override func apply(_ card: ContentCard) {
        super.apply(card)
        ratio.set(ImageRatio(card.imageAspectRatio))
        captionedImageView.loader = imageLoader
        captionedImageView.show(card.imageURL)
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
