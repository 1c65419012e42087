import BrowserUIKit
import ContentCardsABK
import Foundation

// The documented calls take their card implicitly unwrapped.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

/// Looks the same for all cards: the static way.
final class LavenderClassicCell: ABKClassicContentCardCell {
    override func setUp() {
        super.setUp()
        padding = 18
        cardSidePadding = 16
    }

    override func setUpUI() {
        super.setUpUI()
        rootView.backgroundColor = UIColor { traits in
            traits.userInterfaceStyle == .dark
                ? UIColor(red: 0.2, green: 0.17, blue: 0.3, alpha: 1)
                : UIColor(red: 0.95, green: 0.92, blue: 1, alpha: 1)
        }
        rootView.layer.borderColor = UIColor.systemPurple.cgColor
        rootView.layer.borderWidth = 1
        rootView.layer.cornerRadius = 14
        clippingView.layer.cornerRadius = 14
        unviewedLineViewColor = .systemPurple
        titleLabel.font = .italicSystemFont(ofSize: 20)
    }
}

/// Looks as the key-value pairs of its card say: the dynamic way.
///
/// Each value has a default, since a cell shows one card after the other.
final class ThemedCaptionedCell: ABKCaptionedImageContentCardCell {
    override func setUp() {
        super.setUp()
        cardSidePadding = 16
    }

    override func apply(_ captionedImageCard: ABKCaptionedImageContentCard!) {
        super.apply(captionedImageCard)
        let extras = captionedImageCard.extras
        func color(_ key: String) -> UIColor? { (extras?[key] as? String)?.colorValue }
        func length(_ key: String) -> CGFloat? { (extras?[key] as? String).flatMap(Double.init).map { CGFloat($0) } }
        let radius = length("corner_radius") ?? 3
        rootView.backgroundColor = color("background_color") ?? .systemBackground
        rootView.layer.borderColor = (color("border_color") ?? .black).cgColor
        rootView.layer.borderWidth = length("border_width") ?? 0
        rootView.layer.cornerRadius = radius
        clippingView.layer.cornerRadius = radius
        titleLabel.textColor = color("label_color") ?? .label
        descriptionLabel.textColor = color("label_color") ?? .label
        linkLabel.textColor = color("link_color") ?? .link
        unviewedLineViewColor = color("unread_color")
    }
}

/// Lays a banner out again: the text of its extras lies over the image.
final class OverlayBannerCell: ABKBannerContentCardCell {
    private let caption = UILabel()

    override func setUpUI() {
        super.setUpUI()
        caption.font = .systemFont(ofSize: 22, weight: .bold)
        caption.textColor = .white
        caption.numberOfLines = 2
        caption.translatesAutoresizingMaskIntoConstraints = false
        clippingView.addSubview(caption)
        NSLayoutConstraint.activate([
            caption.leadingAnchor.constraint(equalTo: clippingView.leadingAnchor, constant: 16),
            caption.trailingAnchor.constraint(equalTo: clippingView.trailingAnchor, constant: -16),
            caption.bottomAnchor.constraint(equalTo: clippingView.bottomAnchor, constant: -16),
        ])
    }

    override func apply(_ card: ABKContentCard!) {
        super.apply(card)
        caption.text = card.extras?["caption"] as? String
        accessibilityLabel = caption.text ?? accessibilityLabel
    }
}

/// A cell built on nothing but the box of a card: the image stands at the end, and a round badge says that it is
/// unread.
final class ReversedClassicImageCell: ABKBaseContentCardCell {
    private let titleLabel = UILabel()
    private let picture = UIImageView()
    private let badge = UIView()

    override func setUpUI() {
        super.setUpUI()
        hideUnreadIndicator = true
        titleLabel.font = .preferredFont(forTextStyle: .headline)
        titleLabel.adjustsFontForContentSizeCategory = true
        titleLabel.numberOfLines = 0
        picture.backgroundColor = .tertiarySystemFill
        picture.layer.cornerRadius = 28
        picture.clipsToBounds = true
        badge.backgroundColor = .systemRed
        badge.layer.cornerRadius = 5
        rootViewLeadingConstraint.constant = 16
        rootViewTrailingConstraint.constant = 16
        let row = UIStackView(arrangedSubviews: [badge, titleLabel, picture])
        row.alignment = .center
        row.spacing = 12
        row.translatesAutoresizingMaskIntoConstraints = false
        clippingView.addSubview(row)
        badge.setContentHuggingPriority(.required, for: .horizontal)
        NSLayoutConstraint.activate([
            badge.widthAnchor.constraint(equalToConstant: 10),
            badge.heightAnchor.constraint(equalToConstant: 10),
            picture.widthAnchor.constraint(equalToConstant: 56),
            picture.heightAnchor.constraint(equalToConstant: 56),
            row.topAnchor.constraint(equalTo: clippingView.topAnchor, constant: 12),
            row.leadingAnchor.constraint(equalTo: clippingView.leadingAnchor, constant: 16),
            clippingView.trailingAnchor.constraint(equalTo: row.trailingAnchor, constant: 16),
            clippingView.bottomAnchor.constraint(equalTo: row.bottomAnchor, constant: 12),
        ])
    }

    override func apply(_ card: ABKContentCard!) {
        super.apply(card)
        hideUnreadIndicator = true
        guard let classic = card as? ABKClassicContentCard else { return }
        titleLabel.text = classic.title
        badge.isHidden = classic.viewed
        picture.image = classic.image.flatMap(URL.init(string:)).flatMap(DrawnImages.image)
    }
}

extension String {
    /// The colour that a text such as `#FF8800` names.
    fileprivate var colorValue: UIColor? {
        guard count == 7, hasPrefix("#"), let value = Int(dropFirst(), radix: 16) else { return nil }
        let parts = [value >> 16, value >> 8 & 255, value & 255].map { CGFloat($0) / 255 }
        return UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: 1)
    }
}
