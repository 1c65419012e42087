import ContentCardsUI
import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// The look that a card asks for in its key-value pairs.
///
/// What it leaves out, or spells wrong, is as the feed says: a cell that is used again keeps nothing of the card
/// before.
struct CardStyle: Equatable {
    let background: UIColor?
    let border: UIColor?
    let label: UIColor?
    let link: UIColor?
    let unread: UIColor?
    let borderWidth: CGFloat?
    let cornerRadius: CGFloat?
    /// The name of a font; one that isn't there leaves the feed's.
    let fontName: String?

    init(_ extras: [String: String]) {
        func color(_ key: ContentCardKey) -> UIColor? { extras[key.rawValue].flatMap(UIColor.init(hex:)) }
        func length(_ key: ContentCardKey, upTo limit: Double) -> CGFloat? {
            guard let length = extras[key.rawValue].flatMap(Double.init), length.isFinite else { return nil }
            return CGFloat(min(max(length, 0), limit))
        }
        background = color(.backgroundColor)
        border = color(.borderColor)
        label = color(.labelColor)
        link = color(.linkColor)
        unread = color(.unreadColor)
        borderWidth = length(.borderWidth, upTo: 10)
        cornerRadius = length(.cornerRadius, upTo: 50)
        let name = extras[ContentCardKey.fontStyle.rawValue]?.trimmingCharacters(in: .whitespaces) ?? ""
        fontName = name.isEmpty ? nil : name
    }

    /// Changes the look of the feed into that of the card.
    func applied(to attributes: CardAttributes) -> CardAttributes {
        var attributes = attributes
        attributes.backgroundColor = background ?? attributes.backgroundColor
        attributes.borderColor = border ?? attributes.borderColor
        attributes.titleColor = label ?? attributes.titleColor
        attributes.descriptionColor = label ?? attributes.descriptionColor
        attributes.linkColor = link ?? attributes.linkColor
        attributes.unreadColor = unread ?? attributes.unreadColor
        attributes.borderWidth = borderWidth ?? attributes.borderWidth
        attributes.cornerRadius = cornerRadius ?? attributes.cornerRadius
        guard let fontName else { return attributes }
        attributes.titleFont.name = fontName
        attributes.descriptionFont.name = fontName
        attributes.linkFont.name = fontName
        return attributes
    }
}

extension UIColor {
    /// Reads `#RRGGBB`; `nil` for anything else.
    convenience init?(hex: String) {
        guard hex.count == 7, hex.first == "#", hex.dropFirst().allSatisfy(\.isHexDigit),
            let value = UInt32(hex.dropFirst(), radix: 16)
        else { return nil }
        let parts = [16, 8, 0].map { CGFloat(value >> $0 & 0xFF) / 255 }
        self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: 1)
    }
}

/// Shows an image in the look that the card asks for.
final class ShopBannerCell: BannerContentCardCell {
    override func apply(_ card: ContentCard) {
        attributes = CardStyle(card.extras).applied(to: attributes)
        super.apply(card)
    }
}

/// Shows an image above a text in the look that the card asks for.
final class ShopCaptionedCell: CaptionedImageContentCardCell {
    override func apply(_ card: ContentCard) {
        attributes = CardStyle(card.extras).applied(to: attributes)
        super.apply(card)
    }
}

/// Shows an image beside a text in the look that the card asks for.
final class ShopImageCell: ClassicImageContentCardCell {
    override func apply(_ card: ContentCard) {
        attributes = CardStyle(card.extras).applied(to: attributes)
        super.apply(card)
    }
}

/// Shows a text in the look that the card asks for.
final class ShopTextCell: ClassicContentCardCell {
    override func apply(_ card: ContentCard) {
        attributes = CardStyle(card.extras).applied(to: attributes)
        super.apply(card)
    }
}
