#if !canImport(ObjectiveC)
import ContentCards
import Foundation

extension NotificationCenter {
    private static let closures = Locked<[ObjectIdentifier: [ClosureObserver]]>([:])

    /// Calls a closure for each notification, where there are no selectors.
    ///
    /// It is called where the notification is posted: that about processed cards on the main thread, so a closure or method
    /// of the main actor may be given. It is no longer called once the observer, an object, is gone. A method such as
    /// `update` holds its object, until the observer is removed; `{ [weak self] in self?.update($0) }` does not.
    /// - Returns: what to give to `removeObserver(_:)`, which takes the observer itself, too.
    @discardableResult
    public func addObserver(
        _ observer: Any,
        selector: @escaping (Notification) -> Void,
        name: NSNotification.Name?,
        object: Any?
    ) -> any NSObjectProtocol {
        let observer = observer as AnyObject
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

/// Calls a closure while an object is alive.
private final class ClosureObserver: @unchecked Sendable {
    // All but the token are constant; `isAlive` reads a weak reference, which is atomic, and `body` runs where the
    // notification is posted, as a selector would. The token is behind a lock.
    private let isAlive: () -> Bool
    private let body: (Notification) -> Void
    let name: NSNotification.Name?
    let token = Locked<(any NSObjectProtocol)?>(nil)

    init(isAlive: @escaping () -> Bool, body: @escaping (Notification) -> Void, name: NSNotification.Name?) {
        self.isAlive = isAlive
        self.body = body
        self.name = name
    }

    var isUsed: Bool { isAlive() }

    func receive(_ notification: Notification) {
        if isAlive() { body(notification) }
    }
}
#endif
