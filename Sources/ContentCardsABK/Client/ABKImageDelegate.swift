#if !os(tvOS)
import ContentCardsUI
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Says how an image should be loaded.
public struct ABKImageOptions: OptionSet, Sendable {
    /// One bit an option.
    public let rawValue: UInt

    /// Creates options from their bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Try addresses again that have failed before.
    public static let retryFailed = ABKImageOptions(rawValue: 1 << 0)
    /// Wait for everything that matters more.
    public static let lowPriority = ABKImageOptions(rawValue: 1 << 1)
    /// Keep the image in memory alone.
    public static let cacheMemoryOnly = ABKImageOptions(rawValue: 1 << 2)
    /// Show the image while it comes.
    public static let progressiveDownload = ABKImageOptions(rawValue: 1 << 3)
    /// Ask the server again whatever is cached.
    public static let refreshCached = ABKImageOptions(rawValue: 1 << 4)
    /// Go on while the app is in the background.
    public static let continueInBackground = ABKImageOptions(rawValue: 1 << 5)
    /// Send and keep cookies.
    public static let handleCookies = ABKImageOptions(rawValue: 1 << 6)
}

/// Loads images in place of the SDK: with a library that the app has anyway, or to show moving ones.
///
/// Closures may be called on any thread.
@preconcurrency @MainActor
public protocol ABKImageDelegate: AnyObject {
    /// Shows the image at an address in a view, and calls back with the image or an error.
    func setImageFor(
        _ imageView: UIImageView,
        showActivityIndicator: Bool,
        with imageURL: URL?,
        imagePlaceHolder placeHolder: UIImage?,
        completed completion: ((UIImage?, (any Error)?, Int, URL?) -> Void)?
    )

    /// Loads the image at an address, for the app's own use.
    func loadImage(
        with url: URL?,
        options: ABKImageOptions,
        completed completion: ((UIImage, Data, any Error, Int, Bool, URL) -> Void)?
    )

    /// Calls back with whether the image at an address is on disk.
    func diskImageExists(for url: URL?, completed completion: ((Bool) -> Void)?)

    /// Returns the image at an address if it can be had at once.
    func imageFromCache(for url: URL?) -> UIImage?

    /// Returns the class of the views that images are shown in; cells use subclasses of `CardImageView` alone.
    func imageViewClass() -> AnyClass
}

extension ABKImageDelegate {
    /// Loads nothing, and does not call back: the SDK itself never asks for this.
    public func loadImage(
        with url: URL?,
        options: ABKImageOptions,
        completed completion: ((UIImage, Data, any Error, Int, Bool, URL) -> Void)?
    ) {}

    /// Says that it is not.
    public func diskImageExists(for url: URL?, completed completion: ((Bool) -> Void)?) {
        completion?(false)
    }

    /// Has none.
    public func imageFromCache(for url: URL?) -> UIImage? { nil }

    /// Leaves the class to the cells.
    public func imageViewClass() -> AnyClass { CardImageView.self }

    /// Says that a view shows no image any more: a library that sets images by itself would set the one of before.
    func endLoading(in view: CardImageView) {
        setImageFor(view, showActivityIndicator: false, with: nil, imagePlaceHolder: nil, completed: nil)
    }

    /// Shows an image in a cell: at once where that is possible.
    func show(_ url: URL, in view: CardImageView, finish: @escaping @MainActor (UIImage?) -> Void) {
        if let image = imageFromCache(for: url) {
            endLoading(in: view)
            return finish(image)
        }
        setImageFor(
            view,
            showActivityIndicator: false,
            with: url,
            imagePlaceHolder: view.placeholder,
            completed: onMain(finish)
        )
    }
}

/// Libraries call back on threads of their own.
private func onMain(
    _ finish: @escaping @MainActor (UIImage?) -> Void
) -> (UIImage?, (any Error)?, Int, URL?) -> Void {
    { image, _, _, _ in
        if Thread.isMainThread {
            MainActor.assumeIsolated { finish(image) }
        } else {
            Task { @MainActor in finish(image) }
        }
    }
}
#endif
