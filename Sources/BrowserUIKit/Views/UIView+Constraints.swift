extension UIView {
    /// Asks for `updateConstraints()` before the view is drawn again.
    public func setNeedsUpdateConstraints() {
        needsConstraints = true
        setNeedsDisplay()
    }

    /// Returns whether somebody has asked for `updateConstraints()`.
    public func needsUpdateConstraints() -> Bool { needsConstraints }

    /// Changes the constraints now, where somebody has asked for that.
    public func updateConstraintsIfNeeded() {
        guard needsConstraints else { return }
        needsConstraints = false
        if let owner { owner.updateViewConstraints() } else { updateConstraints() }
    }
}
