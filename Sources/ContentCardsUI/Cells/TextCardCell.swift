import ContentCards
import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Is what cells with text have in common: title, description and link, one below the other.
open class TextCardCell: ContentCardCell {
    /// The title.
    public let titleLabel = UILabel()
    /// The text.
    public let descriptionLabel = UILabel()
    /// The text of the link; hidden where the card has none.
    public let linkLabel = UILabel()
    /// Holds the labels.
    public let textStack = UIStackView()
    /// The room around the text, in points.
    ///
    /// The default is 25. It can be set at any time.
    open var padding: CGFloat = 25 { didSet { applyPadding() } }
    /// Constraints whose constant is the padding.
    var paddingConstraints: [NSLayoutConstraint] = []

    /// The room above the text.
    static let topPadding: CGFloat = 17

    /// Lays out the labels.
    open override func setUpUI() {
        for label in [titleLabel, descriptionLabel, linkLabel] {
            label.numberOfLines = 0
            label.adjustsFontForContentSizeCategory = true
            textStack.addArrangedSubview(label)
        }
        titleLabel.lineBreakMode = .byWordWrapping
        descriptionLabel.lineBreakMode = .byWordWrapping
        linkLabel.lineBreakMode = .byCharWrapping
        textStack.axis = .vertical
        textStack.setCustomSpacing(6, after: titleLabel)
        textStack.setCustomSpacing(8, after: descriptionLabel)
        textStack.translatesAutoresizingMaskIntoConstraints = false
        super.setUpUI()
        clippingView.addSubview(textStack)
        constrainText()
        raiseMarks()
    }

    /// Places the labels in the card.
    func constrainText() {
        let leading = textStack.leadingAnchor.constraint(equalTo: clippingView.leadingAnchor)
        NSLayoutConstraint.activate([
            textStack.topAnchor.constraint(equalTo: clippingView.topAnchor, constant: Self.topPadding), leading,
        ])
        paddingConstraints.append(leading)
        constrainEnds()
    }

    func constrainEnds() {
        let trailing = clippingView.trailingAnchor.constraint(equalTo: textStack.trailingAnchor)
        let bottom = clippingView.bottomAnchor.constraint(equalTo: textStack.bottomAnchor)
        NSLayoutConstraint.activate([trailing, bottom])
        paddingConstraints += [trailing, bottom]
        applyPadding()
    }

    private func applyPadding() {
        for constraint in paddingConstraints { constraint.constant = padding }
    }

    /// Applies fonts and colours too.
    open override func applyAttributes(changedFrom old: CardAttributes?) {
        super.applyAttributes(changedFrom: old)
        let change = CardAttributeChange(from: old, to: attributes)
        change.ofLength(\.padding) { padding = $0 }
        change.of(\.titleFont) { titleLabel.font = $0.font }
        change.of(\.descriptionFont) { descriptionLabel.font = $0.font }
        change.of(\.linkFont) { linkLabel.font = $0.font }
        change.of(\.titleColor) { titleLabel.textColor = $0 }
        change.of(\.descriptionColor) { descriptionLabel.textColor = $0 }
        change.of(\.linkColor) { linkLabel.textColor = $0 }
    }

    /// Shows the texts of a card.
    open override func apply(_ card: ContentCard) {
        super.apply(card)
        set(card.title, on: titleLabel)
        set(card.description, on: descriptionLabel)
        set(card.domain ?? "", on: linkLabel)
    }

    /// Sets a text with the line spacing of cards; a label without text takes no room.
    private func set(_ text: String, on label: UILabel) {
        label.isHidden = text.isEmpty
        let style = NSMutableParagraphStyle()
        style.lineSpacing = 1.2
        style.lineBreakMode = label.lineBreakMode
        label.attributedText = NSAttributedString(string: text, attributes: [.paragraphStyle: style])
    }
}

/// Shows a card with a title and text.
open class ClassicContentCardCell: TextCardCell {}

/// Shows a card with a title and text beside a small image.
open class ClassicImageContentCardCell: ClassicContentCardCell {
    /// The image.
    public let classicImageView = CardImageView()
    /// The width and height of the image, in points.
    static let imageSide: CGFloat = 57.5
    /// The room between image and text.
    static let textSpacing: CGFloat = 12

    override func constrainText() {
        clippingView.addSubview(classicImageView)
        classicImageView.translatesAutoresizingMaskIntoConstraints = false
        let leading = classicImageView.leadingAnchor.constraint(equalTo: clippingView.leadingAnchor)
        let bottom = clippingView.bottomAnchor.constraint(greaterThanOrEqualTo: classicImageView.bottomAnchor)
        let spacing = Self.textSpacing
        NSLayoutConstraint.activate([
            leading, bottom,
            classicImageView.topAnchor.constraint(equalTo: clippingView.topAnchor, constant: Self.topPadding),
            classicImageView.widthAnchor.constraint(equalToConstant: Self.imageSide),
            classicImageView.heightAnchor.constraint(equalToConstant: Self.imageSide),
            textStack.topAnchor.constraint(equalTo: clippingView.topAnchor, constant: Self.topPadding),
            textStack.leadingAnchor.constraint(equalTo: classicImageView.trailingAnchor, constant: spacing),
        ])
        paddingConstraints += [leading, bottom]
        constrainEnds()
    }

    /// Shows the card, and begins to load its image.
    open override func apply(_ card: ContentCard) {
        super.apply(card)
        classicImageView.loader = imageLoader
        classicImageView.show(card.imageURL)
    }

    /// Forgets the image.
    open override func prepareForReuse() {
        super.prepareForReuse()
        classicImageView.clear()
    }
}
