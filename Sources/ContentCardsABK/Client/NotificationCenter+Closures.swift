#if !canImport(ObjectiveC)
import ContentCards
import Foundation

extension NotificationCenter {
    private static let closures = Locked<[ObjectIdentifier: [ClosureObserver]]>([:])

    /// Calls a closure for each notification, where there are no selectors.
    ///
    /// The notification has to be posted on the main thread, as that about processed cards is. The closure is no longer
    /// called once the observer is gone, unless the closure itself holds it.
    /// - Returns: what to give to `removeObserver(_:)`, which takes the observer itself, too.
    @discardableResult
    public func addObserver(
        _ observer: AnyObject,
        selector: @escaping @MainActor (Notification) -> Void,
        name: NSNotification.Name?,
        object: Any?
    ) -> any NSObjectProtocol {
        let isAlive = { [weak observer] in observer != nil }
        let body = ClosureObserver(isAlive: isAlive, body: selector, name: name)
        let token = addObserver(forName: name, object: object, queue: nil) { body.receive($0) }
        body.token.withLock { $0 = token }
        Self.closures.withLock { all in
            all = all.compactMapValues { $0.contains(where: \.isUsed) ? $0.filter(\.isUsed) : nil }
            all[ObjectIdentifier(observer), default: []].append(body)
        }
        return token
    }

    /// Calls the closures of an observer no longer; takes what `addObserver` returns, too.
    public func removeObserver(_ observer: AnyObject) {
        let own = Self.closures.withLock { $0.removeValue(forKey: ObjectIdentifier(observer)) } ?? []
        for closure in own { remove(closure) }
        if own.isEmpty { removeObserver(observer as Any) }
    }

    /// Calls the closures of an observer for one name no longer.
    public func removeObserver(_ observer: AnyObject, name: NSNotification.Name?, object: Any?) {
        let own = Self.closures.withLock { all in
            let removed = all[ObjectIdentifier(observer), default: []].filter { name == nil || $0.name == name }
            all[ObjectIdentifier(observer)]?.removeAll { name == nil || $0.name == name }
            return removed
        }
        for closure in own { remove(closure) }
        if own.isEmpty { removeObserver(observer as Any, name: name, object: object) }
    }

    private func remove(_ closure: ClosureObserver) {
        if let token = closure.token.withLock({ $0 }) { removeObserver(token as Any) }
    }
}

/// Calls a closure on the main actor.
private final class ClosureObserver: @unchecked Sendable {
    // All but the token are constant; `isAlive` reads a weak reference, which is atomic, and `body` runs on the main
    // actor alone. The token is behind a lock.
    private let isAlive: () -> Bool
    private let body: @MainActor (Notification) -> Void
    let name: NSNotification.Name?
    let token = Locked<(any NSObjectProtocol)?>(nil)

    init(isAlive: @escaping () -> Bool, body: @escaping @MainActor (Notification) -> Void, name: NSNotification.Name?) {
        self.isAlive = isAlive
        self.body = body
        self.name = name
    }

    var isUsed: Bool { isAlive() }

    func receive(_ notification: Notification) {
        guard isAlive() else { return }
        nonisolated(unsafe) let notification = notification
        MainActor.assumeIsolated { body(notification) }
    }
}
#endif
