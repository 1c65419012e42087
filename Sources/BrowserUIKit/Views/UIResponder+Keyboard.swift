// A keyboard is the browser's: apps hear that one is shown and hidden, and how much of the screen it covers once the
// browser says so; one made of keys covers nothing.
extension UIResponder {
    /// A notification that is posted before a keyboard is shown.
    public nonisolated static let keyboardWillShowNotification = NSNotification.Name("UIKeyboardWillShowNotification")
    /// A notification that a keyboard was shown.
    public nonisolated static let keyboardDidShowNotification = NSNotification.Name("UIKeyboardDidShowNotification")
    /// A notification that is posted before a keyboard is hidden.
    public nonisolated static let keyboardWillHideNotification = NSNotification.Name("UIKeyboardWillHideNotification")
    /// A notification that a keyboard was hidden.
    public nonisolated static let keyboardDidHideNotification = NSNotification.Name("UIKeyboardDidHideNotification")
    /// A notification that is posted before the place of a keyboard changes.
    public nonisolated static let keyboardWillChangeFrameNotification = NSNotification.Name(
        "UIKeyboardWillChangeFrameNotification"
    )
    /// A notification that the place of a keyboard has changed.
    public nonisolated static let keyboardDidChangeFrameNotification = NSNotification.Name(
        "UIKeyboardDidChangeFrameNotification"
    )
    /// The key of where the keyboard was, an `NSValue` of a rectangle of the screen.
    public nonisolated static let keyboardFrameBeginUserInfoKey = "UIKeyboardFrameBeginUserInfoKey"
    /// The key of where the keyboard will be, an `NSValue` of a rectangle of the screen.
    public nonisolated static let keyboardFrameEndUserInfoKey = "UIKeyboardFrameEndUserInfoKey"
    /// The key of how long the change takes, an `NSNumber` of seconds.
    public nonisolated static let keyboardAnimationDurationUserInfoKey = "UIKeyboardAnimationDurationUserInfoKey"
    /// The key of the curve of the change, an `NSNumber` of a `UIView.AnimationCurve`.
    public nonisolated static let keyboardAnimationCurveUserInfoKey = "UIKeyboardAnimationCurveUserInfoKey"
    /// The key of whether the keyboard is that of this app, an `NSNumber` of a truth value.
    public nonisolated static let keyboardIsLocalUserInfoKey = "UIKeyboardIsLocalUserInfoKey"
}

extension NSValue {
    /// Creates a value that holds a point.
    public convenience init(cgPoint point: CGPoint) {
        self.init(point: point)
    }

    /// Creates a value that holds a size.
    public convenience init(cgSize size: CGSize) {
        self.init(size: size)
    }

    /// Creates a value that holds a rectangle.
    public convenience init(cgRect rect: CGRect) {
        self.init(rect: rect)
    }

    /// The point that the value holds.
    public var cgPointValue: CGPoint { pointValue }

    /// The size that the value holds.
    public var cgSizeValue: CGSize { sizeValue }

    /// The rectangle that the value holds.
    public var cgRectValue: CGRect { rectValue }
}
