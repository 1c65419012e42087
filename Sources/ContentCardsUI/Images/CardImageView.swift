#if !os(tvOS)
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// A view of one element for VoiceOver, in which the button of an image can't be reached.
@preconcurrency @MainActor
protocol ImageRetrying: AnyObject {
    /// The image that could not be had, and can be tried again.
    var failedImage: CardImageView? { get set }
}

/// Shows an image of a card: while it loads, when it is there, and when it could not be had.
open class CardImageView: UIImageView {
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

    /// Loads an image into a view in another way than with a loader, and calls back with it, or with `nil`.
    package typealias Setter = @MainActor (CardImageView, URL, @escaping @MainActor (UIImage?) -> Void) -> Void

    /// Turns while the image loads.
    public let indicator = UIActivityIndicatorView(style: .medium)
    /// Tries again after a failure.
    public let retryButton = UIButton(type: .system)
    /// The state of the image.
    public private(set) var state = State.empty
    /// The image that is shown until the image is there, and where it cannot be had.
    ///
    /// The default is `nil`: an indicator turns until then, and a failure offers to try again.
    open var placeholder: UIImage?
    /// The maximum width at which the image is shown, in points, so that it is decoded no larger.
    ///
    /// The default is 380.
    open var greatestWidth: CGFloat = 380
    /// Loads images in place of the loader.
    package var setter: Setter?
    /// A closure that is told of the size of the image that is now shown.
    var onImage: ((CGSize) -> Void)?
    /// A closure that is told that the state has changed.
    var onState: ((State) -> Void)?
    private var loader: CardImageLoader?
    private var url: URL?
    private var load: Task<Void, Never>?
    private var loadNumber = 0

    /// Creates an empty view.
    public required override init(frame: CGRect) {
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
        contentMode = .scaleAspectFit
        accessibilityIgnoresInvertColors = true
        isUserInteractionEnabled = true
        indicator.hidesWhenStopped = true
        retryButton.isHidden = true
        retryButton.setTitle("\u{21BB}", for: .normal)
        retryButton.titleLabel?.font = .systemFont(ofSize: 28)
        retryButton.addAction(UIAction { [weak self] _ in self?.retry() }, for: .touchUpInside)
        for view in [indicator, retryButton] as [UIView] {
            view.translatesAutoresizingMaskIntoConstraints = false
            addSubview(view)
            NSLayoutConstraint.activate([
                view.centerXAnchor.constraint(equalTo: centerXAnchor),
                view.centerYAnchor.constraint(equalTo: centerYAnchor),
            ])
        }
    }

    /// None: the cell says how large its image is, whatever came.
    open override var intrinsicContentSize: CGSize {
        CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric)
    }

    /// Shows the image at an address; what was asked for before no longer matters.
    ///
    /// - Parameters:
    ///   - url: the address; `nil` shows nothing.
    ///   - loader: loads the image.
    public func show(_ url: URL?, from loader: CardImageLoader) {
        self.loader = loader
        if url == self.url, state == .shown || state == .loading { return }
        clear()
        self.url = url
        guard let url else { return }
        if setter == nil, let image = loader.cachedImage(for: url, width: pixelWidth) { return finish(image) }
        change(to: .loading)
        image = placeholder
        start(url, with: loader)
    }

    /// Returns whether the image at an address is there.
    func shows(_ url: URL?) -> Bool { state == .shown && url == self.url }

    private func start(_ url: URL, with loader: CardImageLoader) {
        let number = loadNumber
        if let setter {
            return setter(self, url) { [weak self] image in
                guard let self, loadNumber == number else { return }
                finish(image)
            }
        }
        load = Task { [weak self, width = pixelWidth] in
            let image = await loader.image(for: url, width: width)
            guard !Task.isCancelled, let self, loadNumber == number else { return }
            finish(image)
        }
    }

    private var pixelWidth: Int {
        CardImageLoader.pixels(greatestWidth, scale: traitCollection.displayScale)
    }

    /// Tries again to show an image that could not be had.
    public func retry() {
        guard state == .failed, let loader else { return }
        let url = url
        clear()
        show(url, from: loader)
    }

    /// Forgets the image, so that a reused cell never shows that of another card.
    public func clear() {
        loadNumber += 1
        load?.cancel()
        load = nil
        url = nil
        image = nil
        change(to: .empty)
    }

    private func finish(_ image: UIImage?) {
        self.image = image.map { $0.shownWithoutMotion } ?? placeholder
        change(to: image == nil ? .failed : .shown)
        if let image { onImage?(image.size) }
    }

    private func change(to state: State) {
        guard state != self.state else { return }
        self.state = state
        if state == .loading, placeholder == nil { indicator.startAnimating() } else { indicator.stopAnimating() }
        // What is shown may be transparent: the card lies behind it then.
        backgroundColor = state == .loading || state == .failed ? .tertiarySystemFill : nil
        retryButton.isHidden = state != .failed || placeholder != nil
        tellOfRetrying()
        retryButton.accessibilityLabel = ContentCardsText.retry.text(languages: traitCollection.languages)
        onState?(state)
    }

    private func tellOfRetrying() {
        var parent = superview
        while let view = parent, !(view is any ImageRetrying) { parent = view.superview }
        guard let element = parent as? any ImageRetrying else { return }
        if !retryButton.isHidden {
            element.failedImage = self
        } else if element.failedImage === self {
            element.failedImage = nil
        }
    }
}
#endif
