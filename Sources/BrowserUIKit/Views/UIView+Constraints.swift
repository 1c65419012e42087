extension UIView {
    /// Asks for `updateConstraints()` before the view is drawn again.
    public func setNeedsUpdateConstraints() {
        needsConstraints = true
        setNeedsDisplay()
    }

    /// Returns whether `updateConstraints()` was asked for.
    public func needsUpdateConstraints() -> Bool { needsConstraints }

    /// Changes the constraints now, where that was asked for.
    public func updateConstraintsIfNeeded() {
        guard needsConstraints else { return }
        needsConstraints = false
        if let owner { owner.updateViewConstraints() } else { updateConstraints() }
    }
}
