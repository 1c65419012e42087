#if canImport(SwiftUI) && canImport(UIKit) && !os(tvOS)
import ContentCards
import UIKit

/// Says when a card counts as seen, by what of this view is on screen.
///
/// SwiftUI says when a view appears, which it does far below the fold, too. So the view itself looks, until its card has
/// been seen.
class WatchedView: UIView {
    private static let interval: UInt64 = 50_000_000

    private var card: ContentCard?
    private var onSeen: @MainActor () -> Void = {}
    private var tracker = ImpressionTracker()
    private var watch: Task<Void, Never>?

    deinit { watch?.cancel() }

    /// Watches for a card, from the beginning where it is another one.
    func watch(_ card: ContentCard, onSeen: @escaping @MainActor () -> Void) {
        let isOther = self.card?.identity != card.identity
        self.card = card
        self.onSeen = onSeen
        if isOther { restart() }
    }

    override func didMoveToWindow() {
        super.didMoveToWindow()
        restart()
    }

    private func restart() {
        watch?.cancel()
        tracker.beginPresentation()
        guard window != nil, card != nil else { return }
        watch = Task { [weak self] in
            while !Task.isCancelled {
                guard let isSeen = self?.look(), !isSeen else { return }
                try? await Task.sleep(nanoseconds: Self.interval)
            }
        }
    }

    /// Looks how much of the view is on screen, and returns whether the card has counted as seen.
    private func look() -> Bool {
        guard let card, let window else { return true }
        let isVisible = ImpressionTracker.isVisible(
            convert(bounds, to: window),
            isControl: card.isControl,
            part: visiblePart(in: window),
            in: window.bounds
        )
        guard !tracker.update(visible: isVisible ? [card.id] : [], at: SystemClock().uptime).isEmpty else {
            return false
        }
        onSeen()
        return true
    }

    /// What is left of the view after all that cuts it off, in the coordinates of the window.
    private func visiblePart(in window: UIWindow) -> CGRect {
        var part = bounds
        var view: UIView = self
        while let parent = view.superview {
            guard !view.isHidden, view.alpha > 0 else { return .null }
            part = view.convert(part, to: parent)
            if parent.clipsToBounds { part = part.intersection(parent.bounds) }
            view = parent
        }
        return part.intersection(window.bounds)
    }
}
#endif
