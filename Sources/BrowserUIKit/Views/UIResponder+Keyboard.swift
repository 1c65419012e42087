// A keyboard is the browser's, which tells nothing of it: apps hear that one is shown and hidden, as with one made of
// keys, which covers nothing.
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

extension BrowserScreen {
    /// Notes that a view is typed into; the one before no longer is.
    func begin(_ view: any TypedInto) {
        if typedInto !== view { typedInto?.endFocus() }
        typedInto = view
    }

    /// Notes that a view is no longer typed into.
    func end(_ view: any TypedInto) {
        if typedInto === view { typedInto = nil }
    }

    /// Tells apps where a keyboard came or went; not between two fields of which one follows the other.
    func settleKeyboard() {
        let isShown = typedInto != nil
        guard isShown != isKeyboardShown else { return }
        isKeyboardShown = isShown
        let below = CGRect(x: 0, y: environment.height, width: environment.width, height: 0)
        let info: [AnyHashable: Any] = [
            UIResponder.keyboardFrameBeginUserInfoKey: NSValue(cgRect: below),
            UIResponder.keyboardFrameEndUserInfoKey: NSValue(cgRect: below),
            UIResponder.keyboardAnimationDurationUserInfoKey: NSNumber(value: 0.25),
            UIResponder.keyboardAnimationCurveUserInfoKey: NSNumber(value: UIView.AnimationCurve.easeInOut.rawValue),
            UIResponder.keyboardIsLocalUserInfoKey: NSNumber(value: true),
        ]
        let names =
            isShown
            ? [
                UIResponder.keyboardWillChangeFrameNotification, UIResponder.keyboardWillShowNotification,
                UIResponder.keyboardDidChangeFrameNotification, UIResponder.keyboardDidShowNotification,
            ]
            : [
                UIResponder.keyboardWillChangeFrameNotification, UIResponder.keyboardWillHideNotification,
                UIResponder.keyboardDidChangeFrameNotification, UIResponder.keyboardDidHideNotification,
            ]
        for name in names { NotificationCenter.default.post(name: name, object: nil, userInfo: info) }
    }
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
