#if !os(tvOS)
import ContentCards

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Names the cell that a card is shown in.
enum CardCellIdentifier: CaseIterable {
    case control, banner, captionedImage, classicImage, classic

    static var all: [Self] { allCases }

    /// A card of a kind that is not known takes no room, as a control card does.
    init(for card: ContentCard) {
        switch card.kind {
        case .control, .unknown: self = .control
        case .banner: self = .banner
        case .captionedImage: self = .captionedImage
        case .classic: self = card.imageURL == nil ? .classic : .classicImage
        }
    }

    /// These are the names that apps register their own classes for.
    var name: String {
        switch self {
        case .control: "ABKControlCardCell"
        case .banner: "ABKBannerContentCardCell"
        case .captionedImage: "ABKCaptionedImageContentCardCell"
        case .classicImage: "ABKClassicImageCardCell"
        case .classic: "ABKClassicCardCell"
        }
    }

    @MainActor var cellClass: ContentCardCell.Type {
        switch self {
        case .control: ControlCardCell.self
        case .banner: BannerContentCardCell.self
        case .captionedImage: CaptionedImageContentCardCell.self
        case .classicImage: ClassicImageContentCardCell.self
        case .classic: ClassicContentCardCell.self
        }
    }
}
#endif
