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
