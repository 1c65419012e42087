// What happens while the user types.
extension UITextField {
    /// A notification that the user begins to type.
    public nonisolated static let textDidBeginEditingNotification = NSNotification.Name(
        "UITextFieldTextDidBeginEditingNotification"
    )
    /// A notification that the user no longer types.
    public nonisolated static let textDidEndEditingNotification = NSNotification.Name(
        "UITextFieldTextDidEndEditingNotification"
    )
    /// A notification that the text has changed.
    public nonisolated static let textDidChangeNotification = NSNotification.Name(
        "UITextFieldTextDidChangeNotification"
    )

    /// Returns whether the user types into the field now.
    func begin() -> Bool {
        if typing.isActive { return true }
        guard delegate?.textFieldShouldBeginEditing(self) ?? true else {
            typing.requestFocus(false)
            setNeedsDisplay()
            return false
        }
        began()
        return true
    }

    func began() {
        typing.isActive = true
        screen?.begin(self)
        if clearsOnBeginEditing { text = "" }
        delegate?.textFieldDidBeginEditing(self)
        sendActions(for: .editingDidBegin)
        NotificationCenter.default.post(name: Self.textDidBeginEditingNotification, object: self)
        setNeedsDisplay()
    }

    func ended() {
        guard typing.isActive else { return }
        typing.isActive = false
        screen?.end(self)
        sendActions(for: .editingDidEnd)
        delegate?.textFieldDidEndEditing(self)
        delegate?.textFieldDidEndEditing(self, reason: .committed)
        NotificationCenter.default.post(name: Self.textDidEndEditingNotification, object: self)
        setNeedsDisplay()
    }

    func take(_ text: String, isFinal: Bool) {
        let isNew = text != typing.text ?? ""
        // The page tells of an end that the app has brought about, too.
        guard typing.isActive || isNew || !isFinal, begin() else { return }
        if isNew {
            guard accepts(text) else {
                typing.refuse()
                setNeedsDisplay()
                if isFinal { ended() }
                return
            }
            typing.take(text)
            setNeedsDisplay()
            if !isFinal { changed() }
        }
        if isFinal { ended() }
    }

    func changed() {
        sendActions(for: .editingChanged)
        delegate?.textFieldDidChangeSelection(self)
        NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
    }

    func accepts(_ text: String) -> Bool {
        guard let delegate else { return true }
        let change = typing.change(to: text)
        return delegate.textField(self, shouldChangeCharactersIn: change.range, replacementString: change.text)
    }

    /// A field without a delegate, and one whose app waits for the end by Return, is left then.
    func returned() {
        guard delegate?.textFieldShouldReturn(self) ?? true else { return }
        sendActions(for: [.editingDidEndOnExit, .primaryActionTriggered])
        if delegate == nil || has(.editingDidEndOnExit) { resignFirstResponder() }
    }

    func clear() {
        guard delegate?.textFieldShouldClear(self) ?? true else { return }
        text = ""
        changed()
    }
}
