#if !os(tvOS)
import ContentCardsUI

extension CardCellIdentifier {
    /// The documented reuse identifier, which apps register classes of their own for.
    var documentedName: String {
        switch self {
        case .control: "ABKControlCardCell"
        case .banner: "ABKBannerContentCardCell"
        case .captionedImage: "ABKCaptionedImageContentCardCell"
        case .classicImage: "ABKClassicImageCardCell"
        case .classic: "ABKClassicCardCell"
        }
    }

    /// The class of the cell, where an app registers none of its own.
    @MainActor var documentedClass: ABKBaseContentCardCell.Type {
        switch self {
        case .control: ABKControlTableViewCell.self
        case .banner: ABKBannerContentCardCell.self
        case .captionedImage: ABKCaptionedImageContentCardCell.self
        case .classicImage: ABKClassicImageContentCardCell.self
        case .classic: ABKClassicContentCardCell.self
        }
    }
}
#endif
