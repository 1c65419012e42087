#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import UIKit

/// Leads from a view of SwiftUI to the one of UIKit that watches its card.
@MainActor
final class WatchedCard {
    weak var view: WatchedView?

    /// Counts the card as seen, unless it was before: the user has touched it.
    func touch() {
        view?.touch()
    }

    /// Presents a page over what is on screen: it stays there although the card goes, as one does that expires.
    ///
    /// Returns whether there is a screen.
    func show(_ page: ContentCardsWebViewController) -> Bool {
        guard let root = view?.window?.rootViewController else { return false }
        page.present(over: root)
        return true
    }
}

/// Says when a card counts as seen, by what of this view is on screen.
///
/// SwiftUI says when a view appears, which it does far below the fold, too. So the view itself looks, until its card
/// has been seen: whenever something around it scrolls, it is laid out or the app comes and goes, and each second, for
/// what nothing of that tells. All views share the timer of that, and none waits for it in the background.
class WatchedView: UIView {
    private var card: ContentCard?
    private var onSeen: @MainActor () -> Void = {}
    private lazy var impressions = ImpressionObserver(
        visible: { [weak self] in self?.visibleCard.map { [$0.id] } ?? [] },
        onImpression: { [weak self] _ in self?.onSeen() }
    )
    private var scrolling: [NSKeyValueObservation] = []
    private var scenes: SceneObservers?

    /// Watches for a card, from the beginning where it is another one.
    func watch(_ card: ContentCard, as watched: WatchedCard?, onSeen: @escaping @MainActor () -> Void) {
        watched?.view = self
        let isOther = self.card?.identity != card.identity
        self.card = card
        self.onSeen = onSeen
        if isOther { restart() }
    }

    /// Counts the card as seen, unless it was before: the user has touched it.
    func touch() {
        if let card { impressions.touch(card.id) }
    }

    override func didMoveToWindow() {
        super.didMoveToWindow()
        restart()
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        impressions.update()
    }

    private func restart() {
        stop()
        guard window != nil, card != nil else { return impressions.pause() }
        impressions.beginPresentation()
        observeSurroundings()
        look()
    }

    /// Looks for the card, and again after a second while it may come into view.
    private func look() {
        impressions.update()
        guard mayBeSeen else { return SharedTimer.shared.remove(self) }
        SharedTimer.shared.add(self) { [weak self] in
            guard let self else { return false }
            impressions.update()
            return mayBeSeen
        }
    }

    private var mayBeSeen: Bool { !isSeen && window?.isInForeground == true }

    private var isSeen: Bool {
        guard !impressions.seen.isEmpty else { return false }
        (scrolling, scenes) = ([], nil)
        return true
    }

    private func stop() {
        SharedTimer.shared.remove(self)
        (scrolling, scenes) = ([], nil)
    }

    private func observeSurroundings() {
        scenes = SceneObservers { [weak self] in self?.look() }
        var view = superview
        while let parent = view {
            if let scroll = parent as? UIScrollView {
                // UIKit scrolls on the main thread.
                let observation = scroll.observe(\.contentOffset) { [weak self] _, _ in
                    MainActor.assumeIsolated { self?.impressions.update() }
                }
                scrolling.append(observation)
            }
            view = parent.superview
        }
    }

    /// The card, where enough of the view is on screen.
    private var visibleCard: ContentCard? {
        guard let card, let window, window.isInForeground else { return nil }
        let isVisible = ImpressionTracker.isVisible(
            convert(bounds, to: window),
            isControl: card.isControl,
            part: visiblePart(in: window),
            in: window.bounds
        )
        return isVisible ? card : nil
    }

    /// Returns the part of the view that is left after all that cuts it off, in the coordinates of the window.
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
