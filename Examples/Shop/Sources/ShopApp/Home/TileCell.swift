#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows one tile of the home page.
final class TileCell: CollectionCell {
    private let picture = PictureView(frame: .zero)
    private let titleLabel = UILabel(.shop(.subheadline, .semibold, size: 15), lines: 1)
    private let detailLabel = UILabel(.preferredFont(forTextStyle: .footnote), color: .secondaryLabel, lines: 1)
    private let priceLabel = UILabel(.shop(.subheadline, .semibold, size: 15), color: .brand, lines: 1)

    /// The height of the text below the picture, for the user's text size.
    static var textHeight: CGFloat { UIFontMetrics(forTextStyle: .subheadline).scaledValue(for: 60) + 30 }

    override func setUp() {
        contentView.backgroundColor = .secondarySystemGroupedBackground
        contentView.layer.cornerRadius = 16
        contentView.layer.cornerCurve = .continuous
        contentView.clipsToBounds = true
        let text = UIStackView.column([titleLabel, detailLabel, priceLabel], spacing: 2)
        text.setCustomSpacing(6, after: detailLabel)
        for view in [picture, text] as [UIView] {
            view.translatesAutoresizingMaskIntoConstraints = false
            contentView.addSubview(view)
        }
        NSLayoutConstraint.activate([
            picture.topAnchor.constraint(equalTo: contentView.topAnchor),
            picture.leadingAnchor.constraint(equalTo: contentView.leadingAnchor),
            picture.trailingAnchor.constraint(equalTo: contentView.trailingAnchor),
            picture.heightAnchor.constraint(equalTo: picture.widthAnchor, multiplier: 0.8),
            text.topAnchor.constraint(equalTo: picture.bottomAnchor, constant: 12),
            text.leadingAnchor.constraint(equalTo: contentView.leadingAnchor, constant: 14),
            text.trailingAnchor.constraint(equalTo: contentView.trailingAnchor, constant: -14),
        ])
        isAccessibilityElement = true
        accessibilityTraits = .button
    }

    func show(_ tile: Tile) {
        picture.show(tile.image)
        titleLabel.text = tile.title
        detailLabel.text = tile.detail
        priceLabel.text = tile.price?.formatted()
        accessibilityLabel = [tile.title, tile.detail, tile.price?.formatted()].compactMap { $0 }
            .filter { !$0.isEmpty }.joined(separator: ", ")
        accessibilityIdentifier = "tile-\(tile.id)"
    }
}

/// Shows what the shop is about, above the tiles.
final class GreetingCell: CollectionCell {
    private let titleLabel = UILabel(.shop(.largeTitle, .bold, size: 34))
    private let textLabel = UILabel(.preferredFont(forTextStyle: .subheadline), color: .secondaryLabel)

    /// Returns the height of the texts; large ones need more lines.
    static func height(hasLargeText: Bool) -> CGFloat {
        let title = UIFontMetrics(forTextStyle: .largeTitle).scaledValue(for: 42) * (hasLargeText ? 2 : 1)
        let text = UIFontMetrics(forTextStyle: .subheadline).scaledValue(for: 20) * (hasLargeText ? 3 : 1)
        return title + 4 + text + 4
    }

    override func setUp() {
        titleLabel.text = "For days outside"
        textLabel.text = "Things that last. Delivery is free over \(Money(50).formatted())."
        titleLabel.accessibilityTraits = .header
        let stack = UIStackView.column([titleLabel, textLabel], spacing: 4)
        stack.translatesAutoresizingMaskIntoConstraints = false
        contentView.addSubview(stack)
        NSLayoutConstraint.activate([
            stack.topAnchor.constraint(equalTo: contentView.topAnchor),
            stack.leadingAnchor.constraint(equalTo: contentView.leadingAnchor),
            stack.trailingAnchor.constraint(equalTo: contentView.trailingAnchor),
        ])
    }
}
