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

    /// Tells apps where a keyboard came, went or got another height; not between two fields of which one follows the
    /// other.
    ///
    /// A browser says how high its keyboard is once that is there, so apps are told twice, as UIKit does where the
    /// height changes.
    func settleKeyboard() {
        let isShown = typedInto != nil
        let height = isShown ? environment.keyboardHeight : 0
        guard isShown != isKeyboardShown || height != toldKeyboardHeight else { return }
        let (begin, end) = (keyboardFrame(toldKeyboardHeight), keyboardFrame(height))
        (isKeyboardShown, toldKeyboardHeight) = (isShown, height)
        let info: [AnyHashable: Any] = [
            UIResponder.keyboardFrameBeginUserInfoKey: NSValue(cgRect: begin),
            UIResponder.keyboardFrameEndUserInfoKey: NSValue(cgRect: end),
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

    /// The rectangle of a keyboard at the bottom of the screen.
    private func keyboardFrame(_ height: CGFloat) -> CGRect {
        CGRect(x: 0, y: environment.height - height, width: environment.width, height: height)
    }
}
