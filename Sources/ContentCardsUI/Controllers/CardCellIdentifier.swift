#if !os(tvOS)
import ContentCards

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

    /// The class of the cell, where an app registers none of its own.
    @preconcurrency @MainActor public var cellClass: ContentCardCell.Type {
        switch self {
        case .control: ControlCardCell.self
        case .banner: BannerContentCardCell.self
        case .captionedImage: CaptionedImageContentCardCell.self
        case .classicImage: ClassicImageContentCardCell.self
        case .classic: ClassicContentCardCell.self
        }
    }

    /// Makes a cell of that class, for a card without a table.
    @MainActor func makeCell() -> ContentCardCell {
        switch self {
        case .control: ControlCardCell(style: .default, reuseIdentifier: nil)
        case .banner: BannerContentCardCell(style: .default, reuseIdentifier: nil)
        case .captionedImage: CaptionedImageContentCardCell(style: .default, reuseIdentifier: nil)
        case .classicImage: ClassicImageContentCardCell(style: .default, reuseIdentifier: nil)
        case .classic: ClassicContentCardCell(style: .default, reuseIdentifier: nil)
        }
    }
}
#endif
