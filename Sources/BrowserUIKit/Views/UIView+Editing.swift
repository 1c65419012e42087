extension UIView {
    /// Ends the typing into the view, or into one in it; returns whether none is typed into any more.
    ///
    /// A field whose delegate says no keeps the cursor, unless `force` is set.
    @discardableResult
    public func endEditing(_ force: Bool) -> Bool {
        guard let view = typedInto else { return true }
        if view.resignFirstResponder() { return true }
        if force {
            view.endFocus()
            screen?.settleKeyboard()
        }
        return force
    }

    private var typedInto: (any TypedInto)? {
        if let view = self as? any TypedInto, view.isFirstResponder { return view }
        for view in subviews {
            if let found = view.typedInto { return found }
        }
        return nil
    }
}
