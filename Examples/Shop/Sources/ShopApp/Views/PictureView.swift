import ContentCardsUI
import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows a picture that the app brings, by its name, or one at an address.
final class PictureView: UIImageView {
    private var name = ""
    private var load: Task<Void, Never>?

    /// Shows another picture; what was asked for before no longer matters.
    func show(_ name: String) {
        guard name != self.name else { return }
        self.name = name
        load?.cancel()
        contentMode = .scaleAspectFill
        clipsToBounds = true
        backgroundColor = .tertiarySystemFill
        image = Assets.picture(name)
        guard image == nil, let url = URL(string: name), url.scheme != nil else { return }
        load = Task { [weak self] in
            let image = await CardImageLoader.shared.image(for: url)
            guard !Task.isCancelled, let self, self.name == name else { return }
            self.image = image
        }
    }
}
