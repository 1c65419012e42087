#if !canImport(ObjectiveC)
import Foundation

extension NotificationCenter {
    /// Calls a closure for each notification, where there are no selectors.
    ///
    /// The notification has to be posted on the main thread, as that about processed cards is. The closure is no longer
    /// called once the observer is gone, unless the closure itself holds it.
    /// - Returns: what to give to `removeObserver(_:)`.
    @discardableResult
    public func addObserver(
        _ observer: AnyObject,
        selector: @escaping @MainActor (Notification) -> Void,
        name: NSNotification.Name?,
        object: Any?
    ) -> any NSObjectProtocol {
        let isAlive = { [weak observer] in observer != nil }
        let body = ClosureObserver(isAlive: isAlive, body: selector)
        return addObserver(forName: name, object: object, queue: nil) { body.receive($0) }
    }
}

/// Calls a closure on the main actor.
private final class ClosureObserver: @unchecked Sendable {
    // Both are constant; `isAlive` reads a weak reference, which is atomic, and `body` runs on the main actor alone.
    private let isAlive: () -> Bool
    private let body: @MainActor (Notification) -> Void

    init(isAlive: @escaping () -> Bool, body: @escaping @MainActor (Notification) -> Void) {
        self.isAlive = isAlive
        self.body = body
    }

    func receive(_ notification: Notification) {
        guard isAlive() else { return }
        nonisolated(unsafe) let notification = notification
        MainActor.assumeIsolated { body(notification) }
    }
}
#endif
