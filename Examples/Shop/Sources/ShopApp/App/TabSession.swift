#if !canImport(UIKit)
import Foundation

/// Ends the session while nobody sees the browser tab, and begins it when the tab is back: on a device, the SDK does
/// that by itself.
@MainActor
final class TabSession {
    private static let background = Notification.Name("UIApplicationDidEnterBackgroundNotification")
    private static let foreground = Notification.Name("UIApplicationWillEnterForegroundNotification")

    private let cards: CardManager
    /// Set by the initializer, and read by `deinit` alone.
    private nonisolated(unsafe) var observers: [any NSObjectProtocol] = []
    /// The last change, which waits for those before it.
    private(set) var lastChange: Task<Void, Never>?

    /// Creates what follows the app of one tab: several share a process, and its notifications.
    init(_ cards: CardManager, of app: AnyObject) {
        self.cards = cards
        observers = [(Self.background, false), (Self.foreground, true)].map { name, isInUse in
            NotificationCenter.default.addObserver(forName: name, object: app, queue: nil) { [weak self] _ in
                // UIKit posts on the main thread.
                MainActor.assumeIsolated { self?.change(isInUse) }
            }
        }
    }

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    private func change(_ isInUse: Bool) {
        lastChange = Task { [cards, lastChange] in
            await lastChange?.value
            await cards.setInUse(isInUse)
        }
    }
}
#endif
