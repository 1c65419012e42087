#if !canImport(ObjectiveC)
import ContentCards
import Foundation

extension NotificationCenter {
    private static let closures = Locked<[ObjectIdentifier: [ClosureObserver]]>([:])

    /// Calls a closure for each notification, where there are no selectors.
    ///
    /// It is called where the notification is posted: that about processed cards on the main thread, so a closure or
    /// method of the main actor may be given. It is no longer called once the observer, an object, is gone. A method of
    /// the object such as `update` holds it, until the observer is removed; `{ [weak self] in self?.update($0) }` does
    /// not, nor does the method of its class, `Feed.update`.
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

    /// Calls a method of an observer for each notification, without holding the observer, as a selector would.
    ///
    /// ```swift
    /// NotificationCenter.default.addObserver(
    ///     self, selector: FeedController.update, name: .ABKContentCardsProcessed, object: nil)
    /// ```
    /// - Parameters:
    ///   - observer: an object; it is no longer called once that is gone.
    ///   - selector: a method of its class.
    ///   - name: the name of the notifications; `nil` for all.
    ///   - object: what posts them; `nil` for anything.
    /// - Returns: what to give to `removeObserver(_:)`, which takes the observer itself, too.
    @discardableResult
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer,
        selector: @escaping (Observer) -> (Notification) -> Void,
        name: NSNotification.Name?,
        object: Any?
    ) -> any NSObjectProtocol {
        let body = { [weak observer] (notification: Notification) in
            if let observer { selector(observer)(notification) }
        }
        return addObserver(observer as Any, selector: body, name: name, object: object)
    }

    /// Calls a method without parameters of an observer for each notification, without holding the observer.
    @discardableResult
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer,
        selector: @escaping (Observer) -> () -> Void,
        name: NSNotification.Name?,
        object: Any?
    ) -> any NSObjectProtocol {
        let body = { [weak observer] (_: Notification) in
            if let observer { selector(observer)() }
        }
        return addObserver(observer as Any, selector: body, name: name, object: object)
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
