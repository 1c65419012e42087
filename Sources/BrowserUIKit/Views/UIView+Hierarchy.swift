extension UIView {
    /// Says which parts of a frame follow the superview.
    public struct AutoresizingMask: OptionSet, Sendable {
        /// One bit a part.
        public let rawValue: UInt

        /// Creates a mask from its bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The width.
        public static let flexibleWidth = AutoresizingMask(rawValue: 2)
        /// The height.
        public static let flexibleHeight = AutoresizingMask(rawValue: 16)
    }

    /// Puts a view in front of all others in this one.
    public func addSubview(_ view: UIView) {
        insertSubview(view, at: subviews.count)
    }

    /// Puts a view at a place from the back.
    public func insertSubview(_ view: UIView, at index: Int) {
        if view.superview != nil { view.removeFromSuperview() }
        view.willMove(toSuperview: self)
        subviews.insert(view, at: min(max(index, 0), subviews.count))
        view.superview = self
        didAddSubview(view)
        view.didMoveToSuperview()
        if windowView != nil { view.notifyOfWindow() }
        view.owner?.viewWasAdded()
        setNeedsDisplay()
    }

    /// Takes the view, and what constrains it, out of its superview.
    public func removeFromSuperview() {
        guard let superview else { return }
        let hadWindow = windowView != nil
        superview.willRemoveSubview(self)
        willMove(toSuperview: nil)
        // An override may have taken it out itself.
        guard self.superview === superview else { return }
        owner?.viewWillBeRemoved()
        superview.setNeedsDisplay()
        superview.subviews.removeAll { $0 === self }
        superview.didRemove(self)
        self.superview = nil
        for constraint in involved where !constraint.isSizeOnly { constraint.isActive = false }
        didMoveToSuperview()
        if hadWindow { notifyOfWindow() }
    }

    /// Draws a subview in front of the others.
    public func bringSubviewToFront(_ view: UIView) {
        move(view, to: subviews.count - 1)
    }

    /// Draws a subview behind the others.
    public func sendSubviewToBack(_ view: UIView) {
        move(view, to: 0)
    }

    private func move(_ view: UIView, to index: Int) {
        guard let current = subviews.firstIndex(where: { $0 === view }) else { return }
        subviews.insert(subviews.remove(at: current), at: index)
        setNeedsDisplay()
    }

    /// Returns whether the view is this one or in it.
    public func isDescendant(of view: UIView) -> Bool {
        self === view || superview?.isDescendant(of: view) == true
    }

    /// Returns the view with a number of the app's own: this one, or the first one in it.
    public func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        for view in subviews {
            if let found = view.viewWithTag(tag) { return found }
        }
        return nil
    }

    func notifyOfWindow() {
        (self as? UIScrollView)?.endUnseenDragging()
        if windowView == nil { layer.endUnseenAnimations() }
        didMoveToWindow()
        for view in subviews { view.notifyOfWindow() }
    }

    /// Puts a view in front of another one in this view; in front of all where that isn't in it.
    public func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
        insertSubview(view, beside: siblingSubview, after: 1)
    }

    /// Puts a view behind another one in this view; in front of all where that isn't in it.
    public func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
        insertSubview(view, beside: siblingSubview, after: 0)
    }

    private func insertSubview(_ view: UIView, beside sibling: UIView, after step: Int) {
        if view.superview != nil { view.removeFromSuperview() }
        let place = subviews.firstIndex { $0 === sibling }
        insertSubview(view, at: place.map { $0 + step } ?? subviews.count)
    }

    private func didRemove(_ view: UIView) {
        (self as? UIStackView)?.forget(view)
    }
}
