/// Stands at the root of what takes part in an interface.
@preconcurrency @MainActor
open class UIResponder: NSObject {
    /// Creates a responder.
    public override init() {
        super.init()
    }

    /// The responder that answers where this responder does not.
    open var next: UIResponder? { nil }

    /// Whether what is typed comes to this responder.
    open var isFirstResponder: Bool { false }

    /// Whether what is typed can come to this responder.
    open var canBecomeFirstResponder: Bool { false }

    /// Lets what is typed come to this responder; returns whether it does.
    @discardableResult
    open func becomeFirstResponder() -> Bool { canBecomeFirstResponder }

    /// Lets what is typed no longer come to this responder; returns whether it does not.
    @discardableResult
    open func resignFirstResponder() -> Bool { true }

    /// The keys that call methods while this responder is in the chain; `nil` for none.
    open var keyCommands: [UIKeyCommand]? { nil }

    // MARK: Touches

    /// Is called when a finger has come down; hands the touch to the next responder.
    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        next?.touchesBegan(touches, with: event)
    }

    /// Is called when a finger has moved; hands the touch to the next responder.
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        next?.touchesMoved(touches, with: event)
    }

    /// Is called when a finger has left; hands the touch to the next responder.
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        next?.touchesEnded(touches, with: event)
    }

    /// Is called when the touch was taken for something else, such as a gesture; hands it to the next responder.
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        next?.touchesCancelled(touches, with: event)
    }

    /// Is called after a storyboard or nib file was read, which browsers do not have.
    open func awakeFromNib() {}

    /// Is called where an editor of interfaces shows the view, which is never here.
    open func prepareForInterfaceBuilder() {}
}
