#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Hears that scenes come to the foreground and leave it, for as long as it lives.
final class SceneObservers: Sendable {
    private let tokens: Locked<[any NSObjectProtocol]>

    /// Calls a closure on the main thread whenever a scene has come or gone.
    init(onChange: @escaping @MainActor @Sendable () -> Void) {
        let names = [UIScene.didActivateNotification, UIScene.didEnterBackgroundNotification]
        tokens = Locked(
            names.map { name in
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                    // UIKit posts on the main thread.
                    MainActor.assumeIsolated { onChange() }
                }
            }
        )
    }

    deinit {
        for token in tokens.withLock({ $0 }) { NotificationCenter.default.removeObserver(token) }
    }
}

extension UIWindow {
    /// Whether the user can see the window: views stay in one whose scene is in the background, and the system draws
    /// them for the app switcher.
    var isInForeground: Bool {
        guard let state = windowScene?.activationState else { return true }
        return state == .foregroundActive || state == .foregroundInactive
    }
}
#endif
