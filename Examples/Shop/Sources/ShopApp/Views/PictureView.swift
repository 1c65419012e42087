import ContentCardsUI
import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows a picture that the app brings, by its name, or one at an address.
final class PictureView: UIImageView {
    private var name: String?
    private var load: Task<Void, Never>?

    /// Shows another picture, or a symbol where there is none; what was asked for before no longer matters.
    func show(_ name: String) {
        guard name != self.name else { return }
        self.name = name
        load?.cancel()
        contentMode = .scaleAspectFill
        clipsToBounds = true
        backgroundColor = .tertiarySystemFill
        image = Assets.picture(name)
        guard image == nil else { return }
        guard let url = URL(string: name), url.scheme != nil else { return showSymbol() }
        load = Task { [weak self] in
            let image = await CardImageLoader.shared.image(for: url)
            guard !Task.isCancelled, let self, self.name == name else { return }
            if let image { self.image = image } else { showSymbol() }
        }
    }

    private func showSymbol() {
        contentMode = .center
        tintColor = .tertiaryLabel
        image = Assets.icon("tag")
    }
}
