#if !os(tvOS)
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Holds the images that the feed brings.
enum CardArtwork {
    @MainActor static let pin: UIImage? = {
        guard let url = ResourceBundle.shared?.url(forResource: "card-pin", withExtension: "png"),
            let data = try? Data(contentsOf: url)
        else { return nil }
        return UIImage(data: data, scale: 3)?.withRenderingMode(.alwaysTemplate)
            .imageFlippedForRightToLeftLayoutDirection()
    }()
}
#endif
