/// Stands at the root of what takes part in an interface.
@MainActor
open class UIResponder {
    /// Creates a responder.
    public init() {}

    /// Who answers where this responder does not.
    open var next: UIResponder? { nil }
}

/// Stands for one thing that the user did.
@MainActor
public final class UIEvent {
    /// The view that the browser has found at the place of the touch.
    let touchedView: UIView?

    init(touchedView: UIView?) {
        self.touchedView = touchedView
    }
}
