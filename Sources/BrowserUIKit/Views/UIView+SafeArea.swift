// What bars cover of a view follows from its constraints: the browser, which lays it out, is not asked.
extension UIView {
    /// Returns what is covered of the view; while nothing is scrolled, where `isResting` is set.
    func covered(isResting: Bool) -> UIEdgeInsets {
        owner?.covered(isResting: isResting) ?? coveredInSuperview(isResting: isResting)
    }

    /// Returns how much of what is covered of the superview is covered of this view.
    ///
    /// What a scroll view moves is covered by nothing: it is moved away from there.
    func coveredInSuperview(isResting: Bool) -> UIEdgeInsets {
        guard let superview, !(superview is UIScrollView) else { return .zero }
        let outer = superview.covered(isResting: isResting)
        guard outer.top > 0 || outer.bottom > 0 else { return .zero }
        var insets = UIEdgeInsets.zero
        if let top = superview.distance(of: self, from: .top) { insets.top = max(outer.top - top, 0) }
        if let bottom = superview.distance(of: self, from: .bottom) { insets.bottom = max(outer.bottom - bottom, 0) }
        return insets
    }

    /// Returns the first scroll view among this view and those in it that begins at the edge.
    func scrollView(at edge: UIRectEdge) -> UIScrollView? {
        if let scroll = self as? UIScrollView { return scroll.adjustsInsets ? scroll : nil }
        let side: NSLayoutConstraint.Attribute = edge == .top ? .top : .bottom
        for view in subviews where !view.isHidden && distance(of: view, from: side) == 0 {
            if let scroll = view.scrollView(at: edge) { return scroll }
        }
        return nil
    }

    /// Whether the view takes all of its superview, where its frame counts.
    var fillsSuperview: Bool {
        autoresizingMask.contains([.flexibleWidth, .flexibleHeight]) || frame.isEmpty || isFilling
    }

    /// Returns how far a subview lies inside of the edge; `nil` where constraints tie it to something else.
    private func distance(of view: UIView, from side: NSLayoutConstraint.Attribute) -> CGFloat? {
        if let stack = self as? UIStackView, let distance = stack.distance(ofArranged: view, from: side) {
            return distance
        }
        guard !view.translatesAutoresizingMaskIntoConstraints else {
            let fills = view.fillsSuperview
            return fills ? 0 : side == .top ? view.frame.minY : nil
        }
        let ties = view.involved.filter { $0.relation == .equal && $0.ties(view, to: self, at: side) }
        guard let tie = ties.max(by: { $0.priority.rawValue < $1.priority.rawValue }) else { return nil }
        return (tie.firstItem === view) == (side == .top) ? tie.constant : -tie.constant
    }
}

extension UIStackView {
    /// Returns 0 where an arranged view is at the edge, and `nil` for a view that is not arranged or lies elsewhere.
    fileprivate func distance(ofArranged view: UIView, from side: NSLayoutConstraint.Attribute) -> CGFloat? {
        let shown = arrangedSubviews.filter { !$0.isHidden }
        guard !isLayoutMarginsRelativeArrangement, shown.contains(where: { $0 === view }) else { return nil }
        if axis == .horizontal { return alignment == .fill ? 0 : nil }
        return (side == .top ? shown.first : shown.last) === view ? 0 : nil
    }
}

extension NSLayoutConstraint {
    /// Returns whether this ties a side of a view to the same side of another.
    fileprivate func ties(_ view: UIView, to other: UIView, at side: Attribute) -> Bool {
        firstAttribute == side && secondAttribute == side
            && (firstItem === view && secondItem === other || firstItem === other && secondItem === view)
    }
}
