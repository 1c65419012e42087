import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows an image of a card: while it loads, when it is there, and when it could not be had.
open class CardImageView: UIView {
    /// Says how far the image has come.
    public enum State: Equatable, Sendable {
        /// There is nothing to show.
        case empty
        /// It is on its way.
        case loading
        /// It is shown.
        case shown
        /// It could not be had.
        case failed
    }

    /// Shows the image.
    public let imageView = UIImageView()
    /// Turns while the image loads.
    public let indicator = UIActivityIndicatorView(style: .medium)
    /// Tries again after a failure.
    public let retryButton = UIButton(type: .system)
    /// How far the image has come.
    public private(set) var state = State.empty
    /// Is told of the size of the image that is now shown.
    var onImage: ((CGSize) -> Void)?
    /// Is told that the state has changed.
    var onState: ((State) -> Void)?
    var loader = CardImageLoader.shared
    private var url: URL?
    private var load: Task<Void, Never>?

    /// Creates an empty view.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }

    /// Creates an empty view.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUp()
    }

    private func setUp() {
        clipsToBounds = true
        imageView.contentMode = .scaleAspectFit
        indicator.hidesWhenStopped = true
        retryButton.isHidden = true
        retryButton.setTitle("\u{21BB}", for: .normal)
        retryButton.accessibilityLabel = ContentCardsText.retry.text()
        retryButton.titleLabel?.font = .systemFont(ofSize: 28)
        retryButton.addAction(UIAction { [weak self] _ in self?.retry() }, for: .touchUpInside)
        for view in [imageView, indicator, retryButton] as [UIView] {
            view.translatesAutoresizingMaskIntoConstraints = false
            addSubview(view)
        }
        NSLayoutConstraint.activate([
            imageView.topAnchor.constraint(equalTo: topAnchor),
            imageView.leadingAnchor.constraint(equalTo: leadingAnchor),
            imageView.trailingAnchor.constraint(equalTo: trailingAnchor),
            imageView.bottomAnchor.constraint(equalTo: bottomAnchor),
            indicator.centerXAnchor.constraint(equalTo: centerXAnchor),
            indicator.centerYAnchor.constraint(equalTo: centerYAnchor),
            retryButton.centerXAnchor.constraint(equalTo: centerXAnchor),
            retryButton.centerYAnchor.constraint(equalTo: centerYAnchor),
        ])
    }

    /// Shows the image at an address; what was asked for before no longer matters.
    func show(_ url: URL?) {
        if url == self.url, state == .shown || state == .loading { return }
        clear()
        self.url = url
        guard let url else { return }
        if let image = loader.cachedImage(for: url) { return finish(image) }
        change(to: .loading)
        load = Task { [weak self, loader] in
            let image = await loader.image(for: url)
            guard !Task.isCancelled, let self, self.url == url else { return }
            finish(image)
        }
    }

    /// Tries again to show an image that could not be had.
    public func retry() {
        guard state == .failed else { return }
        let url = url
        clear()
        show(url)
    }

    /// Forgets the image, so that a reused cell never shows that of another card.
    func clear() {
        load?.cancel()
        load = nil
        url = nil
        imageView.image = nil
        change(to: .empty)
    }

    private func finish(_ image: UIImage?) {
        imageView.image = image
        change(to: image == nil ? .failed : .shown)
        if let image { onImage?(image.size) }
    }

    private func change(to state: State) {
        guard state != self.state else { return }
        self.state = state
        if state == .loading { indicator.startAnimating() } else { indicator.stopAnimating() }
        retryButton.isHidden = state != .failed
        onState?(state)
    }
}
