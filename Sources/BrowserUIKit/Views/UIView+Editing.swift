extension UIView {
    /// Ends the typing into the view, or into one in it; returns whether none is typed into any more.
    ///
    /// A field whose delegate says no keeps the cursor, unless `force` is set.
    @discardableResult
    public func endEditing(_ force: Bool) -> Bool {
        guard let field = typedInto else { return true }
        if field.resignFirstResponder() { return true }
        if force { field.endFocus() }
        return force
    }

    private var typedInto: UITextField? {
        if let field = self as? UITextField, field.isFirstResponder { return field }
        for view in subviews {
            if let field = view.typedInto { return field }
        }
        return nil
    }
}
