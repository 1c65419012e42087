/// A delegate that is asked and told about what is typed into a field.
@preconcurrency @MainActor
public protocol UITextFieldDelegate: NSObjectProtocol {
    /// Returns whether the user may type into the field. The default is `true`.
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool

    /// Is called when the user has begun to type.
    func textFieldDidBeginEditing(_ textField: UITextField)

    /// Returns whether the app may end the typing. The default is `true`.
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool

    /// Is called when the user is done.
    func textFieldDidEndEditing(_ textField: UITextField)

    /// Returns whether a part of the text may be exchanged. The default is `true`.
    func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool

    /// Is called when the user is done, with the reason.
    func textFieldDidEndEditing(_ textField: UITextField, reason: UITextField.DidEndEditingReason)

    /// Is called when the text has changed; browsers do not tell of the cursor.
    func textFieldDidChangeSelection(_ textField: UITextField)

    /// Returns whether the button beside the text may remove it. The default is `true`.
    func textFieldShouldClear(_ textField: UITextField) -> Bool

    /// Is called when the user presses Return; returns whether that means anything to the field. The default is `true`.
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
}

extension UITextFieldDelegate {
    /// Lets the user type.
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }

    /// Does nothing.
    public func textFieldDidBeginEditing(_ textField: UITextField) {}

    /// Lets the typing end.
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }

    /// Does nothing.
    public func textFieldDidEndEditing(_ textField: UITextField) {}

    /// Takes any text.
    public func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool { true }

    /// Does nothing.
    public func textFieldDidEndEditing(_ textField: UITextField, reason: UITextField.DidEndEditingReason) {}

    /// Does nothing.
    public func textFieldDidChangeSelection(_ textField: UITextField) {}

    /// Lets the text go.
    public func textFieldShouldClear(_ textField: UITextField) -> Bool { true }

    /// Lets Return mean what it does without a delegate.
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}
