/// Holds a value that screens follow.
@MainActor
final class Watched<Value: Equatable> {
    private struct Watcher {
        weak var owner: AnyObject?
        let handler: @MainActor (Value) -> Void
    }

    private var watchers: [Watcher] = []
    var value: Value {
        didSet {
            guard value != oldValue else { return }
            watchers.removeAll { $0.owner == nil }
            for watcher in watchers { watcher.handler(value) }
        }
    }

    init(_ value: Value) {
        self.value = value
    }

    /// Calls a handler with the value now and after each change, until its owner is gone.
    func follow(_ owner: AnyObject, _ handler: @escaping @MainActor (Value) -> Void) {
        watchers.append(Watcher(owner: owner, handler: handler))
        handler(value)
    }
}
