/// Calls a method of an object that it does not hold, as a selector would.
///
/// Selectors need Objective-C. What stands in their place is the method of the class: `FeedController.tapped`.
@preconcurrency @MainActor
struct TargetAction {
    private(set) weak var target: AnyObject?
    private let body: @MainActor (AnyObject, AnyObject) -> Void

    /// Calls a method without parameters.
    init<Target: AnyObject>(_ target: Target, _ action: @escaping @MainActor (Target) -> @MainActor () -> Void) {
        self.target = target
        body = { target, _ in
            if let target = target as? Target { action(target)() }
        }
    }

    /// Calls a method that takes who sends.
    init<Target: AnyObject, Sender>(
        _ target: Target,
        _ action: @escaping @MainActor (Target) -> @MainActor (Sender) -> Void
    ) {
        self.target = target
        body = { target, sender in
            if let target = target as? Target, let sender = sender as? Sender { action(target)(sender) }
        }
    }

    /// Calls the method, unless the object is gone.
    func perform(by sender: AnyObject) {
        if let target { body(target, sender) }
    }
}
